"""Hosts on loopback whose answers are difficult to archive, with what an archive must hold of each.

Every answer is written byte by byte, so that heads are as bad as they should be. Pages depend on the day that `Web.day` says, never
on how often they were asked for.
"""

import dataclasses
import functools
import gzip
import http.client
import os
import shutil
import socket
import socketserver
import ssl
import struct
import subprocess
import threading
import time
import urllib.parse
import zlib
from pathlib import Path


LIMIT = 3 << 20
# Options of a fetch by which the answers become what is expected here.
OPTIONS = ["--contact", "https://you.example/", "--fetch.allow_private", "--fetch.delay_ms", 0, "--fetch.max_body", f"{LIMIT >> 20}MiB",
           "--fetch.timeout", "5s", "--fetch.max_ratio", 100, "--fetch.retries", 0, "--fetch.breaker_failures", 0]


@dataclasses.dataclass
class Answer:
    """What a page sends, and what an archive must have of it."""

    wire: bytes  # head and body, as they are sent
    payload: bytes = b""  # what the record must hold after its head
    truncated: str | None = None  # WARC-Truncated; None: the field is not there
    pause: float = 0  # seconds before the first byte
    trickle: float = 0  # seconds between the pieces of ten bytes
    ends: bool = False  # the connection ends after it
    skipped: str = ""  # the page asks not to be archived
    same_heads: list = dataclasses.field(default_factory=list)  # lines that the record's head must have


def page(text, words=60):
    return (f"<!DOCTYPE html><html lang=en><title>{text}</title><p>{text}. " + f"Some words of {text} to read. " * words).encode()


def compressed(data, bits):
    coder = zlib.compressobj(6, zlib.DEFLATED, bits)
    return coder.compress(data) + coder.flush()


def gzipped(data):
    return gzip.compress(data, mtime=0)


def brotli_stored(data):
    """A brotli stream of one uncompressed block (RFC 7932, 9.2)."""
    assert 0 < len(data) <= 1 << 16
    return ((len(data) - 1) << 4 | 1 << 20).to_bytes(3, "little") + data + b"\x03"


def zstd_stored(data):
    """A zstd frame of one raw block (RFC 8878, 3.1.1): a single segment, with a size of four bytes."""
    assert len(data) < 1 << 17
    return b"\x28\xb5\x2f\xfd\xa0" + struct.pack("<I", len(data)) + (len(data) << 3 | 1).to_bytes(3, "little") + data


def chunked(data, piece=700):
    pieces = [data[at:at + piece] for at in range(0, len(data), piece)]
    return b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in pieces) + b"0\r\n\r\n"


def head(*fields, status="200 OK", version="HTTP/1.1", end="\r\n"):
    return (end.join([f"{version} {status}", *fields]) + end * 2).encode("latin-1")


HTML = "Content-Type: text/html; charset=utf-8"


def answer(body, coding="", sent=None, chunks=False, status="200 OK", fields=(), content_type=HTML, **more):
    """A whole answer; `sent` is the coded body."""
    sent = body if sent is None else sent
    coded = [f"Content-Encoding: {coding}"] if coding else []
    length = "Transfer-Encoding: chunked" if chunks else f"Content-Length: {len(sent)}"
    wire = head(content_type, *coded, *fields, length, status=status) + (chunked(sent) if chunks else sent)
    return Answer(wire, body, **more)


def coded_pages():
    """One page per coding, whose stored body is the plain one, except where nobody knows the coding."""
    pages = {}
    for name, coding, code in (
        ("gzip", "gzip", gzipped), ("x-gzip", "x-gzip", gzipped), ("upper", "GZIP", gzipped), ("br", "br", brotli_stored),
        ("zstd", "zstd", zstd_stored), ("deflate", "deflate", lambda data: compressed(data, 15)),
        ("raw-deflate", "deflate", lambda data: compressed(data, -15)),
        ("two", "gzip, br", lambda data: brotli_stored(gzipped(data))),
        ("two-gzips", "gzip, gzip", lambda data: gzipped(gzipped(data))), ("identity", "identity", lambda data: data),
    ):
        body = page(f"coded by {name}")
        pages["/" + name] = answer(body, coding, code(body))
        pages[f"/{name}-chunked"] = answer(body + b".", coding, code(body + b"."), chunks=True)
    body = page("chunks alone")
    pages["/chunks"] = answer(body, chunks=True)
    kept = b"<p>this was coded in a way that nobody knows"
    pages["/unknown"] = answer(kept, "snow", same_heads=["Content-Encoding: snow"])
    pages["/unknown-chunked"] = answer(kept + b"!", "snow", chunks=True, same_heads=["Content-Encoding: snow"])
    inner = gzipped(page("inside of snow"))
    pages["/unknown-outside"] = answer(inner, "gzip, snow", content_type="Content-Type: text/plain")
    pages["/empty"] = answer(b"")
    pages["/empty-chunked"] = answer(b"", chunks=True)
    pages["/empty-gzip"] = answer(b"", "gzip", gzipped(b""))
    pages["/one-byte"] = answer(b"x")
    return pages


