"""A small archive written by hand, so that the checks are checked: they must pass it, and must see each fault that FAULTS puts in."""

import gzip
import json
import re
import struct
import uuid
import zlib
from pathlib import Path

from archive_checks import archive, walk

NAME, SEGMENT = "MADE-2026-01", "20260101T000000Z-00000000"
FILE = f"crawl-data/{NAME}/segments/{SEGMENT}/{{subset}}/{NAME}-20260101000000-20260101000100-00000.warc.gz"
BLOCK_LINES = 2
ORDER = ["url", "mime", "status", "digest", "length", "offset", "filename", "truncated"]
PAGE = b"<!DOCTYPE html><title>made</title><p>" + b"a page made by hand " * 30


def identify(*names):
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, '/'.join(map(str, names)))}>"


def member(content):
    coder = zlib.compressobj(6, zlib.DEFLATED, -15)
    return (b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + coder.compress(content) + coder.flush() +
            struct.pack("<II", zlib.crc32(content), len(content) & 0xFFFFFFFF))


def text_of(fields, block):
    return "".join(f"{name}: {value}\r\n" for name, value in fields if value is not None).encode(), block


class Maker:
    """`alter` may change the fields and the block of a record, and `end` what follows it."""

    def __init__(self, folder, alter=None, after=None):
        self.folder, self.alter, self.after = Path(folder), alter, after
        self.files, self.lines = {}, []

    def add(self, subset, of_type, name, date, fields, block, line=None):
        path = FILE.format(subset=subset)
        fields = [("WARC-Type", of_type), ("WARC-Record-ID", identify(path if of_type == "warcinfo" else name, of_type)), ("WARC-Date", date),
                  *fields, ("WARC-Block-Digest", walk.digest_like("sha1:", block)), ("Content-Length", len(block))]
        if self.alter:
            fields, block = self.alter(of_type, fields, block)
        head = "".join(f"{name}: {value}\r\n" for name, value in fields if value is not None).encode()
        content = b"WARC/1.1\r\n" + head + b"\r\n" + block + b"\r\n\r\n"
        if self.after:
            content = self.after(of_type, content)
        data = self.files.setdefault(path, bytearray())
        packed = member(content)
        if line is not None:
            line |= {"length": str(len(packed)), "offset": str(len(data)), "filename": path}
            self.lines.append((dict(fields)["WARC-Target-URI"], archive.timestamp14(date), line))
        data += packed

    def begin(self, subset):
        self.add(subset, "warcinfo", subset, "2026-01-01T00:00:00.000Z", [
            ("WARC-Filename", FILE.format(subset=subset).rsplit("/", 1)[1]), ("Content-Type", "application/warc-fields")],
            b"software: made by hand\r\nformat: WARC File Format 1.1\r\n")

    def capture(self, subset, url, date, head, payload, mime="text/html", of_type="response", more=(), line=()):
        status = head.split(" ")[1] if head else "304"
        about = [("WARC-Target-URI", url), ("WARC-Warcinfo-ID", identify(FILE.format(subset=subset), "warcinfo")), ("WARC-IP-Address", "127.0.0.1"),
                 ("WARC-Protocol", "http/1.1")]
        name = url + date
        path = url.split("/", 3)[3]
        self.add(subset, "request", name, date, [
            *about, ("WARC-Concurrent-To", identify(name, of_type)), ("Content-Type", "application/http;msgtype=request")],
            f"GET /{path} HTTP/1.1\r\nHost: made.test\r\n\r\n".encode())
        digest = walk.digest_like("sha1:", payload) if head else None
        block = f"{head}\r\nContent-Length: {len(payload)}\r\n\r\n".encode() if head else b""
        facts = {"url": url, "mime": "warc/revisit" if of_type == "revisit" else mime, "status": status}
        facts |= {"digest": digest.removeprefix("sha1:")} if digest else {}
        self.add(subset, of_type, name, date, [
            *about, *more, *([("WARC-Payload-Digest", digest)] if digest else []),
            *([("Content-Type", "application/http;msgtype=response")] if head else [])],
            block + (payload if of_type == "response" else b""), facts | dict(line))
        self.add(subset, "metadata", name, date, [
            ("WARC-Target-URI", url), ("WARC-Warcinfo-ID", identify(FILE.format(subset=subset), "warcinfo")),
            ("WARC-Concurrent-To", identify(name, of_type)), ("Content-Type", "application/warc-fields")],
            b"fetchTimeMs: 12\r\n")

    def revisit(self, subset, url, date, original, head, payload, profile="identical-payload-digest"):
        more = [("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/" + profile), ("WARC-Refers-To", identify(url + original, "response")),
                ("WARC-Refers-To-Target-URI", url), ("WARC-Refers-To-Date", original)]
        if head:
            more.append(("WARC-Truncated", "length"))
        self.capture(subset, url, date, head, payload, of_type="revisit", more=more)

    def write(self, order=lambda lines: lines, cut=lambda data: data, shift=0):
        import surt

        for path, data in self.files.items():
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / path).write_bytes(cut(bytes(data)))
        lines = order(sorted(f"{surt.surt(url)} {timestamp} {json.dumps({name: line[name] for name in ORDER if name in line})}\n" for url, timestamp, line in self.lines))
        indexes = self.folder / f"cc-index/collections/{NAME}/indexes"
        indexes.mkdir(parents=True, exist_ok=True)
        shard, clusters = bytearray(), []
        for at in range(0, len(lines), BLOCK_LINES):
            block = lines[at:at + BLOCK_LINES]
            packed = member("".join(block).encode())
            key, timestamp = block[0].split(" ")[:2]
            clusters.append(f"{key} {timestamp}\tcdx-00000.gz\t{len(shard) + shift}\t{len(packed)}\t{len(clusters) + 1}\n")
            shard += packed
        (indexes / "cdx-00000.gz").write_bytes(shard)
        (indexes / "cluster.idx").write_text("".join(clusters))
        (indexes / "cluster.loc").write_text("cdx-00000.gz\tcdx-00000.gz\n")
        return archive.Archive(self.folder, NAME)


