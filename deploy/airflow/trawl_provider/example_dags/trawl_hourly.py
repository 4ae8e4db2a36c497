"""A round every hour on the crawl of the connection `trawl_default`. The first DAG to try: README.md of the provider
walks through it.

`trawl_rounds` has the same step by step, each with its own log and retries.
"""

from datetime import datetime, timedelta, timezone

from airflow.sdk import DAG, Param

from trawl_provider.operators.verbs import TrawlExport, TrawlInject, TrawlRound
from trawl_provider.task_groups import trawl_rounds

DEFAULTS = {"retries": 3, "retry_delay": timedelta(minutes=1)}
SEEDS = Param(
    [], type="array", items={"type": "string"}, description="URLs, or files of URLs that the workers can read"
)
CONTACT = Param(
    "", type="string", description="a URL or address at which the sites' owners reach you; needed for public sites"
)

with DAG(
    "trawl_hourly",
    description="One round of the crawl, and its URLs as Parquet",
    schedule="@hourly",
    start_date=datetime(2026, 1, 1, tzinfo=timezone.utc),
    catchup=False,
    # A second run at the same time would only wait for the domains that the first holds.
    max_active_runs=1,
    default_args=DEFAULTS,
    params={
        "seeds": SEEDS,
        "contact": CONTACT,
        "directory": Param("", type="string", description="where the Parquet goes; empty: nowhere"),
    },
    tags=["trawl"],
) as hourly:
    inject = TrawlInject(task_id="inject", seeds="{{ params.seeds | tojson }}")
    one_round = TrawlRound(task_id="round", contact="{{ params.contact }}")
    export = TrawlExport(task_id="export", directory="{{ params.directory }}")
    inject >> one_round >> export

with DAG(
    "trawl_rounds",
    description="At most three rounds, step by step",
    schedule=None,
    catchup=False,
    max_active_runs=1,
    default_args=DEFAULTS,
    params={"seeds": SEEDS, "contact": CONTACT},
    tags=["trawl"],
) as rounds:
    (
        TrawlInject(task_id="inject", seeds="{{ params.seeds | tojson }}")
        >> trawl_rounds(3, contact="{{ params.contact }}")[0]
    )
