"""Facets for OpenLineage: the crawl that a task wrote, the seeds and files that it read, its counters. Needs the extra
`openlineage`."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit


def place_of(root: str) -> tuple[str, str]:
    """Namespace and name of a dataset, as OpenLineage's naming has them."""
    parts = urlsplit(root)
    if parts.scheme in ("hdfs", "s3"):
        return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}", parts.path or "/"
    return "file", root


def counters_facet(summary: dict[str, Any]) -> Any:
    """What the task has in XCom, too."""
    import attr
    from openlineage.client.facet_v2 import RunFacet

    @attr.define
    class TrawlRunFacet(RunFacet):  # type: ignore[misc]
        segment: str | None
        snapshot: int | None
        counters: dict[str, float]

    return TrawlRunFacet(summary.get("segment"), summary.get("snapshot"), summary.get("counters") or {})


def lineage_of(operator: Any, task_instance: Any) -> Any:
    """Nothing where the provider of OpenLineage is missing."""
    try:
        from airflow.providers.openlineage.extractors import OperatorLineage
        from openlineage.client.event_v2 import Dataset
        from openlineage.client.facet_v2 import external_query_run
    except ImportError:
        return None
    root = Dataset(*place_of(operator.hook.root))
    folder = getattr(operator, "directory", None)
    seeds = (
        [Dataset(*place_of(seed)) for seed in operator.positional() if seed.startswith(("/", "hdfs://", "s3://"))]
        if not folder
        else []
    )
    facets: dict[str, Any] = {"trawl": counters_facet(operator.summary)} if operator.summary else {}
    if job := operator.summary.get("job"):
        facets["externalQuery"] = external_query_run.ExternalQueryRunFacet(externalQueryId=str(job), source="trawl")
    return OperatorLineage(
        inputs=[root] if folder else seeds,
        outputs=[Dataset(*place_of(folder))] if folder else [root],
        run_facets=facets,
    )
