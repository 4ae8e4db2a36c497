"""The tour: crawls of every kind, and every verb asked about them in every form."""

import json
import shutil
import subprocess
import threading
import time
from datetime import date, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from schemas.crawls import Crawls
from tests.web import Web

REPOSITORY = Path(__file__).resolve().parent.parent.parent
OLDER = ["root-1", "root-2", "root-3", "root-4", "root-5", "root-6"]
MOST_SECONDS_TO_BEGIN = 60  # of a job: until it says what it does
PAGE = '<html lang="en"><head><link rel="alternate" hreflang="de" type="text/html" href="/de"><title>T</title><meta name="robots" content="noarchive"><link rel="canonical" href="/c"><script type="application/ld+json">{"@type": "Article", "@id": "#a", "datePublished": "2025-12-01", "author": "A"}</script></head><body>Words. <a href="/a">a</a></body></html>'


def everything(build, folder, take):
    """Takes every answer and document; returns the faults, and the verbs that were asked."""
    crawls = Crawls(build, folder, take)
    check_kinds(crawls)
    for name in OLDER:
        older_root(crawls, name)
    fresh_crawl(crawls)
    small_crawls(crawls)
    return crawls


def day(number):
    return ["--now", f"{date(2026, 1, 1) + timedelta(number)}T00:00:00Z"]


def look(crawls, page, host):
    """Asks all that only reads."""
    ask = crawls.ask
    ask("readdb-stats", "readdb stats")
    ask("readdb-dump", "readdb dump", lines=True)
    ask("readdb-get", "readdb get", page, "http://nowhere.example/", exits=(1,), lines=True)
    every = [answer["url"] for answer in ask("readdb-dump", "readdb dump", "--limit", 60, lines=True)]
    ask("readdb-get-explain", "readdb get", "--explain", *every, "http://nowhere.example/", exits=(1,), lines=True)
    ask("readdb-hosts", "readdb hosts", lines=True)
    ask("readseg-list", "readseg list", lines=True)
    with_data = [row["segment"] for row in ask("segments-list", "segments list", lines=True) if row["state"] in ("fetched", "parsed", "applied")]
    for segment in [name for name in with_data if not name.startswith(("reparse", "bodies"))][:2]:
        ask("readseg-dump", "readseg dump", segment, "--text", lines=True)
        ask("readseg-dump", "readseg dump", segment, "--body", crawls.folder / "bodies", lines=True)
    ask("readseg-get", "readseg get", page, "http://nowhere.example/", exits=(0, 1), lines=True)
    ask("rounds", "rounds", ask("rounds", "rounds", "--limit", 0, lines=True)[-1]["segment"])
    ask("snapshot-list", "snapshot list", "--limit", 0, lines=True)
    for snapshot in ask("snapshot-list", "snapshot list", "--limit", 2, lines=True):
        ask("snapshot-show", "snapshot show", snapshot["snapshot"])
    for job in ask("jobs", "jobs", "--limit", 0, lines=True)[-6:]:
        ask("jobs-status", "jobs status", job["job"])
    ask("watch", "watch", "--watch.count", 1)
    ask("report", "report")
    ask("health", "health", exits=(0, 3))
    ask("config-get", "config get")
    ask("config-get", "config get", "fetch.delay_ms", "urls.scope")
    ask("config-get-jsonl", "config get", "--format", "jsonl", "fetch.delay_ms", "urls.scope", lines=True)
    hosts = [row["host"] for row in ask("readdb-hosts", "readdb hosts", lines=True)]
    ask("host", "host", host)
    ask("host", "host", *hosts, "nowhere.example", exits=(1,), lines=True)
    ask("host-domain", "host", "--domain", ".".join(host.split(".")[-2:]), exits=(0, 1))
    ask("host-robots", "host", "--robots", *hosts, lines=True)
    ask("host-robots", "host", "--robots", "nowhere.example", exits=(1,))
    ask("host-patterns", "host", "--patterns", *hosts, lines=True)
    ask("host-suggest", "host", "--suggest", *hosts, lines=True)
    ask("sitemaps", "sitemaps", host, exits=(0, 1), lines=True, may_be_empty=True)
    for url in [page, *every[:2]]:
        look_at_page(crawls, url)


