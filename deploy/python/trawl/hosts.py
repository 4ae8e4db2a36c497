"""Hosts of URLs, as the URL Standard reads them (https://url.spec.whatwg.org/#host-parsing): names, international names, addresses.

The ASCII form of an international name follows UTS #46 without transitional processing. Its table of mappings is derived here from the
Unicode data that Python has, so characters younger than this Python stay as they are.
"""

from __future__ import annotations

import ipaddress
import re
import unicodedata
from functools import lru_cache
from typing import Optional
from urllib.parse import unquote_to_bytes

NAME = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*")
NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|[0-9]+")
IPV4 = re.compile(r"[0-9]+(\.[0-9]+){3}")
# A name that is not plain ASCII and longer than this is refused: DNS has 253 bytes.
MOST_TEXT_BYTES = 1024

# What UTS #46 takes away, keeps although folding would change it, and reads as a dot. Of the rest it refuses what nobody can see or
# has assigned, and the parts of which ideographs are described.
IGNORED = re.compile("[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2064\u206a-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
                     "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0100-\U000e01ef]")
DEVIATIONS = "\u00df\u03c2\u200c\u200d"
DOTS = re.compile("[\u3002\uff0e\uff61]")
UNSEEN = ("Cc", "Cf", "Co", "Cs", "Zl", "Zp")
DESCRIPTIONS = re.compile("[\u2ff0-\u2fff\u31ef\ufdd0-\ufdef\ufffc-\uffff]")
HALF = re.compile("[\ud800-\udfff]")


def host_of(text: str) -> str:
    """The host in ASCII and lower case, IPv6 in brackets. ValueError where it is no host that a crawl can hold."""
    if text.startswith("["):
        if not text.endswith("]"):
            raise ValueError(f"{text[:200]!r} lacks the bracket at its end")
        return ipv6(text[1:-1])
    if len(utf8(text)) > MOST_TEXT_BYTES and (not text.isascii() or "%" in text):
        raise ValueError(f"{text[:200]!r} is too long for a host")
    name = ascii_name(unquote_to_bytes(utf8(text)).decode("utf-8", "replace"))
    name = name[:-1] if name.endswith(".") else name
    last = name.rpartition(".")[2]
    if NUMBER.fullmatch(last):
        return ipv4(name)
    if not NAME.fullmatch(name):
        raise ValueError(f"{text[:200]!r} is not a host that a crawl can hold")
    return name


def utf8(text: str) -> bytes:
    """Bytes that were no UTF-8, which Python holds as half characters, come back as they were; another half character is U+FFFD."""
    if not HALF.search(text):
        return text.encode()
    return b"".join(bytes([ord(each) - 0xDC00]) if "\udc80" <= each <= "\udcff" else HALF.sub("\ufffd", each).encode() for each in text)


def ipv4(text: str) -> str:
    """An address in its usual form, whatever form it has: `0x7f.1` is `127.0.0.1`."""
    parts = text.split(".")
    if len(parts) > 4 or not all(NUMBER.fullmatch(part) for part in parts):
        raise ValueError(f"{text[:200]!r} is not an address, though its end is a number")
    numbers = [number(part) for part in parts]
    last = numbers.pop()
    if any(each > 255 for each in numbers) or last >= 256 ** (4 - len(numbers)):
        raise ValueError(f"{text[:200]!r} is not an address: a number in it is too large")
    return str(ipaddress.IPv4Address(last + sum(each << 8 * (3 - place) for place, each in enumerate(numbers))))


def number(text: str) -> int:
    if text[:2] in ("0x", "0X"):
        return int(text[2:] or "0", 16)
    return int(text, 8 if len(text) > 1 and text[0] == "0" else 10)


def ipv6(text: str) -> str:
    if "%" in text:
        raise ValueError(f"[{text[:200]}] has a zone")
    value = int(ipaddress.IPv6Address(text))
    pieces = [f"{value >> 16 * (7 - place) & 0xFFFF:x}" for place in range(8)]
    # The longest run of zeros, the first of those, becomes "::".
    runs = [(length, start) for start in range(8) for length in range(2, 9 - start) if pieces[start:start + length] == ["0"] * length]
    if not runs:
        return f"[{':'.join(pieces)}]"
    length, start = max(runs, key=lambda run: (run[0], -run[1]))
    return f"[{':'.join(pieces[:start])}::{':'.join(pieces[start + length:])}]"


