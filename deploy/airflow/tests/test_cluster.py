"""Jobs that run elsewhere: waiting, deferral, failures, and who ends what."""

import asyncio
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from airflow.providers.common.compat.sdk import TaskDeferred
from conftest import TOKEN
from test_process import wait_until_gone
from trawl_provider import cluster
from trawl_provider.exceptions import TrawlFailed, TrawlStopped, TrawlUsageError
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
    stub.does("jobs status", "echo away >&2; exit 3")
    with serving(
        [
            500,
            {"app": None},
            {"app": {"state": "RUNNING", "progress": 10}},
            {"app": {"state": "FINISHED", "finalStatus": "SUCCEEDED"}},
        ]
    ) as (address, seen):
        stub.connect(resource_manager=address)
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


# -- what a stranger found


@pytest.mark.parametrize("refusal", [401, 307, {"app": None}])
def test_trawl_is_asked_where_yarn_answers_no_stranger(stub, refusal):
    """Kerberos, or a standby ResourceManager: without this a job would be looked at every five minutes only."""
    stub.does("jobs status", """echo '{"state":"running","maps":[1,2],"tracking_url":"N/A"}'""")
    with serving([refusal]) as (address, seen):
        stub.connect(resource_manager=address)
        found = cluster.job_state(TrawlHook(), JOB)
    assert (found.state, found.tracking_url, len(seen)) == ("running", "", 1) and verbs(stub) == ["jobs status"]


def test_a_triggerer_needs_no_trawl_to_ask_yarn(stub):
    with serving([500]) as (address, _):
        stub.connect(resource_manager=address, binary="/no/such/trawl")
        with pytest.raises(cluster.Unanswered, match="500"):
            cluster.job_state(TrawlHook(), JOB)


def test_an_application_that_has_not_begun_has_neither_page_nor_progress(stub):
    with serving([{"app": {"state": "ACCEPTED", "progress": None, "trackingUrl": "N/A"}}]) as (address, _):
        stub.connect(resource_manager=address)
        assert cluster.job_state(TrawlHook(), JOB) == cluster.JobState("running", text="ACCEPTED ")


def test_what_was_seen_before_the_deferral_is_told_after_it(stub, context):
    stub.connect(resource_manager="rm.example:8088")
    stub.does("round", DONE)
    event = {"application": JOB.application, "job": JOB.job, "state": "unknown", "reason": "away", "tracking_url": ""}
    operator = task(TrawlRound, deferrable=True)
    summary = operator.resume(context, event)
    assert (summary["application"], summary["changed"]) == (JOB.application, True)
    assert operator.yarn_link == f"http://rm.example:8088/cluster/app/{JOB.application}"


def test_what_ends_a_job_outlives_the_task_and_has_no_pipe_of_it(stub):
    stub.does("jobs kill", "for i in {1..3}; do sleep 0.1; echo saying >&2 || exit; done; touch $STUB/killed")
    killing = cluster.begin_kill(TrawlHook(), JOB)
    assert killing.stderr is None and killing.wait() == 0 and (stub.folder / "killed").exists()


def test_a_job_that_could_not_be_ended_is_told(stub, caplog, capsys):
    stub.does("jobs kill", "echo 'no ticket' >&2; exit 3")
    asyncio.run(TrawlJobTrigger("trawl_default", JOB.job, JOB.application, kill_remote=True).on_kill())
    assert "exit 3 no ticket" in caplog.text + capsys.readouterr().out  # Airflow 3.0 logs otherwise


def test_a_cancelled_trigger_leaves_no_program(stub):
    stub.does("readdb stats", "echo $$ > $STUB/pid; exec sleep 100")

    async def cancelled():
        looking = {"what": "due", "number": 1}
        running = asyncio.ensure_future(anext(TrawlCrawlTrigger("trawl_default", looking, poll_interval=0).run()))
        while not (stub.folder / "pid").exists() or not (stub.folder / "pid").read_text().strip():
            await asyncio.sleep(0.02)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running

    asyncio.run(cancelled())
    wait_until_gone((stub.folder / "pid").read_text().strip(), 5)


def test_a_mistake_that_the_trigger_finds_is_not_tried_again(stub, context):
    stub.connect(binary="/no/such/trawl")
    (event,) = events(TrawlCrawlTrigger("trawl_default", {"what": "due", "number": 1}, poll_interval=0.01))
    with pytest.raises(TrawlUsageError, match="cannot be started"):
        TrawlDueSensor(task_id="s").resume(context, event)


def test_a_sensor_that_begins_in_an_outage_waits_for_what_comes_after_it(stub, context):
    stub.does("snapshot list", "echo away >&2; exit 3")
    sensor = TrawlSnapshotSensor(task_id="s", deferrable=True, poke_interval=0.01)
    with pytest.raises(TaskDeferred) as deferred:
        sensor.execute(context)
    stub.does("snapshot list", """echo x >> $STUB/times; echo '{"snapshot":'$((6 + $(wc -l < $STUB/times) / 2))'}'""")
    assert events(deferred.value.trigger) == [{"value": 7}]
    stub.does("snapshot list", "echo away >&2; exit 3")
    newest = TrawlSnapshotSensor(task_id="s")
    assert [newest.poke(context).is_done for _ in range(4)] == [False] * 4
    with pytest.raises(TrawlFailed, match="5 times"):
        newest.poke(context)


def test_a_sensor_that_forgets_needs_a_number():
    with pytest.raises(ValueError, match="after"):
        TrawlSnapshotSensor(task_id="s", mode="reschedule")
    TrawlSnapshotSensor(task_id="s", mode="reschedule", after=3)
