"""Weekly: old data goes, and a report of the rounds is written. Every quarter of an hour: a look at the crawl's
health."""

from datetime import datetime, timedelta, timezone

from airflow.sdk import DAG, Param

from trawl_provider.operators.verbs import TrawlCompact, TrawlGc, TrawlHealth, TrawlReport

START = datetime(2026, 1, 1, tzinfo=timezone.utc)

with DAG(
    "trawl_weekly",
    description="compact, gc and report",
    schedule="@weekly",
    start_date=START,
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": timedelta(minutes=5)},
    params={
        "keep_time": Param("7d", type="string", description="snapshots younger than this stay"),
        "folder": Param("/tmp", type="string", description="where the report goes, on the worker"),
    },
    tags=["trawl"],
) as weekly:
    compact = TrawlCompact(task_id="compact")
    gc = TrawlGc(task_id="gc", options={"keep_time": "{{ params.keep_time }}"})
    (
        compact
        >> gc
        >> TrawlReport(task_id="report", file="{{ params.folder }}/trawl-report-{{ run_id | replace(':', '') }}.html")
    )

with DAG(
    "trawl_health",
    description="Fails where the crawl is ill",
    schedule="*/15 * * * *",
    start_date=START,
    catchup=False,
    max_active_runs=1,
    tags=["trawl"],
) as health:
    TrawlHealth(task_id="health", options={"max_round_age": "2d"})
