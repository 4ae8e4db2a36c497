"""One page: its row, its stored body, what parse read in it, and the answer that brought it. Parts are read when they are asked for."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Iterator, Optional

from .errors import Damaged
from .manifest import Snapshot
from .rows import open_orc, read_stripe
from .store import Receipt, Store

STEP_OF = {"content": "fetch", "fetch": "fetch", "parse": "parse"}


class Dataset:
    """The files of one dataset of a segment, in the order of their rows."""

    def __init__(self, store: Store, segment: str, name: str):
        self.store, self.segment, self.name = store, segment, name
        path = f"segments/{segment}/{STEP_OF[name]}/_done.json"
        self.is_there = store.exists(path)
        self.record: dict[str, Any] = store.document(path) if self.is_there else {"tasks": [], "now_ms": 0}
        self.files = [Receipt.of(file) for task in self.record["tasks"] for file in task["files"].get(name, [])]

    def path(self, file: Receipt) -> str:
        return f"segments/{self.segment}/{self.name}/{file.name}"

    def find(self, name: str) -> Optional[Receipt]:
        return next((file for file in self.files if file.name == name), None)

    def row(self, file: Receipt, number: int) -> Optional[dict[str, Any]]:
        """The row of that number; nothing where gc has taken the file."""
        if not 0 <= number < file.rows or not self.store.exists(self.path(file)):
            return None
        with self.store.open(self.path(file), file) as opened:
            reader = open_orc(opened)
            for stripe in range(reader.nstripes):
                rows = read_stripe(opened, reader, stripe, ["key"]).num_rows
                if number < rows:
                    return dict(read_stripe(opened, reader, stripe, None).slice(number, 1).to_pylist()[0])
                number -= rows
        raise Damaged(self.path(file), "has fewer rows than were written")

    def place(self, number: int) -> Optional[tuple[Receipt, int]]:
        """Of a row by its number in the whole dataset: its file, and its number there."""
        for file in self.files:
            if number < file.rows:
                return file, number
            number -= file.rows
        return None

    def numbers_of(self, key: str, columns: list[str]) -> Iterator[tuple[Receipt, int, dict[str, Any]]]:
        """All rows of a key, with some of their columns. Reads through the files."""
        for file in self.files:
            if not self.store.exists(self.path(file)):
                continue
            before = 0
            with self.store.open(self.path(file), file) as opened:
                reader = open_orc(opened)
                for stripe in range(reader.nstripes):
                    batch = read_stripe(opened, reader, stripe, ["key", *columns])
                    for number, row in enumerate(batch.to_pylist()):
                        if row["key"] == key:
                            yield file, before + number, row
                    before += batch.num_rows


class Page:
    """A page of a snapshot."""

    def __init__(self, store: Store, snapshot: Snapshot, row: dict[str, Any]):
        self._store, self._snapshot = store, snapshot
        self.row = row
        self.url: str = row["url"]

    def __repr__(self) -> str:
        return f"<trawl.Page {self.url} {self.row['state']}>"

    @cached_property
    def _content(self) -> Optional[dict[str, Any]]:
        if not self.row["body_file"]:
            return None
        bodies = Dataset(self._store, self.row["body_segment"], "content")
        file = bodies.find(self.row["body_file"])
        found = bodies.row(file, self.row["body_row"]) if file else None
        if found and found["key"] != self.row["key"] and found["body_digest"] != self.row["body_digest"] and not self.row.get("shares_body"):
            raise Damaged(bodies.path(file) if file else bodies.segment, f"the body of {self.url} is not where its row says")
        return found

    @property
    def body(self) -> Optional[bytes]:
        """The bytes as they were served, without content codings; nothing where none are stored, or gc has taken them."""
        return self._content["body"] if self._content else None

    @cached_property
    def parsed(self) -> Optional[dict[str, Any]]:
        """All that parse read in the body; nothing where it was never parsed."""
        if not self.row["body_file"]:
            return None
        if self.row.get("parse_file"):
            pages = Dataset(self._store, self.row["parse_segment"], "parse")
            file = pages.find(self.row["parse_file"])
            return self._own(pages.row(file, self.row["parse_row"]) if file else None)
        pages = Dataset(self._store, self.row["body_segment"], "parse")
        place = self._place_by_body(pages)
        found = self._own(pages.row(*place)) if place else None
        if found is None:
            last = list(pages.numbers_of(self.row["key"], []))[-1:]
            found = pages.row(last[0][0], last[0][1]) if last else None
        return found

    def _own(self, parsed: Optional[dict[str, Any]]) -> Optional[dict[str, Any]]:
        return parsed if parsed and parsed["key"] == self.row["key"] else None

    def _place_by_body(self, pages: Dataset) -> Optional[tuple[Receipt, int]]:
        """parse writes a row per body, in the order of the bodies."""
        before = 0
        for file in Dataset(self._store, self.row["body_segment"], "content").files:
            if file.name == self.row["body_file"]:
                return pages.place(before + self.row["body_row"])
            before += file.rows
        return None

    @property
    def text(self) -> Optional[str]:
        return self.parsed["text"] if self.parsed else None

    @property
    def title(self) -> Optional[str]:
        return self.parsed["title"] if self.parsed else None

    @cached_property
    def answer(self) -> Optional[dict[str, Any]]:
        """The fetch row of the last answer that counted; nothing where its segment is gone."""
        if not self.row["fetched_ms"]:
            return None
        segments = [Dataset(self._store, segment.id, "fetch") for segment in self._snapshot.segments if segment.state == "applied"]
        # The fetch of a segment begins before its answers, so the latest that began before this one is the likely place.
        likely = sorted((each for each in segments if each.is_there and each.record["now_ms"] <= self.row["fetched_ms"]),
                        key=lambda each: -each.record["now_ms"])
        for dataset in likely:
            for file, number, row in dataset.numbers_of(self.row["key"], ["fetched_ms"]):
                if row["fetched_ms"] == self.row["fetched_ms"]:
                    return dataset.row(file, number)
        return None

    @cached_property
    def headers(self) -> list[tuple[str, str]]:
        """The header fields that came with the body, in their order; those of the last answer where no body is stored."""
        content = self._content
        if content and content["key"] == self.row["key"]:
            return fields(content["headers"])
        return fields(self.answer["response_headers"]) if self.answer else []


def fields(raw: bytes) -> list[tuple[str, str]]:
    """The fields of a raw head: without its first line, with folded lines joined. Bytes are read as Latin-1."""
    lines: list[str] = []
    for line in raw.decode("latin-1").replace("\r\n", "\n").split("\n"):
        if line[:1] in (" ", "\t") and lines:
            lines[-1] += " " + line.strip()
        elif ":" in line and not line.startswith("HTTP/"):
            lines.append(line)
    return [(name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines)]
