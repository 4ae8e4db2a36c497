"""A fetch of some tens of seconds survives faults: each process is killed once, one is stopped, the store goes away.

Only the fetch runs on the cluster; the steps before and after it run here, on the same root.
"""

import signal
import subprocess
import time
from typing import Callable

from pseudo import processes
from tests.harness import wait_until
from tests.web import Web, asked_twice, by_host, shortest_gap_ms

from streaming_checks.soak import PATIENCE, QUICK, Soak

# A host is asked once per second: a fetch takes about this number of seconds.
PAGES = 30 if QUICK else 60
SITES = {"hosts": 6, "pages": PAGES, "links": 1}
DELAY_MS, PART_MS, LEASE_MS = 1000, 5000, 20_000
# Between an event and its time by the log's clock.
SLACK_MS = 3000
HERE = ("--runner", "local")


class Scene:
    """A crawl with all its pages in the fetch list, and its fetch on the cluster."""

    def __init__(self, soak: Soak, name: str):
        self.soak = soak
        self.web = soak.web("faults", **SITES)
        self.root = soak.driver.hdfs(name)
        self.list_pages(self.root)
        self.began_ms = self.web.mark()
        self.process = self.start()

    def list_pages(self, root: object) -> None:
        seeds = [self.web.url(host, page) for host in range(SITES["hosts"]) for page in range(PAGES)]
        (self.web.folder / "seeds").write_text("\n".join(seeds))
        self.soak.driver.run("inject", root, self.web.folder / "seeds", *HERE)
        self.soak.driver.run("generate", root, "--threads", "2", *HERE)

    def options(self) -> list[object]:
        return ["--fetch.allow_private", "--fetch.delay_ms", DELAY_MS, "--fetch.hosts_file", self.web.hosts_file,
                "--fetch.part_time", f"{PART_MS // 1000}s", "--fetch.lease", f"{LEASE_MS // 1000}s", "--fetch.timeout", "5s"]

    def start(self) -> subprocess.Popen:
        return self.soak.driver.start("fetch", self.root, *self.options())

    def asked(self) -> int:
        return sum(len(entries) for entries in by_host(self.web.log(), self.began_ms).values())

    def wait_until_it_asks(self) -> list[processes.ProcessId]:
        """Returns the fetch tasks once all of them have closed parts."""
        tasks = self.soak.wait_for_tasks("map", self.process, 2)
        wait_until("a part is closed", PATIENCE, lambda: self.asked() > SITES["hosts"] * (PART_MS // DELAY_MS + 3))
        return tasks

    def finish(self, exit_code: int = 0) -> str:
        out, err = self.process.communicate()
        assert self.process.returncode == exit_code, f"exit {self.process.returncode}: {err[-3000:]}"
        return err

    def check(self, fault_ms: float) -> None:
        """The rows are those of an undisturbed crawl; only pages in an open part at the fault were asked twice."""
        hosts = by_host(self.web.log(), self.began_ms)
        finish_round(self.soak, self.root)
        assert self.soak.driver.rows(self.root) == self.expected()
        assert shortest_gap_ms(hosts) >= DELAY_MS, shortest_gap_ms(hosts)
        repeated = asked_twice(hosts)
        early = [pair for pair in repeated if pair[0]["start_ms"] < fault_ms - PART_MS - SLACK_MS]
        assert not early, early
        print(f"     (asked again: {len(repeated)} of {SITES['hosts'] * PAGES} pages, "
              f"shortest gap {shortest_gap_ms(hosts):.0f} ms)", flush=True)

    def expected(self) -> list[dict]:
        root = self.soak.driver.local("faults-local")
        if not root.exists():
            self.list_pages(root)
            self.soak.driver.run("fetch", root, *self.options(), "--fetch.delay_ms", "0")
            finish_round(self.soak, root)
        return self.soak.driver.rows(root)


def finish_round(soak: Soak, root: object) -> None:
    soak.driver.run("parse", root, *HERE)
    soak.driver.run("updatedb", root, *HERE)


def under(soak: Soak, name: str, fault: Callable[[Scene], None], exit_code: int = 0) -> Scene:
    """Runs a fetch to its end, with `fault` in the middle of it."""
    scene = Scene(soak, name)
    scene.wait_until_it_asks()
    fault_ms = scene.web.mark()
    fault(scene)
    scene.finish(exit_code)
    scene.check(fault_ms)
    return scene


def a_killed_fetch_task_goes_on_where_it_was(soak: Soak) -> None:
    under(soak, "fetch-task", lambda scene: soak.kill(soak.driver.tasks("map")[0]))


def a_killed_application_master_loses_nothing(soak: Soak) -> None:
    def fault(scene: Scene) -> None:
        masters = soak.masters()
        assert len(masters) == 1, masters
        soak.kill(masters[0])
    under(soak, "fetch-master", fault)


def a_restarted_nodemanager_loses_nothing(soak: Soak) -> None:
    def fault(scene: Scene) -> None:
        soak.client.down("--daemon", "nodemanager", "--kill")
        soak.client.up()
    under(soak, "fetch-node", fault)


def a_killed_driver_takes_its_fetch_up(soak: Soak) -> None:
    def fault(scene: Scene) -> None:
        scene.process.send_signal(signal.SIGKILL)
        scene.process.wait()
        scene.process = scene.start()
    under(soak, "fetch-driver", fault)


def a_stopped_driver_fetches_the_rest_when_run_again(soak: Soak) -> None:
    def fault(scene: Scene) -> None:
        scene.process.send_signal(signal.SIGTERM)
        scene.finish(exit_code=75)
        scene.process = scene.start()
    under(soak, "fetch-stopped", fault)


def an_attempt_that_comes_back_asks_no_more(soak: Soak) -> None:
    """Stops an attempt and kills its node, so that nobody ends it; another attempt does its list; then it wakes up."""
    def fault(scene: Scene) -> None:
        sleeping = soak.driver.tasks("map")[0]
        assert processes.send(sleeping, signal.SIGSTOP)
        soak.client.down("--daemon", "nodemanager", "--kill")
        soak.client.up()
        asked = scene.asked()
        wait_until("other attempts run", PATIENCE, lambda: len([each for each in soak.driver.tasks("map") if each != sleeping]) >= 2)
        wait_until("they ask", PATIENCE, lambda: scene.asked() > asked + SITES["hosts"])
        time.sleep(LEASE_MS / 1000 + 5)
        woken_ms = scene.web.mark()
        assert processes.send(sleeping, signal.SIGCONT), "it was ended before it could wake up"
        assert processes.wait_until_gone(sleeping, PATIENCE)
        print(f"     (stopped, replaced, and gone when it woke up at {woken_ms:.0f} ms)", flush=True)
    under(soak, "fetch-asleep", fault)


def an_attempt_without_a_store_stops_asking(soak: Soak) -> None:
    scene = Scene(soak, "fetch-storeless")
    scene.wait_until_it_asks()
    soak.client.down("--daemon", "namenode", "--kill")
    away_ms = scene.web.mark()
    time.sleep(2 * LEASE_MS / 1000)
    late = [entry for entries in by_host(scene.web.log(), away_ms + LEASE_MS + SLACK_MS).values() for entry in entries]
    assert not late, late
    soak.client.up()
    out, err = scene.process.communicate()
    # It may have failed with the store, or have been tried again after the store came back.
    assert scene.process.returncode in (0, 3), err
    print(f"     (exit {scene.process.returncode}: {err.strip().splitlines()[-1][:200] if err.strip() else ''})", flush=True)
    if scene.process.returncode == 3:
        assert "hdfs://" in err or "application_" in err, err
        scene.process = scene.start()
        scene.finish()
    scene.check(away_ms)


CHECKS = [
    a_killed_fetch_task_goes_on_where_it_was,
    a_killed_application_master_loses_nothing,
    a_restarted_nodemanager_loses_nothing,
    a_killed_driver_takes_its_fetch_up,
    a_stopped_driver_fetches_the_rest_when_run_again,
    an_attempt_that_comes_back_asks_no_more,
    an_attempt_without_a_store_stops_asking,
]
