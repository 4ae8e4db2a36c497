"""Keys of URLs: those that the program makes, of any spelling."""

import json
import random
import subprocess
import unicodedata
from urllib.parse import unquote

import pytest

import trawl
from conftest import BINARY, needs_binary
from trawl.hosts import ascii_name

FORMS = ("strict", "standard", "fold")
ORIGINS = ("http://a.test", "HTTPS:\\\\A.b.TEST", "http:127.1", "https://x_y.test.", "http://b\u00fccher.test", "http://[::1]", "https://u@h.test",
           "http://0300.0250.1", "http://h.test:81", "http://h.test:0", "http://[1:0:0:2:0:0:0:3]:80", "  https:/h.test:0443")
PIECES = ("/", "//", "\\", "@", "?", "#", ".", "..", "%2e", "%2E%2e", "%", "%25", "%4", "%7E", "%c3%a4", "%zz", "\u00e4", "a", "b", "A", "1", "[", "::", "&",
          "=", "utm_source", "gclid", "sid", "jsessionid", ";", "(S(abcdefghijklmnopqrstuvwx))", "0123456789abcdef01234567", "index.html",
          "Default.aspx", "ref", "source", " ", "\t", "\n", "\x00", "\x7f", "|", "{", '"', "'", "`", "^", "<", "+", "*", "~", "-", "_", "!", "$", ",",
          "\uff45", "\u65e5\u672c", "e\u0301", "%5B", "%2F", "%3F", "%23", "%00", "%20", "&&", "?&", ":", "\U0001f600")
HOSTS = ("a", "B", "1", "0x7f", "08", "255", "256", "65536", ".", "..", "-", "_", "xn--", "xn--bcher-kva", "\u00df", "\u1e9e", "\u0130", "\u017f", "\u00ad", "\u200d",
         "\u3002", "\uff0e", "\uff11", "\u0661", "%41", "%C3%BC", "%ff", "@", ":80", ":443", ":8080", ":99999", ":x", "[::1]", "\u05d0", "\u0628", " ", "<", "^")


def told(kind: str, cases: list[dict]) -> list[dict]:
    lines = "".join(json.dumps({"id": number, **case}) + "\n" for number, case in enumerate(cases))
    done = subprocess.run([BINARY, "check", kind], input=lines, capture_output=True, text=True, check=True)
    found = {answer["id"]: answer for answer in map(json.loads, done.stdout.splitlines())}
    assert len(found) == len(cases)
    return [found[number] for number in range(len(cases))]


def ours(url: str, form: str) -> object:
    try:
        return trawl.url_of_key(trawl.key_of_url(url, form))
    except ValueError:
        return None


@pytest.mark.parametrize(("url", "key"), [
    ("https://www.example.com/a?b", "com,example,www)/a?b"),
    ("HTTP://User@WWW.Example.com:80/%7ea/./b/../c#top", "com,example,www)http/~a/c"),
    ("http://www.example.com:8080", "com,example,www)http:8080/"),
    ("https://example.com/?utm_source=x&b=2&a=1", "com,example)/?a=1&b=2"),
    ("https://example.com/p;jsessionid=12?gclid=3", "com,example)/p"),
    ("http://[2001:DB8::1]/", "[2001:db8::1])http/"),
    ("http://[::ffff:1.2.3.4]/", "[::ffff:102:304])http/"),
    ("http://0x7f.1/x", "127.0.0.1)http/x"),
    ("https://b\u00fccher.example/\u00e4 b", "example,xn--bcher-kva)/%C3%A4%20b"),
    ("https://fa\u00df.example/", "example,xn--fa-hia)/"),
])
def test_keys(url: str, key: str) -> None:
    assert trawl.key_of_url(url) == key
    assert trawl.key_of_url(trawl.url_of_key(key)) == key


@pytest.mark.parametrize("url", [
    "", "example.com", "ftp://a.test/", "http://", "http:///", "http://a b/", "http://a..b/", "http://1.2.65536/", "http://1.2.3.256/", "http://[::1/",
    "http://[fe80::1%25eth0]/", "http://a.test:65536/", "http://a.test:x/", "http://a.test:\uff18\uff10/", "http://%/", "http://a%00b/",
    "https://a.test/" + "x" * 2048, "https://a.test/?" + "utm_source=1&" * 2000])
def test_what_has_no_key(url: str) -> None:
    with pytest.raises(ValueError):
        trawl.key_of_url(url)


@pytest.mark.parametrize("key", ["", "com,example", "com,example)", "com,example)https/", "com,example):80/", "Com,example)/", "com,example)http:080/", "1,2)/"])
def test_what_is_no_key(key: str) -> None:
    with pytest.raises(ValueError):
        trawl.url_of_key(key)


def test_form_is_one_of_three() -> None:
    with pytest.raises(ValueError, match="strict, standard or fold"):
        trawl.key_of_url("http://a.test/", "loose")


@needs_binary
@pytest.mark.parametrize("form", FORMS)
def test_keys_are_those_of_the_program(form: str) -> None:
    chance = random.Random(form)
    urls = [chance.choice(ORIGINS) + chance.choice(("/", "?", "", "\\")) + "".join(chance.choices(PIECES, k=chance.randrange(9))) for _ in range(2000)]
    urls += [f"http://{''.join(chance.choices(HOSTS, k=chance.randrange(1, 5)))}/" for _ in range(2000)]
    urls += [f"{chance.choice(('http', 'https', 'hTTps', 'ftp', ''))}{''.join(chance.choices(PIECES + HOSTS, k=5))}" for _ in range(1000)]
    with_key = 0
    for url, answer in zip(urls, told("normalize", [{"url": url, "form": form} for url in urls])):
        found = ours(url, form)
        # A name in Unicode that the program refuses may have a key here: that of no page.
        assert found == answer["url"] or (answer["url"] is None and not (url + unquote(url)).isascii()), url
        with_key += answer["url"] is not None
    assert with_key > 1500


@needs_binary
def test_characters_of_hosts_are_those_of_the_program() -> None:
    """Characters that this Python knows, each between two letters. Nothing may become another name than the program's."""
    characters = [chr(code) for code in (*range(0x80, 0x3100), *range(0xF900, 0x12000), *range(0x1D000, 0x20000))
                  if unicodedata.category(chr(code)) not in ("Cn", "Co", "Cs")]
    assert len(characters) > 15000
    equal = 0
    for character, answer in zip(characters, told("host", [{"host": f"a{each}b.test"} for each in characters])):
        try:
            name = ascii_name(f"a{character}b.test")
        except ValueError:
            name = None
        # Names with a space or a slash, for example, are refused later.
        equal += name == answer["ascii"]
        assert name is None or answer["ascii"] in (None, name), hex(ord(character))
    assert equal > len(characters) - 300
