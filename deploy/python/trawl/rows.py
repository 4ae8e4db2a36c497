"""Rows of a table: the newest of each key, without those that were removed."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Sequence

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import orc

from .errors import Damaged
from .manifest import Run, files_of_run
from .names import WORDS, word
from .store import CheckedFile, Receipt, Store
from .urls import host_of_part, urls_of_keys

ZEROS = {pa.int8(): 0, pa.int32(): 0, pa.int64(): 0, pa.string(): "", pa.binary(): b""}


def open_orc(file: CheckedFile) -> orc.ORCFile:
    try:
        return orc.ORCFile(file)
    except (pa.ArrowException, OSError) as error:
        raise Damaged(file.path, f"cannot be read as ORC: {error}") from None


def read_stripe(file: CheckedFile, reader: orc.ORCFile, stripe: int, columns: Optional[Sequence[str]]) -> pa.RecordBatch:
    try:
        return reader.read_stripe(stripe, columns=None if columns is None else list(columns))
    except (pa.ArrowException, OSError) as error:
        raise Damaged(file.path, f"cannot be read as ORC: {error}") from None


class Keys:
    """The keys of runs that were read already, by the slots of their files: they hide older rows."""

    def __init__(self) -> None:
        self.parts: list[tuple[Receipt, pa.ChunkedArray]] = []

    def add(self, file: Receipt, keys: list[pa.Array]) -> None:
        if keys:
            self.parts.append((file, pa.chunked_array(keys)))

    def over(self, file: Receipt) -> Optional[pa.Array]:
        """Those that may be in this file."""
        chunks = [chunk for part, keys in self.parts if part.first_slot <= file.last_slot and file.first_slot <= part.last_slot
                  for chunk in keys.chunks]
        return pa.concat_arrays(chunks) if chunks else None


class TableRows:
    """One table of a snapshot."""

    def __init__(self, store: Store, table: str, runs: Sequence[Run]):
        self.store, self.table = store, table
        # The newest first; whoever reads finds out first that a file is missing.
        self.runs = [(run, files_of_run(store, run)) for run in reversed(runs)]

    def path(self, run: Run, file: Receipt) -> str:
        return f"crawldb/{self.table}/{run.name}/{file.name}"

    def schema(self) -> pa.Schema:
        """All columns that some file has: columns are only ever added at the end, so the longest list has them all."""
        longest = pa.schema([])
        for run, files in self.runs:
            if not files:
                continue
            with self.store.open(self.path(run, files[0]), files[0]) as opened:
                schema = open_orc(opened).schema
            if len(schema) > len(longest):
                longest = schema
        return longest.remove_metadata()

    def batches(self, columns: Optional[Sequence[str]], raw: bool) -> Iterator[pa.RecordBatch]:
        schema = self.schema()
        wanted = [name for name in schema.names if columns is None or name in columns]
        unknown = [name for name in columns or [] if name not in schema.names and name != "url"]
        if unknown and len(schema):
            raise ValueError(f"the table {self.table} has no column {unknown[0]}; it has {', '.join(schema.names)}")
        with_url = self.table == "urls" and (columns is None or "url" in columns) and not raw
        newer = Keys()
        for place, (run, files) in enumerate(self.runs):
            is_oldest = place == len(self.runs) - 1
            read: list[tuple[Receipt, list[pa.Array]]] = []
            for file in files:
                keys: list[pa.Array] = []
                hiding = newer.over(file)
                for batch in self.stripes(run, file, {*wanted, "key", "removed"}):
                    key = batch.column("key")
                    if not is_oldest:
                        keys.append(key)
                    keep = pc.equal(batch.column("removed"), 0)
                    if hiding is not None:
                        keep = pc.and_(keep, pc.invert(pc.is_in(key, value_set=hiding)))
                    kept = batch.filter(keep)
                    if kept.num_rows > 0:
                        yield self.shown(kept, schema, wanted, with_url, raw)
                read.append((file, keys))
            for file, keys in read:
                newer.add(file, keys)

    def find(self, key: str) -> Optional[dict[str, Any]]:
        """The newest row of a key; nothing where it has none, or was removed."""
        slot = self.store.slot_of(host_of_part(key.partition(")")[0]))
        for run, files in self.runs:
            for file in files:
                if slot is not None and not file.first_slot <= slot <= file.last_slot:
                    continue
                found = self.find_in(run, file, key)
                if found is not None:
                    return found or None
        return None

    def find_in(self, run: Run, file: Receipt, key: str) -> Optional[dict[str, Any]]:
        """The row in one file; empty where it says that the key was removed."""
        with self.store.open(self.path(run, file), file) as opened:
            reader = open_orc(opened)
            for stripe in range(reader.nstripes):
                place = pc.index(read_stripe(opened, reader, stripe, ["key"]).column("key"), key).as_py()
                if place < 0:
                    continue
                row = read_stripe(opened, reader, stripe, None).slice(place, 1)
                if row.column("removed")[0].as_py():
                    return {}
                schema = self.schema()
                return dict(self.shown(row, schema, schema.names, self.table == "urls", raw=False).to_pylist()[0])
        return None

    def stripes(self, run: Run, file: Receipt, columns: set[str]) -> Iterator[pa.RecordBatch]:
        with self.store.open(self.path(run, file), file) as opened:
            reader = open_orc(opened)
            there = [name for name in reader.schema.names if name in columns]
            tables = [read_stripe(opened, reader, stripe, there) for stripe in range(reader.nstripes)]
        if tables:
            # One set of keys is made per call of is_in, so a file is looked at as a whole.
            yield from pa.Table.from_batches(tables).combine_chunks().to_batches()

    def shown(self, batch: pa.RecordBatch, schema: pa.Schema, wanted: Sequence[str], with_url: bool, raw: bool) -> pa.RecordBatch:
        arrays: list[pa.Array] = []
        names: list[str] = []
        if with_url:
            arrays.append(urls_of_keys(batch.column("key")))
            names.append("url")
        words: dict[str, tuple[str, ...]] = {} if raw else WORDS.get(self.table, {})
        for name in wanted:
            kind = schema.field(name).type
            if name in batch.schema.names:
                array = batch.column(name)
            else:  # written before there was such a column
                array = pa.array([ZEROS[kind]], kind).take(pa.array([0] * batch.num_rows, pa.int32()))
            if name in words:
                coded = pc.dictionary_encode(array)
                texts = pa.array([word(words[name], number.as_py()) for number in coded.dictionary], pa.string())
                array = texts.take(coded.indices)
            arrays.append(array)
            names.append(name)
        return pa.RecordBatch.from_arrays(arrays, names=names)

    def empty(self, columns: Optional[Sequence[str]], raw: bool) -> pa.Table:
        schema = self.schema()
        wanted = [name for name in schema.names if columns is None or name in columns]
        none = pa.RecordBatch.from_arrays([pa.array([], schema.field(name).type) for name in schema.names], names=schema.names)
        with_url = self.table == "urls" and (columns is None or "url" in columns) and not raw and "key" in schema.names
        return pa.Table.from_batches([self.shown(none, schema, wanted, with_url, raw)])
