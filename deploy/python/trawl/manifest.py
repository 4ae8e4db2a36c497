"""Snapshots: numbered manifests that name the runs of each table and the segments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

from .errors import Damaged, NotFound
from .store import Receipt, Store

FORMAT = 1
NAME = re.compile(r"(\d{8,})\.json")


@dataclass(frozen=True)
class Run:
    """Sorted rows of one table that one job wrote. Of two rows of a key, the one in the later run counts."""

    table: str
    name: str
    rows: int
    bytes: int
    seal: str


@dataclass(frozen=True)
class Segment:
    """What one round fetched and parsed. `state`: open, applied, abandoned or expired."""

    id: str
    state: str


@dataclass(frozen=True)
class Snapshot:
    """The names of everything that the crawl consists of at one moment."""

    number: int
    verb: str
    published_ms: int
    normal_form: str
    tables: dict[str, tuple[Run, ...]]
    segments: tuple[Segment, ...]
    settings: dict[str, str]
    totals: Optional[dict[str, Any]]


def path_of(number: int) -> str:
    return f"snapshots/{number:08}.json"


def newest(store: Store) -> int:
    numbers = [int(match[1]) for name in store.names("snapshots") if (match := NAME.fullmatch(name))]
    if not numbers:
        raise NotFound(f"{store.root} is not a crawl: it has no snapshots")
    return max(numbers)


def read_snapshot(store: Store, number: Optional[int]) -> Snapshot:
    present = newest(store)
    number = present if number is None else number
    if not 0 <= number <= present:
        raise NotFound(f"there is no snapshot {number}; the newest is {present}")
    path = path_of(number)
    document = store.document(path)
    if document.get("format", 0) > FORMAT:
        raise Damaged(path, f"has format {document['format']}; this package knows up to {FORMAT}. Install a newer one")
    try:
        tables = {table: tuple(Run(table, run["run"], run["rows"], run["bytes"], run["seal"]) for run in runs)
                  for table, runs in document["tables"].items()}
        segments = [Segment(segment["id"], segment["how"]) for segment in document["closed_segments"]]
        segments += [Segment(segment["id"], "open") for segment in document["open_segments"]]
        return Snapshot(document["number"], document["verb"], document["published_ms"], document["url_policy"], tables, tuple(segments),
                        dict(document["settings"]), document.get("totals"))
    except (KeyError, TypeError) as error:
        raise Damaged(path, f"lacks a member: {error}") from None


def files_of_run(store: Store, run: Run) -> list[Receipt]:
    """The files of a run, in the order of their rows. The records of a job's small runs lie together."""
    own = f"crawldb/{run.table}/{run.name}/_run.json"
    path = own if store.exists(own) else f"crawldb/_runs/{run.name}/_run.json"
    document = store.document(path, run.seal)
    for record in document.get("runs", [document]):
        if record.get("table") == run.table:
            return [Receipt.of(file) for file in record["files"]]
    raise Damaged(path, f"has no record of the table {run.table}")