def make(folder, alter=None, after=None, payload=PAGE, coding="", **written):
    maker = Maker(folder, alter, after)
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/html" + (f"\r\nContent-Encoding: {coding}" if coding else "\r\nX-Crawler-Content-Encoding: gzip")
    dates = [f"2026-01-0{day}T00:00:59.999Z" for day in range(1, 6)]
    maker.begin("warc")
    maker.capture("warc", "http://made.test/a", dates[0], head, payload)
    maker.capture("warc", "http://made.test/empty", dates[0], head, b"")
    maker.capture("warc", "http://made.test/a", dates[2], head, b"<p>other " + payload)
    maker.revisit("warc", "http://made.test/a", dates[3], dates[0], head, payload)
    maker.begin("crawldiagnostics")
    maker.revisit("crawldiagnostics", "http://made.test/a", dates[4], dates[2], "", b"", "server-not-modified")
    maker.capture("crawldiagnostics", "http://made.test/gone", dates[0], "HTTP/1.1 404 Not Found\r\nContent-Type: text/html", b"",
                  more=[("WARC-Truncated", "unspecified")], line={"truncated": "unspecified"})
    return maker.write(**written)


def field_set(name, value, types=("response",)):
    """An `alter` that sets a field; None takes it away."""

    def alter(of_type, fields, block):
        if of_type in types:
            fields = [(field, value if field == name else old) for field, old in fields]
            if value is not None and name not in dict(fields):
                fields.append((name, value))
        return fields, block

    return alter


def block_set(change, types=("response",), fix=True):
    """An `alter` that changes the block; `fix` makes length and digest true again."""

    def alter(of_type, fields, block):
        if of_type in types:
            block = change(block)
            if fix:
                right = {"Content-Length": len(block), "WARC-Block-Digest": walk.digest_like("sha1:", block)}
                fields = [(name, right.get(name, value)) for name, value in fields]
        return fields, block

    return alter


def ended(end, types=("response",)):
    return lambda of_type, content: content.removesuffix(b"\r\n\r\n") + end if of_type in types else content


def bit_flipped(data):
    at = len(data) // 2
    return data[:at] + bytes([data[at] ^ 4]) + data[at + 1:]


def one_member(data):
    return member(gzip.decompress(data))


