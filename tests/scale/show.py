"""The tables of docs/scale.md."""

import re
from typing import Any, Callable, Iterable, Iterator

from scale.constants import Line, Measured, Record
from scale.plan import ASSUMED, CRAWLS, DAY, MOST_PAGES, Figures, Reckoning, pages_within
from scale.report import at_least

BLOCK = re.compile(r"(<!-- table: (?P<name>[a-z_ ]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def replaced(page: str, tables: dict[str, str]) -> str:
    """The page with its tables renewed."""
    return BLOCK.sub(lambda found: f"{found[1]}{tables[found['name']]}\n{found[3]}", page)


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    lines = [list(head), *map(list, rows)]
    lines.insert(1, ["---"] * len(lines[0]))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value: float) -> str:
    """Three digits that count."""
    if value >= 1_000:
        digits = len(str(int(value)))
        return f"{round(value, 3 - digits):,.0f}"
    return f"{value:.3g}"


def large(value: float) -> str:
    for unit, size in (("billion", 1e9), ("million", 1e6)):
        if value >= size:
            return f"{number(value / size)} {unit}"
    return number(value)


def size(value: float) -> str:
    for unit, one in (("PB", 1e15), ("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= one:
            return f"{number(value / one)} {unit}"
    return f"{number(value)} B"


def tables(reckoning: Reckoning) -> dict[str, str]:
    all_figures = [reckoning.figures(crawl) for crawl in CRAWLS]
    return {
        "jobs": _jobs(reckoning),
        "sizes": _sizes(reckoning),
        "objects": _objects(reckoning),
        "pages": _pages(reckoning),
        "requests": _requests(reckoning),
        "assumed": _assumed(reckoning),
        "crawls": _crawls(reckoning, all_figures),
        "cpu": _cpu(all_figures),
        "hosts": _hosts(reckoning),
        "simulated": _simulated(reckoning),
        "compared": _compared(reckoning),
    }


def _jobs(reckoning: Reckoning) -> str:
    measured = reckoning.measured
    sizes = ", ".join(large(size) for size in measured.sizes)
    head = [
        "job",
        "rows",
        f"CPU seconds at {sizes} URLs",
        "s per million rows",
        "s at size 0",
        "farthest from the line",
    ]
    rows = [_jobs_row(reckoning, job) for job in measured.jobs()]
    return table([*head, "peak MiB (of these no page of a file)", "files added", "bytes read, written per row"], rows)


def _jobs_row(reckoning: Reckoning, job: str) -> list[str]:
    measured = reckoning.measured
    line: Line = measured.line(job)
    return [
        job,
        measured.of(job),
        ", ".join(_at_each_size(measured, job, lambda record: number(record["cpu_seconds"]))),
        f"{line.slope * 1e6:.3g}",
        f"{line.base:.2f}",
        f"{line.worst * 100:.0f} %" if len(line.points) > 1 else "–",
        ", ".join(_at_each_size(measured, job, _peak)),
        ", ".join(_at_each_size(measured, job, lambda record: f"{record['files']}")),
        ", ".join(number(value) for value in reckoning.moved(job)),
    ]


def _at_each_size(measured: Measured, job: str, show: Callable[[Record], str]) -> Iterator[str]:
    for size in measured.sizes:
        found = [record for record in measured.notes[f"measure {size}"] if record["job"] == job and "of" in record]
        yield show(found[0]) if found else "–"


def _peak(record: Record) -> str:
    """What is no page of a file stands in parentheses."""
    return f"{record['peak_mib']:,}" + (f" ({record['anonymous_mib']:,})" if "anonymous_mib" in record else "")


def _objects(reckoning: Reckoning) -> str:
    """What lies in the roots after all jobs, as a NameNode counts it."""
    rows = []
    for urls in reckoning.measured.sizes:
        for record in reckoning.measured.notes[f"measure {urls}"]:
            if record["job"] == "root":
                counts = [record[what] for what in ("files", "folders", "blocks")]
                rows.append(
                    [f"{urls:,}", *(f"{count:,}" for count in counts), f"{sum(counts):,}", size(record["bytes"])]
                )
    return table(["URLs", "files", "folders", "blocks of 128 MiB", "objects", "bytes"], rows)


def _sizes(reckoning: Reckoning) -> str:
    rows = []
    for name in (*reckoning.kept_tables(), *reckoning.graph_tables()):
        found = reckoning.measured.table(name, "graph" if name in reckoning.graph_tables() else "compact")
        rows.append(
            [
                f"`{name}`",
                f"{found['rows_per_url']:.3f}",
                number(found["bytes_per_row"]),
                number(found["rows_per_url"] * found["bytes_per_row"]),
            ]
        )
    return table(["table", "rows per URL", "bytes per row", "bytes per URL"], rows)


def _pages(reckoning: Reckoning) -> str:
    head = ["pages", "fetch, ms", "parse", "archive", "export pages", "bytes of content", "parse", "links", "fetch"]
    rows = [
        _pages_row(reckoning, name, kind)
        for name, kind in (("pages", "made pages"), ("pages of a folder", "pages of a folder"))
        if name in reckoning.measured.notes
    ]
    return table([*head, "bytes in the archive", "peak MiB"], rows)


def _pages_row(reckoning: Reckoning, name: str, kind: str) -> list[str]:
    measured = reckoning.measured
    by_job = {record["job"]: record for record in measured.notes[name]}
    first, out = measured.notes[name][0], by_job["archive"]
    return [
        f"{first['pages']:,} {kind} of {number(first['page_bytes'])} bytes",
        *(f"{measured.page(job, of=name) * 1e3:.2f}" for job in ("fetch", "parse", "archive", "export pages")),
        *(number(measured.dataset(dataset, name)) for dataset in ("content", "parse", "links", "fetch")),
        number(out["out_bytes"] / out["pages"]),
        ", ".join(f"{job} {by_job[job]['peak_mib']}" for job in ("fetch", "parse")),
    ]


def _requests(reckoning: Reckoning) -> str:
    records = [
        record
        for record in reckoning.measured.notes.get("requests", [])
        if record.get("requests") and "cpu_seconds" in record
    ]
    kinds = ("put", "list", "get", "head", "delete")
    rows = [[record["job"], *(f"{record['requests'].get(kind, 0):,}" for kind in kinds)] for record in records]
    return table(["job", "PUT, POST", "LIST", "GET", "HEAD", "DELETE"], rows)


def _assumed(reckoning: Reckoning) -> str:
    return table(
        ["name", "value", "unit", "from"],
        ([f"`{name}`", f"{reckoning.assumed[name]:g}", unit, source] for name, (_, unit, source) in ASSUMED.items()),
    )


def _crawls(reckoning: Reckoning, all_figures: list[Figures]) -> str:
    assumed = reckoning.assumed

    def row(what: str, show: Any) -> list[str]:
        return [what, *(show(figures) for figures in all_figures)]

    def s3(figures: Figures) -> str:
        put, get = reckoning.requests(figures)
        return f"{large(put)} PUT, {large(get)} GET"

    def s3_price(figures: Figures) -> str:
        put, get = reckoning.requests(figures)
        requests = 30 * (put * assumed["s3_put"] + get * assumed["s3_get"]) / 1e6
        stored = reckoning.disk(figures) / 1e9 * assumed["s3_month"]
        return f"{number(requests)} + {number(stored)}"

    rows = [
        row(
            "URLs known, hosts, pages stored",
            lambda f: f"{large(f.crawl.urls)}, {large(f.crawl.hosts)}, {large(f.crawl.stored)}",
        ),
        row("rounds a day, pages a round", lambda f: f"{f.crawl.rounds_a_day:g}, {large(f.crawl.pages_a_round)}"),
        row("pages a second, all day", lambda f: number(f.crawl.pages_a_day / DAY)),
        row("from the web, Gbit/s, all day", lambda f: number(f.wire_bits / 1e9)),
        row("cores", lambda f: number(f.slots)),
        row("nodes by cores; by disks, with HDFS", lambda f: "; ".join(number(nodes) for nodes in reckoning.nodes(f))),
        row("tables, with the graph", lambda f: size(sum(f.tables.values()))),
        row("runs that gc still keeps", lambda f: size(f.old_runs)),
        row("bodies, outcomes, texts, links", lambda f: size(f.bodies)),
        row("read and written by jobs, a day", lambda f: f"{size(f.read)}, {size(f.written)}"),
        row(
            "inside the cluster, Gbit/s, all day",
            lambda f: number((f.read + f.written * assumed["replicas"]) * 8 / DAY / 1e9),
        ),
        row("files a day; files kept", lambda f: f"{large(f.files)}; {large(f.kept_files)}"),
        row(
            "NameNode objects, its heap",
            lambda f: f"{large(2 * f.kept_files)}, {number(2 * f.kept_files / assumed['objects_a_gib'])} GiB",
        ),
        row("memory of `trawl graph`, one process", lambda f: size(f.graph_bytes)),
        row("URLs of one partition of 4,065", lambda f: large(f.crawl.urls / 4_065)),
        row("S3 requests a day", s3),
        row("S3, $ a month: requests + storage", s3_price),
        row(
            "machines, $ a month, without disks",
            lambda f: number(reckoning.nodes(f)[0] * assumed["node_price"] * 24 * 30),
        ),
    ]
    return table(["", *(crawl.name for crawl in CRAWLS)], rows)


def _cpu(all_figures: list[Figures]) -> str:
    rows = []
    for step in all_figures[0].cpu:
        rows.append(
            [
                step,
                *(
                    f"{figures.cpu[step] / DAY:.3g} ({figures.cpu[step] / sum(figures.cpu.values()) * 100:.0f} %)"
                    for figures in all_figures
                ),
            ]
        )
    rows.append(["sum", *(f"{sum(figures.cpu.values()) / DAY:.3g}" for figures in all_figures)])
    return table(["cores at work, on average", *(crawl.name for crawl in CRAWLS)], rows)


def _hosts(reckoning: Reckoning) -> str:
    """How far a fetch has come when every host has been asked for so long."""
    pause = reckoning.assumed["delay"] + reckoning.assumed["response"]
    rows = [
        [f"{visits:,}", f"{visits * pause / 60:.3g} min", f"{pages_within(visits) * 100:.0f} %"]
        for visits in (1, 5, 10, 40, 100, 400, 1_000, 2_400, 5_000, MOST_PAGES)
    ]
    return table(["requests to each host that has so many pages", "after", "share of all pages"], rows)


def _simulated(reckoning: Reckoning) -> str:
    rows = [
        _simulated_row(crawl.name, record)
        for crawl in CRAWLS
        for record in sorted(
            reckoning.measured.notes.get(f"simulated {crawl.name}", []),
            key=lambda record: (record["failures"], -record["tasks"], -record["expiry"]),
        )
    ]
    head = [
        "rounds of",
        "slots, tasks of a job",
        "failures",
        "a node is gone after",
        "simulated",
        "every row in place",
        "at least, 95 % certain",
        "no job done again",
        "nodes, attempts lost per round",
        "wall: median, 95 %",
        "least possible",
    ]
    return table(head, rows)


def _simulated_row(crawl: str, record: Record) -> list[str]:
    count = record["rounds"]
    return [
        crawl,
        f"{record['nodes'] * record['slots']:,}, {record['tasks']:,}",
        f"× {record['failures']:g}",
        f"{record['expiry'] / 60:g} min",
        f"{count:,}",
        share(record["whole"], count),
        f"{at_least(record['whole'], count) * 100:.2f} %",
        share(record["whole_at_once"], count),
        f"{record['node_failures']:.2f}, {record['lost_attempts']:.2f}",
        f"{record['wall_median'] / 60:.0f}, {record['wall_95'] / 60:.0f} min",
        f"{record['least_wall'] / 60:.0f} min",
    ]


def share(some: int, count: int) -> str:
    """100 % is only what is all of them."""
    return "100 %" if some == count else f"{min(some / count * 100, 99.99):.2f} %"


def _compared(reckoning: Reckoning) -> str:
    rows = [
        [
            record["where"],
            ", ".join(f"{pages:,}" for pages in record["pages"]),
            f"{record['cores_left'][2]:.2f}",
            f"{record['job_start']:.1f}, {record['task_start']:.1f} s",
            ", ".join(f"{sum(walls.values()):.0f}" for walls in record["walls"]) + " s",
            f"{record['simulated_wall']:.0f} s",
            f"{record['ratio']:.2f}",
        ]
        for record in reckoning.measured.notes.get("cluster", [])
    ]
    head = [
        "round on",
        "pages: few, some, many",
        "cores that other work left",
        "start of a job, of a task",
        "measured",
        "many, simulated",
        "simulated to measured",
    ]
    return table(head, rows)


def judgement(record: dict[str, Any]) -> str:
    """A comparison for a terminal."""
    walls, cpu, tasks = (record[what][2] for what in ("walls", "cpu_seconds", "tasks"))
    verdict = "within" if abs(record["ratio"] - 1) <= 0.2 else "NOT within"
    lines = [
        f"{record['where']}: {record['pages'][2]:,} pages, {record['cores_left'][2]:.2f} cores left by other work",
        f"  {'step':<10}{'measured':>10}{'simulated':>11}{'CPU':>9}  jobs, each with maps + reduces",
        *(
            f"  {step:<10}{walls[step]:>8.1f} s{said:>9.1f} s{cpu[step]:>7.1f} s"
            f"  {', '.join(f'{maps} + {reduces}' for maps, reduces in tasks[step])}"
            for step, said in record["simulated"].items()
        ),
        f"  {'round':<10}{record['measured_wall']:>8.1f} s{record['simulated_wall']:>9.1f} s",
        f"  simulated to measured: {record['ratio']:.2f} ({verdict} 20 %)",
    ]
    return "\n".join(lines)
