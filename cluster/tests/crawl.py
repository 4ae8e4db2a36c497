"""A crawl of a test web, on this machine and on the cluster, with options that make both give the same rows."""

from pathlib import Path

from tests.driver import Driver
from tests.web import Web, asked_twice, by_host, shortest_gap_ms


def options(web: Web) -> list[object]:
    # A file that tasks read is shipped with them, and is named without a folder.
    # Without a guess at a sitemap, which the sites do not have, there is a row for each page.
    return ["--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", "hosts", "--scope", "any", "--depth", "50",
            "--sitemaps.guess=false", *web.seeds]


def on_cluster(web: Web) -> list[object]:
    return ["--streaming.files", web.hosts_file]


def rows_of_this_machine(driver: Driver, web: Web, folder: Path, *more: object) -> list[dict]:
    """The rows of a crawl in `folder`, which is made on the first call."""
    if not folder.exists():
        driver.run("crawl", folder, "--threads", "2", *options(web), *more, folder=web.folder)
    return driver.rows(folder)


def check(driver: Driver, web: Web, root: str, expected: list[dict], *more: object) -> dict:
    """Crawls into `root` on the cluster; expects these rows, each page once, one request per host at once. Returns the report."""
    began = web.mark()
    report = driver.run("crawl", root, *options(web), *on_cluster(web), *more, folder=web.folder)
    assert driver.rows(root) == expected, f"{root}: other rows"
    check_requests(web, began)
    return report


def check_requests(web: Web, since_ms: float) -> None:
    hosts = by_host(web.log(), since_ms)
    assert not asked_twice(hosts), asked_twice(hosts)
    assert shortest_gap_ms(hosts) >= 0, shortest_gap_ms(hosts)
