"""Buttons beside a task: its round in `trawl serve`, and its application in YARN."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from airflow.providers.common.compat.sdk import BaseOperatorLink


def serve_link(serve_url: str, segment: str | None = None, job: str | None = None) -> str:
    if not serve_url:
        return ""
    if segment:
        return f"{serve_url}/rounds/{quote(segment, safe='')}"
    return f"{serve_url}/jobs/{quote(job, safe='')}" if job else serve_url


class TrawlServeLink(BaseOperatorLink):
    """The page of the round, or of the job. The connection must have `serve_url`."""

    name = "Trawl"

    def get_link(self, operator: Any, *, ti_key: Any) -> str:
        return getattr(operator, "serve_link", "")


class TrawlYarnLink(BaseOperatorLink):
    """The last job that the task had on the cluster."""

    name = "YARN"

    def get_link(self, operator: Any, *, ti_key: Any) -> str:
        return getattr(operator, "yarn_link", "")
