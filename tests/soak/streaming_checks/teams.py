"""What a team's cluster has besides: queues and labelled nodes, a bundle that is replaced, a root behind viewfs://.

Each check prints what it did and by what it is seen that it took place, and fails where it did not.
"""

import json
import subprocess
import tarfile
from pathlib import Path

from tests.driver import Driver

from streaming_checks import hosts
from streaming_checks.faults import HERE
from streaming_checks.soak import BUILD, Soak

QUEUE, LABEL = "crawl", "fast"
LABELLED = "node3"
SCHEDULER = "yarn.scheduler.capacity.root."
# Half of the labelled node for each of the two queues; the parent has all of it.
SHARES = {
    f"{SCHEDULER}accessible-node-labels.{LABEL}.capacity": "100",
    **{f"{SCHEDULER}{queue}.accessible-node-labels": LABEL for queue in ("default", QUEUE)},
    **{f"{SCHEDULER}{queue}.accessible-node-labels.{LABEL}.capacity": "50" for queue in ("default", QUEUE)},
    **{f"{SCHEDULER}{queue}.accessible-node-labels.{LABEL}.maximum-capacity": "100" for queue in ("default", QUEUE)},
}
OLD, NEW = b"0.1.0", b"0.0.9"


def up_with(soak: Soak, settings: dict[str, str]) -> None:
    """Writes the settings; running daemons do not read them by themselves."""
    known = json.loads((soak.client.cluster.folder / "overrides.json").read_text())
    words = [word for name, value in (known | settings).items() for word in ("--set", f"{name}={value}")]
    soak.client.up("--only", "yarn", *words)


def queues_and_labels_are_passed_through(soak: Soak) -> None:
    soak.client.run("yarn", "rmadmin", "-addToClusterNodeLabels", f"{LABEL}(exclusive=true)")
    soak.client.run("yarn", "rmadmin", "-replaceLabelsOnNode", f"{LABELLED}={LABEL}")
    up_with(soak, SHARES)
    soak.client.run("yarn", "rmadmin", "-refreshQueues")
    ran = {}
    for name, options in (("plain", ()), ("labelled", ("--streaming.define", f"mapreduce.job.node-label-expression={LABEL}"))):
        root = soak.driver.hdfs(f"label-{name}")
        soak.inject(root, "--streaming.queue", QUEUE, *options)
        assert soak.driver.digests(root) == soak.expected()
        application = soak.driver.application_of(root)
        assert application["queue"].split(".")[-1] == QUEUE, application
        ran[name] = hosts.hosts_of(hosts.nodes_of_attempts(soak, application["id"]))
    # A labelled node runs what asks for it and nothing else.
    assert ran["labelled"] == {LABELLED} and LABELLED not in ran["plain"], ran
    said = soak.inject(soak.driver.hdfs("label-none"), "--streaming.queue", "nobodys", exit_code=3)["err"].strip().splitlines()[-1]
    assert "nobodys" in said, said
    print(f"queue {QUEUE}: without a label on {', '.join(sorted(ran['plain']))}, with the label of {LABELLED} on {', '.join(ran['labelled'])}; "
          f"a queue that is not there: {said[-160:]}")
    soak.client.run("yarn", "rmadmin", "-replaceLabelsOnNode", LABELLED)


def older(soak: Soak) -> Driver:
    """The program as an older version, and its bundle: the same files, which say another version of themselves."""
    driver = Driver(soak.client, soak.folder)
    driver.run_name = soak.driver.run_name
    folder = soak.folder / "older"
    (folder / "bundle").mkdir(parents=True, exist_ok=True)
    with tarfile.open(soak.driver.bundle) as archive:
        archive.extractall(folder / "bundle")
    binary = folder / "bundle/bin/trawl"
    content = binary.read_bytes()
    assert content.count(OLD + b"\0") > 0
    binary.write_bytes(content.replace(OLD + b"\0", NEW + b"\0"))
    driver.binary, driver.bundle = binary, folder / "trawl.tar.gz"
    soak.client.run("tar", "-C", folder / "bundle", "--use-compress-program", "gzip -1", "-cf", driver.bundle, ".")
    assert NEW.decode() in soak.client.run(binary, "--version").splitlines()[0]
    return driver


