"""Uses the trawl binary on a test cluster, and looks for its tasks."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Optional

from pseudo import processes
from tests.client import Client, command_line
from tests.harness import Skipped

REPOSITORY = Path(__file__).resolve().parent.parent.parent
NOW = ["--now", "2026-01-01T00:00:00Z"]
STOPPED = 75


class Driver:
    def __init__(self, client: Client, folder: Path):
        self.client = client
        self.folder = folder
        self.binary = Path(os.environ.get("TRAWL_BINARY") or REPOSITORY / "build/release/trawl")
        self.bundle = folder / "trawl.tar.gz"
        self.run_name = f"run-{os.getpid()}"
        self.started: list[subprocess.Popen] = []

    def prepare(self) -> None:
        """The bundle of this binary."""
        if not self.binary.exists():
            raise Skipped(f"{self.binary} is not built")
        if not self.bundle.exists():
            self.client.run(REPOSITORY / "scripts/bundle", "--binary", self.binary, "--output", self.bundle)

    # Each run has its own roots: a cluster may outlive it.
    def hdfs(self, name: str) -> str:
        return f"{self.client.environment['TRAWL_TEST_HDFS']}/{self.run_name}/{name}"

    def local(self, name: str) -> Path:
        return self.folder / f"{self.run_name}-{name}"

    def s3(self, name: str) -> str:
        place, _, query = self.client.environment["TRAWL_TEST_S3"].partition("?")
        return f"{place}/{self.run_name}/{name}?{query}"

    def arguments(self, verb: str, root: object, *arguments: object) -> list[str]:
        words = [str(self.binary), *verb.split(), "--root", str(root), "--json", "--quiet", *NOW]
        if not str(root).startswith("/") and "--runner" not in arguments:
            words += ["--runner", "streaming", "--streaming.bundle", str(self.bundle), "--streaming.task_slots", "2"]
        return words + [str(each) for each in arguments]

    def run(self, verb: str, root: object, *arguments: object, exit_code: int = 0, folder: Optional[Path] = None) -> dict:
        """Returns the verb's output; its standard error where a failure is expected. It runs in `folder`."""
        done = subprocess.run(self.arguments(verb, root, *arguments), capture_output=True, text=True, env=self.client.environment,
                              cwd=folder)
        assert done.returncode == exit_code, f"trawl {verb} {root}: exit {done.returncode}: {done.stderr[-3000:]}"
        return json.loads(done.stdout) if done.stdout else {"err": done.stderr}

    def look(self, verb: str, root: object, *arguments: object) -> list[dict]:
        words = [str(self.binary), *verb.split(), "--root", str(root), "--json", *[str(each) for each in arguments]]
        lines = self.client.run(*words).splitlines()
        return [json.loads(line) for line in lines]

    def start(self, verb: str, root: object, *arguments: object, folder: Optional[Path] = None) -> subprocess.Popen:
        process = subprocess.Popen(self.arguments(verb, root, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.client.environment, cwd=folder)
        self.started.append(process)
        return process

    def end_all(self) -> None:
        """Ends the drivers that a failed check left behind."""
        for process in self.started:
            if process.poll() is None:
                process.kill()
                process.wait()

    def digests(self, root: object) -> dict:
        """The digests of the present's tables, each in one run."""
        number = self.look("snapshot list", root, "--limit", "1")[-1]["snapshot"]
        tables = self.look("snapshot show", root, number)[0]["tables"]
        return {table: [run["digest"] for run in runs] for table, runs in tables.items()}

    def rows(self, root: object) -> list[dict]:
        """The urls rows without the fields that depend on time and on the speed of answers."""
        rows = self.look("readdb dump", root)
        for row in rows:
            for column in ("due", "fetched_at", "changed_at", "discovered", "response_ms", "segment"):
                del row[column]
        return sorted(rows, key=lambda row: row["key"])

    def tasks(self, kind: str = "") -> list[processes.ProcessId]:
        """The task processes, which are children of Hadoop's."""
        wanted = f"task\0{kind}".encode()
        return [process for process in processes.working_below(self.client.cluster.folder / "yarn/local")
                if b"bin/trawl\0" + wanted in command_line(process.pid)]

    def application_of(self, root: object) -> dict:
        """The newest application on the cluster."""
        url = f"{self.client.environment['TRAWL_TEST_YARN']}/ws/v1/cluster/apps"
        apps = json.loads(self.client.run("curl", "-s", "--noproxy", "*", url))["apps"] or {"app": []}
        return max(apps["app"], key=lambda app: app["startedTime"], default={})


def write_seeds(path: Path, count: int) -> Path:
    with open(path, "w") as file:
        for number in range(count):
            file.write(f"https://host{number % 997}.example/page/{number}?b=2&a=1\n")
    return path


def timed(work) -> float:
    started = time.monotonic()
    work()
    return time.monotonic() - started
