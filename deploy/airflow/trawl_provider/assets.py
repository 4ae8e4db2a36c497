"""Crawls and exports as assets: `trawl://…`, with the snapshot, the segment and the number of pages in each event."""

from __future__ import annotations

from typing import Any
from urllib.parse import SplitResult, quote, urlsplit

from airflow.providers.common.compat.sdk import Asset

SCHEME = "trawl"


def sanitize_uri(uri: SplitResult) -> SplitResult:
    """Airflow's normalizer of such addresses: `trawl://local/…`, `trawl://hdfs/…` or `trawl://s3/…`."""
    if uri.netloc not in ("local", "hdfs", "s3"):
        raise ValueError(f"{uri.geturl()}: a trawl:// address begins with trawl://local/, trawl://hdfs/ or trawl://s3/")
    return uri._replace(query="", fragment="")


def asset_uri(place: str) -> str:
    """`/data/crawl` → `trawl://local/data/crawl`; `hdfs://name/crawl` → `trawl://hdfs/name/crawl`; of s3:// likewise.
    What comes after a `?` (the server's address) is left out."""
    parts = urlsplit(place)
    if parts.scheme in ("hdfs", "s3"):
        host = parts.netloc.rpartition("@")[2]
        return f"{SCHEME}://{parts.scheme}/{host}/{quote(parts.path.strip('/'))}".rstrip("/")
    if not place.startswith("/"):
        raise ValueError(
            f"{place!r} is no place that every worker understands in the same way: give an absolute path, "
            "hdfs://… or s3://…"
        )
    return f"{SCHEME}://local/{quote(place.strip('/'))}"


def trawl_asset(place: str, name: str | None = None) -> Asset:
    """The crawl, or the export, at that place."""
    uri = asset_uri(place)
    return Asset(name=name or uri, uri=uri)


def extra_of(summary: dict[str, Any]) -> dict[str, Any]:
    counters = summary.get("counters") or {}
    return {"snapshot": summary.get("snapshot"), "segment": summary.get("segment"), "pages": counters.get("pages")}