def ascii_name(name: str) -> str:
    if name.isascii():
        return name.lower()
    return ".".join(map(ascii_label, checked(mapped(name))))


def mapped(name: str) -> str:
    """The mappings of UTS #46: lower case, compatibility forms, and no characters that nobody sees."""
    return unicodedata.normalize("NFC", "".join(map(mapped_character, IGNORED.sub("", DOTS.sub(".", name)))))


@lru_cache(4096)
def mapped_character(character: str) -> str:
    if character in DEVIATIONS or character.isascii():
        return character.lower()
    if character == "\u1e9e":
        return "\u00df"
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFD", character).casefold())
    form = IGNORED.sub("", unicodedata.normalize("NFKC", folded.casefold()))
    if unicodedata.category(character) in UNSEEN or DESCRIPTIONS.match(character) or "." in form or "\u3002" in form:
        raise ValueError(f"a host has the character U+{ord(character):04X}, which no name may have")
    return form


def checked(name: str) -> list[str]:
    """The labels in Unicode. ValueError where one breaks a rule."""
    labels = [unicode_label(label) for label in name.split(".")]
    for label in labels:
        if not label.isascii():
            if unicodedata.category(label[0]).startswith("M"):
                raise ValueError(f"the label {label[:63]!r} begins with a mark")
            check_joiners(label)
            check_directions(label)
    return labels


def unicode_label(label: str) -> str:
    if not label.startswith("xn--"):
        return label
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        decoded = ""
    if not decoded or decoded.isascii() or ascii_label(decoded) != label or mapped(decoded) != decoded:
        raise ValueError(f"the label {label[:63]!r} is not the form of an international name")
    return decoded


def ascii_label(label: str) -> str:
    return label if label.isascii() else "xn--" + label.encode("punycode").decode()


def check_joiners(label: str) -> None:
    """RFC 5892, appendix A.1 and A.2: after a virama; the non-joiner between letters that join, too."""
    for place, character in enumerate(label):
        if character not in "\u200c\u200d" or (place > 0 and unicodedata.combining(label[place - 1]) == 9):
            continue
        before, after = label[:place].rstrip("\u200c"), label[place + 1:]
        if character == "\u200d" or not before or not after or not (joins(before[-1]) and joins(after[0])):
            raise ValueError(f"the label {label[:63]!r} has a joiner where none may be")


def joins(character: str) -> bool:
    return unicodedata.bidirectional(character) in ("AL", "NSM")


def check_directions(label: str) -> None:
    """RFC 5893, section 2, for labels that have letters from right to left."""
    kinds = [unicodedata.bidirectional(character) for character in label]
    if not {"R", "AL", "AN"} & set(kinds):
        return
    while kinds[-1] == "NSM":
        kinds.pop()
    allowed = {"R", "AL", "AN", "EN", "ES", "CS", "ET", "ON", "BN", "NSM"}
    is_mixed = {"EN", "AN"} <= set(kinds)
    if kinds[0] not in ("R", "AL") or not set(kinds) <= allowed or kinds[-1] not in ("R", "AL", "EN", "AN") or is_mixed:
        raise ValueError(f"the label {label[:63]!r} mixes directions of writing")


def host_of_part(part: str) -> str:
    """`com,example,www` is `www.example.com`; addresses are as they are."""
    return ".".join(reversed(part.split(",")))


def part_of_host(host: str) -> str:
    return host if host.startswith("[") or IPV4.fullmatch(host) else ",".join(reversed(host.split(".")))


def part_is_sound(part: str) -> bool:
    """Whether it is the host part of a key."""
    if part.startswith("[") or "." in part:
        host = part
    else:
        host = host_of_part(part)
        if NUMBER.fullmatch(host.rpartition(".")[2]):
            return False
    try:
        return host_of(host) == host
    except ValueError:
        return False


def maybe_port(text: str) -> Optional[str]:
    """A port without leading zeros; nothing where it is none."""
    if not re.fullmatch("[0-9]*", text):
        return None
    port = text.lstrip("0") or ("0" if text else "")
    return port if len(port) <= 5 and int(port or "0") <= 65535 else None
