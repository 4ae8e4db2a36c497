"""A model of rounds on a cluster: nodes with slots, bandwidth and failures. Equal seeds give equal rounds.

A round is a list of jobs; a job has up to two stages (map, reduce); a stage is over when its tasks are. A task takes
the time of its start, then its seconds of the processor and its bytes, longer on a slow node. What goes wrong:

- A node fails, alone or with its rack. Its attempts end; after `expiry` seconds the tasks run elsewhere, which is no
  fault of theirs. Finished maps of a job that still reduces are done again, and the reduces wait for them.
- An attempt fails. After `attempts` of them the job fails, and the same command does it again, up to `commands` times.
  A fetch goes on where its closed parts end, once its lease is over, whatever ended it.
- The node of the application master fails: the job begins anew, `masters` times at most; then it fails.
- Disks die for good. A block is lost where all its three replicas lie on disks that died before it was copied.

What is not modelled: the NameNode and the ResourceManager (assumed to have a standby), and what people do wrong.
"""

import heapq
import math
import random
from dataclasses import dataclass, field
from typing import Callable, Optional

from scale.cluster import Cluster, Failures, Job
from scale.stages import Stage, Stages, stage_of


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


Places = Callable[[], dict[int, int]]  # the node on which each task ended well


class JobFailed(Exception):
    def __init__(self, at: float):
        super().__init__()
        self.at = at


