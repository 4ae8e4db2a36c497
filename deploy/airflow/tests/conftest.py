"""A connection whose `trawl` is a stub, and the context of a task that never was in a database."""

import json
import os
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest

os.environ.setdefault("AIRFLOW__CORE__LOAD_EXAMPLES", "False")
TOKEN = "a-token-that-nobody-may-see"


class Stub:
    def __init__(self, folder, monkeypatch):
        self.folder = folder
        self.monkeypatch = monkeypatch
        monkeypatch.setenv("STUB", str(folder))
        self.connect()

    def connect(self, **extra):
        connection = {
            "conn_type": "trawl",
            "host": "/data/a crawl",
            "password": TOKEN,
            "extra": {"binary": str(Path(__file__).with_name("stub_trawl")), **extra},
        }
        self.monkeypatch.setenv("AIRFLOW_CONN_TRAWL_DEFAULT", json.dumps(connection))

    def does(self, verb, script):
        (self.folder / verb.replace(" ", "_")).write_text(script + "\n")

    def calls(self):
        """The words of each call so far."""
        path = self.folder / "calls"
        return [call.split("\0") for call in path.read_text().split("\0\n") if call] if path.exists() else []

    def environment(self):
        return dict(line.split("=", 1) for line in (self.folder / "environment").read_text().splitlines())


@pytest.fixture
def stub(tmp_path, monkeypatch):
    folder = tmp_path / "stub"
    folder.mkdir()
    return Stub(folder, monkeypatch)


class Ti:
    task_id, map_index = "task", -1

    def __init__(self):
        self.xcoms = {}

    def xcom_push(self, key, value):
        self.xcoms[key] = value

    def xcom_pull(self, **_):
        return self.xcoms.get("return_value")


@pytest.fixture
def context():
    run = SimpleNamespace(dag_id="a_dag", run_id="manual__1", logical_date=datetime(2026, 1, 2, 3, tzinfo=timezone.utc))
    return {"dag_run": run, "ti": Ti()}
