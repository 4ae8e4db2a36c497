"""The connection to a crawl, and the one way to run `trawl` on it."""

from __future__ import annotations

import errno
import logging
import os
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from airflow.providers.common.compat.sdk import AirflowNotFoundException, BaseHook

from trawl_provider.exceptions import TrawlFailed, TrawlOvertaken, TrawlStopped, TrawlUsageError
from trawl_provider.process import Ended, Process, Worker
from trawl_provider.result import DONE, FAILED, IDLE, NOTHING, OVERTAKEN, STOPPED, USAGE, TrawlResult, parse_answers
from trawl_provider.settings import TrawlSettings, checked_root, secrets_of, variables_of

DOCTOR_SECONDS = 120
# What the kernel takes for all arguments is 2 MiB; seeds beyond that belong into a file.
MAX_ARGUMENT_BYTES = 1 << 20
# Of starting a program: the machine may have room or a file handle later. Whatever else is wrong stays so.
PASSING_ERRORS = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE, errno.ETXTBSY, errno.EIO, errno.ESTALE}


def options_of(options: Mapping[str, Any] | None) -> list[str]:
    """`{"top_n": 100, "update": True, "scope": None, "define": ["a=1", "b=2"]}` as arguments. No value stands alone, so
    none can be taken for an option."""
    words = []
    for name, value in (options or {}).items():
        name = "--" + str(name).lstrip("-")
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None:
                continue
            words.append(name if one is True else f"{name}=false" if one is False else f"{name}={one}")
    return words


