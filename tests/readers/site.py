"""A small web of eight hosts on loopback that has of everything a little, on two days a week apart.

On the second day a page is gone, one has changed, one is new and a link has been taken away; what has an ETag answers 304.
"""

import gzip
import json
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

LANGUAGES = Path(__file__).resolve().parent.parent / "data" / "html"
ARTICLES = ("en-article", "de-artikel", "fr-actualite", "es-noticia", "ja-kiji", "ru-novosti", "zh-xinwen")
SUBJECTS = ("lamp", "chair", "table", "shelf", "mirror", "carpet")
# So long that a changed word leaves the text nearly the same.
STORY = " ".join(f"In the year {year} the workshop made {year * 7 % 113} lamps and {year * 11 % 97} chairs for the town of {town}."
                 for year, town in zip(range(1950, 2010), ("Arden", "Birch", "Cole", "Dale", "Elm") * 12))
LARGE = 40_000


def page(title, *parts, head=""):
    return f"<!doctype html><html lang=en><head><title>{title}</title>{head}</head><body><h1>{title}</h1>{''.join(parts)}</body></html>"


def links(*paths):
    return "".join(f'<p><a href="{path}">to {path.rpartition("/")[2] or path}</a></p>' for path in paths)


def shop(path, query, day):
    name = path.removeprefix("/print")
    number = int(name[len("/product/"):]) if name.startswith("/product/") and name[len("/product/"):].isdigit() else 0
    if path == "/":
        campaign = ["/campaign"] if day == 0 else ["/news"]
        return page("The shop", links(*(f"/product/{number}" for number in range(1, 7)), "/about", "/about-us", "/old", "/loop", "/private/list",
                                      "/print/product/1", "/strasse/größe?farbe=grün&b=2&a=1", "/wide", *campaign, "http://news.test/",
                                      "http://slow.test/", "http://away.test/"))
    if path == "/product/6" and day > 0:
        return None
    if 1 <= number <= 6:
        subject = SUBJECTS[number - 1]
        text = f"<p>A {subject} of oak. " + f"It stands well beside other things of oak, and costs {number * 12 + 7} coins. " * 3 + "</p>"
        offer = {"@type": "Offer", "price": f"{number * 12 + 7}.50", "priceCurrency": "EUR", "availability": "https://schema.org/InStock"}
        product = {"@context": "https://schema.org", "@type": "Product", "name": f"A {subject}", "offers": offer}
        head = f'<script type="application/ld+json">{json.dumps(product)}</script>'
        return page(f"A {subject}", text, links("/", "/product/9", "/product/8") if number == 2 else links("/"), head=head)
    if path in ("/about", "/about-us"):
        word = "Our" if path == "/about" else "This"
        return page("About us", f"<p>{word} workshop is old. {STORY}</p>", links("/"))
    if path == "/campaign":
        return page("Campaign", f"<p>Lamps for less, in this week alone. {day}</p>", links("/"))
    if path == "/news":
        return page("News", "<p>There are new lamps in the shop, and they are bright.</p>", links("/product/1"))
    if path == "/hidden":
        return page("Hidden", "<p>Only the sitemap knows this page of the shop.</p>",
                    head='<meta property="article:published_time" content="2025-12-30T08:00:00Z">')
    if path == "/strasse/größe":
        return page("Größe", f"<p>Die Straße ist grün: {query}</p>")
    if path == "/wide":
        return page("Wide", "<p>A long list of words: " + "word " * (LARGE // 5) + "</p>")
    if path == "/noted":
        return page("Noted", "<p>This page is not for indexes.</p>", head="<meta name=robots content='noindex,noarchive'>")
    return None


def sitemap(day):
    entries = "".join(f"<url><loc>http://shop.test{path}</loc></url>" for path in ("/", "/hidden", "/noted", *(["/news"] if day else [])))
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{entries}</urlset>'


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        host = self.headers.get("Host", "").partition(":")[0]
        parts = urlsplit(self.path)
        getattr(self, host.partition(".")[0].replace("-", "_"), self.gone)(unquote(parts.path), unquote(parts.query), self.server.day())

    def gone(self, *_):
        self.answer(404, page("Not found", "<p>There is no such page.</p>"))

    def shop(self, path, query, day):
        if path == "/robots.txt":
            return self.answer(200, "User-agent: *\nDisallow: /private/\nSitemap: http://shop.test/sitemap.xml\n", kind="text/plain")
        if path == "/sitemap.xml":
            return self.answer(200, sitemap(day), kind="application/xml")
        if path in ("/old", "/loop"):
            return self.answer(301, "", {"Location": "/product/2" if path == "/old" else "/loop"})
        body = shop(path, query, day)
        if body is None:
            return self.gone()
        # All but two pages have an ETag that stays as long as they do.
        return self.answer(200, body, {} if path in ("/", "/campaign") else {"ETag": f'"{len(body)}"'})

    def news(self, path, _, day):
        if path == "/robots.txt":
            return self.gone()
        if path == "/":
            return self.answer(200, page("News", f"<p>What happened on day {day}.</p>", links(*(f"/{name}.html" for name in ARTICLES), "/feed",
                                                                                         "http://shop.test/", "http://shop.test/product/9")))
        if path == "/feed":
            items = "<item><title>One</title><link>http://news.test/en-article.html</link></item>"
            return self.answer(200, f'<?xml version="1.0"?><rss version="2.0"><channel><title>f</title>{items}</channel></rss>',
                               kind="application/rss+xml")
        name = path[1:].removesuffix(".html")
        if name in ARTICLES:
            return self.answer(200, (LANGUAGES / f"{name}.html").read_bytes(), compress=True)
        return self.gone()

    def slow(self, path, *_):
        if path == "/robots.txt":
            return self.gone()
        self.server.wait(0.2)
        number = int(path[1:]) if path[1:].isdigit() else 0
        return self.answer(200, page(f"Slow {number}", f"<p>This page {number} took its time.</p>", links(f"/{number + 1}") if number < 3 else ""))

    def away(self, path, *_):
        if path == "/robots.txt":
            return self.answer(200, "User-agent: *\nDisallow: /\n", kind="text/plain")
        return self.gone()

    def sick(self, path, *_):
        return self.answer(500, "out of order") if path == "/" else self.gone()

    def calendar(self, path, *_):
        """Grows without end, but robots.txt keeps visitors out of the days."""
        if path == "/robots.txt":
            return self.answer(200, "User-agent: *\nDisallow: /day/\n", kind="text/plain")
        return self.answer(200, page("Calendar", "<p>Each day has a page of its own.</p>", links(*(f"/day/{day}" for day in range(1, 13)))))

    def xn__bcher_kva(self, path, *_):
        return self.gone() if path == "/robots.txt" else self.answer(200, page("Bücher", "<p>Bücher und noch mehr Bücher.</p>"))

    def answer(self, status, body, headers=None, kind="text/html; charset=utf-8", compress=False):
        headers = dict(headers or {})
        if headers.get("ETag") and self.headers.get("If-None-Match") == headers["ETag"]:
            status, body = 304, ""
        data = body if isinstance(body, bytes) else body.encode()
        if compress and "gzip" in self.headers.get("Accept-Encoding", ""):
            data = gzip.compress(data, mtime=0)
            headers["Content-Encoding"] = "gzip"
        self.send_response(status)
        for name, value in {"Content-Type": kind, **headers}.items():
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data if status != 304 else b"")

    def log_message(self, *_):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.today = 0
        self.ended = threading.Event()

    def day(self):
        return self.today

    def wait(self, seconds):
        self.ended.wait(seconds)

    def handle_error(self, *_):
        """A crawler that has enough closes its connection."""


class Site:
    """Serves until `end`. `hosts` maps names to addresses; nobody listens at that of down.test."""

    HOSTS = ("shop.test", "news.test", "slow.test", "away.test", "sick.test", "calendar.test", "xn--bcher-kva.test")

    def __init__(self):
        self._server = Server()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            closed = free.getsockname()[1]
        self.hosts = {host: f"127.0.0.1:{self._server.server_port}" for host in self.HOSTS} | {"down.test": f"127.0.0.1:{closed}"}
        self.seeds = [f"http://{host}/" for host in self.hosts]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def begin_day(self, number):
        self._server.today = number

    def end(self):
        self._server.ended.set()
        self._server.shutdown()
        self._server.server_close()