class Simulation:
    def __init__(self, cluster: Cluster, seed: int, stages: Optional[Stages] = None):
        self.cluster = cluster
        self.chance = random.Random(seed)
        self.stages = stages or Stages(cluster)
        self.round = Round()
        self.failures: Failures
        self.slow: list[float] = []
        self.slow_ones: set[int] = set()

    def run(self, jobs: list[Job]) -> Round:
        cluster, self.round = self.cluster, Round()
        # Failures far beyond any likely end of the round.
        self.failures = Failures(cluster, 10 * self.stages.least_wall(jobs) + 86_400, self.chance)
        self.slow = [
            cluster.slow_factor if self.chance.random() < cluster.slow_nodes else 1.0 for _ in range(cluster.nodes)
        ]
        self.slow_ones = {node for node, factor in enumerate(self.slow) if factor != 1.0}
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
            self.round.rows += self.stages[job.maps].rows + self.stages[job.reduces].rows
            self.round.by_job[job.name] = self.round.by_job.get(job.name, 0) + now - begin
        self.round.wall = now
        self.round.node_failures = self.failures.began_within(0, now)
        self.round.blocks_lost = self._loses_blocks(now)
        self.round.is_whole = self.round.is_whole and not self.round.blocks_lost
        return self.round

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
        end, ran_on = self._run_stage(self.stages[job.maps], begin)
        if not job.reduces:
            return end
        reduced, _ = self._run_stage(self.stages[job.reduces], end)
        return self._maps_again(job, ran_on, end, reduced)

    def _maps_again(self, job: Job, ran_on: Places, begin: float, end: float) -> float:
        """The end of a job whose reduces may have lost outputs of maps."""
        if not self.failures.any_goes(begin, end):
            return end
        lost = {node: at for node in self.failures.away if (at := self.failures.next_of(node, begin, end)) < math.inf}
        again = tuple(job.maps[number] for number, node in ran_on().items() if node in lost)
        if not again:
            return end
        noticed = max(lost.values()) + self.cluster.expiry
        done, _ = self._run_stage(stage_of(self.cluster, again), noticed)
        return max(end, done + self.cluster.task_start)

    def _run_stage(self, stage: Stage, begin: float) -> tuple[float, Places]:
        """Returns when all tasks are done, and how to learn on which nodes."""
        if stage.is_even and stage.tasks:
            away = self.failures.away_at(begin)
            nodes = [node for node in range(self.cluster.nodes) if node not in away]
            if len(stage.tasks) <= len(nodes) * self.cluster.slots:
                end = self._run_at_once(stage, begin, nodes)
                if not self.failures.any_goes(begin, end):
                    slots = (node for node in nodes for _ in range(self.cluster.slots))
                    return end, lambda: dict(zip(stage.order, slots))
        ran_on: dict[int, int] = {}
        return self._run_on_slots(stage, begin, ran_on), lambda: ran_on

    # -- where each task has a slot at once, and no node goes meanwhile: what is drawn is the slowest of all

    def _run_at_once(self, stage: Stage, begin: float, nodes: list[int]) -> float:
        failing = self._failing(len(stage.tasks))
        factors = [self.slow[nodes[place // self.cluster.slots]] for place in failing]
        end = max((self._run_failing(stage, factor, begin) for factor in factors), default=begin)
        whole, rest = divmod(len(stage.tasks), self.cluster.slots)
        slow = sum(self.cluster.slots for node in nodes[:whole] if node in self.slow_ones)
        slow += rest if rest and nodes[whole] in self.slow_ones else 0
        slow -= sum(factor != 1.0 for factor in factors)
        for factor, count in ((1.0, len(stage.tasks) - len(failing) - slow), (self.cluster.slow_factor, slow)):
            if count:
                slowest = self._noise(self.chance.random() ** (1 / count))
                end = max(end, begin + stage.fixed[0] + stage.work[0] * factor * slowest)
        return end

    def _noise(self, chance: float) -> float:
        return self.stages.noise[int(chance * len(self.stages.noise))]

    def _failing(self, count: int) -> list[int]:
        """Which of so many first attempts fail."""
        rate, places, place = self.cluster.attempt_failures, [], -1
        while rate > 0:
            place += 1 + (int(math.log(1 - self.chance.random()) / math.log1p(-rate)) if rate < 1 else 0)
            if place >= count:
                break
            places.append(place)
        return places

    def _run_failing(self, stage: Stage, factor: float, begin: float) -> float:
        """The end of a task whose first attempt fails. Raises JobFailed."""
        cluster, draw = self.cluster, self.chance.random
        done, now, failures = 0.0, begin, 0
        while True:
            seconds = (stage.fixed[0] + stage.work[0] * factor * self._noise(draw())) * (1 - done)
            if failures and draw() >= cluster.attempt_failures:
                return now + seconds
            ran = seconds * draw()
            now, failures = now + ran, failures + 1
            if failures >= cluster.attempts:
                raise JobFailed(now)
            if stage.resumes:
                done += (1 - done) * max(ran - cluster.lease, 0) / seconds
                now += cluster.lease

    # -- task by task

    def _run_on_slots(self, stage: Stage, begin: float, ran_on: dict[int, int]) -> float:
        """Gives the longest task that waits to the slot that is free first."""
        cluster, failures, slow = self.cluster, self.failures, self.slow
        draw, noise = self.chance.random, self.stages.noise
        slots = [
            (failures.back_at(node, begin) if node in failures.away else begin, node, slot)
            for node in range(cluster.nodes)
            for slot in range(cluster.slots)
        ]
        heapq.heapify(slots)
        waiting = list(stage.order)
        later: list[tuple[float, int]] = []  # tasks that may run from a time on
        failed: dict[int, int] = {}
        part_done: dict[int, float] = {}
        end = begin
        while waiting or later:
            free, node, slot = slots[0]
            if waiting and not (later and later[0][0] <= free):
                number = waiting.pop()
            else:
                ready, number = heapq.heappop(later)
                free = max(free, ready)
            fails = node in failures.away
            start = failures.back_at(node, free) if fails else free
            if start > free:  # the node is away: somebody else takes the task
                heapq.heappush(later, (free, number))
                heapq.heapreplace(slots, (start, node, slot))
                continue
            seconds = stage.fixed[number] + stage.work[number] * slow[node] * noise[int(draw() * len(noise))]
            if number in part_done:
                seconds *= 1 - part_done[number]
            gone = failures.next_of(node, start, start + seconds) if fails else math.inf
            fault = math.inf if gone < math.inf or draw() >= cluster.attempt_failures else start + seconds * draw()
            stopped = min(gone, fault)
            if stopped == math.inf:
                ran_on[number] = node
                if start + seconds > end:
                    end = start + seconds
                heapq.heapreplace(slots, (start + seconds, node, slot))
                continue
            ready = stopped
            if stage.tasks[number].resumes:
                done = part_done.get(number, 0)
                part_done[number] = done + (1 - done) * max(stopped - start - cluster.lease, 0) / seconds
                ready += cluster.lease
            if gone < math.inf:
                self.round.lost_attempts += 1
                ready += cluster.expiry
            else:
                failed[number] = failed.get(number, 0) + 1
                if failed[number] >= cluster.attempts:
                    raise JobFailed(stopped)
            heapq.heappush(later, (ready, number))
            heapq.heapreplace(slots, (failures.back_at(node, stopped), node, slot))
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
    return Stages(cluster).least_wall(jobs)


def rounds(cluster: Cluster, jobs: list[Job], count: int, seed: int, first: int = 0) -> list[Round]:
    """`count` rounds from number `first` on: a number always gives the same round."""
    stages = Stages(cluster)
    return [
        Simulation(cluster, seed * 1_000_003 + number, stages).run(jobs) for number in range(first, first + count)
    ]
