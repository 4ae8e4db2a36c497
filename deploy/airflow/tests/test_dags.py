"""The example DAGs: each is imported, and serialized as the scheduler stores it."""

from pathlib import Path

import pytest
import trawl_provider.example_dags as example_dags

try:
    from airflow.dag_processing.dagbag import DagBag
except ImportError:  # before Airflow 3.2
    from airflow.models.dagbag import DagBag

FOLDER = Path(example_dags.__file__).parent
DAGS = {
    "trawl_hourly",
    "trawl_rounds",
    "trawl_continuous",
    "trawl_streaming",
    "trawl_export",
    "trawl_spark",
    "trawl_weekly",
    "trawl_health",
}


@pytest.fixture(scope="module")
def dags():
    found = {}
    for path in sorted(FOLDER.glob("trawl_*.py")):
        bag = DagBag(str(path))
        assert not bag.import_errors, bag.import_errors
        found |= bag.dags
    return found


def test_all_are_there(dags):
    assert set(dags) == DAGS


def test_the_dag_of_the_readme_is_one(tmp_path):
    readme = (Path(__file__).parent.parent / "README.md").read_text()
    (tmp_path / "news.py").write_text(readme.split("```python\n")[1].split("```")[0])
    bag = DagBag(str(tmp_path))
    assert not bag.import_errors and list(bag.dags) == ["news"], bag.import_errors


def test_none_runs_beside_itself_or_catches_up(dags):
    for dag in dags.values():
        assert dag.catchup is False and (dag.max_active_runs == 1 or dag.dag_id == "trawl_spark"), dag.dag_id


def test_the_scheduler_can_store_them(dags):
    try:
        from airflow.serialization.serialized_objects import DagSerialization as Serialized
    except ImportError:
        from airflow.serialization.serialized_objects import SerializedDAG as Serialized
    for dag in dags.values():
        data = Serialized.to_dict(dag)
        assert Serialized.from_dict(data).task_ids == dag.task_ids
