"""Jobs that run elsewhere: waiting, deferral, failures, and who ends what."""

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred
from conftest import TOKEN
from trawl_provider import cluster
from trawl_provider.exceptions import TrawlFailed, TrawlStopped
from trawl_provider.hooks.trawl import TrawlHook
from trawl_provider.operators.verbs import TrawlFetch, TrawlRound
from trawl_provider.result import ClusterJob
from trawl_provider.sensors.trawl import TrawlDueSensor, TrawlSnapshotSensor
from trawl_provider.triggers.crawl import TrawlCrawlTrigger
from trawl_provider.triggers.job import TrawlJobTrigger

JOB = ClusterJob("application_1_0001", "20260101T000000Z-fetch-1")
LEFT = f"echo 'trawl: running on the cluster as {JOB.application} ({JOB.job}); the same command …' >&2; exit 75"
DONE = 'echo \'{"segment":"s","snapshot":2,"pages":5}\''
FAILED = '{"state":"failed","application_state":"FAILED","reason":"out of disk"}'


def task(kind=TrawlFetch, **more):
    return kind(task_id="t", segment="s", runner="streaming", **{"poll_interval": 0.01} | more)


@contextmanager
def serving(answers):
    """A server that gives these answers in turn, the last one for ever: a status, or an object. Yields its address and
    the requests."""
    seen = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            seen.append((self.path, self.headers.get("Authorization")))
            answer = answers[min(len(seen), len(answers)) - 1]
            self.send_response(answer if isinstance(answer, int) else 200)
            if answer == 302:
                self.send_header("Location", f"http://127.0.0.1:{self.server.server_port}/stolen")
            self.end_headers()
            self.wfile.write(json.dumps(answer).encode())

        def log_message(self, *_):
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()


def events(trigger):
    async def all_of_them():
        return [event.payload async for event in trigger.run()]

    return asyncio.run(all_of_them())


def verbs(stub):
    return [" ".join(word for word in call[:2] if not word.startswith("--")) for call in stub.calls()]


def test_a_job_is_left_on_the_cluster_and_taken_up(stub, context):
    stub.does("fetch", f"[ -e $STUB/over ] && {{ {DONE}; exit 0; }}; {LEFT}")
    stub.does("jobs status", 'touch $STUB/over; echo \'{"state":"to be taken up","tracking_url":"http://rm/app"}\'')
    assert task().execute(context)["application"] == JOB.application
    assert verbs(stub) == ["fetch", "jobs status", "fetch"] and stub.calls()[0] == stub.calls()[2]
    assert stub.environment()["TRAWL_STREAMING_DETACH"] == "true"
    assert context["ti"].xcoms["_link_TrawlYarnLink"] == "http://rm/app"


def test_a_failed_job_fails_with_its_reason_and_is_not_begun_again(stub, context):
    stub.does("fetch", LEFT)
    stub.does("jobs status", f"echo '{FAILED}'")
    with pytest.raises(TrawlFailed, match="application_1_0001 failed: out of disk"):
        task().execute(context)
    assert verbs(stub) == ["fetch", "jobs status"]


def test_bad_answers_are_no_end_of_a_job(stub, context):
    stub.does("fetch", f"[ -e $STUB/over ] && {{ {DONE}; exit 0; }}; {LEFT}")
    with serving(
        [
            500,
            {"app": None},
            {"app": {"state": "RUNNING", "progress": 10}},
            {"app": {"state": "FINISHED", "finalStatus": "SUCCEEDED"}},
        ]
    ) as (address, seen):
        stub.connect(resource_manager=address)
        (stub.folder / "over").touch()
        trigger = TrawlJobTrigger("trawl_default", JOB.job, JOB.application, poll_interval=0.01)
        assert events(trigger)[0]["state"] == "over"
    assert seen == [(f"/ws/v1/cluster/apps/{JOB.application}", None)] * 4