class TrawlHook(BaseHook):
    """Runs verbs of `trawl`.

    :param trawl_conn_id: a connection of type `trawl`. `root` must be given if no connection has that name.
    :param root: the crawl, instead of the connection's.
    :param runner: `local`, `streaming` or `auto`, instead of the connection's.
    :param environment: more variables, over those of the worker and of the connection.
    """

    conn_name_attr = "trawl_conn_id"
    default_conn_name = "trawl_default"
    conn_type = "trawl"
    hook_name = "Trawl"

    def __init__(
        self,
        trawl_conn_id: str = default_conn_name,
        *,
        root: str | None = None,
        runner: str | None = None,
        environment: Mapping[str, str] | None = None,
        **kwargs: Any,
    ):
        super().__init__(**kwargs)
        self.trawl_conn_id = trawl_conn_id
        self._root, self._runner = root, runner
        self._environment = variables_of(environment or {}, "the task's")
        self._settings: TrawlSettings | None = None
        self._process: Process | None = None
        self._is_stopping = False
        self._leaves_jobs = True
        self.worker = Worker()

    @staticmethod
    def get_ui_field_behaviour() -> dict[str, Any]:
        from trawl_provider.get_provider_info import UI_FIELD_BEHAVIOUR

        return UI_FIELD_BEHAVIOUR

    def get_conn(self) -> TrawlSettings:
        if self._settings is None:
            try:
                self._settings = TrawlSettings.of(self.get_connection(self.trawl_conn_id))
            except AirflowNotFoundException:
                if not self._root:
                    raise TrawlUsageError(
                        f"there is no connection {self.trawl_conn_id!r}, and no root is given. Make one:  "
                        f"airflow connections add {self.trawl_conn_id} --conn-type trawl --conn-host /data/crawl"
                    ) from None
                self._settings = TrawlSettings()
        return self._settings

    @property
    def root(self) -> str:
        root = self._root or self.get_conn().root
        if not root:
            raise TrawlUsageError(
                f"the connection {self.trawl_conn_id!r} has no host, which is the crawl's root: "
                "a path, hdfs://… or s3://…"
            )
        return checked_root(root, "the task's" if self._root else f"the connection {self.trawl_conn_id!r}'s")

    @property
    def runner(self) -> str:
        """Empty: `trawl` decides."""
        return self._runner or self.get_conn().runner or self.variables().get("TRAWL_JOB_RUNNER") or ""

    def variables(self) -> dict[str, str]:
        """The environment without what the hook itself sets. Airflow's own settings have keys and passwords, and are
        nothing for a program that reads strangers' pages."""
        inherited = {name: value for name, value in os.environ.items() if not name.lstrip("_").startswith("AIRFLOW_")}
        return inherited | dict(self.get_conn().environment) | self._environment

    def environment(self) -> dict[str, str]:
        """Every option of `trawl` has a variable, which holds for all verbs that have the option and is no matter to
        the others. So a task on a cluster leaves its job there (detach): neither a signal nor a dead worker ends it. A
        job on this machine cannot be left, and is not."""
        settings = self.get_conn()
        ours = {
            "TRAWL_JOB_RUNNER": self.runner,
            "TRAWL_STREAMING_QUEUE": settings.queue,
            "TRAWL_STREAMING_BUNDLE": settings.bundle,
            "TRAWL_STREAMING_RESOURCE_MANAGER": settings.resource_manager,
            "TRAWL_STREAMING_DETACH": "true" if self.runner != "local" and self._leaves_jobs else "false",
        }
        return self.variables() | {name: value for name, value in ours.items() if value}

    def command(
        self,
        verb: str,
        arguments: Sequence[str] = (),
        *,
        options: Mapping[str, Any] | None = None,
        positional: Sequence[str] = (),
    ) -> list[str]:
        words = [
            self.get_conn().binary,
            *verb.split(),
            "--root",
            self.root,
            "--json",
            *options_of(options),
            *map(str, arguments),
        ]
        if positional:
            words += ["--", *map(str, positional)]
        for word in words:
            if "\0" in word:
                raise TrawlUsageError(f"an argument has a zero byte: {word[:80]!r}")
        if sum(len(word.encode("utf-8", "surrogatepass")) for word in words) > MAX_ARGUMENT_BYTES:
            raise TrawlUsageError(
                "the arguments are longer than 1 MiB: write seeds into a file that the worker can read, "
                "and give its name"
            )
        return words

    def run(
        self,
        verb: str,
        arguments: Sequence[str] = (),
        *,
        options: Mapping[str, Any] | None = None,
        positional: Sequence[str] = (),
        timeout: float | None = None,
        on_line: Callable[[str], None] | None = None,
    ) -> TrawlResult:
        """Runs it to its end, whatever the exit code. The lines of its standard error go to `on_line`, by default to
        the log."""
        words = self.command(verb, arguments, options=options, positional=positional)
        if on_line is None:
            on_line = self.log.info
        self.log.log(
            logging.INFO if on_line == self.log.info else logging.DEBUG,
            "running %s",
            self._without_secrets(shlex.join(words)),
        )
        if self._is_stopping:
            return TrawlResult(verb, STOPPED, (), ("the task was stopped",))
        try:
            self._process = Process(
                words, self.environment(), lambda line: on_line(self._without_secrets(line)), self.worker
            )
        except OSError as error:
            if error.errno in PASSING_ERRORS:
                raise TrawlFailed(f"{words[0]} cannot be started now: {error.strerror}") from None
            if error.errno == errno.E2BIG:
                raise TrawlUsageError(
                    f"{words[0]} cannot be started: its arguments or its environment are too long for this machine"
                ) from None
            raise TrawlUsageError(
                f"{words[0]} cannot be started ({error.strerror}). Install trawl on the workers, or name its path in "
                f'the connection {self.trawl_conn_id!r}: extra {{"binary": "/opt/trawl/bin/trawl"}}'
            ) from None
        try:
            if self._is_stopping:  # asked for while it was started
                self._process.stop()
            ended = self._process.wait(timeout)
        finally:
            self._process = None
        return self._result(verb, ended)

    def _result(self, verb: str, ended: Ended) -> TrawlResult:
        if ended.is_cut:
            raise TrawlUsageError(
                f"trawl {verb} printed more than Airflow should hold; write it to files with trawl export"
            )
        return TrawlResult(verb, ended.code, parse_answers(ended.output), tuple(map(self._without_secrets, ended.tail)))

    def _without_secrets(self, line: str) -> str:
        settings = self.get_conn()
        for secret in secrets_of(settings, {**settings.environment, **self._environment}):
            line = line.replace(secret, "***")
        return line

    def stop(self) -> None:
        """Ends what runs, within 4 s, and lets nothing more run. May be called from a signal handler."""
        self._is_stopping = True
        process = self._process
        if process is not None:
            process.stop()

    @property
    def is_stopping(self) -> bool:
        return self._is_stopping

    def test_connection(self) -> tuple[bool, str]:
        """`trawl doctor`: the store, the clocks, memory and disk; with the runner streaming in a job on the cluster."""
        try:
            self._leaves_jobs = False  # the answer counts, so the command waits for its job
            result = self.run("doctor", timeout=DOCTOR_SECONDS)
        except TimeoutError:
            return False, f"trawl doctor has not answered within {DOCTOR_SECONDS} s"
        except Exception as error:
            return False, str(error)
        checks = [check for check in result.answers if isinstance(check, dict)]
        ill = [
            f"{check.get('check')}: {check.get('found')}" + (f" ({check['fix']})" if check.get("fix") else "")
            for check in checks
            if not check.get("well")
        ]
        if result.exit_code == DONE and not ill:
            return True, f"{self.root}: all {len(checks)} checks of trawl doctor are well"
        return False, "; ".join(ill) or " ".join(result.tail) or f"trawl doctor: exit {result.exit_code}"


def is_nothing(result: TrawlResult, has_idle_exit: bool = False) -> bool:
    """Nothing was due or found. Where the verb was given an --idle_exit, or said nothing but an error, a 1 is another
    program's: a wrapper's, a shell's."""
    if has_idle_exit:
        return result.exit_code == IDLE
    return result.exit_code == NOTHING and (bool(result.answers) or not result.tail)


def exit_text(result: TrawlResult, of_sigkill: str = "") -> str:
    code = result.exit_code
    return f"was ended by signal {-code}" + (of_sigkill if code == -9 else "") if code < 0 else f"exit {code}"


def raise_for(result: TrawlResult, has_idle_exit: bool = False) -> None:
    """An exception with the reason, for every exit code but 0 and that of "nothing"."""
    code = result.exit_code
    if code == DONE or is_nothing(result, has_idle_exit):
        return
    text = "\n".join([f"trawl {result.verb}: {exit_text(result, ' (out of memory?)')}", *result.tail])
    kinds = {USAGE: TrawlUsageError, FAILED: TrawlFailed, OVERTAKEN: TrawlOvertaken, STOPPED: TrawlStopped}
    raise kinds.get(code, TrawlFailed)(text)
