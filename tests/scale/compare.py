"""Times rounds of few, of some and of many pages, and lets the simulator say how long the last one should have taken.

On threads of this machine, or on a test cluster of its own: nodes that are processes of this machine.
"""

import time
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Callable, Iterator, Protocol

from scale.calibrate import Costs, Step, Steps, costs_of, simulated
from scale.jobs import Crawl
from scale.machine import Machine
from scale.pages import FETCH
from scale.web import Web

SLOTS = 2  # of a node


class Place(Protocol):
    """Where rounds run."""

    name: str
    nodes: int
    hosts: Path  # the file of hosts, as a fetch names it

    def round(self, pages: int, steps: list[tuple[str, list[Any]]]) -> Steps: ...


def steps_of(pages: int, seeds: Path, hosts: Path, lists: int) -> list[tuple[str, list[Any]]]:
    return [
        ("inject", [seeds]),
        ("generate", ["--top_n", pages, "--time_limit", "12h", "--fetch.delay_ms", 0, "--fetchers", lists]),
        ("fetch", [*FETCH, hosts]),
        ("parse", []),
        ("updatedb", []),
        ("settle", []),
    ]


class Threads:
    """Each step is one job; its tasks are threads."""

    name, nodes = "threads of this machine", 1

    def __init__(self, build: Path, folder: Path):
        self.build, self.folder = build, folder
        self.hosts = folder / "hosts"

    def round(self, pages: int, steps: list[tuple[str, list[Any]]]) -> Steps:
        crawl, walls = Crawl(self.build, self.folder / f"local{pages}"), {}
        for verb, arguments in steps:
            with beside_it() as web:
                cost = crawl.trawl(verb, *arguments)
            walls[verb] = Step(cost.wall_seconds, cost.cpu_seconds, web.seconds, [(SLOTS, 0)])
        return walls


class Beside:
    seconds = 0.0


@contextmanager
def beside_it() -> Iterator[Beside]:
    """The seconds of the processor of this process meanwhile: it serves the web."""
    beside, began = Beside(), time.process_time()
    yield beside
    beside.seconds = time.process_time() - began


def compare(
    places: list[Callable[[], Any]], folder: Path, sizes: tuple[int, int, int], size: int, report: Callable[[Any], None]
) -> None:
    """`places` are context managers, one after the other. `sizes`: pages of the rounds of few, some and many."""
    web = Web(max(sizes[-1] // 20, 1), None, size)
    try:
        web.write_hosts(folder / "hosts")
        for pages in sizes:
            web.write_seeds(folder / f"seeds{pages}.txt", pages)
        for make in places:
            with make() as place:
                report(_judged(place, folder, sizes))
    finally:
        web.end()


def _judged(place: Place, folder: Path, sizes: tuple[int, int, int]) -> dict[str, Any]:
    rounds, left = [], []
    for pages in sizes:
        machine = Machine()
        steps = steps_of(pages, folder / f"seeds{pages}.txt", place.hosts, place.nodes * SLOTS)
        rounds.append(place.round(pages, steps))
        left.append(machine.cores_left(sum(step.cpu + step.beside for step in rounds[-1].values())))
        # What stands before a round's first step is not of the round.
        rounds[-1].pop("inject")
    few, some, many = rounds
    costs = costs_of(few, some, sizes[0], sizes[1], left[0])
    said = simulated(costs, many, sizes[2], place.nodes, SLOTS, left[2])
    return _record(place, sizes, rounds, left, costs, said)


def _record(
    place: Place,
    sizes: tuple[int, int, int],
    rounds: list[Steps],
    left: list[float],
    costs: Costs,
    said: dict[str, float],
) -> dict[str, Any]:
    def rounded(values: dict[str, float], digits: int = 2) -> dict[str, float]:
        return {step: round(value, digits) for step, value in values.items()}

    measured = sum(step.wall for step in rounds[2].values())
    return {
        "where": place.name,
        "nodes": place.nodes,
        "pages": list(sizes),
        "cores_left": [round(cores, 2) for cores in left],
        "walls": [rounded({name: step.wall for name, step in steps.items()}) for steps in rounds],
        "cpu_seconds": [rounded({name: step.cpu + step.beside for name, step in steps.items()}) for steps in rounds],
        "tasks": [{name: step.jobs for name, step in steps.items()} for steps in rounds],
        "job_start": round(costs.job_start, 2),
        "task_start": round(costs.task_start, 2),
        "job_cpu": round(costs.job_cpu, 2),
        "task_cpu": round(costs.task_cpu, 2),
        "beyond": rounded(costs.beyond),
        "ms_per_page": rounded({name: 1e3 * (costs.page_cpu[name] + costs.page_beside[name]) for name in said}, 3),
        "simulated": rounded(said),
        "measured_wall": round(measured, 1),
        "simulated_wall": round(sum(said.values()), 1),
        "ratio": round(sum(said.values()) / measured, 3),
    }
