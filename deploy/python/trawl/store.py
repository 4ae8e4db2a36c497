"""The files of a root, on local disk, HDFS or S3, and the sealed documents among them. All paths are relative to the root."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable, Optional, TypeVar, Union

import pyarrow as pa
from pyarrow import fs

from .errors import Damaged, TrawlError, Unreachable
from .seals import Hash, hash_or_none

FORMAT = 1
# A document begins with its seal, which is made of the text with zeros in the seal's place.
SEALED = re.compile(rb'\{\n  "seal": "([0-9a-f]{16})"')
SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*)://")
T = TypeVar("T")


@dataclass(frozen=True)
class Seal:
    """The size of a file, and a digest of each MiB."""

    size: int
    chunks: tuple[str, ...]

    @staticmethod
    def of(json_object: dict[str, Any]) -> "Seal":
        return Seal(int(json_object["bytes"]), tuple(json_object["chunks"]))


@dataclass(frozen=True)
class Receipt:
    """A data file as its record describes it. `sidecar`: the seal of the file beside it, where there is one."""

    name: str
    rows: int
    first_slot: int
    last_slot: int
    data: Seal
    sidecar: Optional[Seal]

    @staticmethod
    def of(json_object: dict[str, Any]) -> "Receipt":
        sidecar = json_object.get("sidecar")
        return Receipt(json_object["name"], json_object["rows"], json_object.get("first_slot", 0), json_object.get("last_slot", 65535),
                       Seal.of(json_object["data"]), Seal.of(sidecar) if sidecar and sidecar["bytes"] else None)


class Store:
    """One root. `hash` is there where seals are checked; `demands` where that was asked for, and includes files that no reader needs."""

    def __init__(self, root: Union[str, "os.PathLike[str]"], verify: Optional[bool]):
        self.root = os.fspath(root)
        self.hash: Optional[Hash] = hash_or_none(verify)
        self.demands = verify is True
        self.filesystem: fs.FileSystem
        scheme = SCHEME.match(self.root)
        if scheme and scheme[1] in ("s3", "hdfs"):
            try:
                self.filesystem, self.folder = fs.FileSystem.from_uri(self.root)
            except (pa.ArrowException, OSError, ImportError) as error:
                raise Unreachable(f"{self.root}: {error}") from None
        elif scheme and scheme[1] != "file":
            raise TrawlError(f"write the root as a path, file:///path, hdfs://… or s3://…, not {scheme[1]}://…")
        else:
            local = self.root[len("file://"):] if scheme else self.root
            if not local or (scheme and not local.startswith("/")):
                raise TrawlError(f"{self.root!r} is no root; write a path, file:///path, hdfs://… or s3://…")
            path = Path(local) if scheme else Path(local).expanduser()
            self.filesystem, self.folder = fs.LocalFileSystem(), str(path.absolute())
        self.folder = self.folder.rstrip("/")

    def ask(self, path: str, what: Callable[[], T]) -> T:
        """What the file system answers. FileNotFoundError goes through; other failures are Unreachable, with the file's name."""
        try:
            return what()
        except FileNotFoundError:
            raise
        except (pa.ArrowException, OSError) as error:
            raise Unreachable(f"{self.root}: {path} cannot be read: {error}") from None

    def entries(self, folder: str) -> list[fs.FileInfo]:
        """What is in a folder; nothing where it is missing."""
        selector = fs.FileSelector(f"{self.folder}/{folder}", allow_not_found=True)
        try:
            return list(self.ask(folder, lambda: self.filesystem.get_file_info(selector)))
        except FileNotFoundError:  # not even the bucket is there
            return []

    def names(self, folder: str) -> list[str]:
        """The names of the files in a folder."""
        return [entry.base_name for entry in self.entries(folder) if entry.type == fs.FileType.File]

    def has_entries(self, folder: str) -> bool:
        return bool(self.entries(folder))

    def exists(self, path: str) -> bool:
        found = self.ask(path, lambda: self.filesystem.get_file_info(f"{self.folder}/{path}"))
        return bool(found.type == fs.FileType.File)

    def open_file(self, path: str) -> pa.NativeFile:
        return self.ask(path, lambda: self.filesystem.open_input_file(f"{self.folder}/{path}"))

    def read(self, path: str) -> bytes:
        """The whole file; FileNotFoundError where it is missing."""
        with self.open_file(path) as file:
            return self.ask(path, lambda: bytes(file.read()))

    def document(self, path: str, seal: str = "") -> dict[str, Any]:
        """A sealed document. `seal`: the one by which another document names it."""
        try:
            text = self.read(path)
        except FileNotFoundError:
            raise Damaged(path, "is missing, though another document names it. (trawl gc removes what only old snapshots need)") from None
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
        if (number := document.get("format", FORMAT)) != FORMAT:
            raise Damaged(path, f"has format {number}; this package knows {FORMAT}. Install a newer one")
        return document

    def slot_of(self, host: str) -> Optional[int]:
        """The slot by which rows sort first; nothing without the hash."""
        return None if self.hash is None else int(self.hash(host.encode())[:4], 16)


def read_as(path: str, document: dict[str, Any], read: Callable[[dict[str, Any]], T]) -> T:
    """What `read` makes of a document; a member that is missing or of another kind is damage."""
    try:
        return read(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise Damaged(path, f"lacks a member, or has one of another kind: {error}") from None


