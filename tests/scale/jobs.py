"""Measures every job but fetch and parse: makes a crawl and a round of it, and runs the verbs one by one."""

import json
import os
import shutil
from pathlib import Path
from typing import Any, Callable, Optional

from scale.measure import Cost, Failure, Word, files_in, run

NOW = "2026-09-01T00:00:00Z"  # MadeCrawl::kNowMs
LATER = "2100-01-01T00:00:00Z"  # for gc: all files are old, by the clock that dated them
ROUND_SHARE = 25  # a round takes one URL in so many

Report = Callable[[dict[str, Any]], None]


class Crawl:
    """A made crawl in a folder, or wherever `root` says, and what its jobs cost."""

    def __init__(self, build: Path, folder: Path, root: str = "", environment: Optional[dict[str, str]] = None):
        self.build, self.folder = build, folder
        self.root = root or str(folder / "crawl")
        self.environment = environment or {
            name: value for name, value in os.environ.items() if not name.startswith("TRAWL_")
        }

    def make(self, urls: int, seed: int) -> None:
        run(self.build / "tests/scale_root", self.root, urls, seed, environment=self.environment)

    def answer(self, seed: int) -> None:
        run(self.build / "tests/scale_root", self.root, "--answer", seed, environment=self.environment)

    def trawl(self, verb: str, *arguments: Word, now: str = NOW) -> Cost:
        temporary = self.folder / "temporary"
        temporary.mkdir(parents=True, exist_ok=True)
        try:
            return run(
                self.build / "trawl",
                *verb.split(),
                "--root",
                self.root,
                "--now",
                now,
                "--threads",
                2,
                "--temp_dir",
                temporary,
                "--quiet",
                *arguments,
                environment=self.environment,
            )
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def tables(self) -> dict[str, dict[str, int]]:
        """Rows and bytes of each table of the present."""
        number = json.loads(self.look("snapshot", "list", "--limit", "1", "--json").splitlines()[-1])["snapshot"]
        shown = json.loads(self.look("snapshot", "show", number, "--json"))
        return {
            table: {"rows": sum(run["rows"] for run in runs), "bytes": sum(run["bytes"] for run in runs)}
            for table, runs in shown["tables"].items()
        }

    def look(self, *words: Word) -> str:
        return run(self.build / "trawl", *words, "--root", self.root, environment=self.environment).output


def measure(crawl: Crawl, urls: int, seed: int, without: set[str], report: Report, limit_mib: int = 0) -> None:
    """Reports one record for each job.

    `without` names jobs that are left out. A job is left out, too, where the folder has more than `limit_mib` MiB.
    """
    out = crawl.folder / "out"

    def job(
        name: str, rows: Callable[[Cost], int], of: str, verb: str, *arguments: Word, now: str = NOW
    ) -> None:
        is_local = not crawl.root.startswith("s3:")
        if name in without or (limit_mib and is_local and files_in(crawl.folder).size >> 20 > limit_mib):
            report({"job": name, "left_out": True})
            return
        before = files_in(Path(crawl.root)).files if is_local else 0
        cost = crawl.trawl(verb, *arguments, now=now)
        record: dict[str, Any] = {
            "job": name,
            "urls": urls,
            "rows": rows(cost),
            "of": of,
            "cpu_seconds": round(cost.cpu_seconds, 3),
            "wall_seconds": round(cost.wall_seconds, 1),
            "peak_mib": round(cost.peak_mib),
            "anonymous_mib": round(cost.anonymous_mib),
            "read_mib": round(cost.read_mib, 1),
            "written_mib": round(cost.written_mib, 1),
        }
        if is_local:
            record["files"] = files_in(Path(crawl.root)).files - before
        report(record)
        shutil.rmtree(out, ignore_errors=True)

    crawl.make(urls, seed)
    base = crawl.tables()
    report({"job": "make", "urls": urls, "tables": base})
    fetched = base["outlinks"]["rows"]
    job("settle all", lambda _: fetched, "pages", "settle")
    job("generate", lambda _: urls, "URLs", "generate", "--top_n", urls // ROUND_SHARE, "--fetchers", 2)
    crawl.answer(seed)
    job("updatedb", lambda _: urls // ROUND_SHARE, "requests", "updatedb")
    job("settle", lambda _: urls // ROUND_SHARE, "requests", "settle")
    report({"job": "tables", "after": "round", "urls": urls, "tables": crawl.tables()})
    job("readdb stats", lambda _: urls, "URLs", "readdb stats")
    job("export", lambda _: urls, "URLs", "export", out)
    job("export links", lambda _: fetched, "pages", "export", "links", out)
    job("export pages", lambda _: urls // ROUND_SHARE, "requests", "export", "pages", out)
    job("archive", lambda _: urls // ROUND_SHARE, "requests", "archive", out, "--name", "scale")
    job("compact", lambda _: urls, "URLs", "compact")
    job("gc", lambda _: urls, "URLs", "gc", "--keep_time", "0s", "--keep_snapshots", 1, now=LATER)
    report({"job": "tables", "after": "compact", "urls": urls, "tables": crawl.tables()})
    job("graph", lambda _: fetched, "pages", "graph")
    report({"job": "tables", "after": "graph", "urls": urls, "tables": crawl.tables()})
    if not crawl.root.startswith("s3:"):
        there = files_in(Path(crawl.root))
        report(
            {
                "job": "root",
                "urls": urls,
                "files": there.files,
                "folders": there.folders,
                "blocks": there.blocks,
                "bytes": there.size,
            }
        )


def check(records: list[dict[str, Any]]) -> None:
    if not [record for record in records if "cpu_seconds" in record]:
        raise Failure("no job was measured")
