"""Rows of tables: those of the program, of every version, whatever happens to the root meanwhile."""

import json
import shutil
import subprocess
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import orc

import trawl
from conftest import BINARY, DATA, ROOTS, STORED, answers, each_root, needs_binary, needs_xxhash
from trawl.columns import SCHEMAS
from trawl.names import WORDS

# As readdb dump names them, and prints them for nothing.
SAME = ("url", "key", "state", "kind", "depth", "fetches", "retries", "unchanged", "inlinks", "interval_ms")
OR_NULL = ("status", "outcome", "truncated", "tier", "bytes", "response_ms", "content_type", "distance")
FLAGS = {"seed": "is_seed", "fixed_score": "fixed_score"}
DIGESTS = {"body_digest": "body_digest", "content_digest": "content_digest"}
URLS = {"via": "via", "redirect": "redirect_to", "canonical": "canonical_to", "duplicate_of": "duplicate_of",
        "near_duplicate_of": "near_duplicate_of", "sitemap": "sitemap"}


def as_dumped(row: dict) -> dict:
    """A row in the words of readdb dump."""
    told = {name: row[name] for name in SAME} | {name: row[name] or None for name in OR_NULL}
    told |= {name: bool(row[column]) for name, column in FLAGS.items()}
    told |= {name: row[column].hex() or None for name, column in DIGESTS.items()}
    told |= {name: trawl.url_of_key(row[column]) if row[column] else None for name, column in URLS.items()}
    told["entries"] = row["entries"] if row["kind"] in ("sitemap", "feed") else None
    told["reason"] = ": ".join(filter(None, (row["outcome"], row["reason"]))) or None
    return told | {"request": row["spelling"] or row["url"], "segment": row["body_segment"] or None, "score": row["score"] / 1e6}


def test_columns_are_those_of_the_program() -> None:
    stored = {path.parent.name: path for path in (DATA / "golden_rows" / "tables").glob("*/*.orc")}
    assert stored.keys() == SCHEMAS.keys()
    for table, path in stored.items():
        assert orc.ORCFile(path).schema.remove_metadata() == SCHEMAS[table], table


@needs_binary
def test_words_are_those_of_the_program(tmp_path: Path) -> None:
    """All of them and in their order: a row's number is a place in that list."""
    subprocess.run([BINARY, "docs", "--schemas", tmp_path], check=True, capture_output=True)
    for answer, table, columns in (("readdb-dump", "urls", WORDS["urls"]), ("readdb-hosts", "hosts", WORDS["hosts"])):
        told = json.loads((tmp_path / "answers" / f"{answer}.json").read_text())["properties"]
        for column, words in columns.items():
            assert [word for word in words if word] == [word for word in told[column]["enum"] if word not in (None, "unknown")], (table, column)


def test_there_are_roots_of_five_versions() -> None:
    assert len(STORED) >= 5


@each_root
@pytest.mark.parametrize("verify", [None, False])
def test_every_table_is_read(root: Path, verify: bool) -> None:
    crawl = trawl.open(str(root), verify=verify)
    for table in crawl.tables:
        rows = crawl.table(table)
        keys = rows["key"].to_pylist()
        assert rows.num_rows == len(set(keys)), table
        assert sum(batch.num_rows for batch in crawl.batches(table)) == rows.num_rows


@each_root
def test_totals_are_those_of_the_manifest(root: Path) -> None:
    crawl = trawl.open(str(root))
    if crawl.snapshot.totals is None:
        pytest.skip("an older version wrote no totals")
    states = crawl.table("urls", ["state"])["state"].to_pylist()
    assert {state: states.count(state) for state in set(states)} == {k: v for k, v in crawl.snapshot.totals["states"].items() if v}


@needs_binary
@each_root
def test_rows_are_those_of_readdb_dump(root: Path) -> None:
    for snapshot in (None, trawl.open(str(root)).snapshot.number - 1):
        crawl = trawl.open(str(root), snapshot=snapshot)
        more = [] if snapshot is None else ["--snapshot", snapshot]
        dumped = {row["key"]: row for row in answers("readdb", "dump", "--root", root, "--format", "jsonl", *more)}
        rows = {row["key"]: row for row in crawl.table("urls").to_pylist()}
        assert rows.keys() == dumped.keys() and rows
        for key, row in rows.items():
            told = as_dumped(row)
            assert told == {name: dumped[key][name] or None if name in OR_NULL else dumped[key][name] for name in told}, key