def test_a_deferred_task_goes_on_with_the_same_command(stub, context):
    stub.does("round", f"[ -e $STUB/over ] && {{ {DONE}; exit 0; }}; {LEFT}")
    operator = task(TrawlRound, deferrable=True, environment={"TRAWL_FETCH_AGENT": "a"}, kill_remote=True)
    with pytest.raises(TaskDeferred) as deferred:
        operator.execute(context)
    path, kwargs = deferred.value.trigger.serialize()
    assert json.loads(json.dumps(kwargs)) == kwargs and TOKEN not in json.dumps(kwargs)
    assert path == "trawl_provider.triggers.job.TrawlJobTrigger" and TrawlJobTrigger(**kwargs).serialize() == (
        path,
        kwargs,
    )
    assert (kwargs["job"], kwargs["application"], kwargs["kill_remote"]) == (JOB.job, JOB.application, True)
    (stub.folder / "over").touch()
    event = {
        "application": JOB.application,
        "job": JOB.job,
        "state": "over",
        "reason": "",
        "tracking_url": "http://rm/app",
    }
    assert getattr(task(TrawlRound, deferrable=True), deferred.value.method_name)(context, event=event)["counters"] == {
        "pages": 5
    }
    assert stub.calls()[0] == stub.calls()[1]


def test_a_deferred_task_may_be_deferred_again(stub, context):
    stub.does("round", LEFT)
    with pytest.raises(TaskDeferred):
        task(TrawlRound, deferrable=True).resume(
            context, {"application": "a", "job": "j", "state": "over", "reason": "", "tracking_url": ""}
        )


def test_a_deferred_task_whose_job_failed_fails(stub, context):
    with pytest.raises(TrawlFailed, match="out of disk"):
        task(deferrable=True).resume(
            context, {"application": "a", "job": "j", "state": "failed", "reason": "out of disk", "tracking_url": ""}
        )
    assert stub.calls() == []


@pytest.mark.parametrize(
    "answer, state",
    [
        ('{"state":"done"}', "over"),
        ('{"state":"to be taken up"}', "over"),
        (FAILED, "failed"),
        ('{"state":"failed","reason":"killed"}', "over"),
    ],
)
def test_the_trigger_says_what_trawl_says(stub, answer, state):
    stub.does(
        "jobs status",
        f"[ -e $STUB/second ] && {{ echo '{answer}'; exit 0; }}; touch $STUB/second; "
        'echo \'{"state":"running","maps":[1,2]}\'',
    )
    found = events(TrawlJobTrigger("trawl_default", JOB.job, JOB.application, poll_interval=0.01))
    assert [event["state"] for event in found] == [state] and stub.calls()[0][-2:] == ["--", JOB.job]


def test_a_trigger_that_nobody_answers_leaves_it_to_the_command(stub, monkeypatch):
    stub.does("jobs status", "echo away >&2; exit 3")
    trigger = TrawlJobTrigger("trawl_default", JOB.job, JOB.application, poll_interval=0.02)
    monkeypatch.setattr("trawl_provider.triggers.job.PATIENCE_SECONDS", 0.05)
    found = events(trigger)
    assert found[0]["state"] == "unknown" and "away" in found[0]["reason"] and len(stub.calls()) >= 2


def test_serve_is_asked_with_the_token_which_goes_nowhere_else(stub):
    with serving([302, {"state": "done"}]) as (address, seen):
        stub.connect(serve_url=address + "/")
        found = events(TrawlJobTrigger("trawl_default", JOB.job, JOB.application, poll_interval=0.01))
    assert found[0]["state"] == "over"
    assert seen == [(f"/api/v1/jobs/{JOB.job}", f"Bearer {TOKEN}")] * 2


# -- who ends a job


@pytest.mark.parametrize("kill_remote", [False, True])
def test_only_who_says_so_ends_the_job_on_the_cluster(stub, context, kill_remote):
    operator = task(kill_remote=kill_remote, poll_interval=60)
    stub.does("fetch", LEFT)
    stub.does("jobs kill", "touch $STUB/killed")
    timer = threading.Timer(1, operator.on_kill)
    timer.start()
    with pytest.raises(TrawlStopped, match="goes on"):
        operator.execute(context)
    timer.join()
    for _ in range(100):
        if (stub.folder / "killed").exists() == kill_remote:
            break
        threading.Event().wait(0.05)
    assert (stub.folder / "killed").exists() == kill_remote
    assert ("jobs kill" in verbs(stub)) == kill_remote


