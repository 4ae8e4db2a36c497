"""What many simulated rounds say together."""

import math
import statistics
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any

from scale.cluster import Cluster, Job
from scale.simulate import Round, least_wall, rounds

A_PIECE = 100  # rounds that a process simulates at once


def simulated(cluster: Cluster, jobs: list[Job], count: int, seed: int, processes: int = 1) -> dict[str, Any]:
    seen = _rounds(cluster, jobs, count, seed, processes)
    walls = sorted(one.wall for one in seen)
    return {
        "nodes": cluster.nodes,
        "slots": cluster.slots,
        "expiry": cluster.expiry,
        "rounds": count,
        "seed": seed,
        "whole": sum(one.is_whole for one in seen),
        "whole_at_once": sum(one.is_whole and not one.jobs_again for one in seen),
        "blocks_lost": sum(one.blocks_lost for one in seen),
        "node_failures": round(statistics.mean(one.node_failures for one in seen), 3),
        "lost_attempts": round(statistics.mean(one.lost_attempts for one in seen), 3),
        "wall_median": round(statistics.median(walls), 1),
        "wall_95": round(walls[min(int(count * 0.95), count - 1)], 1),
        "least_wall": round(least_wall(cluster, jobs), 1),
        "wall_by_job": {
            name: round(statistics.mean(one.by_job.get(name, 0) for one in seen), 1)
            for name in (job.name for job in jobs)
        },
    }


def _rounds(cluster: Cluster, jobs: list[Job], count: int, seed: int, processes: int) -> list[Round]:
    """Equal rounds in equal order, however many processes there are."""
    if processes == 1:
        return rounds(cluster, jobs, count, seed)
    firsts = range(0, count, A_PIECE)
    counts = [min(A_PIECE, count - first) for first in firsts]
    with ProcessPoolExecutor(processes) as pool:
        pieces = pool.map(partial(_piece, cluster, jobs, seed), counts, firsts)
        return [one for piece in pieces for one in piece]


def _piece(cluster: Cluster, jobs: list[Job], seed: int, count: int, first: int) -> list[Round]:
    return rounds(cluster, jobs, count, seed, first)


def at_least(some: int, count: int, certainty: float = 0.95) -> float:
    """The share behind `some` of `count`: were it less, so many would be seen with a chance below 1 - certainty."""
    low, high = 0.0, some / count
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if _chance(some, count, middle) < 1 - certainty else (low, middle)
    return low


def _chance(least: int, count: int, share: float) -> float:
    """Of `least` or more of `count`."""
    missing = range(count - least + 1)
    if share in (0.0, 1.0):
        return share if least else 1.0
    logs = (
        math.lgamma(count + 1)
        - math.lgamma(number + 1)
        - math.lgamma(count - number + 1)
        + number * math.log1p(-share)
        + (count - number) * math.log(share)
        for number in missing
    )
    return math.fsum(math.exp(value) for value in logs)
