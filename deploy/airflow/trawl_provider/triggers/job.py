"""Waits, in the triggerer, until a job on the cluster is over."""

from __future__ import annotations

import asyncio
import logging
import subprocess
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from trawl_provider.cluster import FAILED, RUNNING, Unanswered, begin_kill, job_state
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.result import ClusterJob
from trawl_provider.triggers.elsewhere import in_a_thread

# As long as `trawl` itself waits for a ResourceManager. Then the task's command tells what is wrong.
PATIENCE_SECONDS = 300
KILL_SECONDS = 20


def kill_and_wait(hook: TrawlHook, job: ClusterJob) -> str:
    """What went wrong, if anything did."""
    killing = begin_kill(hook, job, stderr=subprocess.PIPE)
    try:
        said = killing.communicate(timeout=KILL_SECONDS)[1]
    except subprocess.TimeoutExpired:
        return f"trawl jobs kill has not answered within {KILL_SECONDS} s; it goes on"
    return f"exit {killing.returncode} {said.decode('utf-8', 'replace')[-1000:]}" if killing.returncode else ""


class TrawlJobTrigger(BaseTrigger):
    """Its event has application, job, state (`over`, `failed` or `unknown`) and reason. It is a hint: a lost triggerer,
    a retry or a cleared task all end in the same command, which finds the job by its tag. So nothing is lost with the
    trigger.

    :param kill_remote: a user who clears or marks the deferred task ends the job on the cluster, too (Airflow 3.3 and
        later).
    """

    def __init__(
        self,
        trawl_conn_id: str,
        job: str,
        application: str,
        root: str | None = None,
        runner: str | None = None,
        environment: Mapping[str, str] | None = None,
        poll_interval: float = 30,
        kill_remote: bool = False,
    ):
        super().__init__()
        self.trawl_conn_id, self.root, self.runner = trawl_conn_id, root, runner
        self.environment = dict(environment or {})
        self.job, self.application = job, application
        self.poll_interval, self.kill_remote = poll_interval, kill_remote

    def serialize(self) -> tuple[str, dict[str, Any]]:
        return "trawl_provider.triggers.job.TrawlJobTrigger", {
            "trawl_conn_id": self.trawl_conn_id,
            "root": self.root,
            "runner": self.runner,
            "environment": self.environment,
            "job": self.job,
            "application": self.application,
            "poll_interval": self.poll_interval,
            "kill_remote": self.kill_remote,
        }

    def _hook(self) -> TrawlHook:
        return TrawlHook(self.trawl_conn_id, root=self.root, runner=self.runner, environment=self.environment)

    def _job(self) -> ClusterJob:
        return ClusterJob(self.application, self.job)

    def _event(self, state: str, reason: str = "", tracking_url: str = "") -> TriggerEvent:
        return TriggerEvent(
            {
                "application": self.application,
                "job": self.job,
                "state": state,
                "reason": reason,
                "tracking_url": tracking_url,
            }
        )

    async def run(self) -> AsyncIterator[TriggerEvent]:
        silent_seconds = 0.0
        while True:
            # First of all a pause: the command has just said that the job runs.
            await asyncio.sleep(self.poll_interval)
            try:
                hook = self._hook()
                now = await in_a_thread(partial(job_state, hook, self._job()), hook)
            except Unanswered as error:
                silent_seconds += self.poll_interval
                self.log.warning("%s; asking again", error)
                if silent_seconds >= PATIENCE_SECONDS:
                    yield self._event("unknown", str(error))
                    return
                continue
            except Exception as error:  # such as a worker's settings that the triggerer lacks: the command will tell
                self.log.exception("cannot ask how %s does", self.job)
                yield self._event("unknown", str(error))
                return
            silent_seconds = 0
            self.log.info("%s (%s): %s", self.application, self.job, now.text)
            if now.state != RUNNING:
                yield self._event(now.state, now.reason if now.state == FAILED else "", now.tracking_url)
                return

    async def on_kill(self) -> None:
        """Only a user's act comes here, never a restart of the triggerer."""
        if not self.kill_remote:
            return
        hook = self._hook()
        said = await in_a_thread(partial(kill_and_wait, hook, self._job()), hook)
        self.log.log(
            logging.ERROR if said else logging.INFO, "ending %s: %s", self.application, said or "YARN was asked"
        )
