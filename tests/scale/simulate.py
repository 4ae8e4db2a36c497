"""A model of rounds on a cluster: nodes with slots, bandwidth and failures. Equal seeds give equal rounds.

A round is a list of jobs; a job has up to two stages (map, reduce); a stage is over when its tasks are. A task takes
the time of its start, then its seconds of the processor and its bytes, longer on a slow node. What goes wrong:

- A node fails, alone or with its rack. Its attempts end; after `expiry` seconds the tasks run elsewhere, which is no
  fault of theirs. Finished maps of a job that still reduces are done again, and the reduces wait for them. A fetch goes
  on where its closed parts end.
- An attempt fails. After `attempts` of them the job fails, and the same command does it again, up to `commands` times.
- The node of the application master fails: the job begins anew, `masters` times at most; then it fails.
- Disks die for good. A block is lost where all its three replicas lie on disks that died before it was copied.

What is not modelled: the NameNode and the ResourceManager (assumed to have a standby), and what people do wrong.
"""

import bisect
import heapq
import math
import random
from dataclasses import dataclass, field, replace

YEAR = 365.0 * 86_400


@dataclass(frozen=True)
class Cluster:
    nodes: int = 1_000
    slots: int = 4  # tasks at once, per node
    cores: float = 4  # for tasks; with fewer cores than slots each task is slower
    speed: float = 1  # of a core, beside the one that the costs were measured on
    bandwidth: float = 125e6  # bytes per second and node, shared by its slots
    job_start: float = 15  # seconds from a driver's plan to the first container, and from the last task to the report
    task_start: float = 3  # seconds until a container works
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


@dataclass(frozen=True)
class Task:
    cpu: float = 0  # seconds
    bytes: float = 0  # read and written
    wait: float = 0  # seconds in which it needs neither, such as the delays of hosts
    rows: int = 0
    resumes: bool = False  # an attempt goes on where the last one was


@dataclass(frozen=True)
class Job:
    name: str
    maps: tuple[Task, ...]
    reduces: tuple[Task, ...] = ()


@dataclass
class Round:
    wall: float = 0
    by_job: dict[str, float] = field(default_factory=dict)
    rows: int = 0  # of tasks that ended well, each counted once
    node_failures: int = 0
    lost_attempts: int = 0
    jobs_again: int = 0
    is_whole: bool = True  # every row is in place at the end
    blocks_lost: bool = False


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

    def began_within(self, begin: float, end: float) -> int:
        return sum(begin <= at < end for spans in self.away.values() for at, _ in spans)


def _moments(a_year: float, horizon: float, chance: random.Random) -> list[float]:
    moments, now = [], 0.0
    while a_year > 0 and (now := now + chance.expovariate(a_year / YEAR)) < horizon:
        moments.append(now)
    return moments


class JobFailed(Exception):
    def __init__(self, at: float):
        super().__init__()
        self.at = at


