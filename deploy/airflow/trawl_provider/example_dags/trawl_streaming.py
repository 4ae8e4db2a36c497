"""A round on a Hadoop cluster. While the cluster works, no worker does: the task is deferred, and the triggerer looks
after its job.

The workers need `trawl`, a Hadoop client and its settings (HADOOP_HOME, HADOOP_CONF_DIR); the connection names the root
on hdfs:// or s3://, and a bundle that scripts/bundle made.
"""

from datetime import datetime, timedelta, timezone

from airflow.sdk import DAG, Param

from trawl_provider.operators.verbs import TrawlInject, TrawlRound

with DAG(
    "trawl_streaming",
    description="A round on YARN, deferred",
    schedule="@daily",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    max_active_runs=1,
    default_args={
        "retries": 3,
        "retry_delay": timedelta(minutes=1),
        "runner": "streaming",
        "deferrable": True,
        "poll_interval": 15,
    },
    params={"seeds": Param([], type="array", items={"type": "string"}), "contact": Param("", type="string")},
    tags=["trawl"],
) as dag:
    TrawlInject(task_id="inject", seeds="{{ params.seeds | tojson }}") >> TrawlRound(
        task_id="round", contact="{{ params.contact }}"
    )
