"""An Airflow of its own in a folder, with the provider's wheel and the connection of a crawl; and what its runs have
come to."""

import json
import os
import shutil
import subprocess

from airflow import environment


class Lab:
    def __init__(self, version, built, folder, binary):
        self.home = folder / "airflow"
        self.venv = environment.with_wheel(version, built, folder / "venv")
        self.env = environment.settings(self.home)
        self.binary = binary
        self.connect(folder / "a crawl's root")

    def connect(self, root, **extra):
        connection = {"conn_type": "trawl", "host": str(root), "extra": {"binary": str(self.binary), **extra}}
        self.env["AIRFLOW_CONN_TRAWL_DEFAULT"] = json.dumps(connection)

    def on_web(self, web):
        """Crawls the test web: without a pause, on loopback."""
        self.env |= {
            "TRAWL_FETCH_ALLOW_PRIVATE": "true",
            "TRAWL_FETCH_HOSTS_FILE": str(web.hosts_file),
            "TRAWL_FETCH_DELAY_MS": "0",
            "TRAWL_URLS_SCOPE": "any",
        }

    def prepare(self):
        """The database, and the example DAGs of the installed wheel."""
        self.airflow("db", "migrate")
        source = next(self.venv.glob("lib/python*/site-packages/trawl_provider/example_dags"))
        for path in source.glob("*.py"):
            shutil.copy(path, self.home / "dags")

    def run(self, *words, env=None, check=True):
        done = subprocess.run([str(word) for word in words], env=env or self.env, capture_output=True, text=True)
        assert not check or done.returncode == 0, (
            f"{words[0]} {words[1]}: exit {done.returncode}: {(done.stdout + done.stderr)[-4000:]}"
        )
        return done

    def airflow(self, *words, check=True):
        done = self.run(self.venv / "bin/airflow", *words, check=check)
        return done.stdout + done.stderr

    def json(self, *words):
        """Airflow may log before its answer."""
        lines = self.run(self.venv / "bin/airflow", *words, "-o", "json").stdout.splitlines()
        return json.loads(next(line for line in lines if line.startswith("[{")))

    def pytest(self, *words):
        return self.run(
            self.venv / "bin/pytest", "-q", "-p", "no:cacheprovider", environment.PACKAGE / "tests", *words
        ).stdout

    def test_dag(self, dag, date, configuration=None):
        """Runs a whole run, tasks in order; deferred ones wait in it. Returns the states of its tasks, and its log."""
        more = ["--conf", json.dumps(configuration)] if configuration else []
        log = self.airflow("dags", "test", dag, date, *more)
        return {task["task_id"]: task["state"] for task in self.json("tasks", "states-for-dag-run", dag, date)}, log


def without_trawl_variables():
    """To the binary they are options."""
    for name in [name for name in os.environ if name.startswith("TRAWL_") and name != "TRAWL_CACHE"]:
        del os.environ[name]
