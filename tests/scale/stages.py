"""What the tasks of a stage take where nothing goes wrong: reckoned once for all rounds."""

import math
from dataclasses import dataclass
from statistics import NormalDist

from scale.cluster import Cluster, Job, Task

NOISES = 10_000  # different noises of a task's time


@dataclass(frozen=True)
class Stage:
    tasks: tuple[Task, ...]
    fixed: tuple[float, ...]  # seconds that no slow node changes
    work: tuple[float, ...]
    order: tuple[int, ...]  # the longest is the last
    rows: int
    least: float  # seconds over all slots
    is_even: bool  # all take the same

    @property
    def resumes(self) -> bool:
        return bool(self.tasks) and self.tasks[0].resumes


def stage_of(cluster: Cluster, tasks: tuple[Task, ...]) -> Stage:
    at_once = min(len(tasks), cluster.nodes * cluster.slots)

    def on_cores(own: float, beside: float) -> float:
        if cluster.shared_cores:
            return max(own, (own + beside) * at_once / cluster.shared_cores) / cluster.speed
        return own / min(1.0, cluster.cores / cluster.slots) / cluster.speed

    fixed = tuple(cluster.task_start + task.wait for task in tasks)
    work = tuple(
        on_cores(task.cpu + cluster.task_cpu, task.beside) + task.bytes * cluster.slots / cluster.bandwidth
        for task in tasks
    )
    seconds = [start + rest for start, rest in zip(fixed, work)]
    return Stage(
        tasks=tasks,
        fixed=fixed,
        work=work,
        order=tuple(sorted(range(len(tasks)), key=seconds.__getitem__)),
        rows=sum(task.rows for task in tasks),
        least=max(max(seconds, default=0), sum(seconds) / (cluster.nodes * cluster.slots)),
        is_even=len(set(zip(fixed, work))) <= 1,
    )


class Stages:
    """The stages of some jobs on a cluster. It keeps their tasks, so that no other tasks have their ids."""

    def __init__(self, cluster: Cluster):
        self.cluster = cluster
        self.known: dict[int, Stage] = {}
        law = NormalDist(0, cluster.spread) if cluster.spread else None
        self.noise = [math.exp(law.inv_cdf((step + 0.5) / NOISES)) for step in range(NOISES)] if law else [1.0]

    def __getitem__(self, tasks: tuple[Task, ...]) -> Stage:
        if id(tasks) not in self.known:
            self.known[id(tasks)] = stage_of(self.cluster, tasks)
        return self.known[id(tasks)]

    def least_wall(self, jobs: list[Job]) -> float:
        """No round is shorter: the work over all slots, and the longest task of each stage."""
        return sum(self.cluster.job_start + self[job.maps].least + self[job.reduces].least for job in jobs)