@needs_binary
def test_removed_and_open(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(STORED[2], root)
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
    crawl = trawl.open(str(STORED[4]))
    assert crawl.table("urls", ["url", "state"]).column_names == ["url", "state"]
    raw = crawl.table("urls", ["state"], raw=True)
    assert raw.schema.field("state").type == pa.int8()
    with pytest.raises(ValueError, match="no column nonsense"):
        crawl.table("urls", ["nonsense"])
    with pytest.raises(trawl.NotFound, match="no table nonsense"):
        crawl.table("nonsense")
    with pytest.raises(ValueError, match="list of names"):
        crawl.table("urls", "state")
    assert crawl.table("urls", ["state", "key"]).column_names == ["state", "key"]
    assert crawl.table("urls", []).num_columns == 0


def test_no_crawl_and_no_snapshot(tmp_path: Path) -> None:
    for root in (tmp_path, tmp_path / "missing", tmp_path.as_uri()):
        with pytest.raises(trawl.NotFound, match="is not a crawl"):
            trawl.open(root)
    (tmp_path / "file").write_text("x")
    with pytest.raises(trawl.TrawlError, match="file"):
        trawl.open(tmp_path / "file")
    with pytest.raises(trawl.TrawlError, match="hdfs://"):
        trawl.open("gopher://x/y")
    # Not the folder in which the program happens to run.
    for nothing in ("", "file://", "file://localhost/x"):
        with pytest.raises(trawl.TrawlError, match="is no root"):
            trawl.open(nothing)
    with pytest.raises(trawl.NotFound, match="the newest is"):
        trawl.open(STORED[0], snapshot=1000)
    (tmp_path / "crawldb" / "urls").mkdir(parents=True)
    with pytest.raises(trawl.Damaged, match="no snapshot"):
        trawl.open(tmp_path)


@needs_binary
def test_empty_crawl(tmp_path: Path) -> None:
    (tmp_path / "seeds").touch()
    subprocess.run([BINARY, "inject", tmp_path / "seeds", "--root", tmp_path / "root", "--quiet"], check=True)
    crawl = trawl.open(tmp_path / "root")
    assert crawl.snapshot.number == 0 and crawl.tables == []
    for table in SCHEMAS:
        assert crawl.table(table).num_rows == 0 and list(crawl.batches(table)) == []
    assert crawl.table("urls").column_names == ["url", *SCHEMAS["urls"].names]
    assert crawl.table("urls").schema.field("state").type == pa.string()
    with pytest.raises(trawl.NotFound, match="is not in snapshot 0"):
        crawl.page("https://example.com/")


@needs_binary
def test_many_runs_and_compact_and_gc(tmp_path: Path) -> None:
    """A reader keeps its snapshot while runs are merged; what gc took is named."""
    root = tmp_path / "root"

    def say(*words: object) -> None:
        subprocess.run([BINARY, *map(str, words), "--root", root, "--quiet"], check=True)

    expected = set()
    for number in range(12):
        urls = [f"https://h{number * 5 % 7}.example/p{number * 3 + each}" for each in range(5)]
        (tmp_path / "seeds").write_text("".join(f"{url}\tscore=0.{number % 9 + 1}\n" for url in urls))
        say("inject", tmp_path / "seeds")
        expected |= set(urls)
    say("remove", "--prefix", "https://h3.example/")
    expected = {url for url in expected if "//h3." not in url}
    before = trawl.open(root)
    assert len(before.snapshot.tables["urls"]) > 5
    rows = {row["key"]: row for row in before.table("urls").to_pylist()}
    assert {row["url"] for row in rows.values()} == expected
    for key, row in rows.items():
        assert before.row("urls", key) == row
    # A compaction that was killed leaves files that no snapshot names.
    run = before.snapshot.tables["urls"][0].name
    shutil.copytree(root / "crawldb" / "_runs" / run, root / "crawldb" / "urls" / "20990101T000000Z-compact-00000000")
    (root / "crawldb" / "urls" / "20990101T000000Z-compact-00000000" / "m0-0-0.orc").write_bytes(b"half of a file")
    (root / "snapshots" / ".00000099.json.tmp").write_text("{")
    assert trawl.open(root).table("urls").num_rows == len(rows)
    say("compact")
    after = trawl.open(root)
    assert after.snapshot.number > before.snapshot.number and len(after.snapshot.tables["urls"]) == 1
    assert {row["key"]: row for row in after.table("urls").to_pylist()} == rows
    assert {row["key"]: row for row in before.table("urls").to_pylist()} == rows
    say("gc", "--keep_snapshots", "1", "--keep_time", "0s", "--now", "2099-02-01T00:00:00Z")
    assert {row["key"]: row for row in after.table("urls").to_pylist()} == rows
    for old in (before, trawl.open(root, snapshot=before.snapshot.number)):
        with pytest.raises(trawl.Damaged, match="is missing.*trawl gc"):
            old.table("urls")
    (root / "snapshots" / f"{before.snapshot.number:08}.json").unlink()
    with pytest.raises(trawl.NotFound, match=f"snapshot {before.snapshot.number} is not there any more; there are 0, 1"):
        trawl.open(root, snapshot=before.snapshot.number)


@needs_xxhash
@each_root
def test_one_row_is_that_of_the_table(root: Path) -> None:
    crawl = trawl.open(root)
    for table in crawl.tables:
        for row in crawl.table(table).to_pylist():
            assert crawl.row(table, row["key"]) == row, (table, row["key"])
    assert crawl.row("urls", "test,nowhere)/") is None
