"""Rows of a table: the newest of each key, without those that were removed."""

from __future__ import annotations

from typing import Any, Iterable, Iterator, Optional, Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .columns import SCHEMAS
from .errors import Damaged
from .files import RowFile
from .hosts import host_of_part
from .manifest import Run, files_of_run
from .names import WORDS, word
from .store import Receipt, Store
from .urls import urls_of_keys

ZEROS = {pa.int8(): 0, pa.int32(): 0, pa.int64(): 0, pa.string(): "", pa.binary(): b""}


class TableFile:
    """A data file of a run. `age` 0 is the newest run."""

    def __init__(self, age: int, folder: str, receipt: Receipt):
        self.age, self.folder, self.receipt = age, folder, receipt

    def meets(self, other: "TableFile") -> bool:
        """Whether the two may have rows of one key."""
        mine, theirs = self.receipt, other.receipt
        return mine.first_slot <= theirs.last_slot and theirs.first_slot <= mine.last_slot


def groups_of(files: Iterable[TableFile]) -> Iterator[list[TableFile]]:
    """The files by ranges of slots that do not meet; in a group the newest come first. A key has all its rows in one group."""
    group: list[TableFile] = []
    end = -1
    for file in sorted(files, key=lambda each: each.receipt.first_slot):
        if group and file.receipt.first_slot > end:
            yield sorted(group, key=lambda each: each.age)
            group = []
        end = max(end if group else -1, file.receipt.last_slot)
        group.append(file)
    if group:
        yield sorted(group, key=lambda each: each.age)


class TableRows:
    """One table of a snapshot."""

    def __init__(self, store: Store, table: str, runs: Sequence[Run]):
        self.store, self.table = store, table
        self.files = [TableFile(age, f"crawldb/{run.table}/{run.name}", receipt)
                      for age, run in enumerate(reversed(runs)) for receipt in files_of_run(store, run)]
        self._schema: Optional[pa.Schema] = None

    def open(self, file: TableFile) -> RowFile:
        opened = RowFile(self.store, file.folder, file.receipt, ("key", "removed"))
        for ours in SCHEMAS.get(self.table, ()):
            if ours.name in opened.names and opened.schema.field(ours.name).type != ours.type:
                opened.file.close()
                raise Damaged(opened.path, f"has a column {ours.name} of another type: {opened.schema.field(ours.name).type}, not {ours.type}")
        return opened

    def schema(self) -> pa.Schema:
        """All columns that this package or some file knows: columns are only ever added at the end, so the longest list has them all."""
        if self._schema is None:
            longest = SCHEMAS.get(self.table, pa.schema([]))
            first_of_runs = {file.age: file for file in reversed(self.files)}
            for file in first_of_runs.values():
                with self.open(file) as opened:
                    if len(opened.schema) > len(longest):
                        longest = opened.schema
            self._schema = longest.remove_metadata()
        return self._schema

    def shape(self, columns: Optional[Sequence[str]], raw: bool) -> "Shape":
        if isinstance(columns, str):
            raise ValueError(f"columns are a list of names, such as [{columns!r}]")
        return Shape(self.table, self.schema(), columns, raw)

    def batches(self, shape: "Shape") -> Iterator[pa.RecordBatch]:
        for group in groups_of(self.files):
            read: list[tuple[TableFile, pa.Array]] = []
            for place, file in enumerate(group):
                with self.open(file) as opened:
                    keys, keep = self.keys_and_kept(opened, [pair for pair in read if pair[0].meets(file)])
                    if any(older.age > file.age and older.meets(file) for older in group[place + 1:]):
                        read.append((file, keys))
                    del keys
                    yield from self.kept(opened, keep, shape)

    @staticmethod
    def keys_and_kept(opened: RowFile, newer: Sequence[tuple[TableFile, pa.Array]]) -> tuple[pa.ChunkedArray, pa.ChunkedArray]:
        """The keys of a file, and for each row whether it counts: no newer row of its key is there, and it was not removed."""
        parts = list(opened.batches(["key", "removed"]))
        keys = pa.chunked_array([part.column("key") for part in parts], pa.string())
        keep = pc.equal(pa.chunked_array([part.column("removed") for part in parts], pa.int8()), 0)
        for _, hiding in newer:
            keep = pc.and_(keep, pc.invert(pc.is_in(keys, value_set=hiding)))
        return keys, keep

    @staticmethod
    def kept(opened: RowFile, keep: pa.ChunkedArray, shape: "Shape") -> Iterator[pa.RecordBatch]:
        begin = 0
        for number in range(opened.stripes):
            part = opened.stripe(number, shape.read)
            mask = keep.slice(begin, part.num_rows).combine_chunks()
            begin += part.num_rows
            rows = part.filter(mask)
            if rows.num_rows > 0:
                yield opened.told(lambda: shape.shown(rows))

    def find(self, key: str) -> Optional[dict[str, Any]]:
        """The newest row of a key; nothing where it has none, or was removed."""
        slot = self.store.slot_of(host_of_part(key.partition(")")[0]))
        for file in sorted(self.files, key=lambda each: each.age):
            if slot is not None and not file.receipt.first_slot <= slot <= file.receipt.last_slot:
                continue
            with self.open(file) as opened:
                row = self.row_in(opened, key, slot)
                if row is None:
                    continue
                if row.column("removed")[0].as_py():
                    return None
                shape = self.shape(None, raw=False)
                return dict(opened.told(lambda: shape.shown(row).to_pylist()[0]))
        return None

    def row_in(self, opened: RowFile, key: str, slot: Optional[int]) -> Optional[pa.RecordBatch]:
        for stripe in self.likely_stripes(opened, key, slot):
            place = pc.index(opened.stripe(stripe, ["key"]).column("key"), key).as_py()
            if place >= 0:
                return opened.stripe(stripe).slice(place, 1)
        return None

    def likely_stripes(self, opened: RowFile, key: str, slot: Optional[int]) -> Iterable[int]:
        """The stripe in whose range the key is, since rows sort by slot and key; all of them where slots cannot be told."""
        if slot is None:
            return range(opened.stripes)
        low, high = 0, opened.stripes - 1
        while low < high:
            middle = (low + high + 1) // 2
            first = opened.stripe(middle, ["key"]).column("key")[0].as_py()
            if (self.store.slot_of(host_of_part(first.partition(")")[0])) or 0, first.encode()) <= (slot, key.encode()):
                low = middle
            else:
                high = middle - 1
        return [low] if opened.stripes else []


