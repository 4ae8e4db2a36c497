"""What the simulator is told of a cluster and of a round, and when what fails."""

import bisect
import math
import random
from dataclasses import dataclass, replace

YEAR = 365.0 * 86_400


@dataclass(frozen=True)
class Cluster:
    nodes: int = 1_000
    slots: int = 4  # tasks at once, per node
    cores: float = 4  # for tasks; with fewer cores than slots each task is slower
    shared_cores: float = 0  # where all nodes are processes of one machine: its cores, for all tasks
    speed: float = 1  # of a core, beside the one that the costs were measured on
    bandwidth: float = 125e6  # bytes per second and node, shared by its slots
    job_start: float = 15  # seconds from a driver's plan to the first container, and from the last task to the report
    task_start: float = 3  # seconds until a container works
    task_cpu: float = 0  # seconds of the processor that starting it takes beside these
    failures_a_year: float = 2  # of a node
    rack: int = 40  # nodes
    rack_failures_a_year: float = 0.4
    repair: float = 1_800  # seconds until a failed node is back
    expiry: float = 600  # seconds until the cluster believes that a node is gone
    attempt_failures: float = 1e-4
    attempts: int = 3
    masters: int = 2
    commands: int = 3
    slow_nodes: float = 0.01  # share of nodes, and how slow they are
    slow_factor: float = 3
    spread: float = 0.15  # sigma of the logarithm of a task's time
    disks: int = 12
    disk_failures_a_year: float = 0.015
    disk_blocks: int = 60_000
    copy_seconds: float = 1_800  # until the blocks of a dead disk have three replicas again
    lease: float = 60  # of a fetch

    def failing(self, times: float) -> "Cluster":
        """All that fails, fails so many times as often."""
        rates = ("failures_a_year", "rack_failures_a_year", "disk_failures_a_year", "attempt_failures")
        return replace(self, **{rate: getattr(self, rate) * times for rate in rates})


@dataclass(frozen=True)
class Task:
    cpu: float = 0  # seconds
    beside: float = 0  # seconds that daemons of a shared machine work for it on other cores meanwhile
    bytes: float = 0  # read and written
    wait: float = 0  # seconds in which it needs neither, such as the delays of hosts
    rows: int = 0
    resumes: bool = False  # an attempt goes on where the last one was


@dataclass(frozen=True)
class Job:
    name: str
    maps: tuple[Task, ...]
    reduces: tuple[Task, ...] = ()


class Failures:
    """When which node is away, and which disks die, within some time."""

    def __init__(self, cluster: Cluster, horizon: float, chance: random.Random):
        self.away: dict[int, list[tuple[float, float]]] = {}
        for at in _moments(cluster.nodes * cluster.failures_a_year, horizon, chance):
            self._add(chance.randrange(cluster.nodes), at, at + cluster.repair)
        racks = math.ceil(cluster.nodes / cluster.rack)
        for at in _moments(racks * cluster.rack_failures_a_year, horizon, chance):
            first = chance.randrange(racks) * cluster.rack
            for node in range(first, min(first + cluster.rack, cluster.nodes)):
                self._add(node, at, at + cluster.repair)
        for spans in self.away.values():
            spans.sort()
        self.spans = sorted(span for spans in self.away.values() for span in spans)
        self.disks = sorted(_moments(cluster.nodes * cluster.disks * cluster.disk_failures_a_year, horizon, chance))

    def _add(self, node: int, begin: float, end: float) -> None:
        self.away.setdefault(node, []).append((begin, end))

    def next_of(self, node: int, begin: float, end: float) -> float:
        """When the node goes within this time; infinity where it does not."""
        spans = self.away.get(node)
        if not spans:
            return math.inf
        at = bisect.bisect_left(spans, (begin, 0.0))
        return spans[at][0] if at < len(spans) and spans[at][0] < end else math.inf

    def back_at(self, node: int, now: float) -> float:
        """The first time from now on at which the node is there."""
        for begin, end in self.away.get(node, ()):
            if begin <= now < end:
                now = end
        return now

    def away_at(self, now: float) -> set[int]:
        return {node for node, spans in self.away.items() if any(gone <= now < back for gone, back in spans)}

    def any_goes(self, begin: float, end: float) -> bool:
        return any(begin <= gone < end for gone, _ in self.spans)

    def began_within(self, begin: float, end: float) -> int:
        return sum(begin <= at < end for spans in self.away.values() for at, _ in spans)


def _moments(a_year: float, horizon: float, chance: random.Random) -> list[float]:
    moments, now = [], 0.0
    while a_year > 0 and (now := now + chance.expovariate(a_year / YEAR)) < horizon:
        moments.append(now)
    return moments
