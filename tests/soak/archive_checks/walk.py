"""A reader of WARC files that forgives nothing, and uses no library for archives: the judge of all others."""

import base64
import hashlib
import re
import zlib
from collections import namedtuple
from pathlib import Path

# Members are read in pieces of this size: most are smaller.
PIECE = 1 << 16
Record = namedtuple("Record", "file offset length fields block")

# Fields that may stand on any record, and those of the types (WARC 1.1, 5.x and 6.x).
EVERYWHERE = {"WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length", "Content-Type", "WARC-Block-Digest", "WARC-Warcinfo-ID"}
OF_TYPE = {
    "warcinfo": {"WARC-Filename"},
    "request": {"WARC-Target-URI", "WARC-IP-Address", "WARC-Protocol", "WARC-Cipher-Suite", "WARC-Concurrent-To", "WARC-Payload-Digest"},
    "response": {"WARC-Target-URI", "WARC-IP-Address", "WARC-Protocol", "WARC-Cipher-Suite", "WARC-Concurrent-To",
                 "WARC-Payload-Digest", "WARC-Truncated", "WARC-Identified-Payload-Type"},
    "resource": {"WARC-Target-URI", "WARC-IP-Address", "WARC-Concurrent-To", "WARC-Payload-Digest", "WARC-Truncated",
                 "WARC-Identified-Payload-Type"},
    "revisit": {"WARC-Target-URI", "WARC-IP-Address", "WARC-Protocol", "WARC-Cipher-Suite", "WARC-Concurrent-To", "WARC-Profile",
                "WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date", "WARC-Payload-Digest", "WARC-Truncated",
                "WARC-Identified-Payload-Type"},
    "metadata": {"WARC-Target-URI", "WARC-Concurrent-To", "WARC-Refers-To"},
    "conversion": {"WARC-Target-URI", "WARC-Refers-To", "WARC-Payload-Digest", "WARC-Identified-Content-Language",
                   "WARC-Identified-Payload-Type", "WARC-Truncated"},
}
REPEATED = {"WARC-Concurrent-To", "WARC-Protocol"}
ID = re.compile(r"<urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[89ab][0-9a-f]{3}-[0-9a-f]{12}>")
DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
# RFC 3986: unreserved, reserved without the brackets (but those of an IPv6 host), and escapes.
URI = re.compile(r"[a-z][a-z0-9+.-]*://(\[[0-9a-f:.]+\])?(?:[A-Za-z0-9._~:/?#@!$&'()*+,;=-]|%[0-9A-Fa-f]{2})*")
DIGEST = re.compile(r"sha1:[A-Z2-7]{32}|sha256:[0-9a-f]{64}")
STATUS_LINE = re.compile(rb"HTTP/1\.[01] [1-9]\d\d [^\r\n]*")
FIELD_LINE = re.compile(rb"[!#$%&'*+.^_`|~0-9A-Za-z-]+:[^\r\n]*")


class Fault(Exception):
    pass


def require(holds, what):
    if not holds:
        raise Fault(what)


def get(record, name):
    return next((value for field, value in record.fields if field == name), None)


def kind(record):
    return get(record, "WARC-Type")


def digest_like(text, data):
    """The digest of `data` in the form of `text`."""
    if text.startswith("sha1:"):
        return "sha1:" + base64.b32encode(hashlib.sha1(data).digest()).decode()
    return "sha256:" + hashlib.sha256(data).hexdigest()


def split_http(block):
    """The lines of the head, with the status line first, and the payload."""
    text, end, payload = block.partition(b"\r\n\r\n")
    require(end, "the HTTP head has no end")
    return text.split(b"\r\n"), payload


def http_fields(record, name):
    lines, _ = split_http(record.block)
    wanted = name.lower().encode() + b":"
    return [line[len(wanted):].strip().decode("latin-1") for line in lines[1:] if line.lower().startswith(wanted)]


def payload_of(record):
    return split_http(record.block)[1] if (get(record, "Content-Type") or "").startswith("application/http") else record.block


def members(path):
    """The gzip members of a file: offset, length, content."""
    data = Path(path).read_bytes()
    at = 0
    while at < len(data):
        require(data[at:at + 4] == b"\x1f\x8b\x08\x00", f"{path}: {at}: no gzip member without flags begins here")
        require(data[at + 4:at + 8] == b"\0\0\0\0" and data[at + 9] == 255, f"{path}: {at}: the member names a time or a system")
        reader = zlib.decompressobj(31)
        content, end = bytearray(), at
        try:
            while not reader.eof and end < len(data):
                content += reader.decompress(data[end:end + PIECE])
                end = min(end + PIECE, len(data))
        except zlib.error as error:
            raise Fault(f"{path}: {at}: {error}") from error
        require(reader.eof, f"{path}: {at}: the last member is cut off")
        length = end - at - len(reader.unused_data)
        yield at, length, bytes(content)
        at += length


def read_member(path, offset, length, content):
    where = f"{path}: {offset}"
    head, end, rest = content.partition(b"\r\n\r\n")
    require(end, f"{where}: the record's head has no end")
    lines = head.split(b"\r\n")
    require(lines[0] == b"WARC/1.1", f"{where}: begins with {lines[0][:20]}")
    fields = []
    for line in lines[1:]:
        require(FIELD_LINE.fullmatch(line) and b"\n" not in line, f"{where}: no field: {line[:60]}")
        name, _, value = line.decode().partition(":")
        require(value == " " + value.strip() and value.strip(), f"{where}: {name}: {value!r}")
        fields.append((name, value.strip()))
    size = next((value for name, value in fields if name == "Content-Length"), "")
    require(size.isdigit(), f"{where}: Content-Length {size!r}")
    require(len(rest) == int(size) + 4, f"{where}: Content-Length {size}, but {len(rest) - 4} bytes")
    require(rest.endswith(b"\r\n\r\n"), f"{where}: does not end in two empty lines")
    return Record(str(path), offset, length, fields, rest[:-4])


