"""Waits, in the triggerer, until a job on the cluster is over."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent
from asgiref.sync import sync_to_async

from trawl_provider.cluster import FAILED, RUNNING, JobState, Unanswered, begin_kill, job_state
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.result import ClusterJob

# As long as `trawl` itself waits for a ResourceManager. Then the task's command tells what is wrong.
PATIENCE_SECONDS = 300
KILL_SECONDS = 20


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

    def _look(self) -> JobState:
        return job_state(self._hook(), ClusterJob(self.application, self.job))

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
                now = await sync_to_async(self._look, thread_sensitive=False)()
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

        def kill() -> None:
            begin_kill(self._hook(), ClusterJob(self.application, self.job)).communicate(timeout=KILL_SECONDS)

        await sync_to_async(kill, thread_sensitive=False)()
