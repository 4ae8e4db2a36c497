"""A crawl of 20,000 pages on a cluster of three hosts, with each kind of runner: the same rows; what each took.

The web has many hosts that are asked without a pause, so that no crawl waits for it. With SOAK_QUICK 500 pages. SOAK_RUNNERS names some
of the runners.
"""

import hashlib
import json
import os
from collections import Counter

from tests import crawl
from tests.spent import Watch

from streaming_checks.soak import QUICK, Soak

# Two rounds: the first pages, and all pages that they link to.
HOSTS, PAGES = (10 if QUICK else 400), 50
RUNNERS = os.environ.get("SOAK_RUNNERS", "local streaming auto").split()


def digest(rows: list[dict]) -> str:
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def a_large_crawl_has_the_same_rows_with_each_runner(soak: Soak) -> None:
    web = soak.web("large", hosts=HOSTS, pages=PAGES, links=PAGES - 1, bytes=10_000)
    digests = {}
    for runner in RUNNERS:
        root = soak.driver.hdfs(f"large-{runner}")
        words = ["--runner", runner, "--streaming.bundle", soak.driver.bundle, "--streaming.task_slots", "6", *crawl.on_cluster(web)]
        began, watch = web.mark(), Watch(soak.client)
        report = soak.driver.run("crawl", root, *crawl.options(web), *words, folder=web.folder)
        spent = watch.until_now()
        crawl.check_requests(web, began)
        rows = soak.driver.rows(root)
        digests[runner] = digest(rows)
        ran = Counter(job["runner"] for job in soak.driver.look("jobs", root, "--limit", "0") if "runner" in job)
        print(f"a crawl of {report['pages']:,} pages in {report['rounds']} rounds with --runner {runner}: {spent.wall:.0f} s; "
              f"CPU of the driver {spent.driver:.0f} s, of the cluster {spent.cluster:.0f} s; jobs here {ran['local']}, "
              f"on the cluster {ran['streaming']}; rows {len(rows):,}, digest {digests[runner]}", flush=True)
        assert len(rows) == report["pages"] == HOSTS * PAGES, (len(rows), report)
        # Also with --runner streaming the driver does what a plan needs by itself.
        assert ran["streaming"] == 0 if runner == "local" else ran["streaming"] > ran["local"] if runner == "streaming" else ran, ran
    assert len(set(digests.values())) == 1, f"other rows: {digests}"


CHECKS = [
    a_large_crawl_has_the_same_rows_with_each_runner,
]