class Simulation:
    def __init__(self, cluster: Cluster, seed: int):
        self.cluster = cluster
        self.chance = random.Random(seed)
        self.round = Round()
        self.failures: Failures
        self.slow: list[float] = []

    def run(self, jobs: list[Job]) -> Round:
        cluster, self.round = self.cluster, Round()
        # Failures far beyond any likely end of the round.
        least = sum(self._least(job) for job in jobs)
        self.failures = Failures(cluster, 5 * least + 86_400, self.chance)
        self.slow = [
            cluster.slow_factor if self.chance.random() < cluster.slow_nodes else 1.0 for _ in range(cluster.nodes)
        ]
        now = 0.0
        for job in jobs:
            begin = now
            for _ in range(cluster.commands):
                try:
                    now = self._run_job(job, now)
                    break
                except JobFailed as failed:
                    now = failed.at
                    self.round.jobs_again += 1
            else:
                self.round.is_whole = False
                break
            self.round.rows += sum(task.rows for task in job.maps + job.reduces)
            self.round.by_job[job.name] = self.round.by_job.get(job.name, 0) + now - begin
        self.round.wall = now
        self.round.node_failures = self.failures.began_within(0, now)
        self.round.blocks_lost = self._loses_blocks(now)
        self.round.is_whole = self.round.is_whole and not self.round.blocks_lost
        return self.round

    def _least(self, job: Job) -> float:
        slots = self.cluster.nodes * self.cluster.slots
        longest = max((self._seconds(task, 0, noisy=False) for task in job.maps + job.reduces), default=0)
        work = sum(self._seconds(task, 0, noisy=False) for task in job.maps + job.reduces)
        return 2 * self.cluster.job_start + 2 * longest + work / slots

    def _seconds(self, task: Task, node: int, noisy: bool = True) -> float:
        cluster = self.cluster
        share = min(1.0, cluster.cores / cluster.slots) * cluster.speed
        seconds = task.cpu / share + task.bytes * cluster.slots / cluster.bandwidth
        if noisy:
            seconds *= self.slow[node] * (self.chance.lognormvariate(0, cluster.spread) if cluster.spread else 1)
        return cluster.task_start + task.wait + seconds

    def _run_job(self, job: Job, begin: float) -> float:
        """Returns when it is over. Raises JobFailed."""
        now = begin + self.cluster.job_start
        for _ in range(self.cluster.masters):
            node = self.chance.randrange(self.cluster.nodes)
            end = self._run_stages(job, now)
            gone = self.failures.next_of(node, now, end)
            if gone == math.inf:
                return end
            now = gone + self.cluster.expiry + self.cluster.job_start  # the master of the next attempt
        raise JobFailed(now)

    def _run_stages(self, job: Job, begin: float) -> float:
        slots = [
            (self.failures.back_at(node, begin), node, slot)
            for slot in range(self.cluster.slots)
            for node in range(self.cluster.nodes)
        ]
        heapq.heapify(slots)
        ran_on: dict[int, int] = {}
        end = self._run_tasks(job.maps, begin, slots, ran_on)
        if not job.reduces:
            return end
        slots = [(max(free, end), node, slot) for free, node, slot in slots]
        heapq.heapify(slots)
        reduced = self._run_tasks(job.reduces, end, slots, {})
        return self._maps_again(job, ran_on, end, reduced, slots)

    def _maps_again(
        self, job: Job, ran_on: dict[int, int], begin: float, end: float, slots: list[tuple[float, int, int]]
    ) -> float:
        """The end of a job whose reduces may have lost outputs of maps."""
        lost = {node: at for node in self.failures.away if (at := self.failures.next_of(node, begin, end)) < math.inf}
        again = [job.maps[number] for number, node in ran_on.items() if node in lost]
        if not again:
            return end
        noticed = max(lost.values()) + self.cluster.expiry
        return max(end, self._run_tasks(tuple(again), noticed, slots, {}) + self.cluster.task_start)

    def _run_tasks(
        self, tasks: tuple[Task, ...], begin: float, slots: list[tuple[float, int, int]], ran_on: dict[int, int]
    ) -> float:
        """Gives the longest task that waits to the slot that is free first. Returns when all are done."""
        cluster, chance = self.cluster, self.chance
        waiting = sorted(range(len(tasks)), key=lambda number: self._seconds(tasks[number], 0, noisy=False))
        later: list[tuple[float, int]] = []  # tasks that may run from a time on
        failed: dict[int, int] = {}
        part_done: dict[int, float] = {}
        end = begin
        while waiting or later:
            free, node, slot = heapq.heappop(slots)
            free = max(free, begin)
            if waiting and not (later and later[0][0] <= free):
                number = waiting.pop()
            else:
                ready, number = heapq.heappop(later)
                free = max(free, ready)
            start = self.failures.back_at(node, free)
            if start > free:  # the node is away: somebody else takes the task
                heapq.heappush(later, (free, number))
                heapq.heappush(slots, (start, node, slot))
                continue
            task = tasks[number]
            seconds = self._seconds(task, node) * (1 - part_done.get(number, 0))
            gone = self.failures.next_of(node, start, start + seconds)
            if gone < math.inf:
                self.round.lost_attempts += 1
                if task.resumes:
                    done = part_done.get(number, 0)
                    part_done[number] = done + (1 - done) * max(gone - start - cluster.lease, 0) / seconds
                heapq.heappush(later, (gone + cluster.expiry + (cluster.lease if task.resumes else 0), number))
                heapq.heappush(slots, (self.failures.back_at(node, gone), node, slot))
            elif chance.random() < cluster.attempt_failures:
                failed[number] = failed.get(number, 0) + 1
                at = start + seconds * chance.random()
                if failed[number] >= cluster.attempts:
                    raise JobFailed(at)
                heapq.heappush(later, (at, number))
                heapq.heappush(slots, (at, node, slot))
            else:
                ran_on[number] = node
                end = max(end, start + seconds)
                heapq.heappush(slots, (start + seconds, node, slot))
        return end

    def _loses_blocks(self, end: float) -> bool:
        """Whether three disks with a common block died within the time of copying."""
        cluster = self.cluster
        disks = [at for at in self.failures.disks if at < end]
        all_disks = max(cluster.nodes * cluster.disks, 3)
        for first in range(len(disks) - 2):
            if disks[first + 2] - disks[first] < cluster.copy_seconds:
                common = cluster.disk_blocks * 2 / ((all_disks - 1) * (all_disks - 2))
                if self.chance.random() < common:
                    return True
        return False


def least_wall(cluster: Cluster, jobs: list[Job]) -> float:
    """No round is shorter: the work over all slots, and the longest task of each stage."""
    wall = 0.0
    simulation = Simulation(replace(cluster, spread=0), 0)
    for job in jobs:
        wall += cluster.job_start
        for stage in (job.maps, job.reduces):
            seconds = [simulation._seconds(task, 0, noisy=False) for task in stage]
            if seconds:
                wall += max(max(seconds), sum(seconds) / (cluster.nodes * cluster.slots))
    return wall


def rounds(cluster: Cluster, jobs: list[Job], count: int, seed: int) -> list[Round]:
    return [Simulation(cluster, seed * 1_000_003 + number).run(jobs) for number in range(count)]
