"""Command lines, and what comes of exit codes."""

import logging
import os
import re
from types import SimpleNamespace

import pytest
from airflow.providers.common.compat.sdk import DAG, AirflowException, AirflowFailException, AirflowSkipException, Asset
from conftest import TOKEN
from trawl_provider.assets import asset_uri, trawl_asset
from trawl_provider.exceptions import TrawlFailed, TrawlNothingFetched, TrawlOvertaken, TrawlStopped, TrawlUsageError
from trawl_provider.hooks.trawl import TrawlHook, options_of
from trawl_provider.operators import verbs
from trawl_provider.operators.base import words_of
from trawl_provider.operators.verbs import (
    TrawlArchive,
    TrawlCrawl,
    TrawlExport,
    TrawlFetch,
    TrawlGenerate,
    TrawlHealth,
    TrawlHost,
    TrawlInject,
    TrawlReport,
    TrawlRound,
    TrawlSettle,
    TrawlVerb,
)
from trawl_provider.segments import segment_of_run
from trawl_provider.task_groups import trawl_round, trawl_rounds

HOSTILE = ["http://a.test/?q=$(touch /tmp/x)&b='\"", "--root", "two\nlines", "", "`id`; rm -rf ."]


@pytest.mark.parametrize(
    "operator, expected",
    [
        (TrawlInject(task_id="t", seeds=HOSTILE), ["inject", "--root", "/data/a crawl", "--json", "--", *HOSTILE]),
        (
            TrawlRound(task_id="t", segment="s", contact="me@me.example"),
            ["round", "--root", "/data/a crawl", "--json", "--contact=me@me.example", "--segment=s", "--idle_exit=99"],
        ),
        (
            TrawlFetch(task_id="t", segment="", root="/else", contact=""),
            ["fetch", "--root", "/else", "--json", "--idle_exit=99"],
        ),
        (TrawlSettle(task_id="t", arguments=["--all"]), ["settle", "--root", "/data/a crawl", "--json", "--all"]),
        (
            TrawlExport(task_id="t", directory="/out dir", what="pages", options={"respect": "none"}),
            [
                "export",
                "--root",
                "/data/a crawl",
                "--json",
                "--format=parquet",
                "--overwrite",
                "--respect=none",
                "--",
                "pages",
                "/out dir",
            ],
        ),
        (
            TrawlArchive(task_id="t", directory="/w", name="N-1"),
            ["archive", "--root", "/data/a crawl", "--json", "--name=N-1", "--", "/w"],
        ),
        (
            TrawlCrawl(task_id="t", seeds="http://a.test/\nhttp://b.test/", rounds=2),
            [
                "crawl",
                "--root",
                "/data/a crawl",
                "--json",
                "--rounds=2",
                "--idle_exit=99",
                "--",
                "http://a.test/",
                "http://b.test/",
            ],
        ),
        (
            TrawlHost(task_id="t", host="a.test", options={"block": True}),
            ["host", "--root", "/data/a crawl", "--json", "--block", "--", "a.test"],
        ),
        (TrawlReport(task_id="t", file="/r.html"), ["report", "--root", "/data/a crawl", "--json", "--output=/r.html"]),
        (
            TrawlVerb(task_id="t", verb="config set", positional=["fetch.contact=x"]),
            ["config", "set", "--root", "/data/a crawl", "--json", "--", "fetch.contact=x"],
        ),
    ],
)
def test_words_arrive_as_they_are(stub, context, operator, expected):
    operator.execute(context)
    assert stub.calls() == [expected]


def test_options_are_words_of_their_own():
    assert options_of(
        {"top_n": 5, "update": True, "all": False, "no": None, "--define": ["a=1", "b=-2"], "x": "--root"}
    ) == ["--top_n=5", "--update", "--all=false", "--define=a=1", "--define=b=-2", "--x=--root"]


@pytest.mark.parametrize(
    "value, words",
    [
        (None, []),
        ("", []),
        (["a b", 1], ["a b", "1"]),
        ('["a b", "c"]', ["a b", "c"]),
        ("['a', 'b']", ["a", "b"]),
        (" a b \n\nc", ["a b", "c"]),
        ("[not a list", ["[not a list"]),
    ],
)
def test_templates_give_lists_as_text(value, words):
    assert words_of(value) == words


def test_no_seeds_are_no_work(stub, context):
    assert TrawlInject(task_id="t", seeds="[]").execute(context) is None
    assert stub.calls() == []


@pytest.mark.parametrize("directory", ["", " "])
def test_an_export_to_nowhere_is_skipped(stub, context, directory):
    """An example DAG as it is, without parameters, runs so each hour."""
    with pytest.raises(AirflowSkipException, match="directory"):
        TrawlExport(task_id="t", directory=directory).execute(context)
    assert stub.calls() == []


