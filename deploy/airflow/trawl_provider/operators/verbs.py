"""An operator for every verb that a scheduler needs. The parameters that all of them have are at TrawlOperator."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from airflow.providers.common.compat.sdk import AirflowSkipException

from trawl_provider.exceptions import TrawlFailed, TrawlNothingFetched, TrawlUsageError
from trawl_provider.hooks.trawl import raise_for
from trawl_provider.operators.base import TrawlOperator, words_of
from trawl_provider.result import DONE, FAILED, TrawlResult


class TrawlVerb(TrawlOperator):
    """Any verb: `TrawlVerb(verb="config set", positional=["fetch.contact=https://you.example/"])`. XCom has all of its
    answer.

    :param verb: such as `urls set`, `remove`, `score`, `config get`, `sitemaps` or `snapshot list`.
    :param positional: its arguments, after `--`.
    """

    template_fields = (*TrawlOperator.template_fields, "verb", "words")

    def __init__(self, *, verb: str, positional: Sequence[str] | str = (), **kwargs: Any):
        super().__init__(**kwargs)
        self.verb = verb  # type: ignore[misc]
        self.words = positional

    def positional(self) -> list[str]:
        return words_of(self.words)

    def returned(self, result: TrawlResult, summary: dict[str, Any]) -> Any:
        return result.answer if len(result.answers) == 1 else list(result.answers)


class TrawlInject(TrawlOperator):
    """Adds seeds, or starts a crawl with them.

    :param seeds: URLs, or files of URLs that the worker can read. A text has one per line, or is a list in JSON.
        Without seeds nothing is done, and the task succeeds.
    """

    verb = "inject"
    template_fields = (*TrawlOperator.template_fields, "seeds")

    def __init__(self, *, seeds: Sequence[str] | str = (), **kwargs: Any):
        super().__init__(**kwargs)
        self.seeds = seeds

    def positional(self) -> list[str]:
        return words_of(self.seeds)

    def execute(self, context: Any) -> Any:
        if not self.positional():
            self.log.info("no seeds")
            return None
        return super().execute(context)


class TrawlGenerate(TrawlOperator):
    """Chooses the URLs of a round, and opens its segment. Nothing due: the task is skipped, and with it the round."""

    verb = "generate"
    has_segment_of_run = has_idle_exit = True


class TrawlFetch(TrawlOperator):
    """Fetches the pages of the segment.

    :param contact: your web or mail address, which the owners of the sites see.
    """

    verb = "fetch"
    has_segment_of_run = has_idle_exit = True
    template_fields = (*TrawlOperator.template_fields, "contact")

    def __init__(self, *, contact: str | None = None, **kwargs: Any):
        super().__init__(**kwargs)
        self.contact = contact

    def own_options(self) -> dict[str, Any]:
        return {"contact": self.contact or None}


class TrawlParse(TrawlOperator):
    verb = "parse"
    has_segment_of_run = has_idle_exit = True


class TrawlUpdatedb(TrawlOperator):
    verb = "updatedb"
    has_segment_of_run = has_idle_exit = True


class TrawlSettle(TrawlOperator):
    """Finds equal and near pages."""

    verb = "settle"


class TrawlRound(TrawlFetch):
    """One whole round with its upkeep: generate, fetch, parse, updatedb, settle, compact, gc. Its segment follows from
    the run and the task.

    :param fail_on_nothing_fetched: the round is over, and no page came of what was asked for: fail, and do not retry.
        Else the task succeeds: a crawl with little to do has rounds in which only dead pages are due.
    """

    verb = "round"

    def __init__(self, *, fail_on_nothing_fetched: bool = True, **kwargs: Any):
        super().__init__(**kwargs)
        self.fail_on_nothing_fetched = fail_on_nothing_fetched

    def round_name(self) -> str:
        return str(self.task_id)

    def _run_to_the_end(self, context: Any) -> TrawlResult:
        result = super()._run_to_the_end(context)
        is_over = result.exit_code == FAILED and result.answer.get("segment") and not result.answer.get("fetched")
        if not is_over:
            return result
        if not self.fail_on_nothing_fetched:
            self.log.warning("nothing was fetched")
            return replace(result, exit_code=DONE)
        hint = "This run's round is over. After a repair another run, with another date, does another round."
        raise TrawlNothingFetched("\n".join([f"trawl round: exit {FAILED}", *result.tail, hint]))


class TrawlCrawl(TrawlOperator):
    """Rounds until nothing is due.

    :param seeds: as those of TrawlInject.
    :param rounds: the most rounds, counted across restarts; 0 for as many as there are.
    :param contact: your web or mail address, which the owners of the sites see.
    """

    verb = "crawl"
    has_idle_exit = True
    template_fields = (*TrawlOperator.template_fields, "seeds", "rounds", "contact")

    def __init__(
        self, *, seeds: Sequence[str] | str = (), rounds: int | str = 0, contact: str | None = None, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.seeds, self.rounds, self.contact = seeds, rounds, contact

    def positional(self) -> list[str]:
        return words_of(self.seeds)

    def own_options(self) -> dict[str, Any]:
        return {"rounds": self.rounds, "contact": self.contact or None}


class TrawlReparse(TrawlOperator):
    """Reads stored pages again, after scope, rules or the parser have changed."""

    verb = "reparse"


class TrawlGraph(TrawlOperator):
    """Ranks hosts by their links."""

    verb = "graph"


class TrawlCompact(TrawlOperator):
    verb = "compact"


class TrawlGc(TrawlOperator):
    """Deletes what no kept snapshot needs."""

    verb = "gc"


class TrawlScore(TrawlOperator):
    """Takes scores of URLs from files.

    :param files: files that the worker can read, or hdfs://… and s3://….
    """

    verb = "score"
    template_fields = (*TrawlOperator.template_fields, "files")

    def __init__(self, *, files: Sequence[str] | str, **kwargs: Any):
        super().__init__(**kwargs)
        self.files = files

    def positional(self) -> list[str]:
        return words_of(self.files)


class _IntoFolder(TrawlOperator):
    template_fields = (*TrawlOperator.template_fields, "directory")

    def __init__(self, *, directory: str, **kwargs: Any):
        super().__init__(**kwargs)
        self.directory = directory

    def execute(self, context: Any) -> Any:
        if not (self.directory or "").strip():
            raise AirflowSkipException("no directory is given, so nothing is written")
        return super().execute(context)

    def returned(self, result: TrawlResult, summary: dict[str, Any]) -> Any:
        return summary | {"directory": self.directory}


class TrawlExport(_IntoFolder):
    """Writes URLs, hosts, pages, links or the graph as files that Spark, DuckDB and pyarrow read: `directory`/urls,
    `directory`/hosts, ….

    :param directory: a path, hdfs://… or s3://…. An empty one: the task is skipped.
    :param what: `urls`, `hosts`, `robots`, `pages`, `links` or `graph`; without it URLs and hosts.
    :param export_format: `parquet`, `orc` or `text`.
    :param overwrite: replaces a finished export of another snapshot there (never anything else).
    """

    verb = "export"
    template_fields = (*_IntoFolder.template_fields, "what", "export_format")

    def __init__(
        self, *, what: str | None = None, export_format: str = "parquet", overwrite: bool = True, **kwargs: Any
    ):
        super().__init__(**kwargs)
        self.what, self.export_format, self.overwrite = what, export_format, overwrite

    def positional(self) -> list[str]:
        return [*([self.what] if self.what else []), self.directory]

    def own_options(self) -> dict[str, Any]:
        return {"format": self.export_format, "overwrite": True if self.overwrite else None}


class TrawlArchive(_IntoFolder):
    """Writes what was fetched as WARC files with indexes.

    :param directory: a path, hdfs://… or s3://….
    :param name: the archive's name, such as `TRAWL-2026-47`.
    """

    verb = "archive"
    template_fields = (*_IntoFolder.template_fields, "name")

    def __init__(self, *, name: str, **kwargs: Any):
        super().__init__(**kwargs)
        self.name = name

    def positional(self) -> list[str]:
        return [self.directory]

    def own_options(self) -> dict[str, Any]:
        return {"name": self.name}


class TrawlHost(TrawlOperator):
    """Shows a host, or blocks it, sets its delay and limits: `options={"block": True}`. XCom has all of its answer.

    :param host: its name.
    """

    verb = "host"
    template_fields = (*TrawlOperator.template_fields, "host")

    def __init__(self, *, host: str, **kwargs: Any):
        super().__init__(**kwargs)
        self.host = host

    def positional(self) -> list[str]:
        return [self.host]

    def returned(self, result: TrawlResult, summary: dict[str, Any]) -> Any:
        return result.answer


class TrawlHealth(TrawlOperator):
    """Compares the crawl with limits; fails, with the checks that failed, where it is ill. XCom has the checks by their
    names."""

    verb = "health"

    def _run_to_the_end(self, context: Any) -> TrawlResult:
        result = super()._run_to_the_end(context)
        ill = [check for check in result.answer.get("checks", []) if not check.get("ok")]
        if result.exit_code == FAILED and ill:
            raise TrawlFailed(
                "the crawl is ill: "
                + "; ".join(f"{check['name']} is {check['value']}, the limit is {check['limit']}" for check in ill)
            )
        raise_for(result)
        return result

    def returned(self, result: TrawlResult, summary: dict[str, Any]) -> Any:
        checks = {check["name"]: check["value"] for check in result.answer.get("checks", [])}
        return {"ok": result.answer.get("ok"), "snapshot": result.answer.get("snapshot"), "checks": checks}


class TrawlReport(TrawlOperator):
    """Writes a report of the rounds as one HTML file.

    :param file: its name, on the worker.
    """

    verb = "report"
    template_fields = (*TrawlOperator.template_fields, "file")

    def __init__(self, *, file: str, **kwargs: Any):
        super().__init__(**kwargs)
        self.file = file

    def own_options(self) -> dict[str, Any]:
        if not self.file:
            raise TrawlUsageError("a report needs the name of its file")
        return {"output": self.file}

    def returned(self, result: TrawlResult, summary: dict[str, Any]) -> Any:
        return {"file": self.file}
