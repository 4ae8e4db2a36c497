"""Data files for reading here and there, checked MiB by MiB, and their rows as Arrow gives them."""

from __future__ import annotations

import io
from typing import Any, Callable, Collection, Iterator, Optional, Sequence, TypeVar

import pyarrow as pa
from pyarrow import orc

from .errors import Damaged, TrawlError
from .store import Receipt, Seal, Store

CHUNK_BYTES = 1 << 20
# A stripe takes up to 16 MiB, and its streams are read one after the other.
KEPT_CHUNKS = 32
T = TypeVar("T")


class CheckedFile(io.RawIOBase):
    """A file as its record describes it. Each MiB is checked when it is read. `failure` is the first that a reader met."""

    def __init__(self, store: Store, path: str, seal: Seal):
        self.store, self.path, self.seal = store, path, seal
        self.failure: Optional[TrawlError] = None
        self.position = 0
        self.chunks: dict[int, bytes] = {}
        try:
            self.file: pa.NativeFile = store.open_file(path)
        except FileNotFoundError:
            raise Damaged(path, "is missing, though a record names it. (trawl gc removes what only old snapshots need)") from None
        size = store.ask(path, self.file.size)
        if size != seal.size:
            raise Damaged(path, f"has {size:,} bytes, {seal.size:,} were written")
        if len(seal.chunks) != -(-size // CHUNK_BYTES):
            raise Damaged(path, f"has {size:,} bytes, but {len(seal.chunks)} digests of a MiB each")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def size(self) -> int:
        return self.seal.size

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.seal.size}[whence]
        self.position = base + offset
        return self.position

    def read(self, size: Optional[int] = -1) -> bytes:
        left = max(self.seal.size - self.position, 0)
        wanted = left if size is None or size < 0 else min(size, left)
        pieces = []
        while wanted > 0:
            chunk = self.chunk(self.position // CHUNK_BYTES)
            begin = self.position % CHUNK_BYTES
            piece = chunk[begin:begin + wanted]
            pieces.append(piece)
            self.position += len(piece)
            wanted -= len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def readinto(self, buffer: Any) -> int:
        data = self.read(len(buffer))
        buffer[:len(data)] = data
        return len(data)

    def chunk(self, number: int) -> bytes:
        if number not in self.chunks:
            if len(self.chunks) >= KEPT_CHUNKS:
                self.chunks.pop(next(iter(self.chunks)))
            try:
                self.chunks[number] = self.checked(number)
            except TrawlError as error:
                self.failure = self.failure or error
                raise
        return self.chunks[number]

    def checked(self, number: int) -> bytes:
        begin = number * CHUNK_BYTES
        size = min(CHUNK_BYTES, self.seal.size - begin)
        data = self.store.ask(self.path, lambda: bytes(self.file.read_at(size, begin)))
        if len(data) != size:
            raise Damaged(self.path, f"ends after {begin + len(data):,} bytes, {self.seal.size:,} were written")
        if self.store.hash is not None and self.store.hash(data) != self.seal.chunks[number]:
            raise Damaged(self.path, f"is damaged: bytes {begin:,} to {begin + size:,} do not match their digest")
        return data

    def check_all(self) -> None:
        for number in range(len(self.seal.chunks)):
            self.checked(number)

    def close(self) -> None:
        if not self.closed:
            self.chunks.clear()
            if hasattr(self, "file"):
                self.file.close()
        super().close()


class RowFile:
    """A data file open for reading its rows, stripe by stripe. Its sidecar is checked with it where checks are demanded. `needed`: the columns
    without which nothing can be read."""

    def __init__(self, store: Store, folder: str, receipt: Receipt, needed: Sequence[str] = ("key",)):
        self.path, self.receipt = f"{folder}/{receipt.name}", receipt
        if store.demands and receipt.sidecar is not None:
            with CheckedFile(store, f"{folder}/_{receipt.name.removesuffix('.orc')}.idx", receipt.sidecar) as sidecar:
                sidecar.check_all()
        self.file = CheckedFile(store, self.path, receipt.data)
        try:
            self.reader: orc.ORCFile = self.told(lambda: orc.ORCFile(self.file))
            self.schema: pa.Schema = self.reader.schema
            self.names: list[str] = self.told(lambda: self.schema.names)
            self.stripes: int = self.reader.nstripes
            if self.reader.nrows != receipt.rows:
                raise Damaged(self.path, f"has {self.reader.nrows:,} rows, {receipt.rows:,} were written")
            if missing := [name for name in needed if name not in self.names]:
                raise Damaged(self.path, f"has no column {missing[0]}")
        except BaseException:
            self.file.close()
            raise

    def __enter__(self) -> "RowFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.file.close()

    def told(self, read: Callable[[], T]) -> T:
        """What Arrow reads, or makes of what it read; its errors carry the file's name, and give way to the failure that made them."""
        try:
            return read()
        except TrawlError:
            raise
        except (pa.ArrowException, OSError, UnicodeDecodeError) as error:
            raise self.file.failure or Damaged(self.path, f"cannot be read as ORC: {error}") from None

    def stripe(self, number: int, columns: Optional[Collection[str]] = None) -> pa.RecordBatch:
        """Those of the columns that the file has; all of them where none are named."""
        there = None if columns is None else [name for name in self.names if name in columns]
        batch: pa.RecordBatch = self.told(lambda: self.reader.read_stripe(number, columns=there))
        return batch

    def batches(self, columns: Optional[Collection[str]] = None) -> Iterator[pa.RecordBatch]:
        for number in range(self.stripes):
            yield self.stripe(number, columns)
