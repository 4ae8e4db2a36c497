"""What the tests share: the stored roots of every version, and the program, where TRAWL_BINARY names it.

TRAWL_TEST_CRAWL may name one more root, of a fresh crawl; tests/scripts/python_test makes one.
"""

import json
import os
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

import trawl

DATA = Path(__file__).resolve().parents[3] / "tests" / "data"
STORED = sorted(DATA.glob("root-*"))
ROOTS = [*STORED, *(Path(root) for root in [os.environ.get("TRAWL_TEST_CRAWL")] if root)]
BINARY = os.environ.get("TRAWL_BINARY", "")
try:
    import xxhash  # noqa: F401
    HAS_XXHASH = True
except ImportError:
    HAS_XXHASH = False

needs_binary = pytest.mark.skipif(not BINARY, reason="TRAWL_BINARY names no program")
needs_xxhash = pytest.mark.skipif(not HAS_XXHASH, reason="xxhash is not installed")
each_root = pytest.mark.parametrize("root", ROOTS, ids=lambda root: root.name)


def answers(*words: object, given: str = "") -> list[dict]:
    """The answers of a verb, an object per line."""
    done = subprocess.run([BINARY, *map(str, words)], capture_output=True, text=True, input=given)
    assert done.returncode in (0, 1), done.stderr  # 1: there is no text, or no such row
    return [json.loads(line) for line in done.stdout.splitlines()]


def everything(crawl: trawl.Crawl) -> Iterator[object]:
    """All tables, and of each file of a segment some page that lies in it."""
    for table in sorted(crawl.tables):
        yield crawl.table(table).sort_by("key").to_pylist()
    seen: set[object] = set()
    for row in crawl.table("urls").sort_by("key").to_pylist():
        places = {(row[f"{part}_segment"], row[f"{part}_file"]) for part in ("body", "parse")} | {row["outcome"]}
        if not places <= seen:
            seen |= places
            page = crawl.page(row["url"])
            yield page.row, page.body, page.text, page.headers, page.answer
