"""Reads the stored roots of every version, and compares them with the program where TRAWL_BINARY names it."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest

import trawl

DATA = Path(__file__).resolve().parents[3] / "tests" / "data"
ROOTS = sorted(DATA.glob("root-*"))
BINARY = os.environ.get("TRAWL_BINARY")
needs_binary = pytest.mark.skipif(not BINARY, reason="TRAWL_BINARY names no program")
WORDS = ("url", "key", "state", "kind", "depth", "fetches", "bytes", "retries", "unchanged", "response_ms", "inlinks")


def answers(*words: object) -> list[dict]:
    """The answers of a verb, an object per line."""
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr  # 1: there is no text, or no such row
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_there_are_roots_of_five_versions() -> None:
    assert len(ROOTS) >= 5


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
@pytest.mark.parametrize("verify", [True, False])
def test_every_table_is_read(root: Path, verify: bool) -> None:
    crawl = trawl.open(str(root), verify=verify)
    for table in crawl.tables:
        rows = crawl.table(table)
        keys = rows["key"].to_pylist()
        assert rows.num_rows == len(set(keys)), table
        assert sum(batch.num_rows for batch in crawl.batches(table)) == rows.num_rows


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_totals_are_those_of_the_manifest(root: Path) -> None:
    crawl = trawl.open(str(root))
    if crawl.snapshot.totals is None:
        pytest.skip("an older version wrote no totals")
    states = crawl.table("urls", ["state"])["state"].to_pylist()
    assert {state: states.count(state) for state in set(states)} == {k: v for k, v in crawl.snapshot.totals["states"].items() if v}


@needs_binary
@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_rows_are_those_of_readdb_dump(root: Path) -> None:
    for snapshot in (None, trawl.open(str(root)).snapshot.number - 1):
        crawl = trawl.open(str(root), snapshot=snapshot)
        more = [] if snapshot is None else ["--snapshot", snapshot]
        dumped = {row["key"]: row for row in answers("readdb", "dump", "--root", root, "--format", "jsonl", *more)}
        rows = {row["key"]: row for row in crawl.table("urls").to_pylist()}
        assert rows.keys() == dumped.keys() and rows
        for key, row in rows.items():
            for name in WORDS:
                assert row[name] == dumped[key][name], (key, name)


@needs_binary
@pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)
def test_pages_are_those_of_trawl_page(root: Path) -> None:
    crawl = trawl.open(str(root))
    urls = [row["url"] for row in crawl.table("urls").to_pylist() if row["body_file"]]
    assert urls
    for url in urls[:12]:
        page = crawl.page(url)
        body = subprocess.run([BINARY, "page", url, "--root", root, "--body"], capture_output=True, check=True).stdout
        assert page.body == body, url
        (told,) = answers("page", url, "--root", root, "--json")
        assert (page.text or "") == (told["text"] or ""), url
        assert (page.title or "") == (told["title"] or ""), url
        assert page.headers, url


@needs_binary
def test_removed_and_open(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(ROOTS[2], root)
    before = trawl.open(str(root))
    url = before.table("urls")["url"][0].as_py()
    answers("remove", url, "--root", root, "--json")
    after = trawl.open(str(root))
    assert after.snapshot.number == before.snapshot.number + 1
    assert set(before.table("urls")["url"].to_pylist()) - set(after.table("urls")["url"].to_pylist()) == {url}
    assert after.row("urls", trawl.key_of_url(url)) is None
    with pytest.raises(trawl.NotFound):
        after.page(url)
    assert before.page(url).url == url
    subprocess.run([BINARY, "generate", "--root", root, "--now", "2027-01-01T00:00:00Z", "--contact", "me@me.example",
                    "--fetch.allow_private", "--json"], capture_output=True, check=True)
    opened = trawl.open(str(root))
    assert [segment.state for segment in opened.snapshot.segments].count("open") == 1
    assert opened.table("urls").num_rows == after.table("urls").num_rows


def test_columns_and_raw() -> None:
    crawl = trawl.open(str(ROOTS[4]))
    assert crawl.table("urls", ["url", "state"]).column_names == ["url", "state"]
    raw = crawl.table("urls", ["state"], raw=True)
    assert raw.schema.field("state").type == pa.int8()
    with pytest.raises(ValueError, match="no column nonsense"):
        crawl.table("urls", ["nonsense"])
    with pytest.raises(trawl.NotFound, match="no table nonsense"):
        crawl.table("nonsense")


def test_no_crawl_and_no_snapshot(tmp_path: Path) -> None:
    with pytest.raises(trawl.NotFound, match="is not a crawl"):
        trawl.open(str(tmp_path))
    with pytest.raises(trawl.NotFound, match="the newest is"):
        trawl.open(str(ROOTS[0]), snapshot=1000)


def test_damage_is_named(tmp_path: Path) -> None:
    """Each byte of a data file and of a record counts; a lost or cut file is noticed without seals, too."""
    root = tmp_path / "root"
    shutil.copytree(ROOTS[3], root)
    named = {run.name for run in trawl.open(str(root)).snapshot.tables["urls"]}
    data = [file for file in sorted((root / "crawldb" / "urls").rglob("*.orc")) if file.parent.name in named]
    assert data
    flips = 0
    for file in data:
        whole = file.read_bytes()
        for at in range(0, len(whole), 97):
            file.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:])
            with pytest.raises(trawl.Damaged, match=file.name):
                trawl.open(str(root), verify=True).table("urls")
            flips += 1
        file.write_bytes(whole[:-1])
        with pytest.raises(trawl.Damaged, match=file.name):
            trawl.open(str(root), verify=False).table("urls")
        file.unlink()
        with pytest.raises(trawl.Damaged, match=file.name):
            trawl.open(str(root), verify=False).table("urls")
        file.write_bytes(whole)
    assert flips > 100
    manifest = sorted((root / "snapshots").iterdir())[-1]
    text = manifest.read_bytes()
    manifest.write_bytes(text.replace(b'"format": 1', b'"format": 7'))
    with pytest.raises(trawl.Damaged, match="does not match its seal"):
        trawl.open(str(root), verify=True)
    with pytest.raises(trawl.Damaged, match="knows up to 1"):
        trawl.open(str(root), verify=False)


def test_verify_demands_xxhash(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys
    monkeypatch.setitem(sys.modules, "xxhash", None)
    with pytest.raises(trawl.TrawlError, match="pip install xxhash"):
        trawl.open(str(ROOTS[0]), verify=True)
    crawl = trawl.open(str(ROOTS[4]))
    assert not crawl.is_verified
    url = next(row["url"] for row in crawl.table("urls").to_pylist() if row["body_file"])
    assert crawl.page(url).body


@pytest.mark.parametrize(("url", "key"), [
    ("https://www.example.com/a?b", "com,example,www)/a?b"),
    ("HTTP://User@WWW.Example.com:80/%7ea/./b/../c#top", "com,example,www)http/~a/c"),
    ("http://www.example.com:8080", "com,example,www)http:8080/"),
    ("https://example.com/?utm_source=x&b=2&a=1", "com,example)/?a=1&b=2"),
    ("https://example.com/p;jsessionid=12?gclid=3", "com,example)/p"),
    ("http://[2001:DB8::1]/", "[2001:db8::1])http/"),
    ("http://0x7f.1/x", "127.0.0.1)http/x"),
    ("https://bücher.example/ä b", "example,xn--bcher-kva)/%C3%A4%20b"),
])
def test_keys(url: str, key: str) -> None:
    assert trawl.key_of_url(url) == key
    assert trawl.key_of_url(trawl.url_of_key(key)) == key


@needs_binary
def test_keys_are_those_of_the_program() -> None:
    urls = [f"http{s}://{host}{path}" for s in ("", "s")
            for host in ("a.test", "A.Test:8443", "u:p@b.test:080", "127.1", "xn--e1aybc.test", "тест.test", "h_0.test.")
            for path in ("", "/", "/a//b/../c/.", "/%7Eu/%e4%2f?x=%zz&y=[1]", "/x;jsessionid=A1;v=2/y?sid=0123456789abcdef01234567&q=1",
                         "/?b&a&utm_x=1&&=c", "/p?#f", "/é?ü=1", "/a\\b", "/(S(abcdefghijklmnopqrstuvwx))/d.aspx", "/?ref=1&source=2")]
    lines = "".join(json.dumps({"id": number, "url": url}) + "\n" for number, url in enumerate(urls))
    done = subprocess.run([BINARY, "check", "normalize"], input=lines, capture_output=True, text=True, check=True)
    told = {answer["id"]: answer["url"] for answer in map(json.loads, done.stdout.splitlines())}
    assert len(told) == len(urls) == 154
    for number, url in enumerate(urls):
        try:
            ours = trawl.url_of_key(trawl.key_of_url(url))
        except ValueError:
            ours = None
        assert ours == told[number], url
