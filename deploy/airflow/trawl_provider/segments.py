"""Names of segments that follow from the run: whatever is retried, cleared or run again finds its work done."""

from __future__ import annotations

import hashlib
from datetime import timezone
from typing import Any


def segment_of_run(dag_run: Any, name: str = "") -> str:
    """The same for every repetition of a run, different for different runs, and fit for every store.

    A run is known by its logical date, which stays when the run is deleted and made again; without one, by its id.
    `name` tells the rounds of one run apart.
    """
    date = dag_run.logical_date
    run = date.astimezone(timezone.utc).isoformat() if date else dag_run.run_id
    digest = hashlib.sha256("\0".join((dag_run.dag_id, run, name)).encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{date.astimezone(timezone.utc):%Y%m%dt%H%M%S}-{digest}" if date else f"run-{digest}"
