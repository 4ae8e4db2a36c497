"""Whole crawls of the test web: the urls rows of the local run, with data on HDFS and on S3, also when the driver dies."""

import signal
import time
from pathlib import Path

from tests import crawl
from tests.client import command_line

from streaming_checks.soak import Soak

# Two rounds: the seeds, and all pages that they link to.
SITES = {"hosts": 4, "pages": 8, "links": 7}


def check_crawl(soak: Soak, root: str) -> None:
    web = soak.web("sites", **SITES)
    expected = crawl.rows_of_this_machine(soak.driver, web, soak.driver.local("crawled"))
    report = crawl.check(soak.driver, web, root, expected)
    assert len(expected) == report["pages"] == SITES["hosts"] * SITES["pages"], report
    print(f"crawl of {report['pages']} pages in {report['rounds']} rounds on {root.split(':')[0]}: {report['seconds']:.0f} s")


def a_crawl_on_hdfs_has_the_rows_of_this_machine(soak: Soak) -> None:
    check_crawl(soak, soak.driver.hdfs("crawl"))


def a_crawl_on_s3_has_the_rows_of_this_machine(soak: Soak) -> None:
    check_crawl(soak, soak.driver.s3("crawl"))


def a_crawl_whose_driver_is_killed_goes_on(soak: Soak) -> None:
    web = soak.web("sites", **SITES)
    root = soak.driver.hdfs("crawl-killed")
    expected = crawl.rows_of_this_machine(soak.driver, web, soak.driver.local("crawled"))
    began = web.mark()
    for kind in ("map", "reduce", "map"):
        driver = soak.driver.start("crawl", root, *crawl.options(web), *crawl.on_cluster(web), folder=web.folder)
        soak.wait_for_tasks(kind, driver)
        driver.send_signal(signal.SIGKILL)
        driver.wait()
    soak.driver.run("crawl", root, *crawl.options(web), *crawl.on_cluster(web), folder=web.folder)
    assert soak.driver.rows(root) == expected
    crawl.check_requests(web, began)


def a_crawl_that_chooses_its_runners_goes_on_where_it_was(soak: Soak) -> None:
    """The fetches of these rounds are beyond the limit, the steps before them are not."""
    web = soak.web("sites", **SITES)
    root = soak.driver.hdfs("crawl-auto")
    expected = crawl.rows_of_this_machine(soak.driver, web, soak.driver.local("crawled"))
    began = web.mark()
    auto = ("--runner", "auto", "--streaming.bundle", soak.driver.bundle)
    chooses = ("--job.local_bytes", "100KiB")
    driver = soak.driver.start("crawl", root, *crawl.options(web), *crawl.on_cluster(web), *auto, *chooses, folder=web.folder)
    soak.wait_for_tasks("map", driver)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    # All that is left is small enough for this machine, but the first fetch is on the cluster already.
    soak.driver.run("crawl", root, *crawl.options(web), *crawl.on_cluster(web), *auto, folder=web.folder)
    assert soak.driver.rows(root) == expected
    crawl.check_requests(web, began)
    fetches = [job["runner"] for job in soak.driver.look("jobs", root, "--limit", "0") if job["verb"] == "fetch"]
    assert fetches == ["streaming", "local"], fetches


def no_secret_is_written_down(soak: Soak) -> None:
    secret = soak.client.secret().encode()
    root = soak.driver.s3("secrets")
    driver = soak.driver.start("inject", root, soak.seeds, "--partitions", "2")
    seen = set()
    while driver.poll() is None:
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and (line := command_line(int(entry.name))):
                seen.add(line)
        time.sleep(0.2)
    out, err = driver.communicate()
    assert driver.returncode == 0, err
    assert any(b"bin/trawl\0task" in line for line in seen), "no task was seen"
    assert not [line for line in seen if secret in line]
    assert secret not in (out + err).encode()
    # Logs of daemons and tasks, files in HDFS (plans, history, job files), and in S3 (plans, reports).
    folder = soak.client.cluster.folder
    files = [path for name in ("log", "yarn", "hdfs/data", "s3/buckets") for path in (folder / name).glob("**/*") if path.is_file()]
    assert len(files) > 50, files
    assert not [path for path in files if secret in path.read_bytes()]
    print(f"files of the cluster without the secret: {len(files)}, command lines: {len(seen)}")


CHECKS = [
    a_crawl_on_hdfs_has_the_rows_of_this_machine,
    a_crawl_on_s3_has_the_rows_of_this_machine,
    a_crawl_whose_driver_is_killed_goes_on,
    a_crawl_that_chooses_its_runners_goes_on_where_it_was,
    no_secret_is_written_down,
]