@pytest.mark.parametrize("kill_remote", [False, True])
def test_a_user_who_ends_a_deferred_task_ends_the_job_where_that_is_wished(stub, kill_remote):
    stub.does("jobs kill", "touch $STUB/killed")
    asyncio.run(TrawlJobTrigger("trawl_default", JOB.job, JOB.application, kill_remote=kill_remote).on_kill())
    assert (stub.folder / "killed").exists() == kill_remote


def test_links_lead_to_the_round(stub, context):
    stub.connect(serve_url="http://serve:8765/")
    stub.does("round", DONE)
    operator = TrawlRound(task_id="t")
    operator.execute(context)
    links = {link.name: link.get_link(operator, ti_key=None) for link in operator.operator_extra_links}
    assert links == {"Trawl": "http://serve:8765/rounds/s", "YARN": ""}


# -- sensors


def test_due_is_what_trawl_counts(stub, context):
    sensor = TrawlDueSensor(task_id="s", due=3, poke_interval=0.01, timeout=10)
    stub.does(
        "readdb stats", "[ -e $STUB/second ] && { echo '{\"due\":5}'; exit 0; }; touch $STUB/second; echo '{\"due\":2}'"
    )
    assert sensor.poke(context).is_done is False
    done = sensor.poke(context)
    assert (done.is_done, done.xcom_value) == (True, 5)


def test_a_snapshot_after_that_one(stub, context):
    stub.does("snapshot list", "echo '{\"snapshot\":4}'")
    assert TrawlSnapshotSensor(task_id="s", after=4).poke(context).is_done is False
    assert TrawlSnapshotSensor(task_id="s", after="3").poke(context).xcom_value == 4
    newest = TrawlSnapshotSensor(task_id="s")
    assert newest.poke(context).is_done is False and newest.after == 4
    stub.does("snapshot list", "echo '{\"snapshot\":5}'")
    assert newest.poke(context).is_done is True


def test_a_sensor_forgives_a_miss_but_not_five(stub, context):
    stub.does("readdb stats", "echo away >&2; exit 3")
    sensor = TrawlDueSensor(task_id="s")
    assert [sensor.poke(context).is_done for _ in range(4)] == [False] * 4
    with pytest.raises(TrawlFailed, match="5 times"):
        sensor.poke(context)


def test_a_deferred_sensor_ends_by_its_event(stub, context):
    stub.does("readdb stats", "echo '{\"due\":0}'")
    sensor = TrawlDueSensor(task_id="s", deferrable=True, poke_interval=0.01)
    with pytest.raises(TaskDeferred) as deferred:
        sensor.execute(context)
    path, kwargs = deferred.value.trigger.serialize()
    assert TrawlCrawlTrigger(**json.loads(json.dumps(kwargs))).serialize() == (path, kwargs)
    stub.does("readdb stats", "echo '{\"due\":9}'")
    assert events(deferred.value.trigger) == [{"value": 9}] and sensor.resume(context, {"value": 9}) == 9
    with pytest.raises(TrawlFailed, match="gone"):
        sensor.resume(context, {"error": "gone"})
    sensor.execute(context)


def test_serve_answers_sensors_too(stub, context):
    with serving([{"due": 7, "snapshot": 3}]) as (address, seen):
        stub.connect(serve_url=address)
        assert TrawlDueSensor(task_id="s", due=7).poke(context).xcom_value == 7
    assert seen == [("/status", f"Bearer {TOKEN}")] and stub.calls() == []


def test_what_is_no_address_is_not_opened(stub):
    stub.connect(serve_url="file:///etc/passwd")
    with pytest.raises(cluster.Unanswered, match="http"):
        cluster.job_state(TrawlHook(), JOB)