def bad_heads():
    body = page("heads of all lengths")

    def with_length(*fields, **how):
        return Answer(head(HTML, *fields, f"Content-Length: {len(body)}", **how) + body, body)

    pages = {
        "/bare-lf": with_length("X-Of: lines that end with LF", end="\n"),
        "/mixed": Answer(b"HTTP/1.1 200 OK\r\nX-One: 1\nX-Two: 2\r\n" + f"{HTML}\nContent-Length: {len(body)}\r\n\r\n".encode() + body, body),
        "/folds": with_length("X-Folded: first\r\n  second\r\n\tthird"),
        "/latin-1": with_length("X-Latin: caf\xe9 \xfc\xff"),
        "/two-lengths": with_length(f"Content-Length: {len(body)}", "X-Between: 1"),
        "/no-reason": Answer(b"HTTP/1.1 200\r\n" + f"{HTML}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body, body),
        "/blank-reason": Answer(b"HTTP/1.1 200 \r\n" + f"{HTML}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body, body),
        "/reason-latin-1": with_length(status="200 D\xe9j\xe0"),
        "/http-1.0": Answer(head(HTML, version="HTTP/1.0") + body, body, ends=True),
        "/no-length": Answer(head(HTML) + body, body, ends=True),
        "/no-type": Answer(head(f"Content-Length: {len(body)}") + body, body),
        "/lower": Answer(f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\n\r\n".encode() + body, body),
        "/many": with_length(*[f"X-Field-{i}: {'v' * 50}" for i in range(90)]),
        "/twice": with_length("Set-Cookie: a=1", "Set-Cookie: b=2"),
        "/blanks": with_length("X-Blanks:    padded   ", "X-Empty:", "X-Tab:\tx"),
        "/own-names": with_length("X-Crawler-Content-Length: 7", "X-Crawler-Content-Encoding: gzip"),
        "/warc-like": Answer(head("Content-Type: text/plain", "Content-Length: 40") + b"WARC/1.1\r\nWARC-Type: response\r\n\r\n\r\nabcde",
                             b"WARC/1.1\r\nWARC-Type: response\r\n\r\n\r\nabcde"),
        "/early-hints": Answer(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head(HTML, f"Content-Length: {len(body)}") + body, body),
        "/trailers": Answer(head(HTML, "Transfer-Encoding: chunked", "Trailer: X-End") +
                            chunked(body, len(body)).removesuffix(b"\r\n") + b"X-End: 1\r\n\r\n", body),
        "/binary": Answer(head("Content-Type: text/plain", "Content-Length: 256") + bytes(range(256)), bytes(range(256))),
    }
    for path, text in (("/title-lines", "one\r\nWARC-Type: response\r\n\r\ntwo"), ("/title-nul", "a\0b"), ("/title-wide", "Ünï ☃ 𝄞")):
        forged = f"<html><title>{text}</title><p>forged {path}".encode()
        pages[path] = answer(forged)
    # Each page a body of its own, of the same length: else most of them were duplicates.
    for number, (path, found) in enumerate(pages.items()):
        if found.payload == body:
            own = body.replace(b"lengths", b"len%04d" % number)
            pages[path] = dataclasses.replace(found, wire=found.wire.replace(b"lengths", b"len%04d" % number), payload=own)
    return pages


def cut_pages():
    """Bodies that are not whole, by the limits of OPTIONS."""
    body = page("cut", words=400)
    half = body[: len(body) // 2]
    coded = gzipped(page("cut and coded", words=400))
    long = page("longer than the limit") + " ".join(str(number * 2654435761 % 2**32) for number in range(LIMIT // 9)).encode()
    assert len(long) > LIMIT
    return {
        "/length": Answer(head(HTML, f"Content-Length: {len(body)}") + half, half, "disconnect", ends=True),
        "/chunks": Answer(head(HTML, "Transfer-Encoding: chunked") + chunked(body)[:5000], None, "disconnect", ends=True),
        # The transfer is whole; what was compressed is not.
        "/gzip": answer(None, "gzip", coded[: len(coded) // 2], truncated="unspecified"),
        "/gzip-trailer": answer(None, "gzip", coded[:-4], truncated="unspecified"),
        "/gzip-connection": Answer(head(HTML, "Content-Encoding: gzip", f"Content-Length: {len(coded)}") + coded[: len(coded) // 2],
                                   None, "disconnect", ends=True),
        "/limit": answer(long[:LIMIT], sent=long, truncated="length"),
        "/limit-gzip": answer(b"<p>" + long[:LIMIT - 3], "gzip", gzipped(b"<p>" + long), truncated="length"),
        "/bomb": answer(None, "gzip", gzipped(b" " * (4 << 20)), truncated="unspecified"),
        "/time": Answer(head(HTML, "Content-Length: 100000") + half, None, "time", trickle=0.2),
        "/whole": answer(body),
    }


def statuses():
    def plain(status, *fields, body=b"not kept", **more):
        # Nothing but a head is kept of these.
        return answer(b"", sent=body, status=status, fields=fields, truncated="unspecified" if body else None, **more)

    return {
        "/301": plain("301 Moved Permanently", "Location: /target"),
        "/302-wide": plain("302 Found", "Location: http://status.test/t\xfc?q=a|b"),
        "/303-empty": plain("303 See Other", "Location: target", body=b""),
        "/307-nowhere": plain("307 Temporary Redirect", "Location: http://[bad"),
        "/404": plain("404 Not Found"),
        "/404-gzip": answer(b"", "gzip", gzipped(b"not kept"), status="404 Not Found", truncated="unspecified"),
        "/410": plain("410 Gone", body=b""),
        "/451": plain("451 Unavailable For Legal Reasons"),
        "/500": plain("500 Internal Server Error"),
        "/599": plain("599 Nobody Knows"),
        "/203": answer(page("203"), status="203 Non-Authoritative Information"),
        "/204": Answer(head("X-No: body", status="204 No Content"), b""),
        "/206": answer(b"", sent=b"abcde", status="206 Partial Content", fields=["Content-Range: bytes 0-4/10"], truncated="unspecified"),
        "/picture": answer(b"", sent=b"\x89PNG" * 200, content_type="Content-Type: image/png", truncated="unspecified"),
        "/target": answer(page("target")),
        "/xml": answer(b"<?xml version='1.0'?><a>x</a>", content_type="Content-Type: application/xml"),
    }


def odd_answers():
    """Answers that break a rule of HTTP, or use one that nobody expects."""
    body = page("in two members")
    return {
        "/204-body": Answer(head(HTML, "Content-Length: 5", status="204 No Content") + b"never", b"", ends=True),
        "/205-body": answer(page("a body of 205"), status="205 Reset Content"),
        "/200-range": answer(page("a part, it says"), fields=["Content-Range: bytes 0-9/100"]),
        "/301-without-location": answer(b"", sent=b"nowhere", status="301 Moved Permanently", truncated="unspecified"),
        "/304-unasked": Answer(head('ETag: "x"', "Content-Length: 500", "Content-Encoding: gzip", status="304 Not Modified"), b""),
        "/reason-wide": answer(page("a reason that is no Latin-1"), status="200 \xe6\x97\xa5\xe6\x9c\xac"),
        "/version-2.0": Answer(head(HTML, version="HTTP/2.0") + page("HTTP/2.0"), page("HTTP/2.0"), ends=True),
        "/type-list": answer(page("two types"), content_type="Content-Type: text/html, text/html"),
        "/type-bytes": answer(page("a type of bytes"), content_type="Content-Type: text/html; charset=\xfctf"),
        "/coding-bytes": answer(b"<p>a coding that is no name", "sn\xf6w"),
        "/chunks-broken": Answer(head(HTML, "Transfer-Encoding: chunked") + b"zz\r\n<p>no\r\n", b"", "unspecified", ends=True),
        "/length-and-chunks": Answer(head(HTML, "Content-Length: 3", "Transfer-Encoding: chunked") + chunked(page("3, and chunks")), page("3, and chunks"), ends=True),
        # It has no head that could be archived. libcurl 7.88 continued the line of another answer with it.
        "/fold-first": Answer(b"HTTP/1.1 200 OK\r\n folded: first\r\nContent-Length: 2\r\n\r\nok", None, ends=True),
        "/gzip-members": answer(body, "gzip", gzipped(body[:99]) + gzipped(body[99:])),
        "/gzip-zeros": answer(body + b"zeros", "gzip", gzipped(body + b"zeros") + b"\0" * 40),
    }


# Paths as they are injected. Each URL's text must be the same in all records and indexes.
NAMES = ["/a|b", "/a[b]{c}^d`e", "/%7Euser/%2F/x", "/Upper/CASE", "//two//slashes/", "/q?", "/q?b=2&a=1&&c", "/\u00fcml\u00e4ut",
         "/a%20b?c%20d", "/x;jsessionid=0123456789abcdef0123456789abcdef?x=1", "/a?u=http://e.test/?x=1|2", "/p\\q", "/%00%0a%0d",
         "/?", "/dots/../up", "/q?a=%C3%BC&b=\u00fc", "/long/" + "x" * 1500]


def named_pages(path):
    return answer(page("named " + str(zlib.crc32(path.encode("latin-1", "replace"))), words=3))


def daily_page(path, day, if_none_match):
    """Pages over the days 0, 1 and 2. Returns the Answer; its payload is None where it has none of its own (304)."""
    versions = {
        "/stays": "AAA", "/stays-304": "AAA", "/changes": "ABC", "/comes-back": "ABA", "/changes-then-304": "ABB",
        "/304-then-changes": "AAB", "/comes-back-304": "ABA", "/goes": "AA-", "/moves": "A>A", "/comes": "-AA", "/empties": "A0A",
        "/twin-a": "TTT", "/twin-b": "TTU", "/twin-later": "-TT", "/gzip-then-plain": "AAA", "/errs": "A5A",
    }
    version = versions[path][day]
    tag = f'"{version}"'
    if version == "-":
        return answer(b"", sent=b"gone", status="404 Not Found", truncated="unspecified")
    if version == "5":
        return answer(b"", sent=b"sorry", status="503 Service Unavailable", truncated="unspecified")
    if version == ">":
        return answer(b"", sent=b"", status="302 Found", fields=["Location: /stays"])
    body = b"" if version == "0" else page("twin" if version == "T" else f"{path} {version}")
    if "304" in path:
        if if_none_match == tag:
            return Answer(head(f"ETag: {tag}", f"X-Day: {day}", status="304 Not Modified"), None)
        return answer(body, fields=[f"ETag: {tag}", f"X-Day: {day}"])
    if path == "/gzip-then-plain" and day == 0:
        return answer(body, "gzip", gzipped(body))
    return answer(body, fields=[f"X-Day: {day}"])


DAILY = ["/stays", "/stays-304", "/changes", "/comes-back", "/changes-then-304", "/304-then-changes", "/comes-back-304", "/goes",
         "/moves", "/comes", "/empties", "/twin-a", "/twin-b", "/twin-later", "/gzip-then-plain", "/errs"]


def asking_page(path, day):
    """Pages that ask, or do not ask, to be left out of archives."""
    meta = {"/meta-noarchive": "noarchive", "/meta-none-case": "NoArchive", "/meta-nocache": "nocache", "/meta-index": "noindex"}
    past, future = "Mon, 01 Jan 2001 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"
    header = {"/header-noarchive": "noarchive", "/header-agent": "otherbot: noarchive", "/header-past": f"unavailable_after: {past}",
              "/header-future": f"unavailable_after: {future}", "/some-days": "noarchive" if day == 1 else "all"}
    # Equal bodies: one page asks not to be archived, and must not be another's original.
    body = page("asked") if path in ("/header-noarchive", "/equal-but-free") else page(path)
    if path in meta:
        body = f"<html><head><meta name=robots content='{meta[path]}'><title>x</title></head><p>{path}".encode()
    skipped = path in ("/meta-noarchive", "/meta-none-case", "/header-noarchive", "/header-past") or (path == "/some-days" and day == 1)
    fields = [f"X-Robots-Tag: {header[path]}"] if path in header else []
    return answer(body, fields=fields, skipped="asked" if skipped else "")


ASKING = ["/meta-noarchive", "/meta-none-case", "/meta-index", "/header-noarchive", "/header-agent", "/header-past", "/header-future",
          "/some-days", "/equal-but-free"]

# robots.txt by host: path of the answer, and what is archived of it.
ROBOTS = b"User-agent: *\nDisallow: /never\n"
# Where the robots.txt of moved.test lies.
GOAL = ("goal.test", "/rules")
H2_FILES = {"index.html": page("h2 index"), "a.html": page("h2 a"), "empty.html": b"", "deep/b.html": page("h2 b", 300)}


class Web:
    """All hosts, on free ports of loopback. `where` finds what a URL must have given."""

    SLEEPS = 3

    def __init__(self, folder):
        self.folder = Path(folder)
        self.folder.mkdir(parents=True)
        self.day = 0
        self.lock = threading.Lock()
        # What was sent, by URL: (day, Answer, time of the request, time of the answer's begin).
        self.sent = {}
        self.fixed = {"coded.test": coded_pages(), "heads.test": bad_heads(), "cut.test": cut_pages(), "status.test": statuses(),
                      "odd.test": odd_answers()}
        self.hosts = {}
        self._certificates()
        self.plain = self._serve(None)
        self.plain6 = self._serve(None, "::1")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.folder / "cert.pem", self.folder / "key.pem")
        context.set_alpn_protocols(["http/1.1"])
        self.tls = self._serve(context)
        old = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        old.load_cert_chain(self.folder / "cert.pem", self.folder / "key.pem")
        old.maximum_version = ssl.TLSVersion.TLSv1_2
        self.tls12 = self._serve(old)
        self.h2_port, self.h2 = self._serve_h2()
        names = ["coded.test", "heads.test", "cut.test", "status.test", "names.test", "days.test", "ask.test", "slow.test", "robots.test",
                 "a.github.io", "b.co.uk", "www7.sub.example.test", "odd.test", "moved.test", "goal.test", "xn--bcher-kva.test"]
        self.hosts_file = self.folder / "hosts"
        self.hosts_file.write_text(
            f"127.0.0.1:{self.plain} {' '.join(names)}\n127.0.0.1:{self.plain}:{self.tls} tls.test\n"
            f"127.0.0.1:{self.plain}:{self.tls12} tls12.test\n127.0.0.1:{self.plain}:{self.h2_port} h2.test\n")

    @property
    def ca_file(self):
        return self.folder / "ca.pem"

    def options(self):
        return [*OPTIONS, "--fetch.hosts_file", self.hosts_file, "--fetch.ca_file", self.ca_file]

    def seeds(self):
        urls = [f"http://{host}{path}" for host, pages in self.fixed.items() for path in pages]
        urls += ["http://names.test" + path for path in NAMES] + ["http://days.test" + path for path in DAILY]
        urls += ["http://ask.test" + path for path in ASKING] + ["http://slow.test/late", "http://robots.test/x"]
        urls += ["http://a.github.io/x?", "http://b.co.uk/", "http://www7.sub.example.test/", f"http://127.0.0.1:{self.plain}/by-address"]
        urls += [f"https://{host}{path}" for host in ("tls.test", "tls12.test") for path in ("/gzip", "/br-chunked", "/empty")]
        urls += ["http://moved.test/x", "http://b\u00fccher.test/\u00fc", f"http://[::1]:{self.plain6}/by-address?[6]"]
        return urls + ["https://h2.test/", "https://h2.test/a.html", "https://h2.test/empty.html", "https://h2.test/deep/b.html"]

    def find(self, host, path, if_none_match):
        if path == "/robots.txt":
            return self._robots(host)
        if (host, path) == GOAL:
            return answer(ROBOTS, content_type="Content-Type: text/plain")
        if path == "/sitemap.xml":  # asked for on a guess; what is no sitemap is not kept
            return answer(b"", sent=page("no sitemap"), truncated="unspecified")
        if host in self.fixed:
            return self.fixed[host].get(path, answer(b"", sent=b"no", status="404 Not Found", truncated="unspecified"))
        if host.startswith("tls"):
            return self.fixed["coded.test"][path] if path in self.fixed["coded.test"] else answer(b"", sent=b"", status="404 Not Found")
        if host == "days.test" and path in DAILY:
            return daily_page(path, self.day, if_none_match)
        if host == "ask.test" and path in ASKING:
            return asking_page(path, self.day)
        if host == "slow.test":
            return answer(page("late"), pause=self.SLEEPS)
        return named_pages(path)

    def _robots(self, host):
        text = "Content-Type: text/plain"
        if host == "coded.test":
            return answer(ROBOTS, "gzip", gzipped(ROBOTS), content_type=text)
        if host == "heads.test":
            return Answer(head(text, f"Content-Length: {len(ROBOTS)}", end="\n") + ROBOTS, ROBOTS)
        if host == "names.test":
            return answer(b"", sent=b"none", status="404 Not Found", truncated="unspecified")
        if host == "moved.test":
            return answer(b"", status="301 Moved Permanently", fields=["Location: http://goal.test/rules"])
        if host == "days.test":
            body = ROBOTS + b"# day %d\n" % self.day
            return answer(body, chunks=True, content_type=text)
        return answer(ROBOTS, content_type=text)

    def sent_to(self, uri):
        """The requests for this URL in order: (day, Answer, seconds of the request and of the answer's begin)."""
        if uri.startswith("https://h2.test/"):
            body = H2_FILES.get(uri.removeprefix("https://h2.test/") or "index.html")
            return [] if body is None else [(day, Answer(b"", body), None, None) for day in range(3)]
        wanted = urllib.parse.unquote_to_bytes(uri)
        return [sent for url, all_of in self.sent.items() if urllib.parse.unquote_to_bytes(url) == wanted for sent in all_of]

    def end(self):
        self.h2.terminate()
        self.h2.wait()

    def _certificates(self):
        run = functools.partial(subprocess.run, check=True, cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (self.folder / "names").write_text("subjectAltName=DNS:tls.test,DNS:tls12.test,DNS:h2.test\n")
        new = ["openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        run([*new, "-x509", "-days", "3650", "-subj", "/CN=test CA", "-keyout", "ca.key", "-out", "ca.pem"])
        run([*new, "-subj", "/CN=tls.test", "-keyout", "key.pem", "-out", "request.pem"])
        run(["openssl", "x509", "-req", "-days", "3650", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial",
             "-extfile", "names", "-out", "cert.pem"])

    def _serve(self, context, address="127.0.0.1"):
        web = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                connection = self.request
                if context is not None:
                    try:
                        connection = context.wrap_socket(self.request, server_side=True)
                    except OSError:
                        return
                try:
                    file = connection.makefile("rb")
                    while web._answer(connection, file, "http" if context is None else "https"):
                        pass
                except OSError:
                    pass
                finally:
                    if context is not None:
                        connection.close()

        class Server(socketserver.ThreadingTCPServer):
            address_family = socket.AF_INET6 if ":" in address else socket.AF_INET
            daemon_threads = True
            request_queue_size = 100

            def handle_error(self, *_):
                pass

        server = Server((address, 0), Handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return server.server_address[1]

    def _answer(self, connection, file, scheme):
        line = file.readline()
        if not line:
            return False
        received = time.time()
        fields = http.client.parse_headers(file)
        path = line.split(b" ")[1].decode("latin-1")
        authority = fields.get("Host", "")
        host = authority.rsplit(":", 1)[0] if not authority.startswith("[") else authority
        with self.lock:
            found = self.find(host, path, fields.get("If-None-Match"))
            day = self.day
        if found.pause:
            time.sleep(found.pause)
        with self.lock:
            self.sent.setdefault(f"{scheme}://{authority}{path}", []).append((day, found, received, time.time()))
        connection.settimeout(30)
        if found.trickle:
            for at in range(0, len(found.wire), 10):
                connection.sendall(found.wire[at:at + 10])
                time.sleep(found.trickle)
        else:
            connection.sendall(found.wire)
        if found.ends or found.trickle:
            return False
        return True

    def _serve_h2(self):
        pages = self.folder / "h2"
        for name, body in H2_FILES.items():
            (pages / name).parent.mkdir(parents=True, exist_ok=True)
            (pages / name).write_bytes(body)
            os.utime(pages / name, (1.6e9, 1.6e9))
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        if shutil.which("nghttpd") is None:
            raise OSError("nghttpd is missing; scripts/setup installs it")
        process = subprocess.Popen(["nghttpd", "-a", "127.0.0.1", str(port), "key.pem", "cert.pem", "-d", "h2"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        return port, process