# What is wrong: (how, the checks that must see it).
FAULTS = {
    "a head that still says gzip": (dict(coding="gzip"), ["strict_decoders_read_what_was_stored", "replay_gives_the_bytes"]),
    "chunked kept": (dict(alter=block_set(lambda block: block.replace(b"X-Crawler-Content-Encoding: gzip", b"Transfer-Encoding: chunked"))),
                     ["members_are_records", "strict_decoders_read_what_was_stored"]),
    "the wire's length kept": (dict(alter=block_set(lambda block: block.replace(b"Content-Length: 6", b"Content-Length: 1"))),
                               ["members_are_records", "jwarc_has_nothing_to_say"]),
    "a wrong digest": (dict(alter=field_set("WARC-Payload-Digest", "sha1:" + "A" * 32)),
                       ["members_are_records", "warcio_passes_each_digest", "jwarc_has_nothing_to_say", "jwat_has_nothing_to_say"]),
    "the last member cut": (dict(cut=lambda data: data[:-20]), ["members_are_records", "jwarc_has_nothing_to_say", "jwat_has_nothing_to_say"]),
    "a bit flipped": (dict(cut=bit_flipped), ["members_are_records", "warcio_passes_each_digest", "jwat_has_nothing_to_say"]),
    "one member for all records": (dict(cut=one_member), ["members_are_records", "warcio_passes_each_digest"]),
    "one line end after a record": (dict(after=ended(b"\r\n")), ["members_are_records", "jwarc_has_nothing_to_say", "jwat_has_nothing_to_say"]),
    "lines that end with LF": (dict(alter=block_set(lambda block: block.replace(b"\r\n", b"\n"))), ["members_are_records", "fastwarc_finds_each_head"]),
    "metadata of another time": (dict(alter=field_set("WARC-Date", "2026-01-09T00:00:00.000Z", ["metadata"])), ["captures_hold_together"]),
    "blocks that are not where cluster.idx says": (dict(shift=7), ["lines_are_sorted_in_blocks", "pywb_finds_by_blocks"]),
    "HTTP/2 in the status line": (dict(alter=block_set(lambda block: block.replace(b"HTTP/1.1 200 OK", b"HTTP/2 200 "))),
                                  ["members_are_records", "jwat_has_nothing_to_say", "replay_gives_the_bytes"]),
    "a URI that RFC 3986 forbids": (dict(alter=field_set("WARC-Target-URI", "http://made.test/a|b")), ["members_are_records", "jwat_has_nothing_to_say"]),
    "an id twice": (dict(alter=field_set("WARC-Record-ID", identify("one"))), ["ids_are_unique_and_resolve"]),
    "a reference to nowhere": (dict(alter=field_set("WARC-Refers-To", identify("none"), ["revisit"])), ["ids_are_unique_and_resolve"]),
    "a revisit of another's digest": (dict(alter=field_set("WARC-Payload-Digest", "sha256:" + "0" * 64, ["revisit"])), ["revisits_lead_to_their_originals"]),
    "another digest in a revisit's line": (dict(order=lambda lines: [re.sub('"digest": "[A-Z2-7]+"', '"digest": "sha256:00"', line)
                                                                     if "warc/revisit" in line else line for line in lines]),
                                           ["replay_gives_the_bytes", "each_capture_has_its_line"]),
    "a 304 with its head": (dict(alter=lambda of_type, fields, block: (fields, b"HTTP/1.1 304 Not Modified\r\n\r\n")
                                 if of_type == "revisit" and not block else (fields, block)), ["members_are_records"]),
    "a forged field": (dict(alter=block_set(lambda block: block + b"via: x\r\n\r\nWARC-Type: response\r\n", ["metadata"])), ["members_are_records"]),
    "lines out of order": (dict(order=lambda lines: lines[::-1]), ["lines_are_sorted_in_blocks"]),
    "a line twice": (dict(order=lambda lines: [lines[0], *lines]), ["lines_are_sorted_in_blocks"]),
    "a line too few": (dict(order=lambda lines: lines[1:]), ["each_capture_has_its_line", "other_indexers_agree"]),
    "a date rounded": (dict(order=lambda lines: [line.replace("000059", "000100") for line in lines]), ["each_capture_has_its_line", "other_indexers_agree"]),
    "a key of another kind": (dict(order=lambda lines: [line.replace("test,made)", "made.test)", 1) for line in lines]), ["keys_are_those_of_others"]),
}
