"""Single jobs: the same rows as on this machine, also when tasks and drivers are killed."""

import signal

from tests.driver import STOPPED
from tests.harness import wait_until

from streaming_checks.soak import PATIENCE, Soak


def script(soak: Soak, root: object) -> dict:
    soak.inject(root)
    soak.driver.run("remove", root, "--prefix", "https://host3.example/")
    soak.driver.run("compact", root)
    return soak.driver.digests(root)


def hdfs_has_the_rows_of_this_machine(soak: Soak) -> None:
    assert script(soak, soak.driver.hdfs("same")) == script(soak, soak.driver.local("local-1"))


def s3_has_the_rows_of_this_machine(soak: Soak) -> None:
    assert script(soak, soak.driver.s3("same")) == script(soak, soak.driver.local("local-2"))


def a_local_root_is_refused(soak: Soak) -> None:
    done = soak.driver.run("inject", soak.driver.local("refused"), "https://a.example/", "--runner", "streaming", exit_code=2)
    assert "hdfs://" in done["err"], done


def a_killed_mapper_and_reducer_change_nothing(soak: Soak) -> None:
    for kind in ("map", "reduce"):
        root = soak.driver.hdfs(f"killed-{kind}")
        driver = soak.driver.start("inject", root, soak.seeds, "--partitions", "2")
        soak.kill(soak.wait_for_tasks(kind, driver)[0])
        out, err = driver.communicate()
        assert driver.returncode == 0, err
        assert soak.driver.digests(root) == soak.expected()


def a_job_whose_driver_was_killed_is_taken_up(soak: Soak) -> None:
    root = soak.driver.hdfs("orphaned")
    driver = soak.driver.start("inject", root, soak.seeds, "--partitions", "2")
    soak.wait_for_tasks("", driver)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    application = soak.driver.application_of(root)["id"]
    job = soak.inject(root)["job"]
    assert soak.driver.digests(root) == soak.expected()
    assert soak.driver.application_of(root)["id"] == application, "another job was submitted"
    assert job in soak.driver.application_of(root)["name"]


def a_driver_that_is_stopped_kills_its_job(soak: Soak) -> None:
    root = soak.driver.hdfs("stopped")
    driver = soak.driver.start("inject", root, soak.seeds, "--partitions", "2")
    soak.wait_for_tasks("", driver)
    driver.send_signal(signal.SIGTERM)
    out, err = driver.communicate()
    assert driver.returncode == STOPPED, err
    assert soak.driver.application_of(root)["state"] == "KILLED"
    wait_until("its tasks are gone", PATIENCE, lambda: not soak.driver.tasks())


def a_detached_job_is_shown_killed_and_taken_up(soak: Soak) -> None:
    root = soak.driver.hdfs("detached")
    soak.inject(root, "--detach", exit_code=STOPPED)
    job = soak.driver.look("jobs", root)[-1]
    assert job["state"] == "running", job
    assert soak.driver.look("jobs status", root, job["job"])[0]["state"] == "running"
    assert soak.driver.look("jobs kill", root, job["job"])[0]["changed"]
    assert soak.driver.application_of(root)["state"] == "KILLED"
    # A job killed by hand is not taken up: the same command begins anew.
    assert soak.inject(root)["job"] != job["job"]
    assert soak.driver.digests(root) == soak.expected()


def the_doctor_finds_all_well(soak: Soak) -> None:
    findings = soak.driver.look("doctor", soak.driver.hdfs("doctor"), "--runner", "streaming", "--streaming.bundle",
                                soak.driver.bundle, "--doctor.tasks", "1", "--doctor.url",
                                soak.client.environment["TRAWL_TEST_YARN"] + "/")
    assert {finding["check"] for finding in findings} == {"program", "store", "clock", "memory", "temp", "egress"}
    assert all(finding["well"] for finding in findings), findings


CHECKS = [
    hdfs_has_the_rows_of_this_machine,
    s3_has_the_rows_of_this_machine,
    a_local_root_is_refused,
    a_killed_mapper_and_reducer_change_nothing,
    a_job_whose_driver_was_killed_is_taken_up,
    a_driver_that_is_stopped_kills_its_job,
    a_detached_job_is_shown_killed_and_taken_up,
    the_doctor_finds_all_well,
]