def test_xcom_has_what_others_need(stub, context):
    stub.does(
        "round",
        """echo '{"segment":"r","snapshot":6,"changed":true,"seconds":1.5,"pages":8,"share":0.5,"is":true,"by":{}}'""",
    )
    assert TrawlRound(task_id="t").execute(context) == {
        "segment": "r",
        "snapshot": 6,
        "job": None,
        "changed": True,
        "seconds": 1.5,
        "counters": {"pages": 8, "share": 0.5},
    }


def test_a_listing_is_a_list(stub, context):
    stub.does("snapshot list", "printf '{\"snapshot\":%d}\\n' 1 2")
    assert TrawlVerb(task_id="t", verb="snapshot list").execute(context) == [{"snapshot": 1}, {"snapshot": 2}]


# -- exit codes


@pytest.mark.parametrize(
    "code, kind, base",
    [
        (2, TrawlUsageError, AirflowFailException),
        (3, TrawlFailed, AirflowException),
        (4, TrawlOvertaken, AirflowException),
        (134, TrawlFailed, AirflowException),
        (1, TrawlFailed, AirflowException),
        (99 + 128, TrawlFailed, AirflowException),
    ],
)
def test_an_exit_code_is_an_exception_with_the_last_lines(stub, context, code, kind, base):
    stub.does("settle", f'for i in {{1..30}}; do echo "line $i" >&2; done; exit {code}')
    with pytest.raises(kind) as raised:
        TrawlSettle(task_id="t").execute(context)
    assert isinstance(raised.value, base)
    assert isinstance(raised.value, AirflowFailException) == (code == 2)
    lines = str(raised.value).splitlines()
    assert lines[0] == f"trawl settle: exit {code}" and lines[1:] == [f"line {i}" for i in range(11, 31)]


def test_a_signal_is_named(stub, context):
    stub.does("settle", "kill -9 $$")
    with pytest.raises(TrawlFailed, match=r"signal 9 \(out of memory\?\)"):
        TrawlSettle(task_id="t").execute(context)


def test_nothing_due_skips(stub, context):
    stub.does("round", 'echo \'{"changed":false,"segment":null,"next_due":"2026-02-01T00:00:00Z"}\'; exit 99')
    with pytest.raises(AirflowSkipException, match="2026-02-01"):
        TrawlRound(task_id="t").execute(context)
    assert TrawlRound(task_id="t", skip_on_nothing=False).execute(context)["segment"] is None


NOTHING_FETCHED = """echo '{"segment":"s","snapshot":7,"pages":0,"fetched":0}'; echo 'nobody is there' >&2; exit 3"""


def test_a_round_that_fetched_nothing_is_not_repeated(stub, context):
    """The round is recorded: three retries would say the same three times, a minute apart."""
    stub.does("round", NOTHING_FETCHED)
    with pytest.raises(TrawlNothingFetched, match="nobody is there\nThis run's round is over") as raised:
        TrawlRound(task_id="t").execute(context)
    assert isinstance(raised.value, AirflowFailException)
    assert TrawlRound(task_id="t", fail_on_nothing_fetched=False).execute(context)["snapshot"] == 7


@pytest.mark.parametrize("said", ["", '{"segment":"s","fetched":3}', '{"segment":null}'])
def test_a_round_that_failed_otherwise_is_repeated(stub, context, said):
    stub.does("round", f"echo '{said}'; echo away >&2; exit 3")
    for fails in (True, False):
        with pytest.raises(TrawlFailed, match="away"):
            TrawlRound(task_id="t", fail_on_nothing_fetched=fails).execute(context)


def test_nothing_found_skips_but_a_wrappers_1_fails(stub, context):
    stub.does("sitemaps", "exit 1")
    with pytest.raises(AirflowSkipException):
        TrawlVerb(task_id="t", verb="sitemaps", positional=["a.test"]).execute(context)
    stub.does("sitemaps", "echo 'ssh: no route' >&2; exit 1")
    with pytest.raises(TrawlFailed, match="no route"):
        TrawlVerb(task_id="t", verb="sitemaps", positional=["a.test"]).execute(context)


@pytest.mark.parametrize("verb, code", [("round", 1), ("settle", 99)])
def test_a_code_that_was_not_asked_for_fails(stub, context, verb, code):
    stub.does(verb, f"exit {code}")
    with pytest.raises(TrawlFailed):
        {"round": TrawlRound, "settle": TrawlSettle}[verb](task_id="t").execute(context)


def test_a_stopped_command_goes_on(stub, context):
    stub.does("parse", '[ -e $STUB/once ] && { echo \'{"segment":"s"}\'; exit 0; }; touch $STUB/once; exit 75')
    assert verbs.TrawlParse(task_id="t").execute(context)["segment"] == "s"
    assert len(stub.calls()) == 2 and stub.calls()[0] == stub.calls()[1]


