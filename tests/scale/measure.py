"""Runs commands and notes what each took: seconds of the processor, memory, bytes, files.

Seconds of the processor are those of user and system, of all threads: other work may share the machine. Bytes are those
that the process asked of the system, whether or not they were in the page cache, its temporary files included.
"""

import os
import re
import resource
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Optional, Sequence, Union

Word = Union[str, Path, int]
ANONYMOUS = re.compile(r"^RssAnon:\s+(\d+) kB$", re.MULTILINE)


class Priority:
    nice = 19  # of the commands: the lowest


class Failure(Exception):
    """Its text is shown to the user unchanged."""


@dataclass
class Cost:
    cpu_seconds: float
    wall_seconds: float
    peak_mib: float
    anonymous_mib: float  # of the peak, what is no page of a file; 0 where the process was too short to be looked at
    read_mib: float
    written_mib: float
    output: str

    def plus(self, other: "Cost") -> "Cost":
        return Cost(
            self.cpu_seconds + other.cpu_seconds,
            self.wall_seconds + other.wall_seconds,
            max(self.peak_mib, other.peak_mib),
            max(self.anonymous_mib, other.anonymous_mib),
            self.read_mib + other.read_mib,
            self.written_mib + other.written_mib,
            other.output,
        )


class Watch:
    """Looks at a process ten times a second: the most memory that was no page of a file."""

    def __init__(self, pid: int) -> None:
        self.status = Path(f"/proc/{pid}/status")
        self.most_kib = 0
        self.stop = threading.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        while not self.stop.wait(0.1):
            found = ANONYMOUS.search(self.status.read_text())
            self.most_kib = max(self.most_kib, int(found[1]) if found else 0)

    def end(self) -> float:
        self.stop.set()
        self.thread.join()
        return self.most_kib / 1024


def run(*command: Word, environment: Optional[dict[str, str]] = None, exit_codes: Sequence[int] = (0,)) -> Cost:
    """Runs it at low priority. Failure where it ends otherwise."""
    words = ["nice", "-n", str(Priority.nice), *map(str, command)]
    begin = time.monotonic()
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout and process.stderr
        watch = Watch(process.pid)
        output = process.stdout.read()
        errors = process.stderr.read()
        # Its numbers are there until somebody asks for its end.
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
        anonymous = watch.end()
        moved = _bytes_moved(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in exit_codes:
        raise Failure(f"{' '.join(words[3:])}: exit {process.returncode}: {errors[-2000:]}")
    return _cost(usage, time.monotonic() - begin, anonymous, moved, output)


def _cost(
    usage: resource.struct_rusage, wall: float, anonymous: float, moved: tuple[int, int], output: str
) -> Cost:
    return Cost(
        usage.ru_utime + usage.ru_stime,
        wall,
        usage.ru_maxrss / 1024,
        anonymous,
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
