"""Runs commands and notes what each took: seconds of the processor, memory, bytes, files.

Seconds of the processor are those of user and system, of all threads: other work may share the machine. Bytes are those
that the process asked of the system, whether or not they were in the page cache, its temporary files included.
"""

import os
import resource
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence, Union

Word = Union[str, Path, int]


class Failure(Exception):
    """Its text is shown to the user unchanged."""


@dataclass
class Cost:
    cpu_seconds: float
    wall_seconds: float
    peak_mib: float
    read_mib: float
    written_mib: float
    output: str

    def plus(self, other: "Cost") -> "Cost":
        return Cost(
            self.cpu_seconds + other.cpu_seconds,
            self.wall_seconds + other.wall_seconds,
            max(self.peak_mib, other.peak_mib),
            self.read_mib + other.read_mib,
            self.written_mib + other.written_mib,
            other.output,
        )


def run(*command: Word, environment: Optional[dict[str, str]] = None, exit_codes: Sequence[int] = (0,)) -> Cost:
    """Runs it at the lowest priority. Failure where it ends otherwise."""
    words = ["nice", "-n", "19", *map(str, command)]
    begin = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout and process.stderr
        output = process.stdout.read()
        errors = process.stderr.read()
        # Its numbers are there until somebody asks for its end.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        moved = _bytes_moved(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in exit_codes:
        raise Failure(f"{' '.join(words[3:])}: exit {process.returncode}: {errors[-2000:]}")
    return _cost(usage, time.monotonic() - begin, moved, output)


def _cost(usage: resource.struct_rusage, wall: float, moved: tuple[int, int], output: str) -> Cost:
    return Cost(
        usage.ru_utime + usage.ru_stime,
        wall,
        usage.ru_maxrss / 1024,
        moved[0] / (1 << 20),
        moved[1] / (1 << 20),
        output,
    )


def _bytes_moved(pid: int) -> tuple[int, int]:
    counts = dict(line.split(": ") for line in Path(f"/proc/{pid}/io").read_text().splitlines())
    return int(counts["rchar"]), int(counts["wchar"])


@dataclass
class Files:
    """What lies in a folder, as a NameNode counts it."""

    files: int
    folders: int
    blocks: int
    size: int

    @property
    def objects(self) -> int:
        return self.files + self.folders + self.blocks


BLOCK_BYTES = 128 << 20


def files_in(folder: Path) -> Files:
    sum_of = Files(0, 0, 0, 0)
    for _, folders, _ in os.walk(folder):
        sum_of.folders += len(folders)
    for path in folder.rglob("*"):
        if path.is_file():
            size = path.stat().st_size
            sum_of.files += 1
            sum_of.size += size
            sum_of.blocks += -(-size // BLOCK_BYTES)
    return sum_of
