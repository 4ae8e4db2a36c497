"""What the way from map to reduce tasks costs: processor time of Java and of the tasks, and bytes, for each record.

Two sizes of one job are run, and the difference counts, so that starts drop out. With SOAK_BEFORE, another trawl, that one runs
beside, job by job, and the ratio of the two is printed.
"""

import gzip
import os
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Optional

from pseudo import processes
from tests.client import command_line
from tests.driver import Driver

from streaming_checks.costs import as_list, ask
from streaming_checks.soak import QUICK, Soak

FEW, MANY = (50_000, 200_000) if QUICK else (2_000_000, 10_000_000)
BEFORE = os.environ.get("SOAK_BEFORE", "")
TICKS = os.sysconf("SC_CLK_TCK")
# A compressed file is one map task, whatever its size: both sizes start the same number of them.
MAPS = 4
# At each of its reports, every three seconds by default, a task's Java reads all of /proc: that cost is one of time, not of records.
FEW_REPORTS = ("--streaming.define", "mapreduce.task.progress-report.interval=60000")


@dataclass
class Cost:
    records: float = 0
    wall: float = 0  # seconds, and so are these three
    java: float = 0
    map_task: float = 0
    reduce_task: float = 0
    sent_bytes: float = 0  # by map tasks to Hadoop
    carried_bytes: float = 0  # by Hadoop to reduce tasks

    def less(self, other: "Cost") -> "Cost":
        return Cost(**{name: getattr(self, name) - getattr(other, name) for name in vars(self)})

    def line(self) -> str:
        def us(seconds: float) -> str:
            return f"{seconds / self.records * 1e6:.2f} us"
        tasks = self.map_task + self.reduce_task
        return (f"{us(self.java)} of Java, {us(self.map_task)} of map and {us(self.reduce_task)} of reduce tasks a record (Java's share "
                f"{self.java / (self.java + tasks):.0%}); {self.sent_bytes / self.records:.1f} bytes a record to Hadoop, "
                f"{self.carried_bytes / self.records:.1f} carried; {self.wall:.0f} s")


class ProcessorTime:
    """Of everything that the NodeManager starts: all of it, and the tasks' own processes by kind."""

    def __init__(self, soak: Soak):
        self.node = soak.client.daemons()["nodemanager"]
        self.folder = soak.client.cluster.folder / "yarn/local"
        self.seen: dict[processes.ProcessId, tuple[str, float]] = {}
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "ProcessorTime":
        self.before = waited_for(self.node.pid)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        # A container is waited for shortly after its job is over.
        time.sleep(10)
        self.ends.set()
        self.thread.join()
        self.all = waited_for(self.node.pid) - self.before

    def of(self, kind: str) -> float:
        return sum(seconds for of, seconds in self.seen.values() if of == kind)

    def _watch(self) -> None:
        while not self.ends.wait(0.2):
            for process in processes.working_below(self.folder):
                line = command_line(process.pid)
                kind = next((kind for kind in ("map", "reduce") if b"bin/trawl\0task\0" + kind.encode() in line), "")
                if kind and (seconds := own(process.pid)):
                    self.seen[process] = (kind, seconds)


def own(pid: int) -> float:
    return sum(_times(pid)[:2])


def waited_for(pid: int) -> float:
    return sum(_times(pid)[2:])


def _times(pid: int) -> list[float]:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return [0, 0, 0, 0]
    return [int(field) / TICKS for field in fields[11:15]]


def measured(soak: Soak, driver: Driver, name: str, seeds: list[Path], count: int, options: tuple[str, ...]) -> Cost:
    root = driver.hdfs(name)
    began = time.monotonic()
    with ProcessorTime(soak) as used:
        driver.run("inject", root, *seeds, "--partitions", "2", *FEW_REPORTS, *options)
        wall = time.monotonic() - began
    tasks = used.of("map"), used.of("reduce")
    counters = counters_of(soak, driver.application_of(root)["id"])
    cost = Cost(count, wall, used.all - sum(tasks), *tasks, counters["MAP_OUTPUT_BYTES"], counters["REDUCE_SHUFFLE_BYTES"])
    print(f"     {name}: {count:,} records in {counters['MAP_OUTPUT_RECORDS']:,} frames, {cost.line()}", flush=True)
    return cost


def counters_of(soak: Soak, application: str) -> dict[str, int]:
    job = application.replace("application", "job")
    url = f"http://127.0.0.1:{soak.client.ports()['historyserver_http']}/ws/v1/history/mapreduce/jobs/{job}/counters"
    for patience in range(60):
        try:
            groups = as_list(ask(url)["jobCounters"]["counterGroup"])
            return {each["name"]: each["totalCounterValue"] for group in groups for each in as_list(group["counter"])}
        except OSError:
            time.sleep(1)
    raise AssertionError(f"the history server knows nothing of {job}")


def a_record_costs_java_little(soak: Soak) -> None:
    seeds = {count: compressed_seeds(soak.folder / f"seeds-{count}", count) for count in (FEW, MANY)}
    before = other_driver(soak)
    sides = ([("before", before, ())] if before else []) + [
        (f"blocks-{size}", soak.driver, ("--streaming.block_size", size)) for size in os.environ.get("SOAK_BLOCKS", "256KiB").split()]
    costs = {(name, count): measured(soak, driver, f"{name}-{count}", seeds[count], count, options)
             for count in seeds for name, driver, options in sides}
    differences = {name: costs[name, MANY].less(costs[name, FEW]) for name, _, _ in sides}
    for name, cost in differences.items():
        print(f"a record through the shuffle, {name}: {cost.line()}")
        assert costs[name, MANY].java > 0
    if before:
        for name, cost in differences.items():
            if name != "before":
                print(f"ratio Java's time a record, before against {name}: {differences['before'].java / cost.java:.1f} (target >= 5)")
    digests = [driver.digests(driver.hdfs(f"{name}-{FEW}")) for name, driver, _ in sides]
    assert all(each == digests[0] for each in digests), digests


def compressed_seeds(path: Path, count: int) -> list[Path]:
    """Writes files of the same size, each with pages of all hosts in it."""
    files = [path.with_suffix(f".{number}.gz") for number in range(MAPS)]
    for number, name in enumerate(files):
        with gzip.open(name, "wt", compresslevel=1) as file:
            for page in range(number, count, MAPS):
                file.write(f"https://host{page % 997}.example/page/{page}?b=2&a=1\n")
    return files


def other_driver(soak: Soak) -> Optional[Driver]:
    if not BEFORE:
        return None
    driver = Driver(soak.client, soak.folder)
    driver.binary = Path(BEFORE)
    driver.bundle = soak.folder / "before.tar.gz"
    driver.prepare()
    return driver


CHECKS = [a_record_costs_java_little]
