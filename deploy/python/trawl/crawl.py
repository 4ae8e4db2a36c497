"""A crawl at one snapshot."""

from __future__ import annotations

from typing import Any, Iterator, Optional, Sequence

import pyarrow as pa

from .errors import NotFound
from .manifest import Snapshot, read_snapshot
from .page import Page
from .rows import TableRows
from .store import Store
from .urls import key_of_url


def open(root: str, snapshot: Optional[int] = None, verify: Optional[bool] = None) -> "Crawl":
    """Opens the crawl at a path, hdfs://… or s3://…, at its newest snapshot or an older one.

    Every document and every MiB that is read is checked against its seal where the package `xxhash` is installed. `verify=True` demands
    that, `verify=False` leaves it out.
    """
    store = Store(root, verify)
    return Crawl(store, read_snapshot(store, snapshot))


class Crawl:
    """Reads one snapshot. It stays the same however the crawl goes on, as long as `trawl gc` keeps its files."""

    def __init__(self, store: Store, snapshot: Snapshot):
        self._store = store
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
        return list(self.snapshot.tables)

    def _rows(self, table: str) -> TableRows:
        if table not in self.snapshot.tables:
            raise NotFound(f"snapshot {self.snapshot.number} has no table {table}; it has {', '.join(self.tables) or 'none'}")
        return TableRows(self._store, table, self.snapshot.tables[table])

    def batches(self, table: str, columns: Optional[Sequence[str]] = None, raw: bool = False) -> Iterator[pa.RecordBatch]:
        """The rows of a table, batch by batch: the newest row of each key, without removed ones, in no promised order.

        `columns`: only these. `raw`: numbers instead of words, and no column `url`. In memory are one file and the keys of all runs but the
        oldest.
        """
        return self._rows(table).batches(columns, raw)

    def table(self, table: str, columns: Optional[Sequence[str]] = None, raw: bool = False) -> pa.Table:
        """The same as one pyarrow.Table."""
        rows = self._rows(table)
        batches = list(rows.batches(columns, raw))
        return pa.Table.from_batches(batches) if batches else rows.empty(columns, raw)

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
        return Page(self._store, self.snapshot, row)
