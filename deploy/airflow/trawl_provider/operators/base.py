"""What all operators share: the command line, what comes of it, waiting for the cluster, being stopped."""

from __future__ import annotations

import ast
import json
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NoReturn

from airflow.providers.common.compat.sdk import AirflowSkipException, BaseOperator

from trawl_provider.assets import SCHEME, extra_of
from trawl_provider.cluster import FAILED, RUNNING, Unanswered, begin_kill, job_state
from trawl_provider.exceptions import TrawlFailed, TrawlStopped, TrawlUsageError
from trawl_provider.hooks.trawl import TrawlHook, exit_text, is_nothing, raise_for
from trawl_provider.links import TrawlServeLink, TrawlYarnLink, serve_link
from trawl_provider.result import IDLE, STOPPED, ClusterJob, TrawlResult
from trawl_provider.segments import segment_of_run
from trawl_provider.settings import variables_of
from trawl_provider.triggers.job import PATIENCE_SECONDS, TrawlJobTrigger

# A command that somebody else stopped goes on at once, but not for ever.
TIMES_STOPPED = 3
# Looks whether it is to stop this often while it waits for the cluster.
NAP_SECONDS = 0.5


def words_of(value: Any) -> list[str]:
    """A list as it is. A text, as templates give one: a list in JSON or Python, or one item per line."""
    if value is None:
        return []
    if not isinstance(value, str):
        return [str(word) for word in value]
    text = value.strip()
    if text.startswith("[") and text.endswith("]"):
        for parse in (json.loads, ast.literal_eval):
            try:
                parsed = parse(text)
            except (ValueError, SyntaxError):
                continue
            return [str(word) for word in parsed]
    return [line.strip() for line in text.splitlines() if line.strip()]