def read(path):
    """The records of a file, as far as members and lengths go."""
    for offset, length, content in members(path):
        yield read_member(path, offset, length, content)


def check(record):
    """Whether the record is right by itself."""
    try:
        check_record(record)
    except Fault as fault:
        raise Fault(f"{record.file}: {record.offset}: {kind(record)}: {fault}") from None


def check_record(record):
    names = [name for name, _ in record.fields]
    of_type = kind(record)
    require(of_type in OF_TYPE, f"type {of_type}")
    for name in set(names):
        require(name in EVERYWHERE | OF_TYPE[of_type], f"{name} may not stand here")
        require(names.count(name) == 1 or name in REPEATED, f"{name} stands {names.count(name)} times")
    for name in ("WARC-Record-ID", "WARC-Date", "Content-Length"):
        require(name in names, f"{name} is missing")
    for name, value in record.fields:
        if name in ("WARC-Record-ID", "WARC-Concurrent-To", "WARC-Refers-To", "WARC-Warcinfo-ID"):
            require(ID.fullmatch(value), f"{name}: {value}")
        if name in ("WARC-Date", "WARC-Refers-To-Date"):
            require(DATE.fullmatch(value), f"{name}: {value}")
        if name in ("WARC-Target-URI", "WARC-Refers-To-Target-URI"):
            require(URI.fullmatch(value), f"{name}: {value}")
        if name in ("WARC-Block-Digest", "WARC-Payload-Digest"):
            require(DIGEST.fullmatch(value), f"{name}: {value}")
        if name == "WARC-IP-Address":
            require(re.fullmatch(r"[0-9.]+|[0-9a-f:.]+", value) and value != "0.0.0.0", f"{name}: {value}")
        if name == "WARC-Protocol":
            require(value in ("http/1.0", "http/1.1", "h2", "h2c", "tls/1.0", "tls/1.1", "tls/1.2", "tls/1.3"), f"{name}: {value}")
        if name == "WARC-Truncated":
            require(value in ("length", "time", "disconnect", "unspecified"), f"{name}: {value}")
    require((get(record, "Content-Type") is None) == (record.block == b""), "Content-Type stands where there is no block, or not where there is")
    digest = get(record, "WARC-Block-Digest")
    require(digest is None or digest == digest_like(digest, record.block), "WARC-Block-Digest is not that of the block")
    {"response": check_response, "request": check_request, "revisit": check_revisit, "resource": check_resource,
     "warcinfo": check_fields, "metadata": check_fields, "conversion": lambda _: None}[of_type](record)


def check_head(record):
    lines, payload = split_http(record.block)
    require(STATUS_LINE.fullmatch(lines[0]), f"status line {lines[0][:60]}")
    for line in lines[1:]:
        require(FIELD_LINE.fullmatch(line), f"HTTP field {line[:60]}")
    require(not http_fields(record, "Transfer-Encoding"), "Transfer-Encoding was not masked")
    lengths = http_fields(record, "Content-Length")
    require(len(lengths) == 1 and lengths[0].isdigit(), f"Content-Length fields: {lengths}")
    return int(lengths[0]), payload


def check_response(record):
    require(get(record, "Content-Type") == "application/http;msgtype=response", get(record, "Content-Type"))
    size, payload = check_head(record)
    require(size == len(payload), f"the HTTP head says Content-Length {size}; there are {len(payload)} bytes")
    digest = get(record, "WARC-Payload-Digest")
    if record.block.startswith(b"HTTP/1.1 304"):
        require(digest is None and payload == b"", "a 304 with a payload, or a digest of one")
        return
    require(digest and digest == digest_like(digest, payload), "WARC-Payload-Digest is not that of the payload")


def check_request(record):
    require(get(record, "Content-Type") == "application/http;msgtype=request", get(record, "Content-Type"))
    lines, payload = split_http(record.block)
    require(re.fullmatch(rb"GET [^ ]+ HTTP/1\.1", lines[0]), f"request line {lines[0][:60]}")
    require(payload == b"", "a request with a body")


def check_revisit(record):
    profile = get(record, "WARC-Profile")
    for name in ("WARC-Refers-To", "WARC-Refers-To-Target-URI", "WARC-Refers-To-Date"):
        require(get(record, name), f"{name} is missing")
    if profile == "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest":
        require(get(record, "WARC-Payload-Digest"), "no payload digest")
        require(get(record, "WARC-Truncated") == "length", "WARC-Truncated is not length")
        require(get(record, "Content-Type") == "application/http;msgtype=response", get(record, "Content-Type"))
        _, payload = check_head(record)
        require(payload == b"", "a revisit with a payload")
    else:
        require(profile == "http://netpreserve.org/warc/1.1/revisit/server-not-modified", f"profile {profile}")
        require(record.block == b"" and get(record, "WARC-Payload-Digest") is None, "a 304 with a block or payload digest")


def check_resource(record):
    digest = get(record, "WARC-Payload-Digest")
    require(digest and digest == digest_like(digest, record.block), "WARC-Payload-Digest is not that of the block")


def check_fields(record):
    require(get(record, "Content-Type") == "application/warc-fields", get(record, "Content-Type"))
    require(record.block.endswith(b"\r\n"), "the fields do not end in a line's end")
    for line in record.block[:-2].split(b"\r\n"):
        require(FIELD_LINE.fullmatch(line), f"no field: {line[:60]}")
        require(not any(byte < 32 and byte != 9 for byte in line), f"a control character: {line[:60]}")
