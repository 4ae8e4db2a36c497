"""An Airflow DAG of crawl rounds: inject, then generate, fetch, parse, updatedb, settle and upkeep, round after round, until nothing is due.

Any task can be repeated, by a retry, by clearing it or by running the whole run again: a round's segment has an id that follows
from the run and the round, and every verb that finds its segment's work done says so and exits 0. So a repeated run fetches
nothing twice, and a new run makes new segments.

Settle finds the pages that are equal or nearly equal to others; where nothing has changed since the last time, it does nothing.
Upkeep merges runs where that pays, and collects garbage after every tenth round, as `trawl crawl` and `trawl round` do (settings
gc.*, docs/operations.md).

A round for which nothing is due (or one past the run's number of rounds) is skipped, and with it all that follow.

Put this file into the DAGs folder of an Airflow whose workers have `trawl` and, for the runner `streaming`, the cluster's Hadoop
settings. From the workers' environment it reads:
    TRAWL_BINARY         the trawl to call; by default the PATH's
    TRAWL_MAX_ROUNDS     the most rounds of a run, for which this DAG has tasks (10); read where the DAG is parsed
    TRAWL_RETRY_SECONDS  between a failure and its retry (60); likewise
and every option of trawl's, as TRAWL_STREAMING_BUNDLE and TRAWL_STREAMING_QUEUE for the runner `streaming` (docs/options.md).
A worker that dies leaves its job on the cluster; the retry takes it up.
"""

import hashlib
import os
from datetime import timedelta, timezone
from typing import Any

from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG, Param

MAX_ROUNDS = int(os.environ.get("TRAWL_MAX_ROUNDS", "10"))
RETRY_SECONDS = int(os.environ.get("TRAWL_RETRY_SECONDS", "60"))

# The exit code that `trawl` is asked for when nothing is due, and that Airflow takes as "skip".
NOTHING_DUE = 99


def segment_id(dag_run: Any, round_number: int) -> str:
    """Names a round's segment: the same for every repetition of a run, different for different runs, fit for every store.

    A run is identified by its logical date, which stays when the run is deleted and made again; without one, by its id.
    """
    date = dag_run.logical_date
    run = date.astimezone(timezone.utc).isoformat() if date else dag_run.run_id
    digest = hashlib.sha256(f"{dag_run.dag_id} {run}".encode()).hexdigest()[:12]
    return f"{date:%Y%m%dt%H%M%S}-{digest}-{round_number:03}" if date else f"run-{digest}-{round_number:03}"


# Commands get parameters in their environment, never as text of a script.
ENVIRONMENT = {
    "CRAWL_ROOT": "{{ params.root }}",
    "CRAWL_SEEDS": "{{ params.seeds | join('\n') }}",
    "CRAWL_ROUNDS": "{{ params.rounds }}",
    "CRAWL_RUNNER": "{{ params.runner }}",
    "CRAWL_CONTACT": "{{ params.contact }}",
}

# `exec`, so that trawl itself gets the signal when Airflow ends a task: it then closes its files and can be run again.
CALL = 'exec "${TRAWL_BINARY:-trawl}" '
COMMON = ' --root "$CRAWL_ROOT" --runner "$CRAWL_RUNNER"'
OF_SEGMENT = COMMON + ' --segment "$CRAWL_SEGMENT"'

INJECT = (
    '[ -n "$CRAWL_SEEDS" ] || exit 0\n'
    'mapfile -t seeds <<<"$CRAWL_SEEDS"\n' + CALL + "inject" + COMMON + ' -- "${seeds[@]}"'
)
GENERATE = (
    f'[ "$CRAWL_ROUND" -le "$CRAWL_ROUNDS" ] || exit {NOTHING_DUE}\n' + CALL + "generate" + OF_SEGMENT + f" --idle_exit {NOTHING_DUE}"
)
FETCH = CALL + "fetch" + OF_SEGMENT + ' ${CRAWL_CONTACT:+--contact "$CRAWL_CONTACT"}'
PARSE = CALL + "parse" + OF_SEGMENT
UPDATEDB = CALL + "updatedb" + OF_SEGMENT
SETTLE = CALL + "settle" + COMMON
UPKEEP = (
    '"${TRAWL_BINARY:-trawl}" compact' + COMMON + " --by_policy || exit\n" + CALL + 'gc --root "$CRAWL_ROOT" --by_policy'
)


def task_of_round(step: str, command: str, round_number: int) -> BashOperator:
    return BashOperator(
        task_id=f"{step}_{round_number:03}",
        bash_command=command,
        env=ENVIRONMENT
        | {"CRAWL_ROUND": str(round_number), "CRAWL_SEGMENT": "{{ segment_id(dag_run, " + str(round_number) + ") }}"},
        append_env=True,
        skip_on_exit_code=NOTHING_DUE,
    )


with DAG(
    "trawl_rounds",
    description="Crawl rounds until nothing is due",
    schedule=None,
    catchup=False,
    # A second run at the same time would only wait for the domains that the first holds.
    max_active_runs=1,
    default_args={"retries": 3, "retry_delay": timedelta(seconds=RETRY_SECONDS)},
    user_defined_macros={"segment_id": segment_id},
    params={
        "root": Param("./crawl", type="string", minLength=1, description="where the crawl lives: a path, hdfs://… or s3://…"),
        "seeds": Param([], type="array", items={"type": "string"}, description="URLs, or files of URLs, that the workers can read"),
        "rounds": Param(min(3, MAX_ROUNDS), type="integer", minimum=1, maximum=MAX_ROUNDS, description="how many rounds at most"),
        "runner": Param("local", enum=["local", "streaming"], description="where the tasks run"),
        "contact": Param("", type="string", description="a URL or address at which the sites' owners reach you"),
    },
) as dag:
    previous = BashOperator(task_id="inject", bash_command=INJECT, env=ENVIRONMENT, append_env=True)
    for number in range(1, MAX_ROUNDS + 1):
        steps = (
            ("generate", GENERATE),
            ("fetch", FETCH),
            ("parse", PARSE),
            ("updatedb", UPDATEDB),
            ("settle", SETTLE),
            ("upkeep", UPKEEP),
        )
        for step, command in steps:
            task = task_of_round(step, command, number)
            previous >> task
            previous = task
