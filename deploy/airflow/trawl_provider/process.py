"""Runs one program and never loses it: it gets SIGTERM when its task is stopped, dies or loses its worker.

The caller's thread waits, writes the log and looks after the parent. Two more threads read the pipes, so the program
never blocks on a full one. `stop` may be called from a signal handler that interrupts `wait`: it shares no lock with
it.
"""

from __future__ import annotations

import ctypes
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Airflow sends SIGKILL 5 s after SIGTERM.
STOP_SECONDS = 4.0
TAIL_LINES = 20
MAX_LINE = 4000
# More than the longest answer with --json. What lists a whole crawl belongs into `trawl export`.
MAX_OUTPUT = 32 << 20
# Of a grandchild that still holds the pipes when the program has ended.
PIPE_SECONDS = 2.0
LOOK_SECONDS = 0.2
QUEUED_LINES = 1000

PR_SET_PDEATHSIG = 1
CANNOT_START = 127

_prctl: Any
try:
    _prctl = ctypes.CDLL(None).prctl
except (OSError, AttributeError):  # not Linux: a program outlives a task that was killed by SIGKILL
    _prctl = None


@dataclass(frozen=True)
class Ended:
    code: int  # below 0: the number of the signal that ended it
    output: bytes
    is_cut: bool  # there was more than MAX_OUTPUT
    tail: tuple[str, ...]  # the last lines of its standard error


def _die_with(parent: int) -> Callable[[], None]:
    """Runs between fork and exec: the program gets SIGTERM when the thread that started it is gone."""

    def before_exec() -> None:
        if _prctl is not None:
            _prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
            if os.getppid() != parent:
                os._exit(CANNOT_START)

    return before_exec


class Lines:
    """Cuts bytes into lines of text. A carriage return ends a line, too: that is how progress is drawn."""

    def __init__(self) -> None:
        self._rest = b""

    def add(self, piece: bytes) -> Iterator[str]:
        *whole, self._rest = (self._rest + piece).replace(b"\r", b"\n").split(b"\n")
        yield from filter(None, map(self._text, whole))
        if len(self._rest) > MAX_LINE:
            yield from self.end()

    def end(self) -> Iterator[str]:
        rest, self._rest = self._rest, b""
        yield from filter(None, [self._text(rest)])

    @staticmethod
    def _text(line: bytes) -> str:
        text = line[: 4 * MAX_LINE].decode("utf-8", "replace")[:MAX_LINE].rstrip()
        # Names of hosts and pages are strangers' text: no control character reaches a terminal that shows the log.
        return "".join(c if c.isprintable() or c == "\t" else "\N{REPLACEMENT CHARACTER}" for c in text)


class Worker:
    """The parent of the task's process, as it is when this is made. Where it was killed, the task is an orphan that
    nobody stops, and Airflow starts the task again elsewhere."""

    def __init__(self) -> None:
        self._pid = os.getppid()

    def is_there(self) -> bool:
        return os.getppid() == self._pid


class Process:
    """REQUIRES: the thread that makes it lives as long as the program."""

    def __init__(
        self,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        on_line: Callable[[str], None],
        worker: Worker | None = None,
    ):
        self._on_line = on_line
        self._worker = worker or Worker()
        self._tail: deque[str] = deque(maxlen=TAIL_LINES)
        self._output = bytearray()
        self._is_cut = False
        self._lines: queue.Queue[str] = queue.Queue(QUEUED_LINES)
        self._child = subprocess.Popen(
            list(arguments),
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            preexec_fn=_die_with(os.getpid()),
        )
        self._readers = [
            threading.Thread(target=target, daemon=True) for target in (self._read_output, self._read_lines)
        ]
        for reader in self._readers:
            reader.start()

    def _read_output(self) -> None:
        assert self._child.stdout is not None
        while piece := os.read(self._child.stdout.fileno(), 1 << 16):
            room = MAX_OUTPUT - len(self._output)
            self._output += piece[:room]
            self._is_cut = self._is_cut or len(piece) > room

    def _read_lines(self) -> None:
        assert self._child.stderr is not None
        lines = Lines()
        while piece := os.read(self._child.stderr.fileno(), 1 << 16):
            for line in lines.add(piece):
                self._lines.put(line)
        for line in lines.end():
            self._lines.put(line)

    def wait(self, timeout: float | None = None) -> Ended:
        """Raises TimeoutError, after it has stopped the program, when the time is over. Whatever else is raised
        meanwhile (a task's own timeout) stops it as well."""
        until = None if timeout is None else time.monotonic() + timeout
        try:
            while self.is_running():
                self._log_lines(LOOK_SECONDS)
                if not self._worker.is_there():
                    self._on_line("the worker of this task is gone; stopping")
                    self.stop()
                elif until is not None and time.monotonic() > until:
                    raise TimeoutError
        except BaseException:
            self.stop()
            raise
        self._finish()
        return Ended(self._child.wait(), bytes(self._output), self._is_cut, tuple(self._tail))

    def _log_lines(self, seconds: float) -> None:
        """Returns after that time, or when it has written a line."""
        try:
            line = self._lines.get(timeout=seconds)
        except queue.Empty:
            return
        self._tail.append(line)
        self._on_line(line)

    def _finish(self) -> None:
        until = time.monotonic() + PIPE_SECONDS
        while time.monotonic() < until and any(reader.is_alive() for reader in self._readers):
            self._log_lines(0.01)
        while not self._lines.empty():
            self._log_lines(0.01)

    def is_running(self) -> bool:
        """Does not reap the program, so it may be asked while `wait` is interrupted."""
        if self._child.returncode is not None:
            return False
        try:
            return os.waitid(os.P_PID, self._child.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
        except ChildProcessError:
            return False

    def stop(self) -> bool:
        """SIGTERM, and after STOP_SECONDS SIGKILL, to the program and all that it started. True if SIGTERM was
        enough."""
        if not self.is_running():
            return True
        self._signal(signal.SIGTERM)
        until = time.monotonic() + STOP_SECONDS
        while time.monotonic() < until:
            if not self.is_running():
                return True
            time.sleep(0.05)
        self._signal(signal.SIGKILL)
        return False

    def _signal(self, number: int) -> None:
        try:
            os.killpg(self._child.pid, number)
        except ProcessLookupError:
            pass
