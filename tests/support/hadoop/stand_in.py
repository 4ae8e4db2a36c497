#!/usr/bin/env python3
"""A stand-in for Hadoop on this machine: what Trawl's jobs need of Streaming and of the ResourceManager, without Java.

As the command `hadoop` it runs a Streaming job to its end, with the tasks of the program that HADOOP_STAND_IN_PROGRAM names, and does
between them what Hadoop does: frames go to the partitions that BinaryPartitioner names, sorted by their keys; frames of equal keys come in any order.
With HADOOP_STAND_IN_DELAY the job goes on without the command, as on a cluster, and begins its tasks after so many seconds.
`ResourceManager` answers the driver's questions about these jobs, and ends them.

What a real Hadoop does otherwise, cluster/test and tests/soak/streaming show.
"""

import hashlib
import json
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Callable, Iterator
from urllib.parse import parse_qs, urlsplit

# In the environment of the command: the folder for the states of jobs, and Trawl's program.
STATES = "HADOOP_STAND_IN_STATES"
PROGRAM = "HADOOP_STAND_IN_PROGRAM"
# What happens to the frames of a reducer on their way, for tests of what its task says: one of FAULTS.
FAULT = "HADOOP_STAND_IN_FAULT"

# Seconds before the first task of a job that goes on without the command.
DELAY = "HADOOP_STAND_IN_DELAY"

Frame = tuple[bytes, bytes]


def frames_in(data: bytes) -> Iterator[Frame]:
    at = 0
    while at < len(data):
        (key_size,) = struct.unpack_from(">i", data, at)
        (value_size,) = struct.unpack_from(">i", data, at + 4 + key_size)
        end = at + 8 + key_size + value_size
        assert end <= len(data), f"a frame of {end - at} bytes is cut off"
        yield data[at + 4:at + 4 + key_size], data[end - value_size:end]
        at = end


def partition_of(key: bytes, partitions: int) -> int:
    """BinaryPartitioner's hash of the first two bytes, which are below 128."""
    return (961 + 31 * key[0] + key[1]) % partitions


FAULTS: dict[str, Callable[[list[Frame]], list[Frame]]] = {
    "": lambda frames: frames,
    "flipped": lambda frames: [(frames[0][0], frames[0][1][:-1] + bytes([frames[0][1][-1] ^ 1]))] + frames[1:],
    "twice": lambda frames: frames[:1] + frames,
    "missing": lambda frames: frames[1:],
    "alone": lambda frames: [(frames[0][0], b"a record of an older version")] + frames[1:],
}


class Job:
    def __init__(self, words: list[str]):
        self.settings = dict(words[at + 1].split("=", 1) for at, word in enumerate(words) if word == "-D")
        self.options = {word: words[at + 1] for at, word in enumerate(words) if word in ("-input", "-output", "-mapper", "-reducer")}
        self.output = Path(urlsplit(self.options["-output"]).path)
        self.partitions = int(self.settings["mapreduce.job.reduces"])
        self.id = "application_1_" + hashlib.sha256(self.settings["mapreduce.job.tags"].encode()).hexdigest()[:8].translate(
            str.maketrans("abcdef", "012345"))

    def task(self, kind: str, number: int, given: bytes) -> bytes:
        attempt = f"attempt_{self.id[12:]}_{kind[0]}_{number:06}_0"
        environment = os.environ | {name.replace(".", "_"): value for name, value in self.settings.items()} | {
            "mapreduce_task_attempt_id": attempt, "mapreduce_task_partition": str(number)}
        command = self.options["-mapper" if kind == "map" else "-reducer"].split()
        assert command[0] == "trawl/bin/trawl", command
        done = subprocess.run([os.environ[PROGRAM], *command[1:]], input=given, env=environment, capture_output=True)
        if done.returncode != 0:
            raise RuntimeError(f"{attempt} exited {done.returncode}: {done.stderr.decode(errors='replace')[-1000:]}")
        return done.stdout

    def run(self) -> None:
        control = Path(urlsplit(self.options["-input"]).path).read_text().splitlines()
        outputs = [self.task("map", number, f"{line}\t\n".encode()) for number, line in enumerate(control)]
        if self.partitions > 0:
            frames = [frame for output in outputs for frame in frames_in(output)]
            outputs = [self.reduce(partition, frames) for partition in range(self.partitions)]
        self.output.mkdir(parents=True)
        for number, output in enumerate(outputs):
            (self.output / f"part-{number:05}").write_bytes(output)
        (self.output / "_SUCCESS").touch()

    def reduce(self, partition: int, frames: list[Frame]) -> bytes:
        own = [frame for frame in frames if partition_of(frame[0], self.partitions) == partition]
        random.Random(self.id).shuffle(own)
        own.sort(key=lambda frame: frame[0])
        given = b"".join(struct.pack(">i", len(part)) + part for frame in FAULTS[os.environ.get(FAULT, "")](own) for part in frame)
        output = self.task("reduce", partition, given)
        return output if own else b""  # Hadoop drops the output of a reducer without input

    def note(self, state: str, final: str, diagnostics: str = "", **more: object) -> None:
        write_state(Path(os.environ[STATES]) / self.id, {
            "id": self.id, "name": self.settings["mapreduce.job.name"], "applicationTags": self.settings["mapreduce.job.tags"],
            "state": state, "finalStatus": final, "diagnostics": diagnostics, "queue": "default", "startedTime": 1} | more)

    def work(self) -> None:
        try:
            self.run()
            self.note("FINISHED", "SUCCEEDED")
        except RuntimeError as error:
            self.note("FINISHED", "FAILED", str(error))


