"""Jobs that Trawl submits by REST are the jobs that Hadoop's own client submits; and what each way costs.

Between the driver and the ResourceManager stands a gate, where the checks refuse requests, lose answers and kill the driver.
"""

import contextlib
import json
import re
import resource
import signal
import threading
import time
import urllib.error
import urllib.request
import xml.etree.ElementTree
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Callable, Optional

from tests.driver import STOPPED
from tests.harness import wait_until

from streaming_checks.soak import PATIENCE, QUICK, Soak

REST, CLIENT = ("--streaming.submit", "rest"), ("--streaming.submit", "client")
ROUNDS = 2 if QUICK else 5

# Settings that differ, and why that is right.
EXPLAINED = {
    "mapreduce.job.jar": "Trawl stores the jar once, and the client for each job",
    "mapreduce.job.jobjar.visibility": "so each node copies it once, for all",
    "mapreduce.job.cache.archives": "the same bundle under another name",
    "mapreduce.job.cache.archives.timestamps": "it was stored at another time",
    "mapreduce.job.cache.files": "Trawl names the link in the container",
    "mapreduce.job.cache.files.timestamps": "they were stored at another time",
    "mapreduce.client.genericoptionsparser.used": "the client's note to itself",
    "tmpfiles": "the client's note to itself",
    "tmparchives": "the client's note to itself",
    "rpc.engine.org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB": "what HDFS' Java client set in the client's memory",
}
# What an operator may add to a job.
ADDED = ("--streaming.define", "mapreduce.job.priority=HIGH", "--streaming.define", "mapreduce.job.tags=team", "--streaming.define",
         "yarn.app.mapreduce.am.env=SAID=$USER.x", "--streaming.define", "mapreduce.map.env.LINE=<a & b>", "--streaming.queue", "crawl",
         "--attempts", "2")


class Gate:
    """Passes requests on to the ResourceManager. `before` and `after` see each one; `before` may answer with a status."""

    def __init__(self, target: str):
        self.before: Callable[[str, str], Optional[int]] = lambda method, path: None
        self.after: Callable[[str, str], bool] = lambda method, path: True
        gate = self

        class Pass(BaseHTTPRequestHandler):
            def work(self) -> None:
                method, path = self.command, self.path.split("?")[0]
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                status = gate.before(method, path)
                if status is None:
                    asked = urllib.request.Request(target + self.path, data=body or None, method=method, headers={
                        name: self.headers[name] for name in ("Accept", "Content-Type") if self.headers[name]})
                    try:
                        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(asked, timeout=60) as answer:
                            status, body = answer.status, answer.read()
                    except urllib.error.HTTPError as error:
                        status, body = error.code, error.read()
                else:
                    body = b'{"RemoteException": {"message": "closed by the gate"}}'
                if not gate.after(method, path):
                    self.close_connection = True
                    return
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # a driver that was killed
                    self.wfile.write(body)

            do_GET = do_POST = do_PUT = work

            def log_message(self, *_: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Pass)
        self.words = ("--streaming.resource_manager", f"http://127.0.0.1:{self.server.server_address[1]}")
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def is_submission(method: str, path: str) -> bool:
    return (method, path) == ("POST", "/ws/v1/cluster/apps")