def look_at_page(crawls, url):
    for option in ("", "text", "main", "markdown", "items", "headers", "links", "inlinks", "history"):
        words = ["--" + option] if option else []
        done = crawls.run("page", url, *words)
        missing = "page-missing" if option and done.returncode == 1 else None
        name = missing or ("page-" + option if option else "page")
        crawls.ask(name, "page", url, *words, exits=(0, 1), lines=option in ("items", "links", "history")) if done.stdout or done.returncode > 1 else None
    done = crawls.run("page", url, "--body", "-o", crawls.folder / "body")
    crawls.ask("page-missing" if done.returncode == 1 else "page-body", "page", url, "--body", "-o", crawls.folder / "body", exits=(0, 1))


def older_root(crawls, name):
    crawls.root, crawls.now = crawls.folder / name, []
    shutil.copytree(REPOSITORY / "tests/data" / name, crawls.root)
    crawls.documents()
    urls = {"root-3": "http://dated.test/"}
    page = urls.get(name, "http://one.example:18180/" if name in ("root-1", "root-2") else "http://twin.test/p/1")
    host = page.split("/")[2].split(":")[0]
    look(crawls, page, host)
    hosts = crawls.folder / (name + "-hosts")
    hosts.write_text("127.77.0.1 one.example two.example three.example four.example five.example dated.test twin.test\n")
    asking = ["--fetch.allow_private", "--fetch.hosts_file", hosts, "--fetch.retries", 0]
    for segment in [row["segment"] for row in crawls.ask("segments-list", "segments list", lines=True) if row["state"] in ("parsed", "fetched", "open", "new")]:
        crawls.ask("fetch", "fetch", "--segment", segment, *asking)
        crawls.ask("parse", "parse", "--segment", segment)
        crawls.ask("updatedb", "updatedb", "--segment", segment)
    crawls.ask("config-set", "config set", "urls.depth=5")
    crawls.ask("reparse-dry-run", "reparse", "--dry_run")
    crawls.ask("reparse", "reparse")
    crawls.ask("settle", "settle")
    crawls.ask("graph", "graph")
    if name == "root-1":
        dead_links_and_orphans(crawls, asking)
    known = [row["url"] for row in crawls.ask("readdb-dump", "readdb dump", "--state", "gone,refused,denied", lines=True, may_be_empty=True)]
    if known:
        crawls.ask("inject", "inject", *known)
    crawls.ask("compact", "compact")
    crawls.ask("gc", "gc", "--now", "2100-01-01T00:00:00Z")
    look(crawls, page, host)
    crawls.documents()


def dead_links_and_orphans(crawls, asking):
    """A page that nobody serves any more, and pages whose only link was on a page that is removed."""
    ask, crawls.now = crawls.ask, ["--now", "2027-03-01T00:00:00Z"]
    ask("urls-set", "urls set", "--prefix", "http://one.example:18180/", "--due", "30d")
    ask("urls-set", "urls set", "http://one.example:18180/a.html", "--due", "now")
    ask("round", "round", "--segment", "dead", *asking, exits=(0, 1, 3))
    ask("graph-dead-links", "graph", "--dead_links", lines=True)
    ask("remove", "remove", "http://one.example:18180/", "http://one.example:18180/a.html")
    ask("graph", "graph")
    ask("graph-orphans", "graph", "--orphans", lines=True)


