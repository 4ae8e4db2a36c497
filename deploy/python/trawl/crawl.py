"""A crawl at one snapshot."""

from __future__ import annotations

import os
from typing import Any, Iterator, Optional, Sequence, Union

import pyarrow as pa

from .columns import SCHEMAS
from .datasets import Segments
from .errors import NotFound
from .manifest import Snapshot, read_snapshot
from .page import Page
from .rows import TableRows
from .store import Store
from .urls import key_of_url


def open(root: Union[str, "os.PathLike[str]"], snapshot: Optional[int] = None, verify: Optional[bool] = None) -> "Crawl":
    """Opens the crawl at a path, hdfs://… or s3://…, at its newest snapshot or an older one.

    Every document and every MiB that is read is checked against its seal where the package `xxhash` is installed. `verify=True` demands
    that, and checks the sidecars of the files, too; `verify=False` leaves it out.
    """
    store = Store(root, verify)
    return Crawl(store, read_snapshot(store, snapshot))


class Crawl:
    """Reads one snapshot. It stays the same however the crawl goes on, as long as `trawl gc` keeps its files."""

    def __init__(self, store: Store, snapshot: Snapshot):
        self._store = store
        self._segments = Segments(store)
        self._tables: dict[str, TableRows] = {}
        self.snapshot = snapshot

    def __repr__(self) -> str:
        return f"<trawl.Crawl {self._store.root} snapshot {self.snapshot.number}>"

    @property
    def root(self) -> str:
        return self._store.root

    @property
    def is_verified(self) -> bool:
        """Whether what is read is checked against its seals."""
        return self._store.hash is not None

    @property
    def tables(self) -> list[str]:
        """The tables that have rows, or had some."""
        return list(self.snapshot.tables)

    def _rows(self, table: str) -> TableRows:
        if table not in self.snapshot.tables and table not in SCHEMAS:
            raise NotFound(f"there is no table {table}; there are {', '.join(sorted({*SCHEMAS, *self.tables}))}")
        if table not in self._tables:
            self._tables[table] = TableRows(self._store, table, self.snapshot.tables.get(table, ()))
        return self._tables[table]

    def batches(self, table: str, columns: Optional[Sequence[str]] = None, raw: bool = False) -> Iterator[pa.RecordBatch]:
        """The rows of a table, batch by batch: the newest row of each key, without removed ones, in no promised order.

        `columns`: only these, in this order. `raw`: numbers instead of words, and no column `url`. In memory are a stripe of rows, the keys of
        one file, and of newer runs those that may be in it. A table that the crawl does not have yet has no rows.
        """
        rows = self._rows(table)
        return rows.batches(rows.shape(columns, raw))

    def table(self, table: str, columns: Optional[Sequence[str]] = None, raw: bool = False) -> pa.Table:
        """The same as one pyarrow.Table."""
        rows = self._rows(table)
        shape = rows.shape(columns, raw)
        batches = list(rows.batches(shape))
        return pa.Table.from_batches(batches) if batches else shape.empty()

    def row(self, table: str, key: str) -> Optional[dict[str, Any]]:
        """The row of one key, without a look at the others."""
        return self._rows(table).find(key)

    def page(self, url: str) -> Page:
        """The page of a URL, in whatever spelling; NotFound where the crawl does not have it."""
        try:
            key = key_of_url(url, self.snapshot.normal_form)
        except ValueError as error:
            raise NotFound(str(error)) from None
        row = self.row("urls", key)
        if row is None:
            raise NotFound(f"{url} is not in snapshot {self.snapshot.number} of {self.root}")
        return Page(self._segments, self.snapshot, row)
