"""How many of this machine's cores are left by what does not belong to a measurement."""

import os
import time
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def _busy() -> float:
    """Seconds of all cores that somebody used, or that another machine took, since the start."""
    user, nice, system, _, _, interrupt, softly, stolen = map(
        int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    )
    return (user + nice + system + interrupt + softly + stolen) / TICKS


class Machine:
    """Counts from when it was made."""

    def __init__(self) -> None:
        self.began, self.busy = time.monotonic(), _busy()
        self.cores = os.cpu_count() or 1

    def cores_left(self, own_seconds: float) -> float:
        """What others did not take, where this measurement took so many seconds of the processor."""
        others = max(_busy() - self.busy - own_seconds, 0) / max(time.monotonic() - self.began, 0.001)
        return max(self.cores - others, 0.05)
