"""What work on a test cluster takes: time, and seconds of the processor, with what the cluster's daemons and containers take."""

import os
import time
from dataclasses import dataclass

from pseudo import processes
from tests.client import Client


@dataclass
class Spent:
    """Seconds; all but the wall are of the processor."""

    wall: float
    driver: float  # of this process' ended children
    containers: float  # that have ended
    daemons: float

    @property
    def cluster(self) -> float:
        return self.containers + self.daemons


class Watch:
    """Counts from when it was made. A daemon that starts anew meanwhile is counted from its start."""

    def __init__(self, client: Client):
        self.client = client
        self.began = time.monotonic()
        self.driver, self.daemons = _of_children(), _by_daemon(client)

    def until_now(self) -> Spent:
        own = containers = 0.0
        for daemon, seconds in _by_daemon(self.client).items():
            before = self.daemons.get(daemon, (0.0, 0.0))
            own, containers = own + seconds[0] - before[0], containers + seconds[1] - before[1]
        return Spent(time.monotonic() - self.began, _of_children() - self.driver, containers, own)


def _of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def _by_daemon(client: Client) -> dict[processes.ProcessId, tuple[float, float]]:
    return {process: processes.cpu_seconds(process) for process in client.daemons().values()}