def a_bundle_is_replaced_between_rounds(soak: Soak) -> None:
    """An older version begins: a round, and a list of the next one. The present version parses it, and goes on."""
    before, after = older(soak), soak.driver
    web = soak.web("upgrade", hosts=3, pages=5, links=4)
    options = ["--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file", web.hosts_file]
    rows = {}
    for name, root in (("on the cluster", after.hdfs("upgrade")), ("here", after.local("upgrade"))):
        there = () if name == "here" else HERE
        before.run("inject", root, *web.seeds, *there)
        before.run("generate", root, *there)
        if name != "here":
            # The new program's driver and the old one's bundle: refused, with both versions in the error.
            mixed = Driver(soak.client, soak.folder)
            mixed.run_name, mixed.bundle = after.run_name, before.bundle
            said = mixed.run("fetch", root, *options, "--attempts", "1", exit_code=3)["err"]
            assert OLD.decode() in said and NEW.decode() in said, said
        before.run("fetch", root, *options)
        after.run("parse", root)
        after.run("updatedb", root, *there)
        after.run("generate", root, *there)
        after.run("fetch", root, *options)
        after.run("parse", root, *there)
        after.run("updatedb", root, *there)
        rows[name] = after.rows(root)
    assert rows["on the cluster"] == rows["here"]
    root = after.hdfs("upgrade")
    bundles = [line for line in soak.client.run("hadoop", "fs", "-ls", f"{root}/_bundles").splitlines() if ".tar.gz" in line]
    assert len(bundles) == 2, bundles
    reason = [line for line in said.strip().splitlines() if OLD.decode() in line and NEW.decode() in line][-1]
    print(f"a bundle replaced between steps and rounds, {len(rows['here'])} rows as here: {len(bundles)} bundles, versions "
          f"{NEW.decode()} and {OLD.decode()}; mixed: {reason[-200:]}")


def a_root_behind_viewfs_is_taken_where_a_rename_is_exclusive(soak: Soak) -> None:
    """A mount table with two links: one to HDFS, where a rename is exclusive, and one to a local disk, where it replaces."""
    disk = soak.folder / "behind-viewfs"
    disk.mkdir(exist_ok=True)
    behind = soak.driver.hdfs("behind-viewfs")
    soak.client.run("hadoop", "fs", "-mkdir", "-p", behind)
    mounts = "fs.viewfs.mounttable.cluster.link./"
    up_with(soak, {mounts + "hdfs": behind, mounts + "disk": f"file://{disk}"})
    root = f"viewfs://cluster/hdfs/{soak.driver.run_name}"
    soak.inject(root)
    assert soak.driver.digests(root) == soak.expected()
    # The suite of all stores, with races of publishers.
    environment = soak.client.environment | {"TRAWL_TEST_HDFS": "viewfs://cluster/hdfs", "TRAWL_TEST_RACES": "20"}
    tests = "Live/*Hdfs*:LiveHdfs.OfTwoPublishersOneWins"
    done = subprocess.run([str(BUILD / "tests/runtime_test"), f"--gtest_filter={tests}"], capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and "NOT TESTED" not in done.stdout, done.stdout[-3000:]
    suite = [line for line in done.stdout.splitlines() if "PASSED" in line][0].split("]")[-1].strip()
    said = soak.inject("viewfs://cluster/disk/crawl", *HERE, exit_code=3)["err"].strip().splitlines()[-1]
    assert "renamed to one name at once" in said and "viewfs://cluster/disk/crawl" in said, said
    left = [path for path in Path(disk).rglob("*") if path.is_file()]
    assert not left, left
    print(f"a root behind viewfs:// on HDFS: rows of the local run, suite of the stores {suite}; on a disk: {said[:220]}")


CHECKS = [
    queues_and_labels_are_passed_through,
    a_bundle_is_replaced_between_rounds,
    a_root_behind_viewfs_is_taken_where_a_rename_is_exclusive,
]
