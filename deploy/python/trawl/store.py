"""The files of a root, on local disk, HDFS or S3. Everything that is read is checked against its seal, where that is wanted."""

from __future__ import annotations

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

import pyarrow as pa
from pyarrow import fs

from .errors import Damaged, NotFound
from .seals import hash_or_none

CHUNK_BYTES = 1 << 20
# A document begins with its seal, which is made of the text with zeros in the seal's place.
SEALED = re.compile(rb'\{\n  "seal": "([0-9a-f]{16})"')


@dataclass(frozen=True)
class Receipt:
    """A file as its record describes it."""

    name: str
    rows: int
    first_slot: int
    last_slot: int
    size: int
    chunks: tuple[str, ...]

    @staticmethod
    def of(json_object: dict[str, Any]) -> "Receipt":
        data = json_object["data"]
        return Receipt(json_object["name"], json_object["rows"], json_object.get("first_slot", 0), json_object.get("last_slot", 65535),
                       data["bytes"], tuple(data["chunks"]))


class Store:
    """One root. Its paths are relative to it: `snapshots/00000042.json`."""

    def __init__(self, root: str, verify: Optional[bool]):
        self.root = str(root)
        self.hash = hash_or_none(verify)
        self.filesystem: fs.FileSystem
        if re.match(r"[a-z][a-z0-9+.-]*://", self.root):
            self.filesystem, self.folder = fs.FileSystem.from_uri(self.root)
        else:
            self.filesystem, self.folder = fs.LocalFileSystem(), str(Path(self.root).expanduser().absolute())
        self.folder = self.folder.rstrip("/")

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder; none where it is missing."""
        entries = self.filesystem.get_file_info(fs.FileSelector(f"{self.folder}/{folder}", allow_not_found=True))
        return [entry.base_name for entry in entries if entry.type == fs.FileType.File]

    def exists(self, path: str) -> bool:
        return bool(self.filesystem.get_file_info(f"{self.folder}/{path}").type == fs.FileType.File)

    def read(self, path: str) -> bytes:
        try:
            with self.filesystem.open_input_file(f"{self.folder}/{path}") as file:
                return bytes(file.read())
        except FileNotFoundError:
            raise NotFound(f"{self.root}: there is no file {path}") from None

    def document(self, path: str, seal: str = "") -> dict[str, Any]:
        """A sealed document. `seal`: the one by which another document names it."""
        try:
            text = self.read(path)
        except NotFound:
            raise Damaged(path, "is missing, though another document names it") from None
        sealed = SEALED.match(text)
        if not sealed:
            raise Damaged(path, "is damaged or not a document of Trawl: it does not begin with a seal")
        if self.hash is not None:
            begin, end = sealed.span(1)
            if self.hash(text[:begin] + b"0" * 16 + text[end:]) != sealed[1].decode():
                raise Damaged(path, "is damaged: its content does not match its seal")
        if seal and sealed[1].decode() != seal:
            raise Damaged(path, f"has the seal {sealed[1].decode()}, but {seal} is named")
        try:
            document = json.loads(text)
        except ValueError as error:
            raise Damaged(path, f"is not JSON: {error}") from None
        if not isinstance(document, dict):
            raise Damaged(path, "is not a JSON object")
        return document

    def slot_of(self, host: str) -> Optional[int]:
        """The slot by which rows sort first; nothing without the hash."""
        return None if self.hash is None else int(self.hash(host.encode())[:4], 16)

    def open(self, path: str, receipt: Receipt) -> "CheckedFile":
        return CheckedFile(self, path, receipt)


class CheckedFile(io.RawIOBase):
    """A data file for reading here and there. Each MiB is checked when it is read first."""

    KEPT_CHUNKS = 64

    def __init__(self, store: Store, path: str, receipt: Receipt):
        self.path, self.receipt, self.hash = path, receipt, store.hash
        self.position = 0
        self.chunks: dict[int, bytes] = {}
        try:
            self.file: pa.NativeFile = store.filesystem.open_input_file(f"{store.folder}/{path}")
        except FileNotFoundError:
            raise Damaged(path, "is missing, though a record names it") from None
        size = self.file.size()
        if size != receipt.size:
            raise Damaged(path, f"has {size:,} bytes, {receipt.size:,} were written")

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def size(self) -> int:
        return self.receipt.size

    def tell(self) -> int:
        return self.position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.receipt.size}[whence]
        self.position = base + offset
        return self.position

    def read(self, size: Optional[int] = -1) -> bytes:
        left = self.receipt.size - self.position
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
        if number in self.chunks:
            return self.chunks[number]
        begin = number * CHUNK_BYTES
        data = bytes(self.file.read_at(min(CHUNK_BYTES, self.receipt.size - begin), begin))
        if self.hash is not None and self.hash(data) != self.receipt.chunks[number]:
            raise Damaged(self.path, f"is damaged: bytes {begin:,} to {begin + len(data):,} do not match their digest")
        if len(self.chunks) >= self.KEPT_CHUNKS:
            self.chunks.pop(next(iter(self.chunks)))
        self.chunks[number] = data
        return data

    def close(self) -> None:
        if not self.closed:
            self.chunks.clear()
            if hasattr(self, "file"):
                self.file.close()
        super().close()