def test_a_command_that_is_always_stopped_ends(stub, context):
    stub.does("parse", "echo stopped >&2; exit 75")
    with pytest.raises(TrawlStopped, match="stopped"):
        verbs.TrawlParse(task_id="t").execute(context)
    assert len(stub.calls()) == 3


def test_a_missing_program_says_what_to_do(stub, context):
    stub.connect(binary="/no/such/trawl")
    with pytest.raises(TrawlUsageError, match="binary"):
        TrawlSettle(task_id="t").execute(context)


def test_a_missing_connection_says_what_to_do(stub, context):
    with pytest.raises(TrawlUsageError, match="airflow connections add"):
        TrawlSettle(task_id="t", trawl_conn_id="nobody").execute(context)


def test_a_root_needs_no_connection(stub, context, monkeypatch):
    monkeypatch.setenv("PATH", f"{stub.folder}:{__import__('os').environ['PATH']}")
    (stub.folder / "trawl").symlink_to(__import__("pathlib").Path(__file__).with_name("stub_trawl"))
    TrawlSettle(task_id="t", trawl_conn_id="nobody", root="/elsewhere").execute(context)
    assert stub.calls() == [["settle", "--root", "/elsewhere", "--json"]]


def test_too_many_seeds_are_refused_with_a_reason(stub, context):
    with pytest.raises(TrawlUsageError, match="file"):
        TrawlInject(task_id="t", seeds=[f"http://a.test/{'x' * 1000}/{i}" for i in range(2000)]).execute(context)


def test_ill_health_fails_with_the_checks(stub, context):
    stub.does(
        "health",
        """echo '{"ok":false,"snapshot":3,"checks":[{"name":"p99","ok":true,"value":1,"limit":5},
 {"name":"error_rate","ok":false,"value":0.5,"limit":0.2}]}' | tr -d '\\n'; echo; exit 3""",
    )
    with pytest.raises(TrawlFailed, match="error_rate is 0.5, the limit is 0.2"):
        TrawlHealth(task_id="t").execute(context)
    stub.does("health", """echo '{"ok":true,"snapshot":3,"checks":[{"name":"p99","ok":true,"value":1,"limit":5}]}'""")
    assert TrawlHealth(task_id="t").execute(context) == {"ok": True, "snapshot": 3, "checks": {"p99": 1}}


# -- the connection


def test_the_connection_is_the_environment_of_trawl(stub, context):
    stub.connect(runner="local", queue="crawl", environment={"TRAWL_FETCH_CONTACT": "https://you.example/"})
    TrawlSettle(task_id="t", environment={"TRAWL_FETCH_AGENT": "mine"}).execute(context)
    environment = stub.environment()
    assert environment["TRAWL_FETCH_CONTACT"] == "https://you.example/" and environment["TRAWL_FETCH_AGENT"] == "mine"
    assert (
        environment["TRAWL_JOB_RUNNER"],
        environment["TRAWL_STREAMING_QUEUE"],
        environment["TRAWL_STREAMING_DETACH"],
    ) == ("local", "crawl", "false")


def test_nobody_sees_the_token(stub, context, caplog):
    caplog.set_level(logging.DEBUG)
    stub.does("settle", f"echo 'a line with {TOKEN}' >&2; exit 3")
    with pytest.raises(TrawlFailed) as raised:
        TrawlSettle(task_id="t").execute(context)
    assert TOKEN not in str(raised.value) and "a line with ***" in str(raised.value)
    assert TOKEN not in caplog.text
    assert TOKEN not in str(stub.calls()) and TOKEN not in str(stub.environment())
    assert TOKEN not in repr(TrawlHook().get_conn())


def test_the_connections_test_is_the_doctor(stub):
    stub.does("doctor", 'echo \'{"check":"store","well":true,"found":"fine"}\'')
    assert TrawlHook().test_connection() == (True, "/data/a crawl: all 1 checks of trawl doctor are well")
    stub.does("doctor", 'echo \'{"check":"store","well":false,"found":"read-only","fix":"remount"}\'; exit 3')
    assert TrawlHook().test_connection() == (False, "store: read-only (remount)")
    stub.connect(binary="/no/such/trawl")
    ok, text = TrawlHook().test_connection()
    assert not ok and "cannot be started" in text


# -- segments


def test_a_segment_follows_from_the_run(context):
    run = context["dag_run"]
    first = segment_of_run(run, "round")
    assert first == segment_of_run(run, "round") and re.fullmatch(r"20260102t030000-[0-9a-f]{12}", first)
    assert len({first, segment_of_run(run, "other"), segment_of_run(run)}) == 3
    run.run_id = "made again"
    assert segment_of_run(run, "round") == first
    run.logical_date = None
    assert re.fullmatch(r"run-[0-9a-f]{12}", segment_of_run(run, "round"))


