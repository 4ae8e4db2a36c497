"""Wait until a crawl has work, or something new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from airflow.providers.common.compat.sdk import BaseSensorOperator, PokeReturnValue

from trawl_provider.cluster import Unanswered
from trawl_provider.exceptions import TrawlFailed, TrawlUsageError
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.looks import Looking, Seen
from trawl_provider.settings import variables_of
from trawl_provider.triggers.crawl import TrawlCrawlTrigger

# One answer that does not come is no reason to fail; that many in a row are.
TIMES_UNSEEN = 5


class _TrawlSensor(BaseSensorOperator):
    template_fields: Sequence[str] = ("root", "environment")
    ui_color = "#e6f1f2"

    def __init__(
        self,
        *,
        trawl_conn_id: str = TrawlHook.default_conn_name,
        root: str | None = None,
        environment: Mapping[str, str] | None = None,
        deferrable: bool = False,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.trawl_conn_id, self.root, self.environment, self.deferrable = trawl_conn_id, root, environment, deferrable
        self._hook: TrawlHook | None = None
        self._unseen = 0

    def looking(self) -> Looking:
        raise NotImplementedError

    def has_seen(self, seen: Seen) -> None:
        """After each look."""

    def poke(self, context: Any) -> PokeReturnValue:
        if self._hook is None:
            self._hook = TrawlHook(self.trawl_conn_id, root=self.root or None, environment=self.environment)
        looking = self.looking()
        try:
            seen = looking.look(self._hook)
        except Unanswered as error:
            self._unseen += 1
            if self._unseen >= TIMES_UNSEEN:
                raise TrawlFailed(f"{error} ({self._unseen} times in a row)") from None
            self.log.warning("%s; looking again", error)
            return PokeReturnValue(is_done=False)
        self._unseen = 0
        self.log.info("%s", seen.text)
        self.has_seen(seen)
        return PokeReturnValue(is_done=seen.is_there, xcom_value=seen.value)

    def execute(self, context: Any) -> Any:
        if not self.deferrable:
            return super().execute(context)
        done = self.poke(context)
        if done.is_done:
            return done.xcom_value
        interval = self.poke_interval
        seconds = interval.total_seconds() if isinstance(interval, timedelta) else float(interval)
        self.defer(
            trigger=TrawlCrawlTrigger(
                self.trawl_conn_id,
                self.looking().to_dict(),
                root=self.root or None,
                environment=variables_of(self.environment or {}, "the task's"),
                poll_interval=seconds,
            ),
            method_name="resume",
            timeout=timedelta(seconds=self.timeout) if not isinstance(self.timeout, timedelta) else self.timeout,
        )

    def resume(self, context: Any, event: dict[str, Any] | None = None) -> Any:
        if event and "value" in event:
            return event["value"]
        kind = TrawlUsageError if (event or {}).get("is_usage") else TrawlFailed
        raise kind(str((event or {}).get("error") or "the trigger said nothing"))

    def on_kill(self) -> None:
        if self._hook is not None:
            self._hook.stop()


class TrawlDueSensor(_TrawlSensor):
    """Until at least `due` URLs are due. XCom has their number."""

    def __init__(self, *, due: int = 1, **kwargs: Any):
        super().__init__(**kwargs)
        self.due = due

    def looking(self) -> Looking:
        return Looking("due", int(self.due))


class TrawlSnapshotSensor(_TrawlSensor):
    """Until the crawl has a snapshot after `after`, such as `"{{ ti.xcom_pull('round')['snapshot'] }}"`. XCom has its
    number.

    :param after: a number. Without it, the newest that is there when the task begins; not with `mode="reschedule"`,
        which begins anew each time.
    """

    template_fields = (*_TrawlSensor.template_fields, "after")

    def __init__(self, *, after: int | str | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        if after is None and self.reschedule and not self.deferrable:
            raise ValueError('with mode="reschedule" the sensor needs `after`: it would begin anew each time')
        self.after = after

    def looking(self) -> Looking:
        try:
            return Looking("snapshot", None if self.after is None else int(self.after))
        except (TypeError, ValueError):
            raise TrawlUsageError(f"after is no number: {self.after!r}") from None

    def has_seen(self, seen: Seen) -> None:
        self.after = self.looking().after(seen).number
