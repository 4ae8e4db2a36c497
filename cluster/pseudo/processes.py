"""Processes that outlive the command that started them, known by process id and start time.

A process id alone may now belong to another process; with the start time and the boot it identifies one process for
ever. Signals go through a pidfd, which cannot change its owner between the check and the signal.
"""

import json
import os
import signal
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Iterator, Optional


@dataclass(frozen=True)
class ProcessId:
    pid: int
    start_ticks: int
    boot_id: str


def start_detached(arguments: list[str], environment: dict[str, str], folder: Path, log: Path) -> ProcessId:
    """Starts a process in a session of its own, its output appended to `log`."""
    with open(log, "ab") as output:
        process = subprocess.Popen(arguments, env=environment, cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, start_new_session=True)
    process.returncode = 0  # The process is meant to outlive us: keep Python from warning about it.
    return identify(process.pid)


def identify(pid: int) -> ProcessId:
    return ProcessId(pid, _stat(pid)[1], _boot_id())


def is_running(process: ProcessId) -> bool:
    try:
        state, start_ticks = _stat(process.pid)
    except OSError:
        return False
    return state not in "ZX" and start_ticks == process.start_ticks and _boot_id() == process.boot_id


def send(process: ProcessId, signal_number: int) -> bool:
    """False if the process has gone."""
    try:
        handle = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return False
    try:
        if not is_running(process):
            return False
        signal.pidfd_send_signal(handle, signal_number)
        return True
    except ProcessLookupError:
        return False
    finally:
        os.close(handle)


def wait_until_gone(process: ProcessId, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while is_running(process):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def working_below(folder: Path) -> Iterator[ProcessId]:
    """The processes whose working directory is inside `folder`, even if it has been deleted."""
    prefix = str(folder) + "/"
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if os.readlink(f"/proc/{entry}/cwd").startswith(prefix):
                yield identify(int(entry))
        except OSError:
            continue  # Gone meanwhile, or another user's.


def uptime_seconds(process: ProcessId) -> float:
    since_boot = float(Path("/proc/uptime").read_text().split()[0])
    return since_boot - process.start_ticks / os.sysconf("SC_CLK_TCK")


def resident_bytes(process: ProcessId) -> int:
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def save(process: ProcessId, path: Path) -> None:
    path.write_text(json.dumps(asdict(process)))


def load(path: Path) -> Optional[ProcessId]:
    """Returns None if nothing is recorded. A record cut short by a crash counts as missing."""
    try:
        return ProcessId(**json.loads(path.read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def cpu_seconds(process: ProcessId) -> tuple[float, float]:
    """Of user and system: its own, and those of its children that have ended."""
    user, system, childrens_user, childrens_system = map(int, _fields(process.pid)[11:15])
    a_second = os.sysconf("SC_CLK_TCK")
    return (user + system) / a_second, (childrens_user + childrens_system) / a_second


def _stat(pid: int) -> tuple[str, int]:
    fields = _fields(pid)
    return fields[0], int(fields[19])


def _fields(pid: int) -> list[str]:
    """From the state on."""
    # The command's name, in parentheses, may hold blanks and parentheses itself: fields count from the last one.
    return Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()


def _boot_id() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