class TrawlOperator(BaseOperator):
    """Runs a verb of `trawl`. Every verb may be run again at any time, so a retry, a cleared task and a run made again
    are safe.

    :param trawl_conn_id: connection of type `trawl`.
    :param arguments: words of the command line, after those that the operator makes. A list: there is no shell.
    :param options: the verb's options, such as `{"top_n": 1000, "fetch.delay_ms": 500}`.
    :param root: the crawl, instead of the connection's.
    :param runner: `local`, `streaming` (tasks on YARN) or `auto`, instead of the connection's.
    :param environment: more variables for the command; `TRAWL_…` are options.
    :param segment: the round that a step works on. Without it the steps take one whose name follows from the DAG run
        and the task group, so that all steps of a run agree and a repeated run repeats nothing. An empty text leaves
        the choice to `trawl`.
    :param deferrable: with the runner `streaming`: leaves the worker while the cluster works.
    :param poll_interval: seconds between two looks at the cluster.
    :param kill_remote: a user who stops the task ends its job on the cluster, too. A worker that dies never does.
    :param skip_on_nothing: nothing is due or found: skip the task, and with it those that follow.
    """

    verb: ClassVar[str] = ""
    # The step works on the segment of the run, where no other is given.
    has_segment_of_run: ClassVar[bool] = False
    # It knows --idle_exit.
    has_idle_exit: ClassVar[bool] = False

    template_fields: Sequence[str] = ("arguments", "options", "root", "runner", "environment", "segment")
    template_fields_renderers: ClassVar[dict[str, str]] = {"options": "json", "environment": "json"}
    operator_extra_links = (TrawlServeLink(), TrawlYarnLink())
    ui_color = "#dcecf5"

    def __init__(
        self,
        *,
        trawl_conn_id: str = TrawlHook.default_conn_name,
        arguments: Sequence[str] | str = (),
        options: Mapping[str, Any] | None = None,
        root: str | None = None,
        runner: str | None = None,
        environment: Mapping[str, str] | None = None,
        segment: str | None = None,
        deferrable: bool = False,
        poll_interval: float = 15,
        kill_remote: bool = False,
        skip_on_nothing: bool = True,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.trawl_conn_id = trawl_conn_id
        self.arguments = arguments
        self.options = options
        self.root = root
        self.runner = runner
        self.environment = environment
        self.segment = segment
        self.deferrable = deferrable
        self.poll_interval = poll_interval
        self.kill_remote = kill_remote
        self.skip_on_nothing = skip_on_nothing
        self.serve_link = self.yarn_link = ""
        self.summary: dict[str, Any] = {}
        self._hook: TrawlHook | None = None
        self._left: ClusterJob | None = None
        self._is_stopping = False

    # -- what a verb says of itself

    def positional(self) -> list[str]:
        return []

    def own_options(self) -> dict[str, Any]:
        return {}

    def round_name(self) -> str:
        """Tells the rounds of one DAG run apart: steps in one task group belong to one round."""
        group = getattr(self, "task_group", None)
        return (getattr(group, "group_id", None) or "") if group is not None else ""

    def returned(self, result: TrawlResult, summary: dict[str, Any]) -> Any:
        """What goes to XCom."""
        return summary

    # -- the work

    @property
    def hook(self) -> TrawlHook:
        if self._hook is None:
            self._hook = TrawlHook(
                self.trawl_conn_id, root=self.root or None, runner=self.runner or None, environment=self.environment
            )
        return self._hook

    def _segment(self, context: Mapping[str, Any]) -> str | None:
        if self.segment is not None:
            segment = str(self.segment).strip()
            if segment == "None":
                raise TrawlUsageError('the segment is "None": the task that its template asks has left no XCom')
            return segment
        if not self.has_segment_of_run:
            return None
        name = self.round_name()
        index = getattr(context.get("ti"), "map_index", -1)
        return segment_of_run(context["dag_run"], name if index is None or index < 0 else f"{name}[{index}]")

    def _options(self, context: Mapping[str, Any]) -> dict[str, Any]:
        options = self.own_options()
        if segment := self._segment(context):
            options["segment"] = segment
        if self.has_idle_exit:
            options["idle_exit"] = IDLE
        if self.options is not None and not isinstance(self.options, Mapping):
            raise TrawlUsageError(f"options is no object: {self.options!r}")
        return options | dict(self.options or {})

    def execute(self, context: Any) -> Any:
        return self._work(context)

    def resume(self, context: Any, event: dict[str, Any] | None = None) -> Any:
        """The same command again: it takes up the job that is over, whatever the trigger has seen."""
        if event:
            if event.get("application") and event.get("job"):
                self._left = ClusterJob(event["application"], event["job"])
                self._show(context, event.get("tracking_url") or self._yarn_link_of(self._left))
            self._raise_if_failed(event.get("state"), event.get("application"), event.get("reason"))
        return self._work(context)

    def _work(self, context: Any) -> Any:
        result = self._run_to_the_end(context)
        raise_for(result, self.has_idle_exit)
        self.summary = summary = result.summary()
        if self._left:
            # The last command only took the job up.
            summary |= {"application": self._left.application, "changed": True}
        self._show(context, self.yarn_link, summary)
        if is_nothing(result, self.has_idle_exit):
            what = f"trawl {self.verb}: nothing is due" + (
                f" before {result.answer['next_due']}" if result.answer.get("next_due") else ""
            )
            if self.skip_on_nothing:
                raise AirflowSkipException(what)
            self.log.info(what)
        else:
            self.log.info("trawl %s: %s", self.verb, json.dumps(summary))
        self._tell_assets(context, summary)
        return self.returned(result, summary)

    def _run_to_the_end(self, context: Any) -> TrawlResult:
        options, arguments, positional = self._options(context), words_of(self.arguments), self.positional()
        stopped = 0
        while True:
            result = self.hook.run(self.verb, arguments, options=options, positional=positional)
            is_ended = result.exit_code < 0 and self.hook.is_stopping  # it did not stop by itself within STOP_SECONDS
            if result.exit_code != STOPPED and not is_ended:
                return result
            if result.left:
                self._left = result.left
                if self._is_stopping:
                    self._kill_remote()
            if self._is_stopping or self.hook.is_stopping or not self.hook.worker.is_there():
                how = f"the task was stopped ({exit_text(result)}); a retry goes on where it was"
                raise TrawlStopped("\n".join([how, *result.tail]))
            if result.left:
                self._wait(context, result.left)
                continue
            stopped += 1
            if stopped >= TIMES_STOPPED:
                return result
            self.log.warning("trawl %s was stopped by somebody else; it goes on", self.verb)

    # -- the cluster

    def _wait(self, context: Any, job: ClusterJob) -> None:
        """Returns, here or in `resume`, when the job is over."""
        self._push(context, "trawl_application", job.application)
        self.log.info("%s runs on the cluster as %s", job.job, job.application)
        self._show(context, self._yarn_link_of(job))
        if self.deferrable:
            self._defer(job)
        silent_since = None
        while True:
            self._nap(self.poll_interval)
            try:
                now = job_state(self.hook, job)
            except Unanswered as error:
                silent_since = silent_since or time.monotonic()
                self.log.warning("%s; asking again", error)
                if time.monotonic() - silent_since > PATIENCE_SECONDS:
                    return  # the command will tell
                continue
            silent_since = None
            self.log.info("%s: %s", job.application, now.text)
            self._show(context, now.tracking_url)
            if now.state != RUNNING:
                self._raise_if_failed(now.state, job.application, now.reason)
                return

    def _defer(self, job: ClusterJob) -> NoReturn:
        self.defer(
            trigger=TrawlJobTrigger(
                self.trawl_conn_id,
                job.job,
                job.application,
                root=self.root or None,
                runner=self.runner or None,
                environment=variables_of(self.environment or {}, "the task's"),
                poll_interval=self.poll_interval,
                kill_remote=self.kill_remote,
            ),
            method_name="resume",
        )
        raise AssertionError("defer returns never")

    def _nap(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._is_stopping:
                raise TrawlStopped("the task was stopped; its job goes on, and a retry takes it up")
            if not self.hook.worker.is_there():
                raise TrawlStopped("the worker of this task is gone; its job goes on, and the next try takes it up")
            time.sleep(min(left, NAP_SECONDS))

    @staticmethod
    def _raise_if_failed(state: str | None, application: str | None, reason: str | None) -> None:
        # The command would begin the job anew. That is for a retry to decide.
        if state == FAILED:
            raise TrawlFailed(f"{application} failed: {reason}")

    # -- the end

    def on_kill(self) -> None:
        """SIGTERM came, and SIGKILL follows after 5 s."""
        self._is_stopping = True
        if self._hook is not None:
            self._hook.stop()
        self._kill_remote()

    def _kill_remote(self) -> None:
        if self.kill_remote and self._left is not None and self._hook is not None:
            begin_kill(self._hook, self._left)
            self.log.info("asked YARN to end %s", self._left.application)

    # -- what others see

    def _yarn_link_of(self, job: ClusterJob) -> str:
        manager = self.hook.get_conn().resource_manager
        return f"{manager}/cluster/app/{job.application}" if manager else ""

    def _show(self, context: Any, tracking_url: str = "", summary: Mapping[str, Any] | None = None) -> None:
        """The links count from now on, not from the task's end: a deferred task has them, too."""
        summary = summary or {}
        job = summary.get("job") or (self._left.job if self._left else None)
        link = serve_link(self.hook.get_conn().serve_url, summary.get("segment"), job)
        for name, value, key in (("serve_link", link, TrawlServeLink), ("yarn_link", tracking_url, TrawlYarnLink)):
            if value and value != getattr(self, name):
                setattr(self, name, value)
                self._push(context, key().xcom_key, value)

    def _push(self, context: Any, key: str, value: Any) -> None:
        ti = context.get("ti") if hasattr(context, "get") else None
        if ti is not None and self.do_xcom_push:
            ti.xcom_push(key=key, value=value)

    def _tell_assets(self, context: Any, summary: dict[str, Any]) -> None:
        events = context.get("outlet_events") if hasattr(context, "get") else None
        for outlet in self.outlets or []:
            if events is not None and str(getattr(outlet, "uri", "")).startswith(f"{SCHEME}://"):
                events[outlet].extra.update(extra_of(summary))

    def get_openlineage_facets_on_complete(self, task_instance: Any) -> Any:
        """Asked by the OpenLineage provider, where it is installed."""
        from trawl_provider.openlineage import lineage_of

        return lineage_of(self, task_instance)
