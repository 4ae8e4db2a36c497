"""What the simulator is told of a cluster on this machine, by rounds of few and of some pages; what it says of many.

- From the round of few pages, whose stages have one task each and whose pages cost next to nothing: the seconds of a
  job and of a task, and the seconds of the processor that a task's container takes, by least squares over the steps.
  What a step took beyond these (as for connections) is its own, and taken to be the same in every round.
- From the round of some pages: the seconds of the processor per page of each step. Those of the cluster's daemons and
  of the web that is asked may go by while a task works, where a core is left. What starting takes is not of the pages.
- Of the round of many pages: into how many tasks its jobs were cut, and how many cores other work left. Not its times.

The nodes are processes of one machine: their containers share its cores (`Cluster.shared_cores`), also while they
start. Cores that other work left are what it did not use: where it would use more, had it more, that is too few. So the
comparison is worth something on a machine that does nothing else.
"""

from dataclasses import dataclass, field, replace

from scale.cluster import Cluster, Job, Task
from scale.simulate import Simulation

Cut = tuple[int, int]  # map and reduce tasks of a job


@dataclass
class Step:
    """What a step of a round took, and into how many tasks its jobs were cut."""

    wall: float
    cpu: float  # of the tasks and the driver
    beside: float  # of the daemons and of the web
    jobs: list[Cut] = field(default_factory=list)

    @property
    def stages(self) -> int:
        return sum((maps > 0) + (reduces > 0) for maps, reduces in self.jobs)

    @property
    def tasks(self) -> int:
        return sum(maps + reduces for maps, reduces in self.jobs)


Steps = dict[str, Step]


@dataclass(frozen=True)
class Costs:
    job_start: float
    task_start: float
    job_cpu: float
    task_cpu: float
    beyond: dict[str, float]  # seconds of a step, in every round
    page_cpu: dict[str, float]
    page_beside: dict[str, float]


def least_squares(rows: list[tuple[float, float, float]]) -> tuple[float, float]:
    """The a and b, not below zero, for which a·x + b·y is nearest to z."""
    xx = sum(x * x for x, _, _ in rows)
    xy = sum(x * y for x, y, _ in rows)
    yy = sum(y * y for _, y, _ in rows)
    xz = sum(x * z for x, _, z in rows)
    yz = sum(y * z for _, y, z in rows)
    determinant = xx * yy - xy * xy
    if determinant > 1e-9 * xx * yy:
        a, b = (xz * yy - yz * xy) / determinant, (yz * xx - xz * xy) / determinant
        if a >= 0 and b >= 0:
            return a, b
        if b < 0:
            return max(xz / xx, 0), 0
    return (0, max(yz / yy, 0)) if yy else (max(xz / xx, 0) if xx else 0, 0)


def costs_of(few: Steps, some: Steps, few_pages: int, some_pages: int, cores: float) -> Costs:
    job_cpu, task_cpu = least_squares([(len(step.jobs), step.tasks, step.cpu) for step in few.values()])
    job_start, task_start = least_squares([(len(step.jobs), step.stages, step.wall) for step in few.values()])
    page_cpu, page_beside = {}, {}
    for name, step in some.items():
        jobs, tasks = len(step.jobs) - len(few[name].jobs), step.tasks - few[name].tasks
        more = step.cpu - few[name].cpu - jobs * job_cpu - tasks * task_cpu
        page_cpu[name] = max(more, 0) / (some_pages - few_pages)
        page_beside[name] = max(step.beside - few[name].beside, 0) / (some_pages - few_pages)
    costs = Costs(job_start, task_start, job_cpu, task_cpu, {}, page_cpu, page_beside)
    alone = simulated(costs, few, few_pages, 1, 1, cores)
    return replace(costs, beyond={name: max(step.wall - alone[name], 0) for name, step in few.items()})


def simulated(costs: Costs, cut: Steps, pages: int, nodes: int, slots: int, cores: float) -> dict[str, float]:
    """Seconds by step of a round of so many pages, whose jobs are cut as those of `cut`."""
    cluster = Cluster(
        nodes=nodes,
        slots=slots,
        shared_cores=cores,
        job_start=costs.job_start,
        task_start=max(costs.task_start - costs.task_cpu, 0),
        task_cpu=min(costs.task_cpu, costs.task_start),
        failures_a_year=0,
        rack_failures_a_year=0,
        attempt_failures=0,
        slow_nodes=0,
        spread=0,
        disk_failures_a_year=0,
    )
    walls = {}
    for name, step in cut.items():
        own, beside = (page[name] * pages / max(step.stages, 1) for page in (costs.page_cpu, costs.page_beside))
        jobs = [Job(name, _tasks(maps, own, beside), _tasks(reduces, own, beside)) for maps, reduces in step.jobs]
        walls[name] = costs.beyond.get(name, 0) + Simulation(cluster, 1).run(jobs).wall
    return walls


def _tasks(count: int, own: float, beside: float) -> tuple[Task, ...]:
    return tuple(Task(cpu=own / count, beside=beside / count, rows=1) for _ in range(count))
