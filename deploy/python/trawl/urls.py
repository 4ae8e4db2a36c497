"""Keys of URLs. `com,example,www)/a` is `https://www.example.com/a`; a key and the normalised URL are two spellings of one thing."""

from __future__ import annotations

import re
from typing import Optional

import pyarrow as pa
import pyarrow.compute as pc

from .hosts import host_of, host_of_part, maybe_port, part_is_sound, part_of_host, utf8

DEFAULT_PORTS = {"http": "80", "https": "443"}
KEY = re.compile(r"(?P<host>[^)]+)\)(?P<scheme>https?)?(?P<port>:(?:0|[1-9][0-9]{0,4}))?(?P<rest>/.*)", re.DOTALL)
WEB_URL = re.compile(r"(?P<scheme>https?):[/\\]*(?P<authority>[^/\\?#]*)(?P<path>[^?#]*)(?P<query>\?[^#]*)?", re.DOTALL | re.IGNORECASE)
CONTROLS_AND_SPACE = "".join(map(chr, range(33)))
UNRESERVED = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
STAYS = UNRESERVED | frozenset(b"!$&'()*+,;=:@/?")
TO_EVEN = re.compile(rf"%[0-9A-Fa-f]{{2}}|[^{re.escape(''.join(map(chr, sorted(STAYS))))}]")
MOST_KEY_BYTES = 2048
# A longer URL is refused without a look at what could be left out of it.
MOST_URL_BYTES = 16 << 10
MOST_TEXT_BYTES = 1 << 20

# Query parameters that say where a visitor came from, and session ids. `trawl check url` shows what the crawl makes of a URL.
TRACKING = frozenset(
    "_ga _gl _hsenc _hsmi _openstat dclid epik fb_action_ids fb_action_types fb_ref fb_source fbclid gad_source gbraid gclid gclsrc hsctatracking"
    " igshid li_fat_id mc_cid mc_eid mkt_tok msclkid oly_anon_id oly_enc_id rb_clickid s_cid srsltid ttclid twclid vero_conv vero_id wbraid"
    " wickedid yclid ysclid".split())
SESSIONS = frozenset("cfid cftoken jsessionid oscsid phpsessid zenid".split())
MAYBE_SESSIONS = frozenset("s sessid session session_id sessionid sid".split())
REFERRERS = frozenset(("ref", "source"))
DEFAULT_DOCUMENT = re.compile(r"default\.(asp|aspx|htm|html|php)|index\.(asp|aspx|cfm|htm|html|jsp|php|php3|php5|shtml)", re.IGNORECASE)
SESSION_SEGMENT = re.compile(r"\(S\([0-9A-Za-z]{24}\)\)")


def url_of_key(key: str) -> str:
    """The normalised URL of a key. ValueError where it is none."""
    pieces = KEY.fullmatch(key)
    if not pieces or not part_is_sound(pieces["host"]) or (pieces["scheme"] == "https" and not pieces["port"]) or (
            pieces["port"] and not pieces["scheme"]):
        raise ValueError(f"{key[:200]!r} is not the key of a URL")
    return f"{pieces['scheme'] or 'https'}://{host_of_part(pieces['host'])}{pieces['port'] or ''}{pieces['rest']}"


def key_of_url(url: str, normal_form: str = "standard") -> str:
    """The key of the row that stands for the URL, under the crawl's normal form. ValueError where it can have none."""
    if normal_form not in ("strict", "standard", "fold"):
        raise ValueError(f"{normal_form!r} is not strict, standard or fold")
    shown = url[:200]
    pieces = WEB_URL.match(re.sub(r"[\t\n\r]", "", url.strip(CONTROLS_AND_SPACE)))
    if not pieces or len(url) > MOST_TEXT_BYTES:
        raise ValueError(f"{shown!r} is not an absolute URL of http or https")
    scheme = pieces["scheme"].lower()
    host, port = host_and_port(pieces["authority"], scheme)
    path = without_dots(escaped(pieces["path"].replace("\\", "/")))
    query = None if pieces["query"] is None else escaped(pieces["query"][1:]).replace("'", "%27")
    if len(scheme) + len(host) + len(path) + len(query or "") > MOST_URL_BYTES:
        raise ValueError(f"{shown!r} is too long")
    path, query = evened(path), None if query is None else evened(query)
    if normal_form != "strict":
        path = without_sessions(path)
        query = None if query is None else sorted_query(query, normal_form)
    if normal_form == "fold":
        path = folded(path)
    origin = "" if scheme == "https" and not port else scheme + (f":{port}" if port else "")
    key = f"{part_of_host(host)}){origin}{path}{'' if query is None else '?' + query}"
    if len(key) > MOST_KEY_BYTES:
        raise ValueError(f"{shown!r} is too long: its key would be over {MOST_KEY_BYTES:,} bytes")
    return key


