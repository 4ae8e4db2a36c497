"""One page: its row, its stored body, what parse read in it, and the answer that brought it. Parts are read when they are asked for."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import Any, Iterator, Optional

from .datasets import Dataset, Segments
from .errors import Damaged
from .manifest import Snapshot


class Page:
    """A page of a snapshot. `row` is its row of the table urls."""

    def __init__(self, segments: Segments, snapshot: Snapshot, row: dict[str, Any]):
        self._segments, self._snapshot = segments, snapshot
        self.row = row
        self.url: str = row["url"]

    def __repr__(self) -> str:
        return f"<trawl.Page {self.url} {self.row['state']}>"

    @cached_property
    def _content(self) -> Optional[dict[str, Any]]:
        row = self.row
        if not row["body_file"]:
            return None
        bodies = self._segments.dataset(row["body_segment"], "content")
        file = bodies.find(row["body_file"])
        if file is None or not bodies.there(file):
            return None
        found = bodies.row(file, row["body_row"])
        if found is None or (found["key"] != row["key"] and not row["shares_body"]):
            raise Damaged(bodies.path(file), f"the body of {self.url} is not where its row says")
        if found["body_digest"] and hashlib.sha256(found["body"]).digest() != found["body_digest"]:
            raise Damaged(bodies.path(file), f"the body of {self.url} does not match its SHA-256")
        return found

    @property
    def body(self) -> Optional[bytes]:
        """The bytes as they were served, without content codings, or their beginning where the row says `truncated`; nothing where none are
        stored, or gc has taken them."""
        return self._content["body"] if self._content else None

    @cached_property
    def parsed(self) -> Optional[dict[str, Any]]:
        """All that parse read in the body; nothing where it was never parsed."""
        row = self.row
        if not row["body_file"]:
            return None
        if row["parse_file"]:
            pages = self._segments.dataset(row["parse_segment"], "parse")
            file = pages.find(row["parse_file"])
            return self._own(pages.row(file, row["parse_row"]) if file else None)
        # Older versions noted no place: parse writes a row per body, in the order of the bodies.
        pages = self._segments.dataset(row["body_segment"], "parse")
        number = self._segments.dataset(row["body_segment"], "content").number(row["body_file"], row["body_row"])
        place = None if number is None else pages.place(number)
        found = self._own(pages.row(*place)) if place else None
        if found is None:
            last = list(pages.rows_of(row["key"], []))[-1:]
            found = pages.row(last[0][0], last[0][1]) if last else None
        return found

    def _own(self, parsed: Optional[dict[str, Any]]) -> Optional[dict[str, Any]]:
        return parsed if parsed and parsed["key"] == self.row["key"] else None

    @property
    def text(self) -> Optional[str]:
        return self.parsed["text"] if self.parsed else None

    @property
    def title(self) -> Optional[str]:
        return self.parsed["title"] if self.parsed else None

    @cached_property
    def answer(self) -> Optional[dict[str, Any]]:
        """The fetch row of the last answer that counted; nothing where its segment is gone."""
        fetched_ms = self.row["fetched_ms"]
        if not fetched_ms:
            return None
        for dataset in self._likely(fetched_ms):
            for file, number, row in dataset.rows_of(self.row["key"], ["fetched_ms"]):
                if row["fetched_ms"] == fetched_ms:
                    return dataset.row(file, number)
        return None

    def _likely(self, fetched_ms: int) -> Iterator[Dataset]:
        """The segments, those first that ended last: a fetch begins before its answers."""
        for segment in reversed(self._snapshot.segments):
            if segment.state == "applied":
                dataset = self._segments.dataset(segment.id, "fetch")
                if dataset.is_there and dataset.now_ms <= fetched_ms:
                    yield dataset

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
