"""The command line of scripts/scale."""

import argparse
import contextlib
import json
import shutil
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any, Optional

from scale import compare, jobs, pages, report, requests, show
from scale.cluster import Cluster
from scale.constants import Measured
from scale.measure import Failure, Priority
from scale.on_cluster import cluster_of
from scale.plan import ASSUMED, CRAWLS, Reckoning

TEN_BILLION = 10_000_000_000
# Failures so many times as often, seconds until a node is believed gone, tasks of a job as a share of the slots.
VARIANTS = ((1, 600.0, 1.0), (1, 600.0, 0.95), (1, 120.0, 0.95), (10, 600.0, 0.95), (10, 120.0, 0.95))


class Notes:
    """The measurements that docs/scale.md is made from, by verb and size."""

    def __init__(self, path: Path):
        self.path = path
        self.values: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def put(self, name: str, records: list[dict[str, Any]]) -> None:
        """Reads the file again: another measurement may have put its own there meanwhile."""
        self.values = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.values[name] = records
        self.path.write_text(json.dumps(self.values, indent=1, sort_keys=True) + "\n")

    def add(self, name: str, record: dict[str, Any], key: tuple[str, ...]) -> None:
        """In place of the record that has the same values of `key`."""
        self.values = json.loads(self.path.read_text()) if self.path.exists() else {}
        others = [one for one in self.values.get(name, []) if any(one.get(what) != record[what] for what in key)]
        self.put(name, [*others, record])


class Reporter:
    """Prints records as they come, and keeps them; in the notes too, so that a run that is cut leaves what it has."""

    def __init__(self, notes: Optional[Notes] = None, name: str = "") -> None:
        self.records: list[dict[str, Any]] = []
        self.notes, self.name = notes, name

    def __call__(self, record: dict[str, Any]) -> None:
        self.records.append(record)
        print(json.dumps(record), flush=True)
        if self.notes:
            self.notes.put(self.name, self.records)


def reporter(root: Path, options: argparse.Namespace, name: str) -> Reporter:
    return Reporter(Notes(root / "tests/scale/measured.json") if options.note else None, name)


def measure(root: Path, options: argparse.Namespace) -> None:
    urls = options.urls or TEN_BILLION // options.share
    report = reporter(root, options, f"measure {urls}")
    folder = Path(tempfile.mkdtemp(prefix="trawl-scale-", dir=options.folder))
    try:
        crawl = jobs.Crawl(Path(options.build).absolute(), folder)
        jobs.measure(crawl, urls, options.seed, set(options.without), report, options.limit_mib)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    jobs.check(report.records)


