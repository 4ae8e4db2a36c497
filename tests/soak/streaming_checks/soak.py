"""Shared by the checks: a test cluster with its driver, rows to expect, and a web."""

import os
import signal
import subprocess
from pathlib import Path
from typing import Optional

from pseudo import processes
from tests.client import Client, command_line
from tests.driver import Driver, write_seeds
from tests.harness import wait_until
from tests.web import Web

QUICK = bool(os.environ.get("SOAK_QUICK"))
BUILD = Path(os.environ["SOAK_BUILD"]).absolute()
# Enough for a machine that has other work, too.
PATIENCE = 600


class Soak:
    def __init__(self, folder: Path, bundle: Optional[Path] = None):
        self.folder = folder
        self.client = Client(folder)
        self.driver = Driver(self.client, folder)
        if bundle:
            self.driver.bundle = bundle
        self.seeds = write_seeds(folder / "seeds.txt", 2000)
        self.webs: list[Web] = []

    def inject(self, root: object, *options: object, exit_code: int = 0) -> dict:
        return self.driver.run("inject", root, self.seeds, "--partitions", "2", *options, exit_code=exit_code)

    def expected(self) -> dict:
        """The digests of inject alone, run on this machine."""
        root = self.driver.local("injected")
        if not root.exists():
            self.inject(root)
        return self.driver.digests(root)

    def web(self, name: str, **options: object) -> Web:
        """The test web of that name; only the first call's options count."""
        for web in self.webs:
            if web.folder.name == name:
                return web
        number = 0
        while (self.folder / f"webs-{number}").exists():
            number += 1
        web = Web(BUILD / "tests/test_web", self.folder / f"webs-{number}" / name, **options)
        self.webs.append(web)
        return web

    def end(self) -> None:
        self.driver.end_all()
        for web in self.webs:
            web.end()

    # -- processes of the cluster

    def of_cluster(self, part: bytes) -> list[processes.ProcessId]:
        """The containers' processes with `part` in their command line."""
        return [process for process in processes.working_below(self.client.cluster.folder / "yarn/local")
                if part in command_line(process.pid)]

    def masters(self) -> list[processes.ProcessId]:
        return self.of_cluster(b"java\0") and [each for each in self.of_cluster(b"MRAppMaster")
                                               if b"bash" not in command_line(each.pid)]

    def kill(self, process: Optional[processes.ProcessId]) -> None:
        assert process is not None and processes.send(process, signal.SIGKILL)

    def wait_for_tasks(self, kind: str, driver: subprocess.Popen, count: int = 1) -> list[processes.ProcessId]:
        def run() -> bool:
            assert driver.poll() is None, f"its driver ended: {driver.communicate()[1][-3000:]}"
            return len(self.driver.tasks(kind)) >= count
        wait_until(f"{count} {kind} tasks run", PATIENCE, run)
        return self.driver.tasks(kind)
