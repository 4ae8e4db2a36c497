"""The costs of the cluster: figures, printed for docs/measurements.md, side by side with this machine's."""

import json
import re
import threading
import time
import urllib.request
from pathlib import Path

from tests import crawl
from tests.client import command_line
from tests.driver import timed, write_seeds
from tests.web import by_host

from streaming_checks.soak import QUICK, Soak

RECORDS = 100_000 if QUICK else 2_000_000
HERE = ("--runner", "local")

# Twenty hosts, one of them with ten times the pages of another.
HOSTS, PAGES, DELAY_MS = 20, (6 if QUICK else 12), 1000


def an_empty_job(soak: Soak) -> None:
    nothing = ("--prefix", "https://nobody.example/", "--dry_run")
    roots = soak.driver.hdfs("costs"), soak.driver.local("costs")
    for root in roots:
        soak.inject(root)
    hdfs, here = (timed(lambda: soak.driver.run("remove", root, *nothing)) for root in roots)
    print(f"an empty job: {hdfs:.1f} s on the cluster, {here:.2f} s here")


def a_round(soak: Soak) -> None:
    web = soak.web("round", hosts=10, pages=20, links=19)
    options = ["--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web.hosts_file]
    for name, root in (("on the cluster", soak.driver.hdfs("round")), ("here", soak.driver.local("round"))):
        soak.driver.run("inject", root, *web.seeds, *HERE)
        seconds = {verb: timed(lambda: soak.driver.run(verb, root, *(options if verb == "fetch" else [])))
                   for verb in ("generate", "fetch", "parse", "updatedb")}
        each = ", ".join(f"{verb} {taken:.1f}" for verb, taken in seconds.items())
        print(f"a round of {len(web.seeds)} pages {name}: {sum(seconds.values()):.1f} s ({each})")


def a_crawl_of_400_pages_in_two_rounds(soak: Soak) -> None:
    """With the runner auto every job of it is small; with streaming each pays for its containers."""
    web = soak.web("small", hosts=20, pages=20, links=19)
    options = [*crawl.options(web), "--rounds", 2]
    expected = None
    for runner in ("auto",) if QUICK else ("auto", "streaming"):
        root = soak.driver.hdfs(f"small-{runner}")
        words = ["--runner", runner, "--streaming.bundle", soak.driver.bundle, *crawl.on_cluster(web)]
        seconds = timed(lambda: soak.driver.run("crawl", root, *options, *words, folder=web.folder))
        rows = soak.driver.rows(root)
        expected = expected or rows
        assert len(rows) == 400 and rows == expected, f"{runner}: other rows"
        rounds = [sum(step["seconds"] for step in each["steps"].values()) for each in soak.driver.look("rounds", root)]
        print(f"a crawl of {len(rows)} pages in two rounds with --runner {runner}: {seconds:.1f} s; the steps of each round: "
              f"{', '.join(f'{each:.1f}' for each in rounds)} s")


def records_through_the_shuffle(soak: Soak) -> None:
    seeds = write_seeds(soak.folder / "many.txt", RECORDS)
    rates = {}
    for name, root in (("on the cluster", soak.driver.hdfs("many")), ("here", soak.driver.local("many"))):
        with PeakMemory(soak) as peaks:
            seconds = timed(lambda: soak.driver.run("inject", root, seeds, "--partitions", "2"))
        rates[name] = RECORDS / seconds
        print(f"inject of {RECORDS:,} records {name}: {rates[name]:,.0f} records/s, {seconds:.1f} s")
        if name != "here":
            for process, bytes_taken in sorted(peaks.bytes.items()):
                print(f"peak memory of a {process}: {bytes_taken / 2**20:.0f} MiB")
    assert soak.driver.digests(soak.driver.hdfs("many")) == soak.driver.digests(soak.driver.local("many"))


def bytes_read_for_those_needed(soak: Soak) -> None:
    """Bytes read from the DataNode by a parse, which needs every body, and an export, which needs every row."""
    root = soak.driver.hdfs("round")
    web = soak.web("round", hosts=10, pages=20, links=19)
    soak.driver.run("generate", root, *HERE)
    soak.driver.run("fetch", root, *HERE, "--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web.hosts_file)
    segment = sorted(soak.driver.look("segments list", root), key=lambda each: each["segment"])[-1]["segment"]
    needed = folder_bytes(soak, f"{root}/segments/{segment}/content", ".orc")
    read = bytes_read(soak, lambda: soak.driver.run("parse", root, *HERE))
    print(f"bytes that parse read of each byte of bodies: {read / needed:.2f} ({read:,} of {needed:,})")
    soak.driver.run("updatedb", root, *HERE)
    root = soak.driver.hdfs("many")
    needed = folder_bytes(soak, f"{root}/crawldb/urls", ".orc")
    read = bytes_read(soak, lambda: soak.client.run(soak.driver.binary, "readdb", "dump", "--root", root, "--json"))
    print(f"bytes that a dump read of each byte of urls: {read / needed:.2f} ({read:,} of {needed:,})")


def a_host_of_ten_times_the_pages_is_the_only_one_waited_for(soak: Soak) -> None:
    web = soak.web("straggler", hosts=HOSTS, pages=PAGES * 10, links=1)
    alone = [web.url(0, page) for page in range(PAGES * 10)]
    all_pages = alone + [web.url(host, page) for host in range(1, HOSTS) for page in range(PAGES)]
    options = ["--fetch.allow_private", "--fetch.delay_ms", DELAY_MS, "--fetch.hosts_file", web.hosts_file]
    walls = []
    for name, urls in (("alone", alone), ("among-others", all_pages)):
        root = soak.driver.hdfs(name)
        (web.folder / name).write_text("\n".join(urls))
        soak.driver.run("inject", root, web.folder / name, *HERE)
        soak.driver.run("generate", root, "--fetchers", "1" if name == "alone" else "4", *HERE)
        began = web.mark()
        soak.driver.run("fetch", root, *options)
        entries = [entry for host in by_host(web.log(), began).values() for entry in host]
        assert len(entries) >= len(urls), (len(entries), len(urls))
        walls.append((max(entry["end_ms"] for entry in entries) - min(entry["start_ms"] for entry in entries)) / 1000)
    ratio = walls[1] / walls[0]
    print(f"time of twenty hosts in four tasks against the slowest host's alone: {ratio:.3f} "
          f"({walls[1]:.1f} s, {walls[0]:.1f} s, at most 1.1)")
    assert ratio <= 1.1, ratio


def every_job_has_few_counters(soak: Soak) -> None:
    """Hadoop fails a job that has more than 120 counters; its own do not count."""
    history = f"http://127.0.0.1:{soak.client.ports()['historyserver_http']}/ws/v1/history/mapreduce/jobs"
    jobs = as_list(ask(history)["jobs"]["job"])
    most = 0
    for job in jobs:
        groups = as_list(ask(f"{history}/{job['id']}/counters")["jobCounters"].get("counterGroup", []))
        most = max([most] + [len(as_list(group["counter"])) for group in groups if group["counterGroupName"] == "Trawl"])
    print(f"counters of a job: {most} at most, over {len(jobs)} jobs (Hadoop allows 120)")
    assert 0 < most < 120, most


class PeakMemory:
    """The most resident memory of each kind of process, by the kernel's records."""

    KINDS = {"task's own process": b"bin/trawl\0task", "task's Java": b"YarnChild", "application master": b"MRAppMaster",
             "driver": b"--root\0hdfs:"}

    def __init__(self, soak: Soak):
        self.soak = soak
        self.bytes: dict[str, int] = {}
        self.ends = threading.Event()
        self.thread = threading.Thread(target=self._watch)

    def __enter__(self) -> "PeakMemory":
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ends.set()
        self.thread.join()

    def _watch(self) -> None:
        while not self.ends.wait(0.2):
            for entry in Path("/proc").iterdir():
                if entry.name.isdigit():
                    self._look(int(entry.name))

    def _look(self, pid: int) -> None:
        line = command_line(pid)
        kind = next((kind for kind, part in self.KINDS.items() if part in line and not line.startswith((b"bash", b"/bin/bash"))), "")
        if not kind or str(self.soak.folder).encode() not in line + self._environment(pid):
            return
        try:
            found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        except OSError:
            return
        if found:
            self.bytes[kind] = max(self.bytes.get(kind, 0), int(found[1]) * 1024)

    def _environment(self, pid: int) -> bytes:
        """Returns the process' environment, which names the cluster's folder."""
        try:
            return Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return b""


def bytes_read(soak: Soak, work) -> int:
    # The DataNode's figures are up to ten seconds old.
    time.sleep(12)
    before = data_node_bytes(soak)
    work()
    time.sleep(12)
    return data_node_bytes(soak) - before


def ask(url: str) -> dict:
    request = urllib.request.Request(url, headers={"Accept": "application/json"})
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=60) as answer:
        return json.load(answer)


def as_list(value: object) -> list:
    """The history server gives a list of one element as that element."""
    return value if isinstance(value, list) else [value]


def data_node_bytes(soak: Soak) -> int:
    url = f"http://127.0.0.1:{soak.client.ports()['datanode_http']}/jmx?qry=Hadoop:service=DataNode,name=DataNodeActivity-*"
    return ask(url)["beans"][0]["BytesRead"]


def folder_bytes(soak: Soak, folder: str, end: str) -> int:
    lines = soak.client.run("hadoop", "fs", "-ls", "-R", folder).splitlines()
    return sum(int(line.split()[4]) for line in lines if line.endswith(end))


CHECKS = [
    an_empty_job,
    a_round,
    a_crawl_of_400_pages_in_two_rounds,
    records_through_the_shuffle,
    bytes_read_for_those_needed,
    a_host_of_ten_times_the_pages_is_the_only_one_waited_for,
    every_job_has_few_counters,
]