class Shape:
    """Which columns are shown, and how: with a column `url`, words for numbers, and zeros for columns that a file lacks."""

    def __init__(self, table: str, schema: pa.Schema, columns: Optional[Sequence[str]], raw: bool):
        has_url = table == "urls" and not raw
        known = [*(["url"] if has_url else []), *schema.names]
        if unknown := [name for name in columns or [] if name not in known]:
            raise ValueError(f"the table {table} has no column {unknown[0]}; it has {', '.join(known)}")
        self.names = known if columns is None else list(dict.fromkeys(columns))
        self.fields = schema
        self.words: dict[str, tuple[str, ...]] = {} if raw else WORDS.get(table, {})
        self.has_url = has_url
        self.read = {"key", *self.names} - {"url"}

    def shown(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([self.array(name, batch) for name in self.names], names=self.names)

    def array(self, name: str, batch: pa.RecordBatch) -> pa.Array:
        if name == "url" and self.has_url:
            return urls_of_keys(batch.column("key"))
        kind = self.fields.field(name).type
        if name not in batch.schema.names:  # written before there was such a column
            array = pa.repeat(pa.scalar(ZEROS[kind], kind), batch.num_rows)
        else:
            array = batch.column(name)
        return in_words(array, self.words[name]) if name in self.words else array

    def empty(self) -> pa.Table:
        none = pa.RecordBatch.from_arrays([pa.array([], field.type) for field in self.fields], schema=self.fields)
        return pa.Table.from_batches([self.shown(none)])


def in_words(numbers: pa.Array, words: tuple[str, ...]) -> pa.Array:
    coded = pc.dictionary_encode(numbers)
    texts = pa.array([word(words, number.as_py()) for number in coded.dictionary], pa.string())
    return texts.take(coded.indices)