def read(url: str, form: str) -> bytes:
    request = urllib.request.Request(url, headers={"Accept": f"application/{form}"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
        return answer.read()


def ask(url: str) -> dict:
    return json.loads(read(url, "json"))


def applications(soak: Soak, root: str) -> list[dict]:
    """Those of the jobs of that root, which are all jobs since `root` was made."""
    apps = (ask(f"{soak.client.environment['TRAWL_TEST_YARN']}/ws/v1/cluster/apps")["apps"] or {"app": []})["app"]
    jobs = {line.split("/jobs/")[1].split("/")[0] for line in soak.client.run("hadoop", "fs", "-ls", "-C", f"{root}/jobs").splitlines()}
    return [app for app in apps if app["name"].split()[-1] in jobs]


def staged(soak: Soak) -> list[str]:
    folder = f"/user/{application_user(soak)}/.staging"
    return [line.rsplit("/", 1)[1] for line in soak.client.run("hadoop", "fs", "-ls", "-C", folder).splitlines()]


def application_user(soak: Soak) -> str:
    return soak.client.run("bash", "-c", "echo -n ${HADOOP_USER_NAME:-$(id -un)}")


def history(soak: Soak, application: dict, what: str, form: str = "json") -> bytes:
    job = application["id"].replace("application_", "job_")
    url = f"http://127.0.0.1:{soak.client.ports()['historyserver_http']}/ws/v1/history/mapreduce/jobs/{job}/{what}"
    found: list[bytes] = []

    def has_come() -> bool:
        try:
            found.append(read(url, form))
            return True
        except urllib.error.HTTPError:
            return False
    wait_until("the history server has the job", PATIENCE, has_come)
    return found[-1]


def as_list(value: object) -> list:
    return value if isinstance(value, list) else [value]


def without_names(text: str, application: dict) -> str:
    """A text of a job without the names that are another job's in another one."""
    number = application["id"].removeprefix("application_")
    text = text.replace(application["name"].split()[-1], "JOB").replace(application["name"].split()[-1].lower(), "JOB")
    text = re.sub(r"trawl-[0-9a-f]{16}", "CRAWL", text.replace(number, "NUMBER"))
    return re.sub(r"/(same-)?(rest|client)(-maps)?(?=/|$)", "/ROOT", text)


def settings_of(soak: Soak, application: dict) -> dict[str, str]:
    # As JSON a text that looks like a number would be one.
    conf = xml.etree.ElementTree.fromstring(history(soak, application, "conf", "xml"))
    return {each.findtext("name"): without_names(each.findtext("value") or "", application) for each in conf.iter("property")}


def launches_of(soak: Soak, application: dict) -> dict[str, list[str]]:
    """How the node started the job's containers: environment, links and command, by kind of container."""
    found: dict[str, list[str]] = {}
    for script in (soak.client.cluster.folder / "yarn/log" / application["id"]).glob("*/launch_container.sh"):
        text = without_names(script.read_text(), application)
        kind = "master" if "MRAppMaster" in text else "task"
        lines = [line for line in text.splitlines() if line.startswith(("export", "ln", "exec", "mkdir"))]
        # What is another one in each container, and the files' numbers and names in the node's cache.
        lines = [line for line in lines if not re.search(r"CONTAINER_ID|LOCALIZATION_COUNTERS|SUBMIT_TIME|STREAM_|_TOKEN|ATTEMPT|JVM_", line)]
        lines = [re.sub(r"container_[0-9_A-Za-z]+|attempt_[0-9_mr]+|:[0-9]{4,5}\b|127.0.0.1 [0-9]+ ", "", line) for line in lines]
        lines = [re.sub(r'ln -sf -- ".*" ', "ln ", line) for line in lines]
        if kind == "master":
            found[kind] = sorted(lines)
    return found


def both(soak: Soak, verb: str, *words: object, prepare: Callable[[str], None] = lambda root: None) -> dict[str, dict]:
    """The applications of one job that was submitted in both ways."""
    found = {}
    for name, way in (("rest", REST), ("client", CLIENT)):
        root = soak.driver.hdfs(f"same-{name}")
        prepare(root)
        soak.driver.run(verb, root, *words, *way)
        found[name] = soak.driver.application_of(root)
    return found


def compare(soak: Soak, what: str, jobs: dict[str, dict]) -> None:
    settings = {name: settings_of(soak, job) for name, job in jobs.items()}
    differ = {name for name in set(settings["rest"]) | set(settings["client"])
              if settings["rest"].get(name, "").split() != settings["client"].get(name, "").split()}
    unexplained = {name: (settings["rest"].get(name), settings["client"].get(name)) for name in differ - set(EXPLAINED)}
    assert not unexplained, f"{what}: settings that differ (rest, client): {json.dumps(unexplained, indent=1)}"
    for field in ("user", "queue", "applicationType", "priority", "finalStatus", "amNodeLabelExpression"):
        assert jobs["rest"].get(field) == jobs["client"].get(field), (what, field, jobs)
    tags = {name: without_names(job["applicationTags"], job).split(",") for name, job in jobs.items()}
    assert sorted(tags["rest"]) == sorted(tags["client"]), tags
    launches = {name: launches_of(soak, job) for name, job in jobs.items()}
    assert launches["rest"] and launches["rest"] == launches["client"], json.dumps(launches, indent=1)
    counted = {name: {each["counterGroupName"]: sorted((counter["name"], counter["totalCounterValue"]) for counter in as_list(each["counter"]))
                      for each in as_list(json.loads(history(soak, job, "counters"))["jobCounters"]["counterGroup"])} for name, job in jobs.items()}
    assert counted["rest"]["Trawl"] == counted["client"]["Trawl"], counted
    print(f"settings of {what} by REST and by Hadoop's client: {len(settings['rest'])} and {len(settings['client'])}, "
          f"{len(differ)} differ, all explained; the same environment, links and command of the master, tags, rights, counters")


def a_job_by_rest_is_the_clients_job(soak: Soak) -> None:
    extra = soak.folder / "extra.txt"
    extra.write_text("a file for the tasks\n")
    compare(soak, "a job with reducers", both(soak, "inject", soak.seeds, "--partitions", "2"))
    compare(soak, "a job without reducers, with settings and files of the operator",
            both(soak, "compact", *ADDED, "--streaming.files", extra,
                 prepare=lambda root: soak.driver.run("inject", root, "https://more.example/", "--runner", "local") and None))
    roots = [soak.driver.hdfs(f"same-{name}") for name in ("rest", "client")]
    assert soak.driver.digests(roots[0]) == soak.driver.digests(roots[1])


def the_bundle_is_copied_to_a_node_once(soak: Soak) -> None:
    folder = soak.client.cluster.folder / "yarn/local/filecache"
    root = soak.driver.hdfs("bundle-once")
    for url in ("https://a.example/", "https://b.example/"):
        soak.driver.run("inject", root, url, *REST)
    names = {line.rsplit("/", 1)[1] for line in soak.client.run("hadoop", "fs", "-ls", "-C", f"{root}/_bundles").splitlines()}
    bundle = next(name for name in names if name.endswith(".tar.gz"))
    copies = {kind: len([path for path in folder.glob(f"*/{name}") if not path.name.startswith("_tmp")])
              for kind, name in (("bundle", bundle), ("jar", "job.jar"))}
    assert copies["bundle"] == 1 and copies["jar"] >= 1, copies
    print(f"copies of the bundle on the node after two jobs: {copies['bundle']}")


def a_refused_submission_goes_through_the_client(soak: Soak) -> None:
    gate = Gate(soak.client.environment["TRAWL_TEST_YARN"])
    said = []
    try:
        for status in (401, 403, 404, 405):
            for step in ("/ws/v1/cluster/apps/new-application", "/ws/v1/cluster/apps"):
                gate.before = lambda method, path: status if (method, path) == ("POST", step) else None
                root = soak.driver.hdfs(f"refused-{status}-{step[-4:]}")
                log = soak.folder / f"refused-{status}{step[-4:]}.log"
                before = staged(soak)
                words = ["--streaming.resource_manager", gate.words[1], "--log_format", "json", "--log_file", log]
                if status in (401, 405) and step.endswith("apps"):  # one of each is enough for the jobs
                    soak.driver.run("inject", root, "https://a.example/", *gate.words, *REST, exit_code=2)
                    assert staged(soak) == before, staged(soak)
                    continue
                soak.driver.run("inject", root, "https://a.example/", *words, "--detach", exit_code=STOPPED)
                event = [each for each in map(json.loads, log.read_text().splitlines()) if each.get("event") == "job_submitted"][0]
                assert event["by"] == "client" and str(status) in event["reason"], event
                assert len(applications(soak, root)) == 1, applications(soak, root)
                said.append(event["reason"])
                soak.driver.run("inject", root, "https://a.example/")
                assert len(applications(soak, root)) == 1, applications(soak, root)
    finally:
        gate.close()
    print(f"refused by REST and submitted by Hadoop's client: {len(said)} of 6; {said[0]}")


def drivers_that_die_at_the_submission_leave_one_job(soak: Soak) -> None:
    """Killed before the ResourceManager has the submission, and after; or its answer is lost and the driver lives."""
    gate = Gate(soak.client.environment["TRAWL_TEST_YARN"])
    ends = {}
    try:
        for moment in ("before", "after", "lost", "new"):
            root = soak.driver.hdfs(f"died-{moment}")
            hit = threading.Event()
            drivers: list = []

            def kill() -> None:
                wait_until("the driver is started", PATIENCE, lambda: bool(drivers))
                drivers[0].send_signal(signal.SIGKILL)
                drivers[0].wait()
                hit.set()

            def before(method: str, path: str) -> Optional[int]:
                wanted = path.endswith("/new-application") if moment == "new" else is_submission(method, path)
                if moment in ("before", "new") and wanted and not hit.is_set():
                    kill()
                    return 503  # nobody hears it
                return None

            def after(method: str, path: str) -> bool:
                if is_submission(method, path) and not hit.is_set():
                    if moment == "after":
                        kill()
                        return False
                    if moment == "lost":
                        hit.set()
                        return False
                return True

            left = set(staged(soak))
            gate.before, gate.after = before, after
            drivers.append(soak.driver.start("inject", root, soak.seeds, "--partitions", "2", *gate.words, *REST))
            if moment == "lost":
                out, err = drivers[0].communicate()
                assert drivers[0].returncode == 0, err
            wait_until("the gate was reached", PATIENCE, hit.is_set)
            ends[moment] = len(set(staged(soak)) - left)
            gate.before, gate.after = (lambda method, path: None), (lambda method, path: True)
            if moment != "lost":
                soak.inject(root, *gate.words, *REST)
            assert soak.driver.digests(root) == soak.expected()
            found = applications(soak, root)
            assert len(found) == 1, f"{moment}: {[each['id'] for each in found]}"
    finally:
        gate.close()
    print(f"drivers killed before and after the ResourceManager had the job, and an answer lost: one application each; "
          f"staging folders left: {ends}")
    leftovers_are_removed(soak)


def leftovers_are_removed(soak: Soak) -> None:
    """What the driver that was killed before its submission left is gone after a later job, once it is old."""
    user = application_user(soak)
    marks = soak.client.run("hadoop", "fs", "-ls", "-C", f"/user/{user}/.staging/*/_trawl").splitlines()
    assert marks, "the driver that was killed before its submission left no folder: the check does not test what it should"
    old = time.strftime("%Y%m%d:%H%M%S", time.gmtime(time.time() - 3600))
    for mark in marks:
        soak.client.run("hadoop", "fs", "-touch", "-m", "-t", old, mark)
    soak.driver.run("inject", soak.driver.hdfs("after-leftovers"), "https://a.example/", *REST)
    wait_until("nothing is left in the staging folder", PATIENCE, lambda: not staged(soak))
    print(f"folders that killed drivers left in the staging folder: {len(marks)}, none after a later job")


def a_job_that_is_refused_by_the_scheduler_fails_with_its_reason(soak: Soak) -> None:
    before = staged(soak)
    said = soak.driver.run("inject", soak.driver.hdfs("no-queue"), "https://a.example/", *REST, "--streaming.queue", "nobodys", exit_code=3)
    assert "nobodys" in said["err"], said
    assert staged(soak) == before, staged(soak)


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def what_a_submission_costs(soak: Soak) -> None:
    """Driver and client until the job is with YARN, side by side; then the same job to its end."""
    figures: dict[str, list[tuple[float, ...]]] = {"rest": [], "client": [], "empty": []}
    for number in range(ROUNDS + 1):  # the first one is for caches
        for name, way in (("rest", REST), ("client", CLIENT)):
            root = soak.driver.hdfs(f"cost-{name}")
            url = f"https://host{number}.example/"
            began, cpu = time.monotonic(), cpu_of_children()
            soak.driver.run("inject", root, url, *way, "--detach", exit_code=STOPPED)
            submitted, cpu = time.monotonic() - began, cpu_of_children() - cpu
            soak.driver.run("inject", root, url, *way)
            application = soak.driver.application_of(root)
            took = (application["finishedTime"] - application["startedTime"]) / 1000
            began = time.monotonic()
            soak.driver.run("remove", root, "--prefix", "https://nobody.example/", "--dry_run", *way)
            if number > 0:
                figures[name].append((submitted, cpu, took, time.monotonic() - began))
    for name in ("rest", "client"):
        middle = [sorted(values)[len(values) // 2] for values in zip(*figures[name])]
        print(f"a submission by {name} ({len(figures[name])} jobs, medians): {middle[0]:.2f} s, {middle[1]:.2f} s of processor time of driver "
              f"and client; the application {middle[2]:.1f} s, an empty job with its driver {middle[3]:.1f} s")
    cheaper = [sorted(each[1] for each in figures[name])[len(figures[name]) // 2] for name in ("rest", "client")]
    assert cheaper[0] < cheaper[1], cheaper


CHECKS = [
    a_job_by_rest_is_the_clients_job,
    the_bundle_is_copied_to_a_node_once,
    a_refused_submission_goes_through_the_client,
    drivers_that_die_at_the_submission_leave_one_job,
    a_job_that_is_refused_by_the_scheduler_fails_with_its_reason,
    what_a_submission_costs,
]
