"""The command line of scripts/scale."""

import argparse
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from scale import jobs, pages, requests
from scale.measure import Failure

TEN_BILLION = 10_000_000_000


class Notes:
    """The measurements that docs/scale.md is made from, by verb and size."""

    def __init__(self, path: Path):
        self.path = path
        self.values: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def put(self, name: str, records: list[dict[str, Any]]) -> None:
        self.values[name] = records
        self.path.write_text(json.dumps(self.values, indent=1, sort_keys=True) + "\n")


class Reporter:
    """Prints records as they come, and keeps them."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []

    def __call__(self, record: dict[str, Any]) -> None:
        self.records.append(record)
        print(json.dumps(record), flush=True)


def measure(root: Path, options: argparse.Namespace) -> None:
    urls = options.urls or TEN_BILLION // options.share
    report = Reporter()
    folder = Path(tempfile.mkdtemp(prefix="trawl-scale-", dir=options.folder))
    try:
        crawl = jobs.Crawl(Path(options.build).absolute(), folder)
        jobs.measure(crawl, urls, options.seed, set(options.without), report, options.limit_mib)
    finally:
        if not options.keep:
            shutil.rmtree(folder, ignore_errors=True)
    jobs.check(report.records)
    if options.note:
        Notes(root / "tests/scale/measured.json").put(f"measure {urls}", report.records)


def measure_pages(root: Path, options: argparse.Namespace) -> None:
    report = Reporter()
    folder = Path(tempfile.mkdtemp(prefix="trawl-scale-", dir=options.folder))
    try:
        html = Path(options.html) if options.html else None
        pages.measure(jobs.Crawl(Path(options.build).absolute(), folder), options.pages, html, options.page_bytes, report)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.note:
        Notes(root / "tests/scale/measured.json").put("pages of a folder" if options.html else "pages", report.records)


def measure_requests(root: Path, options: argparse.Namespace) -> None:
    report = Reporter()
    folder = Path(tempfile.mkdtemp(prefix="trawl-scale-", dir=options.folder))
    try:
        requests.measure(Path(options.build).absolute(), folder, options.urls, options.seed, set(options.without), report)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    if options.note:
        Notes(root / "tests/scale/measured.json").put("requests", report.records)


def main(root: Path, about: str) -> int:
    parser = argparse.ArgumentParser(prog="scripts/scale", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")

    def verb(name: str, function: Any) -> argparse.ArgumentParser:
        added = verbs.add_parser(name)
        added.set_defaults(function=function)
        return added

    def measuring(added: argparse.ArgumentParser) -> None:
        added.add_argument("--build", default=str(root / "build/release"), help="where the binaries are [build/release]")
        added.add_argument("--folder", help="makes its folder there [the system's]")
        added.add_argument("--seed", type=int, default=1)
        added.add_argument("--note", action="store_true", help="put the figures into tests/scale/measured.json")

    added = verb("measure", measure)
    measuring(added)
    added.add_argument("--share", type=int, default=4096, metavar="N", help="one part of N of ten billion URLs [4096]")
    added.add_argument("--urls", type=int, default=0, metavar="N", help="so many URLs instead")
    added.add_argument("--without", action="append", default=[], metavar="JOB", help="leave this job out; can be repeated")
    added.add_argument("--limit_mib", type=int, default=0, metavar="N", help="leave jobs out that begin with more than N MiB on disk")
    added.add_argument("--keep", action="store_true", help="leave the crawl where it is")
    added = verb("pages", measure_pages)
    measuring(added)
    added.add_argument("--pages", type=int, default=100_000, metavar="N", help="[100000]")
    added.add_argument("--page_bytes", type=int, default=65_536, metavar="N", help="size of a page [65536]")
    added.add_argument("--html", metavar="DIR", help="serve the *.html files of this folder instead of made ones")
    added = verb("requests", measure_requests)
    measuring(added)
    added.add_argument("--urls", type=int, default=500_000, metavar="N", help="size of the crawl [500000]")
    added.add_argument("--without", action="append", default=[], metavar="JOB", help="leave this job out; can be repeated")
    options = parser.parse_args()
    try:
        options.function(root, options)
    except Failure as failure:
        print(f"scripts/scale: {failure}", file=sys.stderr)
        return 1
    return 0
