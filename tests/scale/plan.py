"""Reckons from what was measured what three crawls need.

Every assumption stands in ASSUMED, with its source, and can be set.
"""

import math
from dataclasses import dataclass, replace

from scale.cluster import Job, Task
from scale.constants import Measured

DAY = 86_400.0
MIB, GIB, TB = float(1 << 20), float(1 << 30), 1e12
TAIL, MOST_PAGES, HOST_PAGES = 1.1934, 20_000, 5.0  # the law of hosts' sizes (tests/support/crawl/made_crawl.h)

# Name: value, unit, source.
ASSUMED: dict[str, tuple[float, str, str]] = {
    "delay": (1.0, "s", "`--fetch.delay_ms`, its default"),
    "response": (0.5, "s", "time of an answer; assumption"),
    "wire_share": (0.25, "", "bytes on the wire per decoded byte; assumption"),
    "handshake": (0.002, "s", "of the processor, to look a host up and agree on TLS; the pages measured had neither"),
    "pages_a_visit": (1.7, "", "pages of a host in a round, as generate chose them of the made crawl"),
    "window": (3_600.0, "s", "`--generate.time_limit`, its default"),
    "part_seconds": (60.0, "s", "`--fetch.part_time`, its default"),
    "keep_days": (7.0, "d", "`gc.keep_time`, its default"),
    "body_copies": (1.2, "", "bodies kept per stored page; assumption"),
    "utilisation": (0.5, "", "share of the cores' time that work fills; assumption"),
    "node_cores": (16.0, "", "of a node; assumption"),
    "node_disk": (48e12, "B", "of a node: six disks of 8 TB; assumption"),
    "disk_fill": (0.7, "", "share of a disk that is used; assumption"),
    "replicas": (3.0, "", "HDFS, its default"),
    "node_price": (0.77, "$/h", "list price of a machine with 16 virtual cores and 64 GiB, 2026: assumption"),
    "s3_month": (0.021, "$/GB", "list price of standard storage over 500 TB, per month, 2026: assumption"),
    "s3_put": (5.0, "$/M", "list price of PUT, POST and LIST, 2026: assumption"),
    "s3_get": (0.4, "$/M", "list price of GET and HEAD, 2026: assumption"),
    "objects_a_gib": (1e6, "", "NameNode objects per GiB of its heap; rule of thumb"),
}
PARTITIONS = 4_065  # most of a job (docs/operations.md)
FILE_BYTES = 128 * MIB
PUT_BYTES, GET_BYTES = 10 * MIB, 4 * MIB  # of a part of an upload, and of a block (runtime/backends/s3.cc)
GRAPH_BYTES = 316  # of memory per host, where HyperBall runs (docs/operations.md)


@dataclass(frozen=True)
class Crawl:
    name: str
    pages_a_day: float
    urls: float
    rounds_a_day: float

    @property
    def stored(self) -> float:
        return self.urls / 5

    @property
    def hosts(self) -> float:
        return self.urls / HOST_PAGES

    @property
    def pages_a_round(self) -> float:
        return self.pages_a_day / self.rounds_a_day


CRAWLS = (
    Crawl("1 billion pages a month", 1e9 / 30, 5e9, 6),
    Crawl("1 billion pages a day", 1e9, 50e9, 12),
    Crawl("10 billion URLs, each page monthly", 2e9 / 30, 10e9, 6),
)


def pages_within(visits: float) -> float:
    """The share of all pages that are fetched when each host was visited so often: hosts are few that have more."""
    sums = _page_sums()
    return sums[min(int(visits), MOST_PAGES)] / sums[MOST_PAGES]


def _page_sums(cache: list[float] = []) -> list[float]:  # noqa: B006
    if not cache:
        cache.append(0.0)
        for pages in range(1, MOST_PAGES + 1):
            cache.append(cache[-1] + pages**-TAIL)
    return cache


