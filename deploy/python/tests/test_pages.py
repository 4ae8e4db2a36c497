"""Pages: row, body, text and header fields, as trawl page tells them."""

import subprocess
from pathlib import Path

import pytest

import trawl
from conftest import BINARY, HAS_XXHASH, ROOTS, STORED, answers, each_root, needs_binary
from trawl.page import fields


@needs_binary
@each_root
def test_pages_are_those_of_trawl_page(root: Path) -> None:
    crawl = trawl.open(root)
    rows = [row for row in crawl.table("urls").to_pylist() if row["body_file"]]
    assert rows
    # All that is rare, and some of the rest.
    rare = [row for row in rows if row["truncated"] or row["status"] == 304 or not row["url"].isascii() or "%" in row["url"]]
    shared = [row for row in rows if row["shares_body"]][:6]
    for row in [*rare, *shared, *rows[:8]]:
        page = crawl.page(row["url"])
        body = subprocess.run([BINARY, "page", page.url, "--root", root, "--body"], capture_output=True, check=True).stdout
        assert page.body == body, page.url
        (told,) = answers("page", page.url, "--root", root, "--json")
        assert (page.text or "") == (told["text"] or ""), page.url
        assert (page.title or "") == (told["title"] or ""), page.url
        assert page.headers, page.url


@each_root
def test_what_has_no_body_says_nothing(root: Path) -> None:
    crawl = trawl.open(root)
    for row in crawl.table("urls").to_pylist():
        if not row["body_file"]:
            page = crawl.page(row["url"])
            assert (page.body, page.text, page.title) == (None, None, None)
            assert page.headers or not row["status"]


def test_roots_have_what_is_hard() -> None:
    rows = [row for root in ROOTS for row in trawl.open(root).table("urls").to_pylist()]
    assert any(row["shares_body"] for row in rows) and any(row["outcome"] == "not_modified" for row in rows)


def test_a_page_has_many_spellings() -> None:
    crawl = trawl.open(ROOTS[4])
    page = crawl.page("http://twin.test/")
    for spelling in ("HTTP://TWIN.test:80", "http:twin.test/#top", " http://me:secret@twin.test/./a/.. ", "http://twin.test/?utm_source=x",
                     "http://tw%69n.test/?", "http:\\\\twin.test", "http://\uff54win.test/"):
        assert crawl.page(spelling).url == page.url
    for no_url in ("twin.test", "", "ftp://twin.test/", "http://", "http://twin.test:99999/"):
        with pytest.raises(trawl.NotFound):
            crawl.page(no_url)


@pytest.mark.skipif(len(ROOTS) == len(STORED), reason="TRAWL_TEST_CRAWL names no crawl")
def test_a_fresh_crawl_has_what_is_hard() -> None:
    crawl = trawl.open(ROOTS[-1], verify=HAS_XXHASH)
    assert crawl.page("http://B\u00dcCHER.test/#x").title == "B\u00fccher"
    gr = crawl.page("http://shop.test/strasse/./gr\u00f6%C3%9Fe?b=2&farbe=gr\u00fcn&utm_source=x&a=1")
    assert "gr\u00fcn" in (gr.text or "") and gr.url.endswith("?a=1&b=2&farbe=gr%C3%BCn")
    wide = crawl.page("http://shop.test/wide")
    assert wide.row["truncated"] == "size" and len(wide.body or b"") == 32768 == wide.row["bytes"]
    unchanged = crawl.page("http://shop.test/about")
    assert unchanged.row["outcome"] == "not_modified" and b"workshop" in (unchanged.body or b"") and dict(unchanged.headers)["ETag"]
    compressed = crawl.page("http://news.test/ja-kiji.html")
    assert dict(compressed.headers)["Content-Encoding"] == "gzip" and (compressed.body or b"").lstrip()[:1] == b"<"
    twin = crawl.page("http://shop.test/print/product/1")
    assert twin.row["state"] == "duplicate" and twin.body == crawl.page("http://shop.test/product/1").body
    gone = crawl.page("http://shop.test/product/6")
    assert (gone.row["status"], gone.answer["status"] if gone.answer else 0) == (404, 404) and b"carpet" in (gone.body or b"")


@needs_binary
@pytest.mark.parametrize(("form", "spelling"), [("strict", "http://a.test/x?b&a#c"), ("standard", "http://a.test/x?a&b&gclid=1"),
                                                ("fold", "http://a.test//x/index.html?a&ref=2&b")])
def test_normal_form_of_the_crawl_counts(tmp_path: Path, form: str, spelling: str) -> None:
    subprocess.run([BINARY, "inject", "http://a.test/x?b&a", "--url_policy", form, "--root", tmp_path / "root", "--quiet"], check=True)
    crawl = trawl.open(tmp_path / "root")
    assert crawl.snapshot.normal_form == form
    assert crawl.page(spelling).row["state"] == "unfetched"


def test_fields() -> None:
    raw = b"HTTP/1.1 200 OK\r\nA: 1\r\nSet-Cookie: x=1\r\nset-cookie: y=2\r\nLong: one\r\n  two\r\n\r\n"
    assert fields(raw) == [("A", "1"), ("Set-Cookie", "x=1"), ("set-cookie", "y=2"), ("Long", "one two")]
    assert fields(b"") == []
