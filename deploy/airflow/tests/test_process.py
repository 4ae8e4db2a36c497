"""Programs that are stopped, that do not stop, and whose task or worker dies."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from trawl_provider.exceptions import TrawlStopped
from trawl_provider.operators.verbs import TrawlFetch
from trawl_provider.process import MAX_LINE, Lines, Process

PATIENCE = 30


def wait_for(path):
    until = time.monotonic() + PATIENCE
    while not path.exists() or not path.read_text().strip():
        assert time.monotonic() < until, f"{path} has not come"
        time.sleep(0.02)
    return path.read_text().strip()


def is_gone(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


def wait_until_gone(pid, seconds):
    began = time.monotonic()
    while not is_gone(pid):
        assert time.monotonic() - began < seconds, f"{pid} runs on"
        time.sleep(0.02)


def shell(script, lines=None):
    return Process(["bash", "-c", script], os.environ, (lines if lines is not None else []).append)


def test_output_and_lines_come_whole():
    lines = []
    ended = shell("for i in {1..5000}; do echo out $i; echo err $i >&2; done; exit 7", lines).wait()
    assert ended.code == 7 and ended.output.splitlines()[-1] == b"out 5000" and not ended.is_cut
    assert lines == [f"err {i}" for i in range(1, 5001)] and list(ended.tail) == lines[-20:]


def test_lines_are_text_of_bounded_length():
    lines = Lines()
    assert list(lines.add(b"one\ntw")) == ["one"]
    assert list(lines.add(b"o\r50 %\r\xff\x1b[2J\n\n")) == [
        "two",
        "50 %",
        "\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}[2J",
    ]
    assert [len(line) for line in lines.add(b"x" * 3 * MAX_LINE)] == [MAX_LINE] and list(lines.end()) == []


def test_a_grandchild_that_holds_the_pipes_does_not_hold_the_task():
    began = time.monotonic()
    assert shell("sleep 20 & exit 0").wait().code == 0
    assert time.monotonic() - began < 10


def test_a_time_that_is_over_stops_the_program(tmp_path):
    process = shell(f"echo $$ > {tmp_path}/pid; exec sleep 100")
    pid = wait_for(tmp_path / "pid")
    with pytest.raises(TimeoutError):
        process.wait(0.1)
    wait_until_gone(pid, 5)


def stop_while_it_runs(task, context, ready, how):
    """on_kill, from a signal handler as Airflow calls it: it interrupts the thread that waits."""
    before = signal.signal(signal.SIGTERM, lambda *_: task.on_kill())
    seconds = []

    def send():
        wait_for(ready)
        seconds.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGTERM)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(TrawlStopped, match=how):
            task.execute(context)
    finally:
        sender.join()
        signal.signal(signal.SIGTERM, before)
    return time.monotonic() - seconds[0]


def test_a_stopped_task_stops_its_program_and_does_not_begin_it_again(stub, context):
    stub.does("fetch", "trap 'kill %1; exit 75' TERM; sleep 100 & echo $$ > $STUB/pid; wait")
    assert stop_while_it_runs(TrawlFetch(task_id="t"), context, stub.folder / "pid", "exit 75") < 4
    assert len(stub.calls()) == 1
    wait_until_gone(wait_for(stub.folder / "pid"), 1)


def test_a_program_that_does_not_stop_is_killed_with_its_children_before_airflow_would(stub, context):
    stub.does(
        "fetch",
        "trap '' TERM; (echo $BASHPID > $STUB/child; while :; do sleep 0.1; done) & echo $$ > $STUB/pid; wait",
    )
    assert stop_while_it_runs(TrawlFetch(task_id="t"), context, stub.folder / "child", "signal 9") < 4.9
    for name in ("pid", "child"):
        wait_until_gone(wait_for(stub.folder / name), 1)


# A task as its own process, under a worker as its own process.
TASK = """
import os, sys
sys.path[:0] = {paths!r}
from trawl_provider.process import Process
print(os.getpid(), flush=True)
script = "trap 'echo stopped > {folder}/stopped; exit 75' TERM; echo $$ > {folder}/pid; while :; do sleep 0.05; done"
ended = Process(["bash", "-c", script], os.environ, lambda line: None).wait()
sys.exit(ended.code)
"""
WORKER = """
import subprocess, sys
subprocess.run([sys.executable, "-c", {task!r}])
"""


def start_worker(folder):
    task = TASK.format(paths=sys.path, folder=folder)
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER.format(task=task)], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    return worker, int(worker.stdout.readline()), int(wait_for(folder / "pid"))


def test_the_program_of_a_killed_task_is_stopped(tmp_path):
    worker, task, program = start_worker(tmp_path)
    os.kill(task, signal.SIGKILL)
    wait_until_gone(program, 3)
    assert wait_for(tmp_path / "stopped") == "stopped"
    worker.wait(PATIENCE)


WAITING_TASK = """
import os, sys
sys.path[:0] = {paths!r}
from types import SimpleNamespace
from trawl_provider.operators.verbs import TrawlFetch
print(os.getpid(), flush=True)
operator = TrawlFetch(task_id="t", segment="s", runner="streaming", poll_interval=1)
operator.execute({{"ti": SimpleNamespace(xcom_push=lambda **_: None, map_index=-1)}})
"""


def test_a_task_that_waits_for_the_cluster_ends_with_its_worker(stub, tmp_path):
    stub.does("fetch", "echo running on the cluster as 'application_1_1 (20260101T000000Z-fetch-1)' >&2; exit 75")
    stub.does("jobs status", 'echo \'{"state":"running"}\'; touch $STUB/waits; echo yes > $STUB/waits')
    task = WAITING_TASK.format(paths=sys.path)
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER.format(task=task)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    pid = next(int(line) for line in worker.stdout if line.strip().isdigit())
    wait_for(stub.folder / "waits")
    worker.kill()
    worker.wait()
    wait_until_gone(pid, 10)


def test_the_program_of_a_killed_worker_is_stopped_and_its_task_ends(tmp_path):
    worker, task, program = start_worker(tmp_path)
    worker.kill()
    worker.wait()
    wait_until_gone(program, 5)
    wait_until_gone(task, 5)
    assert wait_for(tmp_path / "stopped") == "stopped"
