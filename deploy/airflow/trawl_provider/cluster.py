"""How a job on the cluster does. Asks `trawl serve` or YARN's ResourceManager where the connection names one, else
`trawl jobs status`.

The answer only says when it is time to run the task's command again. That command takes the job up, or says why it
cannot.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from typing import Any

from trawl_provider.exceptions import TrawlFailed, TrawlUsageError
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.result import DONE, ClusterJob

ANSWER_SECONDS = 30
MAX_ANSWER = 4 << 20
RUNNING, OVER, FAILED = "running", "over", "failed"

log = logging.getLogger(__name__)


class Unanswered(Exception):
    """Nobody has answered. That says nothing of the job or the crawl."""


@dataclass(frozen=True)
class JobState:
    state: str  # RUNNING, OVER, FAILED
    reason: str = ""
    text: str = ""
    tracking_url: str = ""


# A redirect would take the token to a stranger, and a proxy of the environment is not for these addresses.
class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect, urllib.request.ProxyHandler({}))


def get_json(url: str, token: str = "") -> dict[str, Any]:
    """Raises Unanswered for whatever is no object; the message has no secret."""
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise Unanswered(f"{url} is no http:// address")
    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    try:
        with _opener.open(urllib.request.Request(url, headers=headers), timeout=ANSWER_SECONDS) as answer:
            value = json.loads(answer.read(MAX_ANSWER))
    except urllib.error.HTTPError as error:
        raise Unanswered(f"{url}: answered {error.code}") from None
    except (OSError, ValueError) as error:
        raise Unanswered(f"{url}: {error}") from None
    if not isinstance(value, dict):
        raise Unanswered(f"{url}: answered no object")
    return value


def _web_address(value: Any) -> str:
    """YARN says N/A of what has no page yet."""
    return value if isinstance(value, str) and value.startswith(("http://", "https://")) else ""


def _percent(value: Any) -> str:
    return f"{value:.0f} %" if isinstance(value, (int, float)) else ""


def _from_trawl(answer: dict[str, Any]) -> JobState:
    """Of `trawl jobs status --json` and of serve's /api/v1/jobs/ID."""
    tasks = "  ".join(
        f"{kind} {answer[kind][0]}/{answer[kind][1]}"
        for kind in ("maps", "reduces")
        if isinstance(answer.get(kind), list)
    )
    text = "  ".join(filter(None, [str(answer.get("application_state") or answer.get("state")), tasks]))
    state = answer.get("state")
    if state == RUNNING:
        return JobState(RUNNING, text=text, tracking_url=_web_address(answer.get("tracking_url")))
    # What YARN does not show may be taken up all the same, so only a failure on the cluster is one.
    is_failed = state == FAILED and answer.get("application_state") in ("FAILED", "KILLED")
    return JobState(
        FAILED if is_failed else OVER, str(answer.get("reason") or ""), text, _web_address(answer.get("tracking_url"))
    )


def _from_yarn(answer: dict[str, Any]) -> JobState:
    app = answer.get("app")
    if not isinstance(app, dict) or not app.get("state"):
        raise Unanswered("YARN answered without an application")
    final = app.get("finalStatus")
    url = _web_address(app.get("trackingUrl"))
    if app["state"] not in ("FINISHED", "FAILED", "KILLED"):
        return JobState(RUNNING, text=f"{app['state']} {_percent(app.get('progress'))}", tracking_url=url)
    if final in ("FAILED", "KILLED") or app["state"] != "FINISHED":
        return JobState(FAILED, str(app.get("diagnostics") or final), str(final), url)
    return JobState(OVER, text=str(final), tracking_url=url)


def job_state(hook: TrawlHook, job: ClusterJob) -> JobState:
    """Blocks for twice ANSWER_SECONDS at most. Raises Unanswered."""
    settings = hook.get_conn()
    if settings.resource_manager:
        try:
            return _from_yarn(get_json(f"{settings.resource_manager}/ws/v1/cluster/apps/{job.application}"))
        except Unanswered as error:
            # A standby ResourceManager sends elsewhere, and one with Kerberos wants a ticket. `trawl` can do both.
            log.warning("%s; asking trawl", error)
            try:
                return _ask_trawl(hook, job)
            except (Unanswered, TrawlFailed, TrawlUsageError):  # a triggerer needs no trawl
                raise error from None
    if settings.serve_url:
        return _from_trawl(
            get_json(f"{settings.serve_url}/api/v1/jobs/{urllib.parse.quote(job.job, safe='')}", settings.token)
        )
    return _ask_trawl(hook, job)


def _ask_trawl(hook: TrawlHook, job: ClusterJob) -> JobState:
    try:
        done = hook.run("jobs status", positional=[job.job], timeout=ANSWER_SECONDS, on_line=log.debug)
    except TimeoutError:
        raise Unanswered(f"trawl jobs status has not answered within {ANSWER_SECONDS} s") from None
    if done.exit_code != DONE or not done.answer:
        raise Unanswered(f"trawl jobs status: exit {done.exit_code} {' '.join(done.tail[-3:])}")
    return _from_trawl(done.answer)


def begin_kill(hook: TrawlHook, job: ClusterJob, stderr: int = subprocess.DEVNULL) -> subprocess.Popen[bytes]:
    """`trawl jobs kill`, in a session of its own: it outlives the task, which has 5 s, and so it may not write into a
    pipe of the task."""
    words = hook.command("jobs kill", positional=[job.job])
    return subprocess.Popen(
        words,
        env=hook.environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=stderr,
        start_new_session=True,
        cwd=os.getcwd(),
    )
