"""What a command has said: its exit code, the object of --json, and the last lines of its standard error."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

DONE, NOTHING, USAGE, FAILED, OVERTAKEN, STOPPED = 0, 1, 2, 3, 4, 75
# Asked for with --idle_exit, so that "nothing is due" is no other program's 1.
IDLE = 99

# `trawl` says it when it leaves a job on the cluster, with --streaming.detach.
LEFT = re.compile(r"running on the cluster as (application_\d+_\d+) \(([^()\s]+)\)")

# Of an answer, these are no counters.
NAMED = {"job", "changed", "snapshot", "segment", "seconds"}


@dataclass(frozen=True)
class ClusterJob:
    """A job that runs on the cluster."""

    application: str
    job: str


@dataclass(frozen=True)
class TrawlResult:
    verb: str
    exit_code: int
    answers: tuple[Any, ...]  # one object; of a list one for each line
    tail: tuple[str, ...]

    @property
    def answer(self) -> dict[str, Any]:
        return self.answers[0] if len(self.answers) == 1 and isinstance(self.answers[0], dict) else {}

    @property
    def left(self) -> ClusterJob | None:
        """The job that the command left on the cluster."""
        found = [LEFT.search(line) for line in self.tail] if self.exit_code == STOPPED else []
        last = next((match for match in reversed(found) if match), None)
        return ClusterJob(last[1], last[2]) if last else None

    def summary(self) -> dict[str, Any]:
        """For XCom: small, whatever the verb."""
        counters = {
            name: value for name, value in self.answer.items() if name not in NAMED and type(value) in (int, float)
        }
        return {
            "segment": self.answer.get("segment") or None,
            "snapshot": self.answer.get("snapshot"),
            "job": self.answer.get("job") or None,
            "changed": bool(self.answer.get("changed")),
            "seconds": self.answer.get("seconds"),
            "counters": counters,
        }


def parse_answers(output: bytes) -> tuple[Any, ...]:
    """The lines that are JSON objects. Other lines, such as those of a page or a report, are left out."""
    answers = []
    for line in output.splitlines():
        if not line.strip():
            continue
        try:
            answers.append(json.loads(line))
        except ValueError:
            return ()
    return tuple(answers)
