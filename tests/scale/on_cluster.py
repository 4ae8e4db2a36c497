"""Rounds on a test cluster that is there as long as the comparison."""

import json
import os
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Iterator

from scale.calibrate import Cut, Step, Steps
from scale.compare import SLOTS, beside_it
from scale.measure import Failure

REPOSITORY = Path(__file__).resolve().parent.parent.parent
# Nothing that is only slow is to be taken for dead: other work may have the machine.
PATIENT = ("--set", "yarn.am.liveness-monitor.expiry-interval-ms=300000", "--set", "mapreduce.task.timeout=300000")
PATIENCE = 120  # seconds until the history knows a job that has ended


class OnCluster:
    hosts = Path("hosts")  # a task has it in its own folder

    def __init__(self, client: Any, driver: Any, folder: Path, nodes: int):
        self.client, self.driver, self.folder, self.nodes = client, driver, folder, nodes
        self.name = f"a cluster of {nodes} {'nodes' if nodes > 1 else 'node'} on this machine"

    def round(self, pages: int, steps: list[tuple[str, list[Any]]]) -> Steps:
        from tests.spent import Watch  # type: ignore[import-not-found]

        taken: Steps = {}
        begins = []
        runs = ["--runner", "streaming", "--streaming.bundle", self.driver.bundle]
        runs += ["--streaming.task_slots", self.nodes * SLOTS]
        for verb, arguments in steps:
            shipped = ["--streaming.files", self.folder / "hosts"] if verb == "fetch" else []
            begins.append(time.time())
            watch = Watch(self.client)
            with beside_it() as web:
                root = self.driver.hdfs(f"crawl{pages}")
                self.driver.run(verb, root, *arguments, *shipped, *runs, folder=self.folder)
            spent = watch.until_now()
            taken[verb] = Step(spent.wall, spent.driver + spent.containers, spent.daemons + web.seconds)
            print(f"{pages:,} pages, {verb}: {spent.wall:.1f} s", file=sys.stderr, flush=True)
        cuts = self._cuts(begins)
        for step, cut in zip(taken.values(), cuts):
            step.jobs = cut
        return taken

    def _cuts(self, begins: list[float]) -> list[list[Cut]]:
        """Map and reduce tasks of the jobs of each step, by the history of the cluster."""
        deadline = time.monotonic() + PATIENCE
        while True:
            apps = _list(self._ask(f"{self.client.environment['TRAWL_TEST_YARN']}/ws/v1/cluster/apps"), "apps", "app")
            wanted = [app["id"] for app in apps if app["startedTime"] / 1000 >= begins[0]]
            history = f"http://127.0.0.1:{self.client.ports()['historyserver_http']}/ws/v1/history/mapreduce/jobs"
            done = _list(self._ask(history), "jobs", "job")
            jobs = [job for job in done if job["id"].replace("job", "application") in wanted]
            if len(jobs) == len(wanted):
                break
            if time.monotonic() > deadline:
                raise Failure(f"the history server knows {len(jobs)} of {len(wanted)} jobs")
            time.sleep(1)
        ends = [*begins[1:], float("inf")]
        return [
            [
                (int(job["mapsTotal"]), int(job["reducesTotal"]))
                for job in sorted(jobs, key=lambda job: int(job["submitTime"]))
                if begin <= int(job["submitTime"]) / 1000 < end
            ]
            for begin, end in zip(begins, ends)
        ]

    @staticmethod
    def _ask(url: str) -> Any:
        request = urllib.request.Request(url, headers={"Accept": "application/json"})
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
            return json.load(answer)


def _list(answer: Any, several: str, one: str) -> list[Any]:
    """Hadoop gives nothing for an empty list, and the element itself for a list of one."""
    found = (answer[several] or {}).get(one, [])
    return found if isinstance(found, list) else [found]


@contextmanager
def cluster_of(nodes: int, build: Path, folder: Path) -> Iterator[OnCluster]:
    sys.path.insert(0, str(REPOSITORY / "cluster"))
    from tests.driver import Driver  # type: ignore[import-not-found]

    from tests import client as cluster_client  # type: ignore[import-not-found]

    # To the binary these are options.
    for name in [name for name in os.environ if name.startswith("TRAWL_") and name != "TRAWL_CACHE"]:
        del os.environ[name]
    os.environ["TRAWL_BINARY"] = str(build / "trawl")
    client = cluster_client.Client(folder)
    try:
        client.up("--only", "yarn", *(("--nodes", str(nodes)) if nodes > 1 else ()), *PATIENT)
        client.source_environment()
        driver = Driver(client, folder)
        driver.prepare()
        # The first submission brings the bundle and warms what every later one finds warm.
        (folder / "one.txt").write_text("http://warm.test/\n")
        driver.run("inject", driver.hdfs("warm"), folder / "one.txt", folder=folder)
        yield OnCluster(client, driver, folder, nodes)
    except AssertionError as error:
        raise Failure(str(error)) from None
    finally:
        if (client.cluster.folder / "run").exists():
            client.down("--delete")