@dataclass
class Figures:
    """What a crawl needs. CPU in seconds per day by step."""

    crawl: Crawl
    cpu: dict[str, float]
    tables: dict[str, float]
    bodies: float
    old_runs: float
    wire_bits: float
    read: float
    written: float
    files: float
    kept_files: float
    slots: float
    graph_bytes: float


class Reckoning:
    def __init__(self, measured: Measured, changed: dict[str, float]):
        self.measured = measured
        self.assumed = {name: changed.get(name, value) for name, (value, _, _) in ASSUMED.items()}
        self.pages = "pages of a folder" if "pages of a folder" in measured.notes else "pages"

    def page(self, job: str) -> float:
        return self.measured.page(job, of=self.pages)

    @property
    def page_bytes(self) -> float:
        return float(self.measured.notes[self.pages][0]["page_bytes"])

    @property
    def fetch_seconds(self) -> float:
        """Of the processor, per page."""
        return self.page("fetch") + self.assumed["handshake"] / self.assumed["pages_a_visit"]

    @property
    def stored_page(self) -> float:
        """Bytes of a page in its segment: the body, the outcome, what parse read."""
        return sum(self.measured.dataset(name, self.pages) for name in ("content", "fetch", "parse", "links"))

    @property
    def changed_rows(self) -> float:
        """Rows of urls that a request changes: its own, and the targets of its links."""
        rows = {
            record.get("after", record["job"]): record["tables"]["urls"]["rows"]
            for record in self.measured.notes[self._largest]
            if "tables" in record
        }
        requests = next(record["rows"] for record in self.measured.notes[self._largest] if record["job"] == "updatedb")
        return float(rows["round"] - rows["make"]) / float(requests)

    @property
    def _largest(self) -> str:
        return next(
            name
            for name in (f"measure {size}" for size in reversed(self.measured.sizes))
            if any(record.get("after") == "compact" for record in self.measured.notes[name])
        )

    @property
    def bytes_a_url(self) -> float:
        return sum(
            table["rows_per_url"] * table["bytes_per_row"]
            for table in (self.measured.table(name) for name in self.kept_tables())
        )

    @staticmethod
    def kept_tables() -> tuple[str, ...]:
        return "urls", "hosts", "robots", "outlinks", "digests", "fingerprints", "patterns"

    @staticmethod
    def graph_tables() -> tuple[str, ...]:
        return "inlinks", "host_edges", "domain_edges", "ranks"

    def rewrites(self, crawl: Crawl) -> float:
        """How often compact writes a changed row: runs double until they are a third of the base, which then joins."""
        return math.log2(max(crawl.urls / 3 / (self.changed_rows * crawl.pages_a_round), 2)) + 4

    def moved(self, job: str) -> tuple[float, float]:
        """Bytes that a job reads and writes per row."""
        return tuple(self.measured.line(job, what).slope * MIB for what in ("read_mib", "written_mib"))  # type: ignore[return-value]

    def slope(self, job: str) -> float:
        return self.measured.line(job).slope

    def figures(self, crawl: Crawl) -> Figures:
        assumed, per_day = self.assumed, crawl.pages_a_day
        rewritten = per_day * self.changed_rows * self.rewrites(crawl)
        cpu = {
            "fetch": per_day * self.fetch_seconds,
            "parse": per_day * self.page("parse"),
            "generate": crawl.rounds_a_day * crawl.urls * self.slope("generate"),
            "updatedb": per_day * self.slope("updatedb"),
            "settle": per_day * self.slope("settle"),
            "compact": rewritten * self.slope("compact"),
            "graph, weekly": crawl.stored * self.slope("graph") / 7,
        }
        tables = {
            name: crawl.urls * self.measured.table(name)["rows_per_url"] * self.measured.table(name)["bytes_per_row"]
            for name in self.kept_tables()
        }
        graph = {name: self.measured.table(name, "graph") for name in self.graph_tables()}
        tables["the graph"] = crawl.urls * sum(
            table["rows_per_url"] * table["bytes_per_row"] for table in graph.values()
        )
        slots = self.cores(cpu)
        read = written = per_day * self.stored_page
        for job, rows in (
            ("generate", crawl.rounds_a_day * crawl.urls),
            ("updatedb", per_day),
            ("settle", per_day),
            ("compact", rewritten),
        ):
            job_read, job_written = self.moved(job)
            read, written = read + rows * job_read, written + rows * job_written
        # A list closes a part each minute: outcomes, bodies and hosts. Beside them, the lists, and what parse wrote.
        parts = crawl.rounds_a_day * slots * assumed["window"] / assumed["part_seconds"]
        parsed = crawl.rounds_a_day * slots * 2
        return Figures(
            crawl=crawl,
            cpu=cpu,
            tables=tables,
            bodies=crawl.stored * assumed["body_copies"] * self.stored_page,
            old_runs=rewritten * self.bytes_a_url * assumed["keep_days"],
            wire_bits=per_day * self.page_bytes * assumed["wire_share"] * 8 / DAY,
            read=read,
            written=written,
            files=3 * parts + parsed + crawl.rounds_a_day * slots * 4,
            kept_files=(2 * parts + parsed) * crawl.stored * assumed["body_copies"] / per_day
            + 2 * sum(tables.values()) / FILE_BYTES,
            slots=slots,
            graph_bytes=crawl.hosts * GRAPH_BYTES,
        )

    def cores(self, cpu: dict[str, float]) -> float:
        return math.ceil(sum(cpu.values()) / DAY / self.assumed["utilisation"])

    def disk(self, figures: Figures) -> float:
        return sum(figures.tables.values()) + figures.bodies + figures.old_runs

    def nodes(self, figures: Figures) -> tuple[float, float]:
        """By cores, and by disks where HDFS keeps the bytes."""
        assumed = self.assumed
        return (
            math.ceil(figures.slots / assumed["node_cores"]),
            math.ceil(self.disk(figures) * assumed["replicas"] / assumed["node_disk"] / assumed["disk_fill"]),
        )

    def requests(self, figures: Figures) -> tuple[float, float]:
        """PUTs and GETs per day where the crawl lies on S3."""
        return (figures.files * 1.5 + figures.written / PUT_BYTES, figures.files * 3 + figures.read / GET_BYTES)

    # -- a round, for the simulator

    def round_jobs(self, pages: float, urls: float, lists: int, window: float) -> list[Job]:
        """The jobs of a round. `window`: seconds in which a fetch waits for its hosts."""
        partitions = max(min(PARTITIONS, lists, int(urls // 100_000) or 1), 1)

        def tasks(count: int, cpu: float, moved: float, rows: float) -> tuple[Task, ...]:
            whole, left = divmod(round(rows), count)
            return tuple(
                Task(cpu=cpu / count, bytes=moved / count, rows=whole + (number < left)) for number in range(count)
            )

        def both(job: str, rows: float) -> float:
            return rows * sum(self.moved(job))

        listed = self.stored_page * pages
        fetches = tuple(
            replace(task, wait=window, resumes=True) for task in tasks(lists, pages * self.fetch_seconds, listed, pages)
        )
        jobs = [
            Job(
                "generate",
                tasks(partitions, urls * self.slope("generate"), both("generate", urls), 0),
                tasks(lists, 0, 0, 0),
            ),
            Job("fetch", fetches),
            Job("parse", tasks(lists, pages * self.page("parse"), listed, pages)),
            Job(
                "updatedb",
                tasks(lists, pages * self.slope("updatedb") * 0.4, both("updatedb", pages) * 0.4, pages),
                tasks(partitions, pages * self.slope("updatedb") * 0.6, both("updatedb", pages) * 0.6, pages),
            ),
        ]
        for step in ("settle", "settle_near", "settle_verdicts"):
            cpu, moved = pages * self.slope("settle") / 6, both("settle", pages) / 6
            jobs.append(Job(step, tasks(partitions, cpu, moved, pages), tasks(partitions, cpu, moved, pages)))
        return jobs
