"""Round after round, as long as something is due; then it waits for it. One DAG run is one round, so there is no fixed
number of them."""

from datetime import datetime, timedelta, timezone

from airflow.sdk import DAG

from trawl_provider.operators.verbs import TrawlRound
from trawl_provider.sensors.trawl import TrawlDueSensor

with DAG(
    "trawl_continuous",
    description="Rounds without an end",
    schedule="@continuous",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(minutes=1)},
    tags=["trawl"],
) as dag:
    # In the triggerer: a worker is busy only while there is work.
    due = TrawlDueSensor(task_id="due", due=1, deferrable=True, poke_interval=60, timeout=timedelta(days=90))
    due >> TrawlRound(task_id="round")
