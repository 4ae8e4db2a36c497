"""Damage: each kind of file of a root, a flipped byte here and there, cut files and lost ones."""

import shutil
import sys
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import orc

import trawl
from conftest import STORED, everything, needs_xxhash


STEPS = ("content", "parse", "fetch")


def flipped(whole: bytes, at: int) -> bytes:
    return whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:]


@needs_xxhash
def test_any_flipped_byte_is_named_or_changes_nothing(tmp_path: Path) -> None:
    """Files that a snapshot does not need, such as reports of jobs, change nothing; every other one is named."""
    root = tmp_path / "root"
    shutil.copytree(STORED[2], root)
    before = list(everything(trawl.open(root, verify=True)))
    named: set[str] = set()
    for path in sorted(each for each in root.rglob("*") if each.is_file()):
        whole = path.read_bytes()
        path.write_bytes(flipped(whole, len(whole) // 2))
        try:
            assert list(everything(trawl.open(root, verify=True))) == before, path
        except trawl.Damaged as damage:
            assert str(path.relative_to(root)) == damage.path and damage.path in str(damage), path
            named.add(path.name if path.suffix == ".json" else path.suffix + " of " + path.parts[-2 if path.parent.name in STEPS else -3])
        path.write_bytes(whole)
    assert named >= {f"{trawl.open(root).snapshot.number:08}.json", "_run.json", "_done.json", ".idx of urls", ".orc of urls", ".orc of hosts",
                     ".orc of content", ".orc of parse", ".orc of fetch"}, named
    assert list(everything(trawl.open(root, verify=True))) == before


@needs_xxhash
def test_each_byte_of_a_table_counts(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(STORED[3], root)
    named = {run.name for run in trawl.open(root).snapshot.tables["urls"]}
    data = [file for file in sorted((root / "crawldb" / "urls").rglob("*.orc")) if file.parent.name in named]
    flips = 0
    for file in data:
        whole = file.read_bytes()
        for at in range(0, len(whole), 499):
            file.write_bytes(flipped(whole, at))
            with pytest.raises(trawl.Damaged, match=file.name):
                trawl.open(root, verify=True).table("urls")
            flips += 1
        file.write_bytes(whole)
    assert flips > 30


@pytest.mark.parametrize("verify", [None, False])
def test_lost_and_cut_files_are_named(tmp_path: Path, verify: object) -> None:
    root = tmp_path / "root"
    shutil.copytree(STORED[3], root)
    snapshot = trawl.open(root).snapshot
    for table, runs in snapshot.tables.items():
        for run in runs:
            for file in (root / "crawldb" / table / run.name).glob("*.orc"):
                whole = file.read_bytes()
                for rest in (whole[:-1], whole[:len(whole) // 2], b"", whole + b"x"):
                    file.write_bytes(rest)
                    with pytest.raises(trawl.Damaged, match=file.name):
                        trawl.open(root, verify=verify).table(table)
                file.unlink()
                with pytest.raises(trawl.Damaged, match=file.name):
                    trawl.open(root, verify=verify).table(table)
                file.write_bytes(whole)


@needs_xxhash
def test_files_of_others_are_refused(tmp_path: Path) -> None:
    """A file with a sound seal in the place of another one."""
    root = tmp_path / "root"
    shutil.copytree(STORED[3], root)
    snapshots = sorted((root / "snapshots").iterdir())
    snapshots[-1].write_bytes(snapshots[-2].read_bytes())
    with pytest.raises(trawl.Damaged, match="holds snapshot"):
        trawl.open(root, verify=True)
    shutil.copytree(STORED[3], root, dirs_exist_ok=True)
    records = sorted((root / "crawldb" / "_runs").glob("*/_run.json"))
    records[0].write_bytes(records[1].read_bytes())
    first = records[0].parent.name
    table = next(table for table, runs in trawl.open(root).snapshot.tables.items() if any(run.name == first for run in runs))
    with pytest.raises(trawl.Damaged, match=first):
        trawl.open(root, verify=True).table(table)


def test_newer_formats_are_refused(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(STORED[3], root)
    manifest = sorted((root / "snapshots").iterdir())[-1]
    manifest.write_bytes(manifest.read_bytes().replace(b'"format": 1', b'"format": 7'))
    with pytest.raises(trawl.Damaged, match="format 7; this package knows 1"):
        trawl.open(root, verify=False)


@needs_xxhash
def test_body_that_gc_took_is_none(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(STORED[2], root)
    crawl = trawl.open(root)
    row = next(row for row in crawl.table("urls").to_pylist() if row["body_file"])
    (root / "segments" / row["body_segment"] / "content" / row["body_file"]).unlink()
    page = trawl.open(root, verify=True).page(row["url"])
    assert page.body is None and page.text


def test_verify_demands_xxhash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xxhash", None)
    with pytest.raises(trawl.TrawlError, match="pip install xxhash"):
        trawl.open(STORED[0], verify=True)
    crawl = trawl.open(STORED[4])
    assert not crawl.is_verified
    url = next(row["url"] for row in crawl.table("urls").to_pylist() if row["body_file"])
    assert crawl.page(url).body


def test_what_was_read_by_its_wrong_name_is_damage(tmp_path: Path) -> None:
    """Without seals Arrow takes what it finds: a missing column, one of another name or type, a key that is no key."""
    root = tmp_path / "root"
    shutil.copytree(STORED[5], root)
    run = trawl.open(root).snapshot.tables["urls"][-1].name
    (file,) = (root / "crawldb" / "urls" / run).glob("*.orc")
    record = next(path for path in root.glob(f"crawldb/*/{run}/_run.json") if b'"urls"' in path.read_bytes())
    rows, before, size = orc.read_table(file), record.read_bytes(), file.stat().st_size
    state = rows.schema.get_field_index("state")
    for table, right, wrong, says in (
            (rows.drop(["removed"]), b"", b"", "has no column removed"),
            (rows.set_column(state, "state", rows["state"].cast("int64")), b"", b"", "has a column state of another type: int64, not int8"),
            (rows, b"removed", b"remov\xff\xff", "cannot be read as ORC"),
            (rows.set_column(0, "key", pa.array(["test,twin"] * len(rows))), b"", b"", "cannot be read as ORC")):
        orc.write_table(table, file, compression="uncompressed")
        whole = file.read_bytes()
        assert right in whole
        file.write_bytes(whole.replace(right, wrong))
        assert before.count(b'"bytes": %d' % size) == 1
        record.write_bytes(before.replace(b'"bytes": %d' % size, b'"bytes": %d' % len(whole)))
        with pytest.raises(trawl.Damaged, match=f"{file.name}: {says}"):
            trawl.open(root, verify=False).table("urls")