def segments(stub):
    return [
        next((word.partition("=")[2] for word in call if word.startswith("--segment=")), None) for call in stub.calls()
    ]


def test_steps_of_a_group_share_a_segment_and_rounds_do_not(stub, context):
    with DAG("d", schedule=None):
        groups = trawl_rounds(2)
        one, two = TrawlRound(task_id="one"), TrawlRound(task_id="two")
    tasks = [task for group in groups for task in group.children.values() if task.has_segment_of_run]
    for task in [*tasks, one, two]:
        task.execute(context)
    found = segments(stub)
    assert len(found) == 10 and len(set(found[:4])) == len(set(found[4:8])) == 1 and len(set(found)) == 4


def test_mapped_tasks_have_segments_of_their_own(stub, context):
    for index in (-1, 0, 1):
        context["ti"].map_index = index
        TrawlGenerate(task_id="g").execute(context)
    assert len(set(segments(stub))) == 3


def test_a_segment_that_is_none_is_refused(stub, context):
    with pytest.raises(TrawlUsageError, match="None"):
        TrawlFetch(task_id="t", segment="None").execute(context)


def test_a_group_is_a_round():
    with DAG("d", schedule=None):
        group = trawl_round("g", retries=5)
    assert list(group.children) == [
        f"g.{name}" for name in ("generate", "fetch", "parse", "updatedb", "settle", "compact", "gc")
    ]
    assert all(task.retries == 5 for task in group.children.values())
    assert group.children["g.fetch"].upstream_task_ids == {"g.generate"}


# -- assets


@pytest.mark.parametrize(
    "place, uri",
    [
        ("/data/a crawl/", "trawl://local/data/a%20crawl"),
        ("hdfs://name:8020/crawl", "trawl://hdfs/name:8020/crawl"),
        ("s3://key:secret@bucket/c?endpoint_override=x", "trawl://s3/bucket/c"),
    ],
)
def test_places_are_assets(place, uri):
    assert asset_uri(place) == uri and trawl_asset(place).uri == uri


def test_a_relative_place_is_none():
    with pytest.raises(ValueError, match="absolute"):
        asset_uri("crawl")


class Events:
    """As Airflow's: by asset."""

    def __init__(self):
        self.extras = {}

    def __getitem__(self, asset):
        return SimpleNamespace(extra=self.extras.setdefault(asset.uri, {}))


def test_an_event_has_the_snapshot(stub, context):
    ours, other = trawl_asset("/data/crawl"), Asset("s3://else/where")
    context["outlet_events"] = Events()
    TrawlRound(task_id="t", outlets=[ours, other]).execute(context)
    assert context["outlet_events"].extras == {ours.uri: {"snapshot": 7, "segment": "s1", "pages": 3}}


# -- the provider


def test_every_class_that_the_provider_names_is_there():
    import importlib

    from trawl_provider.get_provider_info import get_provider_info

    info = get_provider_info()
    for kind in ("hooks", "operators", "sensors", "triggers"):
        for entry in info[kind]:
            assert all(importlib.import_module(module) for module in entry["python-modules"])
    for name in [
        *info["extra-links"],
        info["connection-types"][0]["hook-class-name"],
        info["asset-uris"][0]["handler"],
    ]:
        module, _, member = name.rpartition(".")
        assert hasattr(importlib.import_module(module), member), name
    found = {getattr(kind, "verb", None) for name, kind in vars(verbs).items() if name.startswith("Trawl")}
    assert found >= {
        "inject",
        "generate",
        "fetch",
        "parse",
        "updatedb",
        "crawl",
        "round",
        "settle",
        "reparse",
        "graph",
        "compact",
        "archive",
        "export",
        "gc",
        "host",
        "health",
        "report",
        "score",
    }


def test_airflow_finds_the_module_that_it_guesses():
    import importlib

    from trawl_provider.get_provider_info import get_provider_info

    get_provider_info()
    assert not hasattr(importlib.import_module("airflow_provider_trawl"), "__path__")


def test_lineage_is_optional(stub, context):
    operator = TrawlExport(task_id="t", directory="hdfs://n/out")
    operator.execute(context)
    lineage = operator.get_openlineage_facets_on_complete(context["ti"])
    assert lineage is not None or "LINEAGE_IS_INSTALLED" not in os.environ
    if lineage is not None:
        assert [(each.namespace, each.name) for each in lineage.outputs] == [("hdfs://n", "/out")]
        assert [(each.namespace, each.name) for each in lineage.inputs] == [("file", "/data/a crawl")]
        assert (lineage.run_facets["trawl"].snapshot, lineage.run_facets["trawl"].counters) == (7, {"pages": 3})
        assert lineage.run_facets["externalQuery"].externalQueryId == "20260101T000000Z-x-1"
