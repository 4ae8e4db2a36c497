"""Times a round on a real cluster of one node, and lets the simulator say how long it should have taken.

The simulator learns the cost of starting jobs and tasks from a round of few pages, and the seconds per page from a
round of the same pages on threads of this machine. What it must say by itself is the wall of a round of many
pages. A probe measures which part of a processor a process gets at the time: other work may have the machine.
"""

import os
import statistics
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable, Optional

from scale.cluster import Cluster, Job, Task
from scale.jobs import Crawl
from scale.measure import Failure
from scale.pages import FETCH
from scale.simulate import Simulation
from scale.web import Web

REPOSITORY = Path(__file__).resolve().parent.parent.parent
STEPS = ("generate", "fetch", "parse", "updatedb", "settle")
WITH_REDUCES = ("generate", "updatedb", "settle")
SLOTS = 2
# Nothing that is only slow is to be taken for dead: other work may have the machine.
PATIENT = ("--set", "yarn.am.liveness-monitor.expiry-interval-ms=300000", "--set", "mapreduce.task.timeout=300000")


class Probe:
    """Which share of a processor a process got while it ran."""

    def __init__(self) -> None:
        self.shares: list[float] = []
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.stop.wait(1):
            begin, cpu = time.monotonic(), time.thread_time()
            while time.thread_time() - cpu < 0.05:
                pass
            self.shares.append(min((time.thread_time() - cpu) / (time.monotonic() - begin), 1))

    def end(self) -> float:
        self.stop.set()
        self.thread.join()
        return statistics.harmonic_mean(self.shares) if self.shares else 1.0


def steps_of(pages: int, seeds: Path, hosts: Path, lists: int) -> list[tuple[str, list[Any]]]:
    return [
        ("inject", [seeds]),
        ("generate", ["--top_n", pages, "--time_limit", "12h", "--fetch.delay_ms", 0, "--fetchers", lists]),
        ("fetch", [*FETCH, hosts]),
        ("parse", []),
        ("updatedb", []),
        ("settle", []),
    ]


def simulated(walls_of_few: dict[str, float], cpu: dict[str, float], share: float) -> dict[str, float]:
    """Seconds by step: its starts as the small round had them, and the work that many pages add, by the model."""
    cluster = Cluster(
        nodes=1,
        slots=SLOTS,
        cores=SLOTS,
        job_start=0,
        task_start=0,
        failures_a_year=0,
        rack_failures_a_year=0,
        attempt_failures=0,
        slow_nodes=0,
        spread=0,
        disk_failures_a_year=0,
        speed=share,
    )
    walls = {}
    for step in STEPS:
        tasks = tuple(Task(cpu=cpu[step] / SLOTS / (2 if step in WITH_REDUCES else 1), rows=1) for _ in range(SLOTS))
        job = Job(step, tasks, tasks if step in WITH_REDUCES else ())
        walls[step] = walls_of_few[step] + Simulation(cluster, 1).run([job]).wall
    return walls


def compare(
    build: Path,
    folder: Path,
    few: int,
    many: int,
    size: int,
    runners: list[str],
    report: Callable[[dict[str, Any]], None],
) -> None:
    web = Web(max(many // 20, 1), None, size)
    try:
        web.write_hosts(folder / "hosts")
        seeds = {pages: folder / f"seeds{pages}.txt" for pages in (few, many)}
        for pages, path in seeds.items():
            web.write_seeds(path, pages)
        cpu = _on_threads(build, folder, seeds, report if "local" in runners else None)
        if "streaming" in runners:
            _on_cluster(build, folder, seeds, cpu, report)
    finally:
        web.end()


Costs = dict[int, dict[str, float]]


def _on_threads(
    build: Path, folder: Path, seeds: dict[int, Path], report: Optional[Callable[[dict[str, Any]], None]]
) -> Costs:
    cpu: Costs = {}
    walls: Costs = {}
    share = 1.0
    for pages, path in seeds.items():
        crawl, probe = Crawl(build, folder / f"local{pages}"), Probe()
        costs = {
            verb: crawl.trawl(verb, *arguments) for verb, arguments in steps_of(pages, path, folder / "hosts", SLOTS)
        }
        share = probe.end()
        cpu[pages] = {verb: cost.cpu_seconds for verb, cost in costs.items()}
        walls[pages] = {verb: cost.wall_seconds for verb, cost in costs.items()}
    if report:
        _judge("threads of this machine", walls, cpu, share, report)
    return cpu


def _on_cluster(
    build: Path, folder: Path, seeds: dict[int, Path], cpu: Costs, report: Callable[[dict[str, Any]], None]
) -> None:
    sys.path.insert(0, str(REPOSITORY / "cluster"))
    from tests.driver import Driver  # type: ignore[import-not-found]

    from tests import client as cluster_client  # type: ignore[import-not-found]

    os.environ["TRAWL_BINARY"] = str(build / "trawl")
    client = cluster_client.Client(folder)
    walls: Costs = {}
    share = 1.0
    try:
        client.up("--only", "yarn", *PATIENT)
        client.source_environment()
        driver = Driver(client, folder)
        driver.prepare()
        for pages, path in seeds.items():
            probe, walls[pages] = Probe(), {}
            for verb, arguments in steps_of(pages, path, Path("hosts"), SLOTS):
                shipped = ["--streaming.files", folder / "hosts"] if verb == "fetch" else []
                begin = time.monotonic()
                driver.run(verb, driver.hdfs(f"crawl{pages}"), *arguments, *shipped, folder=folder)
                walls[pages][verb] = time.monotonic() - begin
            share = probe.end()
        _judge("the test cluster", walls, cpu, share, report)
    except AssertionError as error:
        raise Failure(str(error)) from None
    finally:
        if (client.cluster.folder / "run").exists():
            client.down("--delete")


def _judge(where: str, walls: Costs, cpu: Costs, share: float, report: Callable[[dict[str, Any]], None]) -> None:
    few, many = walls
    said = simulated(walls[few], {step: max(cpu[many][step] - cpu[few][step], 0) for step in STEPS}, share)
    measured = sum(walls[many][step] for step in STEPS)

    def rounded(values: dict[str, float]) -> dict[str, float]:
        return {step: round(values[step], 2) for step in STEPS}

    report(
        {
            "where": where,
            "few": few,
            "pages": many,
            "walls_of_few": rounded(walls[few]),
            "walls": rounded(walls[many]),
            "cpu_seconds": rounded(cpu[many]),
            "share_of_a_processor": round(share, 3),
            "simulated": rounded(said),
            "measured_wall": round(measured, 1),
            "simulated_wall": round(sum(said.values()), 1),
            "ratio": round(sum(said.values()) / measured, 3),
        }
    )