def running_job(crawls, asking):
    """A fetch that waits for its delays, seen by others, and then stopped."""
    ask = crawls.ask
    crawls.now = day(20)
    ask("urls-set", "urls set", "--prefix", "http://twin.test/", "--due", "now")
    ask("generate", "generate", "--segment", "slow")
    words = [crawls.trawl, "fetch", *crawls.now, "--root", crawls.root, "--segment", "slow", "--quiet", *asking, "--fetch.delay_ms", "5s"]
    fetch = subprocess.Popen([str(word) for word in words], cwd=crawls.folder, env=crawls.environment, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + MOST_SECONDS_TO_BEGIN
        while not list(crawls.root.glob("jobs/*/_live-*.json")) and time.monotonic() < until and fetch.poll() is None:
            time.sleep(0.1)
        ask("watch", "watch", "--watch.count", 1)
        running = [job["job"] for job in ask("jobs", "jobs", lines=True) if job["state"] == "running"]
        for job in running:
            ask("jobs-status", "jobs status", job)
        # The file gives way to the next one: it may go while it is read.
        for path in crawls.root.glob("jobs/*/_live-*.json"):
            try:
                crawls.take("job-live", json.loads(path.read_text()), str(path))
            except FileNotFoundError:
                pass
    finally:
        fetch.terminate()
        fetch.wait(timeout=60)
    crawls.documents()
    ask("jobs", "jobs", lines=True)
    ask("segments-abandon", "segments abandon", "slow")


def fresh_crawl(crawls):
    """A crawl of good and bad sites, with near duplicates, sitemaps, failures and limits, steered in every way."""
    ask, folder = crawls.ask, crawls.folder
    web = Web(crawls.web_binary, folder / "web", hosts=2, pages=6, links=3, dated=1, twins=1)
    crawls.root = folder / "fresh"
    asking = ["--fetch.allow_private", "--fetch.delay_ms", "20ms", "--fetch.hosts_file", web.hosts_file, "--urls.scope", "any", "--fetch.retries", 1,
              "--fetch.connect_timeout", "1s"]
    try:
        # The loop of a crawl never goes back behind the last snapshot: no command may publish at the clock's time.
        crawls.now = day(0)
        seeds = folder / "seeds"
        seeds.write_text("http://h0.test/\tscore=0.5\tpriority=high\tteam=news\nhttp://twin.test/\nhttp://www.twin.test/\nnot a url\n"
                         "ftp://h0.test/\nhttp://h1.test/\tinterval=1d\n")
        ask("inject", "inject", seeds, "http://dated.test/")
        ask("inject", "inject", "--update", seeds)
        ask("config-set", "config set", "signals.respect=noarchive,noai", "urls.scope=any")
        ask("config-set", "config set", "signals.respect=")
        ask("generate-dry-run", "generate", "--dry_run")
        ask("generate", "generate", "--segment", "s1", *asking[1:3])
        ask("generate-again", "generate", "--segment", "s1")
        ask("watch", "watch", "--watch.count", 1)
        ask("segments-abandon", "segments abandon", "--dry_run", "s1")
        ask("segments-abandon", "segments abandon", "s1")
        ask("segments-abandon", "segments abandon", "s1")
        ask("fetch-nothing", "fetch", exits=(1,))
        ask("parse-nothing", "parse", exits=(1,))
        ask("updatedb-nothing", "updatedb", exits=(1,))
        ask("generate", "generate", "--segment", "s2")
        ask("fetch", "fetch", *asking)
        ask("fetch", "fetch", "--segment", "s2", *asking)
        crawls.documents()
        ask("watch", "watch", "--watch.count", 1)
        ask("segments-abandon", "segments abandon", "--dry_run", "s2")
        ask("parse", "parse")
        ask("parse", "parse", "--segment", "s2")
        ask("updatedb", "updatedb")
        ask("updatedb", "updatedb", "--segment", "s2")
        ask("settle", "settle")
        ask("settle", "settle")
        ask("generate-dry-run", "generate", "--dry_run", "--per_host", 2)
        for number, segment in ((0, "s3"), (0, "s4"), (8, "s5"), (9, "s6")):
            web.day(number)
            crawls.now = day(number)
            if segment == "s5":  # pages have changed
                ask("urls-set", "urls set", "--prefix", "http://twin.test/p/", "--prefix", "http://dated.test/", "--due", "now")
            if segment in ("s3", "s5"):  # step by step: what updatedb says of sitemaps and of changed pages
                ask("generate", "generate", "--segment", segment)
                ask("fetch", "fetch", "--segment", segment, *asking)
                ask("parse", "parse", "--segment", segment)
                ask("updatedb", "updatedb", "--segment", segment)
            else:
                ask("round", "round", "--segment", segment, *asking, exits=(0, 1, 3))
        ask("round", "round", "--segment", "s6", *asking, exits=(0, 1, 3))
        crawls.now = day(10)
        ask("crawl", "crawl", "--rounds", 1, *asking, exits=(0, 1, 3))
        ask("crawl", "crawl", *asking, exits=(0, 1, 3))
        ask("round", "round", *asking, exits=(0, 1, 3))
        ask("generate-nothing", "generate", exits=(1,))
        running_job(crawls, asking)
        steer(crawls)
        crawls.now = day(21)
        ask("inject", "inject", "http://gone.h0.test/", "http://127.0.0.1:9/", "http://h0.test/p/none.html")
        ask("crawl", "crawl", "--rounds", 2, *asking, exits=(0, 1, 3))
        ask("config-set", "config set", "urls.depth=7")
        ask("reparse-dry-run", "reparse", "--dry_run")
        ask("reparse", "reparse")
        ask("reparse", "reparse")
        ask("settle", "settle", "--all")
        ask("graph", "graph")
        ask("graph", "graph")
        look(crawls, "http://twin.test/p/1", "twin.test")
        look(crawls, "http://dated.test/", "dated.test")
        exports(crawls)
        crawls.documents()
        ask("compact", "compact", "--by_policy")
        ask("compact", "compact")
        ask("compact-bodies-dry-run", "compact", "--bodies", "--dry_run", "--compact.bodies_after", "0s", *day(40))
        ask("compact-bodies", "compact", "--bodies", "--compact.bodies_after", "0s", *day(40))
        ask("gc", "gc", "--dry_run", *day(60))
        ask("gc", "gc", *day(60))
        ask("gc", "gc", "--by_policy")
        crawls.documents()
        ask("doctor", "doctor", lines=True, exits=(0, 3))
        ask("doctor", "doctor", "--url", "http://127.0.0.1:9/", lines=True, exits=(3,))
    finally:
        web.end()


def steer(crawls):
    ask, folder = crawls.ask, crawls.folder
    scores = folder / "scores"
    scores.write_text("http://twin.test/p/1 0.9\nhttp://unknown.example/ 0.1\nbad line here\n")
    ask("score", "score", scores)
    ask("score", "score", "--take_back", scores)
    ask("urls-set", "urls set", "http://twin.test/p/2", "http://unknown.example/", "--due", "now", "--tier", "high", "--interval", "1d", "--score", "0.3")
    ask("urls-set", "urls set", "--prefix", "http://twin.test/p/", "--due", "3d", "--dry_run")
    ask("urls-set", "urls set", "http://twin.test/p/4", "--drop")
    ask("host-change", "host", "h1.test", "--block", "--host.reason", "asked us to")
    ask("host-change", "host", "h1.test", "--unblock", "--delay_ms", "5s", "--per_day", 10)
    ask("host-change", "host", "h1.test", "new.example", "--clear", "all")
    ask("host-change", "host", "--domain", "twin.test", "--per_day", 1000)
    policy = folder / "policy"
    policy.write_text("host=h0.test delay=1s pages_a_day=100\ndomain=later.example block\nnonsense\n")
    ask("host-change", "host", "--policy", policy, "--host.skip_bad", exits=(0, 2))
    ask("host", "host", "h1.test", "h0.test", "new.example", exits=(0, 1), lines=True)
    ask("host-change", "host", "--domain", "twin.test", "--block")
    ask("readdb-hosts", "readdb hosts", lines=True)
    ask("host-change", "host", "--domain", "twin.test", "--unblock")
    ask("host-domain", "host", "--domain", "twin.test", "--domain", "other.example", exits=(0, 1), lines=True)
    ask("remove", "remove", "--prefix", "http://h1.test/p/", "--dry_run")
    ask("remove", "remove", "http://h1.test/p/3.html", "http://unknown.example/")


def exports(crawls):
    ask, folder = crawls.ask, crawls.folder
    for what in ("", "urls", "hosts", "robots", "pages", "items", "links", "graph"):
        out = folder / ("out-" + what)
        ask("export", "export", *([what] if what else []), out)
        crawls.documents_in(out)
    ask("export", "export", "pages", folder / "out-unique", "--unique", "--respect", "none")
    ask("export-again", "export", "pages", folder / "out-unique", "--unique", "--respect", "none")
    crawls.documents_in(folder / "out-unique")
    archive = folder / "archive"
    ask("archive", "archive", archive, "--name", "ONE", "--text")
    ask("archive", "archive", archive, "--name", "ONE", "--text")
    ask("archive-verify", "archive", archive, "--verify")
    ask("archive-wacz", "archive", archive, "--name", "ONE", "--wacz", folder / "a.wacz")
    ask("archive-nothing", "archive", archive, "--name", "TWO", exits=(0, 1))
    crawls.documents_in(archive)
    warcs = sorted(archive.rglob("*.warc.gz"))
    broken = folder / "broken.warc.gz"
    broken.write_bytes(warcs[0].read_bytes()[:-40])
    ask("check-warc", "check", "warc", warcs[0], broken, exits=(3,), lines=True)
    ask("archive-verify", "archive", archive, "--verify")


class Article(BaseHTTPRequestHandler):
    """A page of prose, whatever is asked for."""

    def do_GET(self):
        words = " ".join(f"Each sentence has a number, which is {number}, and says little else." for number in range(40))
        body = f"<html><head><title>T</title></head><body><nav><a href=/a>menu</a></nav><article><h1>T</h1><p>{words}</p></article></body></html>".encode()
        self.send_response(200 if self.path == "/" else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *words):
        pass


def article(crawls):
    """A page that has a main text, stored with its Markdown."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Article)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        crawls.root, crawls.now = crawls.folder / "article", []
        page = f"http://127.0.0.1:{server.server_port}/"
        crawls.ask("crawl", "crawl", page, "--fetch.allow_private", "--fetch.delay_ms", "0ms", "--parse.markdown", "--rounds", 1)
        look_at_page(crawls, page)
    finally:
        server.shutdown()


def small_crawls(crawls):
    """A crawl of one page; one from standard input; one with nothing; a host that nobody serves."""
    ask = crawls.ask
    article(crawls)
    crawls.root, crawls.now = crawls.folder / "small", []
    ask("crawl", "crawl", "http://127.0.0.1:9/", "--fetch.allow_private", "--rounds", 1, "--fetch.retries", 0, exits=(0, 1, 3))
    ask("watch", "watch", "--watch.count", 1)
    ask("readdb-stats", "readdb stats")
    ask("report", "report")
    ask("health", "health", exits=(0, 3))
    schemas = crawls.folder / "schemas-again"
    schemas.mkdir()
    ask("docs", "docs", "--schemas", schemas, "--man", schemas)
    crawls.take("index", json.loads((schemas / "index.json").read_text()), str(schemas))
    log = crawls.folder / "log"
    ask("readdb-stats", "readdb stats", "--log_file", log, "--log_format", "json")
    ask("compact", "compact", "--log_file", log, "--log_format", "json")
    for line in log.read_text().splitlines():
        crawls.take("log-event", json.loads(line), str(log))
    crawls.documents()
    ask("check-url-verdict", "check", "url", "http://127.0.0.1:9/", "http://127.0.0.1:9/a?b=1", "http://b.example/", lines=True)
    crawls.root = crawls.folder / "seedless"
    nothing = crawls.folder / "nothing"
    nothing.touch()
    ask("inject", "inject", nothing)
    without_urls(crawls)
    crawls.root = crawls.folder / "empty"
    ask("inject", "inject", "http://one.example/")
    ask("readdb-stats", "readdb stats")
    ask("report", "report", exits=(0, 1, 3))
    ask("health", "health", exits=(0, 3))
    ask("remove", "remove", "http://one.example/")
    ask("round", "round", "--fetch.contact", "a@b.example", exits=(1,))
    ask("crawl", "crawl", "--fetch.contact", "a@b.example", exits=(1,))
    ask("generate-nothing", "generate", exits=(1,))
    crawls.documents()


def without_urls(crawls):
    """A crawl before its first seed: numbers of nothing."""
    ask = crawls.ask
    for verb in ("readdb stats", "report", "compact", "settle", "graph"):
        ask(verb.replace(" ", "-"), verb)
    ask("health", "health", exits=(0, 3))
    ask("watch", "watch", "--watch.count", 1)
    for verb in ("readdb dump", "readdb hosts", "rounds", "segments list"):
        ask(verb.replace(" ", "-"), verb, exits=(0, 1), lines=True, may_be_empty=True)
    ask("export", "export", crawls.folder / "out-of-nothing")
    crawls.documents_in(crawls.folder / "out-of-nothing")
    ask("readdb-stats", "readdb stats", "--snapshot", 0)
    crawls.documents()


def check_kinds(crawls):
    """Every kind of trawl check, by lines and by arguments."""
    crawls.root = None

    def lines(schema, kind, *inputs):
        crawls.ask(schema, "check", kind, stdin="".join(json.dumps({"id": number, **value}) + "\n" for number, value in enumerate(inputs)), lines=True)

    lines("check-url", "url", {"url": "HTTP://Example.com:80/a/../b"}, {"url": "/x", "base": "http://a.example/"}, {"url": "::"}, {"nothing": 1})
    lines("check-host", "host", {"host": "ExAmple.com"}, {"host": "[::1]"}, {"host": ""}, {})
    lines("check-normalize", "normalize", {"url": "http://a.example/?utm_source=x"}, {"url": "http://a.example/#x", "form": "fold"}, {"url": ":"}, {})
    lines("check-urlfilter", "urlfilter", {"rules": "-gif$\n+.", "url": "http://a.example/a.gif"}, {"rules": "+(", "url": "x"}, {"rules": "", "url": "http://a.example/"})
    lines("check-robots", "robots", {"robots": "User-agent: *\nDisallow: /a\nCrawl-delay: 1.5\nSitemap: http://x/s\n", "agent": "foo", "url": "http://x/a"},
          {"robots": "", "agent": "foo", "url": "http://x/a"}, {"robots": "x"})
    lines("check-robots-live", "robots-live", {"agent": "foo", "url": "http://127.0.0.1:9/"}, {"agent": "foo", "url": ":"})
    lines("check-headers", "headers",
          {"headers": [["Content-Type", "text/html; charset=latin1"], ["Refresh", "0; url=/x"], ["Last-Modified", "Mon, 01 Jan 2024 00:00:00 GMT"], ["ETag", '"a"'],
                       ["Retry-After", "120"], ["X-Robots-Tag", "noindex"], ["Cache-Control", "max-age=60"], ["Link", "</a>; rel=canonical"]], "url": "http://x/"},
          {"headers": []}, {"headers": 3})
    lines("check-fetch", "fetch", {"url": "http://127.0.0.1:9/"}, {"url": "nothing"})
    lines("check-sitemap", "sitemap", {"body": '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml" '
                                       'xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>http://x/a</loc>'
                                       '<xhtml:link rel="alternate" hreflang="de" href="http://x/de"/><news:news><news:title>N</news:title></news:news><lastmod>2024-01-01</lastmod><priority>0.5</priority><changefreq>daily</changefreq></url></urlset>',
                                       "url": "http://x/sitemap.xml"},
          {"body": "<sitemapindex><sitemap><loc>http://x/b.xml</loc></sitemap></sitemapindex>", "url": "http://x/i.xml"}, {"body": "<", "url": "http://x/"},
          {"body": "<rss><channel><item><link>http://x/1</link><pubDate>Mon, 01 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>", "url": "http://x/f"})
    lines("check-simhash", "simhash", {"a": "a b c d e f g h i j k l m", "b": "a b"}, {"a": 1})
    lines("check-lang", "lang", {"text": "This is a text in the English language, which is long enough to be known."}, {"text": ""}, {})
    lines("check-html", "html", {"html": PAGE, "url": "http://x/"}, {"html": '<meta http-equiv=refresh content="0;url=/y"><base href="/z/">', "url": "http://x/"},
          {"html": "<table><a href=x>y", "url": "http://x/", "reader": "tree"}, {"url": "x"})
    lines("check-charset", "charset", {"body": PAGE}, {"body": "", "content_type": "text/html; charset=utf-16"}, {})
    lines("check-tree", "tree", {"html": PAGE}, {"html": "<td>", "fragment": "tr"}, {"html": 3})
    lines("check-warc", "warc", {"body": "WARC/1.1\r\n"}, {"body": 1})
    lines("check-unsupported", "nothing", {})
    page = crawls.folder / "page"
    page.write_text(PAGE)
    for kind, words in (("html", [page]), ("html", [page, "http://x/"]), ("tree", [page]), ("charset", [page]), ("sitemap", [page, "http://x/"]), ("headers", [page]),
                        ("robots", ["--agent", "foo", page, "http://x/"]), ("normalize", ["http://x/#a", "fold"]), ("host", ["a.example"]),
                        ("lang", ["some words"]), ("simhash", ["a b c", "a b"]), ("fetch", ["http://127.0.0.1:9/"]),
                        ("robots-live", ["--agent", "foo", "http://127.0.0.1:9/"])):
        crawls.ask("check-" + kind, "check", kind, *words)
    rules = crawls.folder / "rules"
    rules.write_text("-gif$\n+.\n")
    crawls.ask("check-url-verdict", "check", "url", "http://a.example/", "http://b.example/x.gif?a=1", "mailto:a@b", lines=True)
    crawls.ask("check-urlfilter-verdict", "check", "urlfilter", rules, "http://a.example/a.gif", "http://a.example/", lines=True)
