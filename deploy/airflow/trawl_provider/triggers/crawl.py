"""Waits, in the triggerer, until a crawl has work or a new snapshot."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from functools import partial
from typing import Any

from airflow.triggers.base import BaseTrigger, TriggerEvent

from trawl_provider.cluster import Unanswered
from trawl_provider.exceptions import TrawlUsageError
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.looks import Looking
from trawl_provider.triggers.elsewhere import in_a_thread

# One answer that does not come is no reason to fail; that many in a row are.
TIMES_UNSEEN = 5


class TrawlCrawlTrigger(BaseTrigger):
    """Its event has `value`, or `error`, and then `is_usage` where a retry would not help.

    :param looking: the members of a Looking.
    """

    def __init__(
        self,
        trawl_conn_id: str,
        looking: dict[str, Any],
        root: str | None = None,
        environment: Mapping[str, str] | None = None,
        poll_interval: float = 60,
    ):
        super().__init__()
        self.trawl_conn_id, self.root, self.environment = trawl_conn_id, root, dict(environment or {})
        self.looking, self.poll_interval = looking, poll_interval

    def serialize(self) -> tuple[str, dict[str, Any]]:
        return "trawl_provider.triggers.crawl.TrawlCrawlTrigger", {
            "trawl_conn_id": self.trawl_conn_id,
            "looking": self.looking,
            "root": self.root,
            "environment": self.environment,
            "poll_interval": self.poll_interval,
        }

    async def run(self) -> AsyncIterator[TriggerEvent]:
        unseen, looking = 0, Looking(**self.looking)
        while True:
            hook = TrawlHook(self.trawl_conn_id, root=self.root, environment=self.environment)
            try:
                seen = await in_a_thread(partial(looking.look, hook), hook)
            except Unanswered as error:
                unseen += 1
                if unseen >= TIMES_UNSEEN:
                    yield TriggerEvent({"error": f"{error} ({unseen} times in a row)"})
                    return
                self.log.warning("%s; looking again", error)
            except Exception as error:
                yield TriggerEvent({"error": str(error), "is_usage": isinstance(error, TrawlUsageError)})
                return
            else:
                unseen = 0
                self.log.info("%s", seen.text)
                if seen.is_there:
                    yield TriggerEvent({"value": seen.value})
                    return
                looking = looking.after(seen)
            await asyncio.sleep(self.poll_interval)