def host_and_port(authority: str, scheme: str) -> tuple[str, str]:
    host, colon, tail = authority.rpartition("@")[2], "", ""
    if not host.endswith("]"):
        before, colon, tail = host.rpartition(":")
        host = before if colon else host
    port = maybe_port(tail) if colon else ""
    if port is None or not host:
        raise ValueError(f"{authority[:200]!r} is not a host with a port of up to 65535")
    return host_of(host), "" if port == DEFAULT_PORTS[scheme] else port


def escaped(text: str) -> str:
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    return "".join(chr(byte) if 0x20 < byte < 0x7F else f"%{byte:02X}" for byte in utf8(text))


def without_dots(path: str) -> str:
    """Dot segments are resolved, also escaped ones."""
    segments: list[str] = []
    parts = path.split("/")[1:] or [""]
    for place, segment in enumerate(parts):
        plain = segment.replace("%2e", ".").replace("%2E", ".")
        if plain == "..":
            segments = segments[:-1]
        elif plain != ".":
            segments.append(segment)
        if plain in (".", "..") and place == len(parts) - 1:
            segments.append("")
    return "/" + "/".join(segments)


def evened(text: str) -> str:
    """Escapes in one way: unreserved characters stand for themselves, others have upper-case digits."""
    def even(match: re.Match[str]) -> str:
        if len(match[0]) == 1:
            return f"%{ord(match[0]):02X}"
        byte = int(match[0][1:], 16)
        return chr(byte) if byte in UNRESERVED else f"%{byte:02X}"
    return TO_EVEN.sub(even, text)


def role(name: str, value: str) -> str:
    lower = name.lower()
    if lower.startswith("utm_") or lower in TRACKING:
        return "tracking"
    if lower.startswith("aspsessionid") or lower in SESSIONS:
        return "session"
    if lower in MAYBE_SESSIONS:
        looks_random = len(value) >= 24 and re.fullmatch(r"[0-9A-Za-z]+", value) and sum(c.isdigit() for c in value) >= 4
        return "session" if looks_random else ""
    return "referrer" if lower in REFERRERS else ""


def without_sessions(path: str) -> str:
    if ";" not in path and "(" not in path:
        return path
    segments = path.split("/")[1:]
    kept = []
    for place, segment in enumerate(segments):
        first, *parameters = segment.split(";")
        shown = ";".join([first, *(each for each in parameters if role(each.partition("=")[0], each.partition("=")[2]) != "session")])
        if SESSION_SEGMENT.fullmatch(shown):
            if place == len(segments) - 1:
                kept.append("")
        else:
            kept.append(segment if shown in (".", "..") else shown)
    return "/" + "/".join(kept)


def sorted_query(query: str, normal_form: str) -> Optional[str]:
    dropped = ("tracking", "session", "referrer") if normal_form == "fold" else ("tracking", "session")
    pieces = []
    for piece in query.split("&"):
        name, _, value = piece.partition("=")
        if piece and role(name, value) not in dropped:
            pieces.append((name, piece))
    return "&".join(piece for _, piece in sorted(pieces)) if pieces else None


def folded(path: str) -> str:
    path = re.sub("/+", "/", path)
    while True:
        path = path.removesuffix("/") if len(path) > 1 else path
        folder, _, document = path.rpartition("/")
        if not DEFAULT_DOCUMENT.fullmatch(document):
            return path or "/"
        path = folder + "/"


def urls_of_keys(keys: pa.Array) -> pa.Array:
    """The URLs of many keys: hosts are few, so each is turned round once, and most origins have no port."""
    if len(keys) == 0:
        return pa.array([], pa.string())
    halves = pc.split_pattern(keys, ")", max_splits=1)
    host, rest = (pc.list_element(halves, place) for place in (0, 1))
    is_https, is_http = pc.starts_with(rest, "/"), pc.starts_with(rest, "http/")
    if not pc.all(pc.or_(is_https, is_http)).as_py():
        parts = pc.extract_regex(rest, r"^(?P<scheme>https?)?(?P<port>:[0-9]+)?(?P<path>(?s:.)*)$")
        scheme = pc.if_else(pc.equal(parts.field("scheme"), ""), "https", parts.field("scheme"))
        return pc.binary_join_element_wise(scheme, "://", turned(host), parts.field("port"), parts.field("path"), "")
    scheme = pc.if_else(is_https, "https://", "http://")
    path = rest if not pc.any(is_http).as_py() else pc.if_else(is_https, rest, pc.utf8_slice_codeunits(rest, 4))
    return pc.binary_join_element_wise(scheme, turned(host), path, "")


def turned(parts: pa.Array) -> pa.Array:
    """The hosts of many host parts."""
    coded = parts.dictionary_encode()
    return pa.array([host_of_part(part.as_py()) for part in coded.dictionary], pa.string()).take(coded.indices)
