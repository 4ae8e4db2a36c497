"""Datasets of a segment: files of rows in the order in which a step wrote them."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .files import RowFile
from .store import Receipt, Store, read_as

STEP_OF = {"content": "fetch", "fetch": "fetch", "parse": "parse"}
# What every version wrote.
COLUMNS = {"content": ("key", "headers", "body", "body_digest"), "fetch": ("key", "fetched_ms", "response_headers"), "parse": ("key", "title", "text")}


class Dataset:
    """The files of one dataset. None are there where the step has not ended, or gc has taken its record."""

    def __init__(self, store: Store, segment: str, name: str):
        self.store, self.folder, self.columns = store, f"segments/{segment}/{name}", COLUMNS[name]
        path = f"segments/{segment}/{STEP_OF[name]}/_done.json"
        self.is_there = store.exists(path)
        record: dict[str, Any] = store.document(path) if self.is_there else {"tasks": [], "now_ms": 0}
        self.now_ms: int = read_as(path, record, lambda members: int(members["now_ms"]))
        self.files: list[Receipt] = read_as(path, record, lambda members: [
            Receipt.of(file) for task in members["tasks"] for file in task["files"].get(name, [])])

    def path(self, file: Receipt) -> str:
        return f"{self.folder}/{file.name}"

    def find(self, name: str) -> Optional[Receipt]:
        return next((file for file in self.files if file.name == name), None)

    def there(self, file: Receipt) -> bool:
        """gc takes files of old bodies, and leaves their records."""
        return self.store.exists(self.path(file))

    def row(self, file: Receipt, number: int) -> Optional[dict[str, Any]]:
        """The row of that number; nothing where the file is gone, or has no such row."""
        if not 0 <= number < file.rows or not self.there(file):
            return None
        with RowFile(self.store, self.folder, file, self.columns) as opened:
            for stripe in range(opened.stripes):
                rows = opened.stripe(stripe, ["key"]).num_rows
                if number < rows:
                    return dict(opened.told(lambda: opened.stripe(stripe).slice(number, 1).to_pylist()[0]))
                number -= rows
        return None

    def place(self, number: int) -> Optional[tuple[Receipt, int]]:
        """Of a row by its number in the whole dataset: its file, and its number there."""
        for file in self.files:
            if number < file.rows:
                return file, number
            number -= file.rows
        return None

    def number(self, name: str, row: int) -> Optional[int]:
        """The other way round; nothing where the dataset has no such file."""
        before = 0
        for file in self.files:
            if file.name == name:
                return before + row
            before += file.rows
        return None

    def rows_of(self, key: str, columns: Sequence[str]) -> Iterator[tuple[Receipt, int, dict[str, Any]]]:
        """All rows of a key: file, number, and those columns. Reads through the files."""
        for file in filter(self.there, self.files):
            before = 0
            with RowFile(self.store, self.folder, file, self.columns) as opened:
                for batch in opened.batches(["key", *columns]):
                    numbers = pc.filter(pa.array(range(batch.num_rows)), pc.equal(batch.column("key"), key))
                    for number, row in zip(numbers.to_pylist(), opened.told(lambda: batch.take(numbers).to_pylist())):
                        yield file, before + number, row
                    before += batch.num_rows


class Segments:
    """The datasets that were asked for last, so that a walk over pages reads a record once."""

    KEPT = 64

    def __init__(self, store: Store):
        self._store = store
        self._kept: dict[tuple[str, str], Dataset] = {}

    def dataset(self, segment: str, name: str) -> Dataset:
        kept = self._kept.pop((segment, name), None) or Dataset(self._store, segment, name)
        self._kept[segment, name] = kept
        if len(self._kept) > self.KEPT:
            self._kept.pop(next(iter(self._kept)))
        return kept
