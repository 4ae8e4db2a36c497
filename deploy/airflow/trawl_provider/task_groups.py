"""A round as a group of tasks, one for each step: each step has its own log, duration and retries."""

from __future__ import annotations

from typing import Any

from airflow.providers.common.compat.sdk import TaskGroup

from trawl_provider.operators.verbs import (
    TrawlCompact,
    TrawlFetch,
    TrawlGc,
    TrawlGenerate,
    TrawlParse,
    TrawlSettle,
    TrawlUpdatedb,
)

BY_POLICY = ("--by_policy",)


def trawl_round(
    group_id: str = "round",
    *,
    contact: str | None = None,
    generate_options: dict[str, Any] | None = None,
    fetch_options: dict[str, Any] | None = None,
    upkeep: bool = True,
    **common: Any,
) -> TaskGroup:
    """generate >> fetch >> parse >> updatedb >> settle, and with `upkeep` compact and gc as `trawl round` does them
    (where it pays).

    Nothing due: generate is skipped, and with it the rest of the group and what follows. `common` goes to all tasks:
    `trawl_conn_id`, `root`, `runner`, `deferrable`, `environment`, `retries`, ….
    """
    with TaskGroup(group_id) as group:
        tasks = [
            TrawlGenerate(task_id="generate", options=generate_options, **common),
            TrawlFetch(task_id="fetch", contact=contact, options=fetch_options, **common),
            TrawlParse(task_id="parse", **common),
            TrawlUpdatedb(task_id="updatedb", **common),
            TrawlSettle(task_id="settle", **common),
        ]
        if upkeep:
            tasks += [
                TrawlCompact(task_id="compact", arguments=BY_POLICY, **common),
                TrawlGc(task_id="gc", arguments=BY_POLICY, **common),
            ]
        for earlier, later in zip(tasks, tasks[1:]):
            earlier >> later
    return group


def trawl_rounds(rounds: int, group_id: str = "round", **common: Any) -> list[TaskGroup]:
    """That number of rounds, one after the other; once nothing is due, the rest is skipped. Returns the groups."""
    if rounds < 1:
        raise ValueError("there is at least one round")
    groups = [trawl_round(f"{group_id}_{number:03}", **common) for number in range(1, rounds + 1)]
    for earlier, later in zip(groups, groups[1:]):
        earlier >> later
    return groups
