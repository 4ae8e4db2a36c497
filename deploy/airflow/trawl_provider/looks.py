"""What sensors look at: how many URLs are due, and which snapshot is the newest. Asks `trawl serve` where the
connection names one."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, replace
from typing import Any

from trawl_provider.cluster import Unanswered, get_json
from trawl_provider.exceptions import TrawlUsageError
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.result import DONE, USAGE, TrawlResult

# Counting what is due reads the table of URLs.
LOOK_SECONDS = 600

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Seen:
    is_there: bool
    value: int
    text: str


@dataclass(frozen=True)
class Looking:
    """`due`: at least that many URLs are due. `snapshot`: there is one after it, without a number after the newest."""

    what: str
    number: int | None

    def after(self, seen: Seen) -> Looking:
        """The next look, which knows the newest snapshot of the first one."""
        return self if self.number is not None else replace(self, number=seen.value)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    def look(self, hook: TrawlHook) -> Seen:
        """Blocks for LOOK_SECONDS at most. Raises Unanswered."""
        answer = self._from_serve(hook) if hook.get_conn().serve_url else self._from_trawl(hook)
        value = answer.get("due" if self.what == "due" else "snapshot")
        if not isinstance(value, int):
            raise Unanswered(f"the answer has no {self.what}")
        if self.what == "due":
            return Seen(value >= (self.number or 0), value, f"{value} URLs are due; waiting for {self.number}")
        after = value if self.number is None else self.number
        return Seen(value > after, value, f"snapshot {value} is the newest; waiting for one after {after}")

    @staticmethod
    def _from_serve(hook: TrawlHook) -> dict[str, Any]:
        settings = hook.get_conn()
        return get_json(f"{settings.serve_url}/status", settings.token)

    def _from_trawl(self, hook: TrawlHook) -> dict[str, Any]:
        verb, options = ("readdb stats", {}) if self.what == "due" else ("snapshot list", {"limit": 1})
        try:
            result: TrawlResult = hook.run(verb, options=options, timeout=LOOK_SECONDS, on_line=log.debug)
        except TimeoutError:
            raise Unanswered(f"trawl {verb} has not answered within {LOOK_SECONDS} s") from None
        if result.exit_code == USAGE:
            raise TrawlUsageError("\n".join([f"trawl {verb}: exit {USAGE}", *result.tail]))
        last = result.answers[-1] if result.answers else None
        if result.exit_code != DONE or not isinstance(last, dict):
            raise Unanswered(f"trawl {verb}: exit {result.exit_code} {' '.join(result.tail[-3:])}")
        return last