def measure_pages(root: Path, options: argparse.Namespace) -> None:
    report = reporter(root, options, "pages of a folder" if options.html else "pages")
    folder = Path(tempfile.mkdtemp(prefix="trawl-scale-", dir=options.folder))
    try:
        html = Path(options.html) if options.html else None
        pages.measure(
            jobs.Crawl(Path(options.build).absolute(), folder), options.pages, html, options.page_bytes, report
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def measure_requests(root: Path, options: argparse.Namespace) -> None:
    report = reporter(root, options, "requests")
    folder = Path(tempfile.mkdtemp(prefix="trawl-scale-", dir=options.folder))
    try:
        requests.measure(
            Path(options.build).absolute(), folder, options.urls, options.seed, set(options.without), report
        )
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def compare_cluster(root: Path, options: argparse.Namespace) -> None:
    report = reporter(root, options, "cluster")
    folder = Path(tempfile.mkdtemp(prefix="trawl-scale-", dir=options.folder))
    build = Path(options.build).absolute()
    places: list[Any] = []
    if "local" in options.runner or not options.runner:
        places.append(lambda: contextlib.nullcontext(compare.Threads(build, folder)))
    if "streaming" in options.runner or not options.runner:
        places.append(lambda: cluster_of(options.nodes, build, folder))
    try:
        sizes = (options.few, options.some, options.pages)
        compare.compare(places, folder, sizes, options.page_bytes, report)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    for record in report.records:
        print(show.judgement(record), file=sys.stderr)


def reckoning(root: Path, options: argparse.Namespace) -> Reckoning:
    return Reckoning(Measured(Notes(root / "tests/scale/measured.json").values), _settings(options.set, set(ASSUMED)))


def _settings(texts: list[str], known: set[str]) -> dict[str, float]:
    settings = {}
    for text in texts:
        name, _, value = text.partition("=")
        if name not in known:
            raise Failure(f"there is no assumption {name}; there are {', '.join(sorted(known))}")
        try:
            settings[name] = float(value)
        except ValueError:
            raise Failure(f"{text}: not NAME=NUMBER") from None
    return settings


def reckon(root: Path, options: argparse.Namespace) -> None:
    tables = show.tables(reckoning(root, options))
    if options.write:
        page = root / "docs/scale.md"
        page.write_text(show.replaced(page.read_text(), tables))
    else:
        print("\n\n".join(tables.values()))


def simulate(root: Path, options: argparse.Namespace) -> None:
    known = set(Cluster.__dataclass_fields__)
    cluster = Cluster(
        **{
            **{"nodes": options.nodes, "slots": options.slots, "cores": options.slots},
            **{
                name: int(value) if isinstance(getattr(Cluster, name), int) else value
                for name, value in _settings(options.set, known).items()
            },
        }
    )
    notes = Notes(root / "tests/scale/measured.json")
    for crawl in CRAWLS if options.all else (CRAWLS[options.crawl],):
        for times, expiry, lists in VARIANTS if options.all else ((options.failures, cluster.expiry, options.lists),):
            tasks = round(cluster.nodes * cluster.slots * lists)
            jobs_of_round = reckoning(root, argparse.Namespace(set=[])).round_jobs(
                options.pages or crawl.pages_a_round, crawl.urls, tasks, options.window
            )
            record = report.simulated(
                replace(cluster, expiry=expiry).failing(times),
                jobs_of_round,
                # Rounds of many failures are slow to simulate.
                options.rounds // (3 if options.all and times > 1 else 1),
                options.seed,
                options.processes,
            )
            record |= {"failures": times, "tasks": tasks}
            print(json.dumps({"crawl": crawl.name, **record}), flush=True)
            if options.note:
                notes.add(f"simulated {crawl.name}", record, ("nodes", "slots", "tasks", "expiry", "failures"))


def main(root: Path, about: str) -> int:
    parser = argparse.ArgumentParser(
        prog="scripts/scale", description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    def verb(name: str, function: Any) -> argparse.ArgumentParser:
        added = verbs.add_parser(name)
        added.set_defaults(function=function)
        return added

    def measuring(added: argparse.ArgumentParser) -> None:
        added.add_argument(
            "--build", default=str(root / "build/release"), help="where the binaries are [build/release]"
        )
        added.add_argument("--folder", help="makes its folder there [the system's]")
        added.add_argument("--seed", type=int, default=1)
        added.add_argument("--note", action="store_true", help="put the figures into tests/scale/measured.json")
        added.add_argument("--nice", type=int, default=19, metavar="N", help="how far the commands give way [19]")

    added = verb("measure", measure)
    measuring(added)
    added.add_argument("--share", type=int, default=4096, metavar="N", help="one part of N of ten billion URLs [4096]")
    added.add_argument("--urls", type=int, default=0, metavar="N", help="so many URLs instead")
    added.add_argument(
        "--without", action="append", default=[], metavar="JOB", help="leave this job out; can be repeated"
    )
    added.add_argument(
        "--limit_mib", type=int, default=0, metavar="N", help="leave jobs out that begin with more than N MiB on disk"
    )
    added.add_argument("--keep", action="store_true", help="leave the crawl where it is")
    added = verb("pages", measure_pages)
    measuring(added)
    added.add_argument("--pages", type=int, default=100_000, metavar="N", help="[100000]")
    added.add_argument("--page_bytes", type=int, default=65_536, metavar="N", help="size of a page [65536]")
    added.add_argument("--html", metavar="DIR", help="serve the *.html files of this folder instead of made ones")
    added = verb("requests", measure_requests)
    measuring(added)
    added.add_argument("--urls", type=int, default=500_000, metavar="N", help="size of the crawl [500000]")
    added.add_argument(
        "--without", action="append", default=[], metavar="JOB", help="leave this job out; can be repeated"
    )
    added = verb("cluster", compare_cluster)
    measuring(added)
    added.add_argument(
        "--few", type=int, default=40, metavar="N", help="pages of the round that shows what starting takes [40]"
    )
    added.add_argument(
        "--some", type=int, default=5_000, metavar="N", help="pages of the round that shows what a page takes [5000]"
    )
    added.add_argument(
        "--pages", type=int, default=20_000, metavar="N", help="pages of the round that is compared [20000]"
    )
    added.add_argument("--nodes", type=int, default=3, metavar="N", help="of the test cluster [3]")
    added.add_argument("--page_bytes", type=int, default=32_768, metavar="N", help="size of a page [32768]")
    added.add_argument(
        "--runner", action="append", default=[], choices=("local", "streaming"), help="only this one [both]"
    )
    added = verb("reckon", reckon)
    added.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="another assumption; can be repeated"
    )
    added.add_argument("--write", action="store_true", help="put the tables into docs/scale.md")
    added = verb("simulate", simulate)
    added.add_argument("--nodes", type=int, default=1_000)
    added.add_argument("--slots", type=int, default=4, help="tasks at once, per node [4]")
    added.add_argument(
        "--crawl", type=int, default=1, choices=range(len(CRAWLS)), help="which of the crawls of docs/scale.md [1]"
    )
    added.add_argument("--pages", type=int, default=0, help="of a round [those of the crawl]")
    added.add_argument("--window", type=float, default=3_600, help="seconds that a fetch waits for hosts [3600]")
    added.add_argument("--failures", type=float, default=1, metavar="N", help="all rates of failure times N [1]")
    added.add_argument("--lists", type=float, default=1, metavar="SHARE", help="tasks of a job, per slot [1]")
    added.add_argument("--all", action="store_true", help="the three crawls, each as in the rows of docs/scale.md")
    added.add_argument("--rounds", type=int, default=20)
    added.add_argument("--processes", type=int, default=1, metavar="N", help="of this machine [1]")
    added.add_argument("--seed", type=int, default=1)
    added.add_argument(
        "--set", action="append", default=[], metavar="NAME=VALUE", help="a number of the cluster; can be repeated"
    )
    added.add_argument("--note", action="store_true", help="put the figures into tests/scale/measured.json")
    options = parser.parse_args()
    Priority.nice = getattr(options, "nice", Priority.nice)
    try:
        options.function(root, options)
    except Failure as failure:
        print(f"scripts/scale: {failure}", file=sys.stderr)
        return 1
    return 0
