"""Snapshots: numbered manifests that name the runs of each table and the segments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Optional

from .errors import Damaged, NotFound
from .store import Receipt, Store, read_as

NAME = re.compile(r"([0-9]{8,})\.json")
FORMS = ("strict", "standard", "fold")


@dataclass(frozen=True)
class Run:
    """Sorted rows of one table that one job wrote. Of two rows of a key, the one in the later run counts."""

    table: str
    name: str
    rows: int
    bytes: int
    seal: str

    @staticmethod
    def of(table: str, json_object: dict[str, Any]) -> "Run":
        return Run(table, json_object["run"], json_object["rows"], json_object["bytes"], json_object["seal"])


@dataclass(frozen=True)
class Segment:
    """What one round fetched and parsed. `state`: open, applied, abandoned or expired."""

    id: str
    state: str


@dataclass(frozen=True)
class Snapshot:
    """The names of everything that the crawl consists of at one moment. Segments stand in the order in which they ended."""

    number: int
    verb: str
    published_ms: int
    normal_form: str
    tables: dict[str, tuple[Run, ...]]
    segments: tuple[Segment, ...]
    settings: dict[str, str]
    totals: Optional[dict[str, Any]]

    @staticmethod
    def of(document: dict[str, Any]) -> "Snapshot":
        tables = {table: tuple(Run.of(table, run) for run in runs) for table, runs in document["tables"].items()}
        segments = [Segment(segment["id"], segment["how"]) for segment in document["closed_segments"]]
        segments += [Segment(segment["id"], "open") for segment in document["open_segments"]]
        if document["url_policy"] not in FORMS:
            raise ValueError(f"the normal form {document['url_policy']!r} is not one of {', '.join(FORMS)}")
        return Snapshot(int(document["number"]), document["verb"], document["published_ms"], document["url_policy"], tables, tuple(segments),
                        dict(document["settings"]), document.get("totals"))


def path_of(number: int) -> str:
    return f"snapshots/{number:08}.json"


def numbers(store: Store) -> list[int]:
    """The numbers of the snapshots that are there, oldest first. NotFound where nothing of a crawl is there."""
    found = sorted(int(match[1]) for name in store.names("snapshots") if (match := NAME.fullmatch(name)))
    if found:
        return found
    if any(store.has_entries(folder) for folder in ("crawldb", "segments", "jobs")):
        raise Damaged("snapshots", f"{store.root} has data of a crawl, but no snapshot")
    raise NotFound(f"{store.root} is not a crawl: it has no snapshots")


def read_snapshot(store: Store, number: Optional[int]) -> Snapshot:
    there = numbers(store)
    number = there[-1] if number is None else number
    if number not in there:
        if 0 <= number < there[-1]:
            raise NotFound(f"snapshot {number} is not there any more; there are {shown(there)}")
        raise NotFound(f"there is no snapshot {number}; the newest is {there[-1]}")
    path = path_of(number)
    snapshot = read_as(path, store.document(path), Snapshot.of)
    if snapshot.number != number:
        raise Damaged(path, f"holds snapshot {snapshot.number}")
    return snapshot


def shown(there: list[int]) -> str:
    return ", ".join(map(str, there if len(there) <= 12 else [*there[:2], "…", *there[-9:]]))


def files_of_run(store: Store, run: Run) -> list[Receipt]:
    """The files of a run, in the order of their rows. The records of a job's small runs lie together."""
    own = f"crawldb/{run.table}/{run.name}/_run.json"
    path = own if store.exists(own) else f"crawldb/_runs/{run.name}/_run.json"
    document = store.document(path, run.seal)

    def files(record: dict[str, Any]) -> Optional[list[Receipt]]:
        return [Receipt.of(file) for file in record["files"]] if record["table"] == run.table else None

    for record in document.get("runs", [document]):
        found = read_as(path, record, files)
        if found is not None:
            if sum(file.rows for file in found) != run.rows:
                raise Damaged(path, f"has {sum(file.rows for file in found):,} rows of {run.table}, {run.rows:,} are named")
            return found
    raise Damaged(path, f"has no record of the table {run.table}")
