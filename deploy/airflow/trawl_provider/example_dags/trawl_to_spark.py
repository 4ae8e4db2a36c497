"""Parquet for Spark, by data: when `trawl_export` has written pages, Airflow starts `trawl_spark`, which knows from the
event what is new.

`trawl_spark` submits its job where the provider of Apache Spark is installed (`pip install
airflow-provider-trawl[spark]`, connection `spark_default`). Without it, it says what lies there.
"""

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from airflow.sdk import DAG, task

from trawl_provider.assets import trawl_asset
from trawl_provider.operators.verbs import TrawlExport, TrawlRound

try:
    from airflow.providers.apache.spark.operators.spark_submit import SparkSubmitOperator
except ImportError:
    SparkSubmitOperator = None

# Where the DAG is parsed: an asset's address may not depend on a run.
DIRECTORY = os.environ.get("CRAWL_EXPORT_DIRECTORY", "/data/trawl/export")
PAGES = trawl_asset(f"{DIRECTORY}/pages", "trawl_pages")

with DAG(
    "trawl_export",
    description="A round, and the text of all pages as Parquet",
    schedule="@daily",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=1)},
    tags=["trawl"],
) as export_dag:
    TrawlRound(task_id="round") >> TrawlExport(task_id="export", directory=DIRECTORY, what="pages", outlets=[PAGES])

with DAG(
    "trawl_spark", description="Works on each new export", schedule=[PAGES], catchup=False, tags=["trawl"]
) as spark_dag:

    @task(inlets=[PAGES])
    def what_is_new(*, inlet_events: Any = None) -> dict[str, Any]:
        """The snapshot of the newest export, and its files."""
        events = list(inlet_events[PAGES]) if inlet_events is not None else []
        extra = dict(events[-1].extra) if events else {}
        files = sorted(str(path) for path in Path(DIRECTORY, "pages").glob("*.parquet"))
        print(f"{len(files)} files in {DIRECTORY}/pages, {extra}")
        return {"snapshot": extra.get("snapshot"), "files": len(files)}

    new = what_is_new()
    if SparkSubmitOperator is not None:
        new >> SparkSubmitOperator(
            task_id="count",
            application=str(Path(__file__).with_name("spark_count.py")),
            application_args=[f"{DIRECTORY}/pages"],
        )