def write_state(path: Path, state: dict[str, object]) -> None:
    """In one step: somebody may be reading it."""
    new = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}")
    new.write_text(json.dumps(state))
    new.replace(path)


def hadoop(words: list[str]) -> int:
    """hadoop jar FILE OPTIONS…"""
    job = Job(words[2:])
    if words[0] == "work":
        job.note("RUNNING", "UNDEFINED", leader=os.getpid())
        time.sleep(float(os.environ[DELAY]))
        job.work()
        return 0
    if DELAY in os.environ:
        job.note("ACCEPTED", "UNDEFINED")
        subprocess.Popen([sys.executable, __file__, "work", *words[1:]], start_new_session=True, stdin=subprocess.DEVNULL,
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    else:
        job.work()
    print(f"Submitted application {job.id}", file=sys.stderr)
    return 0


class ResourceManager:
    """Answers on a port of its own until it is closed: for a cluster of this memory and these cores, where one queue has all."""

    def __init__(self, states: Path, memory_mb: int = 16384, cores: int = 8):
        cluster = {"/ws/v1/cluster/metrics": {"clusterMetrics": {"totalMB": memory_mb, "totalVirtualCores": cores}},
                   "/ws/v1/cluster/scheduler": {"scheduler": {"schedulerInfo": {"type": "fifoScheduler"}}}}

        class Answers(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                address = urlsplit(self.path)
                if address.path in cluster:
                    self.answer(200, cluster[address.path])
                    return
                found = [json.loads(path.read_text()) for path in sorted(states.iterdir()) if not path.name.startswith(".")]
                if address.path == "/ws/v1/cluster/apps":
                    tag = parse_qs(address.query)["applicationTags"][0]
                    tagged = [each for each in found if tag in each["applicationTags"].split(",")]
                    self.answer(200, {"apps": {"app": tagged} if tagged else None})
                    return
                named = [each for each in found if address.path == f"/ws/v1/cluster/apps/{each['id']}"]
                self.answer(200 if named else 404, {"app": named[0]} if named else {})

            def do_PUT(self) -> None:
                """/ws/v1/cluster/apps/ID/state {"state": "KILLED", …}"""
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                ResourceManager.kill(states / urlsplit(self.path).path.split("/")[-2], asked["diagnostics"])
                self.answer(200, {"state": "KILLED"})

            def answer(self, status: int, value: dict[str, object]) -> None:
                body = json.dumps(value).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @staticmethod
    def kill(path: Path, why: str) -> None:
        """Ends the job of that state where it has not ended."""
        state = json.loads(path.read_text())
        if state["state"] not in ("ACCEPTED", "RUNNING"):
            return
        try:
            os.killpg(state["leader"], signal.SIGKILL)
        except (KeyError, ProcessLookupError):  # not begun, or over
            pass
        write_state(path, state | {"state": "KILLED", "finalStatus": "KILLED", "diagnostics": why})

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


if __name__ == "__main__":
    sys.exit(hadoop(sys.argv[1:]))
