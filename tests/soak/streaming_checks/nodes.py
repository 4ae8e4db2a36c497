"""A cluster of three hosts and two NameNodes: placement, a lost host with its disks, a failover in the middle of a round.

Each check prints what it did and by what it is seen that it took place, and fails where it did not.
"""

import time

from tests import crawl
from tests.harness import wait_until

from streaming_checks import hosts
from streaming_checks.crawls import SITES
from streaming_checks.faults import Scene, under
from streaming_checks.soak import PATIENCE, Soak

ROUND = ("--rounds", "1")


def a_crawl_uses_all_hosts(soak: Soak) -> None:
    web = soak.web("sites", **SITES)
    root = soak.driver.hdfs("three")
    expected = crawl.rows_of_this_machine(soak.driver, web, soak.driver.local("round"), *ROUND)
    began_ms = time.time() * 1000
    report = crawl.check(soak.driver, web, root, expected, *ROUND, "--streaming.task_slots", "6")
    blocks = hosts.replicas(soak, hosts.path_of(root))
    assert set(blocks) == {"3 replicas"}, blocks
    ran = set()
    for application in hosts.applications(soak, began_ms):
        ran |= hosts.hosts_of(hosts.nodes_of_attempts(soak, application["id"]))
    assert ran == {"node1", "node2", "node3"}, ran
    print(f"a round of {report['pages']} pages on three hosts: {report['seconds']:.0f} s; "
          f"{blocks['3 replicas']} blocks, each on all three; tasks ran on {', '.join(sorted(ran))}")


def lost_in_a_fetch(soak: Soak, name: str, of_master: bool) -> None:
    said = []

    def fault(scene: Scene) -> None:
        masters, workers = hosts.nodes_of_masters(soak), hosts.nodes_of_tasks(soak, "map")
        assert len(masters) == 1 and workers, (masters, workers)
        others = [node for node in workers if node not in masters]
        if not of_master:
            assert others, f"all tasks run beside the application master: {workers}"
        said.append(hosts.lose(soak, masters[0] if of_master else others[0]))
        if of_master:
            wait_until("another application master runs", PATIENCE, lambda: hosts.nodes_of_masters(soak) not in ([], masters))
            said.append(f"the application master went from node{masters[0]} to node{hosts.nodes_of_masters(soak)[0]}")

    try:
        under(soak, name, fault)
    finally:
        hosts.bring_back(soak)
    print(f"a host lost with its disks in a fetch, {'with' if of_master else 'without'} the application master: {'; '.join(said)}")


def a_host_that_is_lost_with_its_disks_loses_nothing(soak: Soak) -> None:
    lost_in_a_fetch(soak, "fetch-host", of_master=False)


def the_host_of_the_application_master_loses_nothing(soak: Soak) -> None:
    lost_in_a_fetch(soak, "fetch-master-host", of_master=True)


def records_that_were_lost_with_a_host_are_made_again(soak: Soak) -> None:
    """Loses a host whose map tasks are done, before the reducers have their records."""
    root = soak.driver.hdfs("lost-records")
    driver = soak.driver.start("inject", root, soak.seeds, "--partitions", "6", "--streaming.task_slots", "6")
    application = {}

    def maps_are_done() -> bool:
        assert driver.poll() is None, driver.communicate()[1][-3000:]
        application.update(soak.driver.application_of(root))
        job = application["id"].replace("application", "job")
        url = f"{soak.client.environment['TRAWL_TEST_YARN']}/proxy/{application['id']}/ws/v1/mapreduce/jobs/{job}"
        try:
            report = hosts.ask(url)["job"]
        except (OSError, ValueError, KeyError):
            return False
        report = report[0] if isinstance(report, list) else report
        application["maps"] = report["mapsTotal"]
        return 0 < report["mapsTotal"] == report["mapsCompleted"]

    wait_until("all map tasks are done", PATIENCE, maps_are_done)
    url = f"{soak.client.environment['TRAWL_TEST_YARN']}/proxy/{application['id']}/ws/v1/mapreduce/jobs/" \
          f"{application['id'].replace('application', 'job')}/tasks"
    done = {}
    for task in hosts.as_list(hosts.ask(url)["tasks"]["task"]):
        if task["type"] == "MAP":
            attempt = hosts.as_list(hosts.ask(f"{url}/{task['id']}/attempts")["taskAttempts"]["taskAttempt"])[-1]
            done[task["id"]] = int(attempt["nodeHttpAddress"].partition(":")[0].removeprefix("node"))
    masters = hosts.nodes_of_masters(soak)
    lost = next((node for node in done.values() if node not in masters), None)
    assert lost, f"all map tasks ran beside the application master: {done}, {masters}"
    try:
        evidence = hosts.lose(soak, lost)
        out, err = driver.communicate()
        assert driver.returncode == 0, err[-3000:]
    finally:
        hosts.bring_back(soak)
    attempts = hosts.nodes_of_attempts(soak, application["id"])
    again = [task for task, node in done.items() if node == lost and len(attempts[task]) > 1]
    assert again, f"no map task was run again: {done}, {attempts}"
    assert soak.driver.digests(root) == soak.expected()
    print(f"map tasks run again because their records were lost with a host: {len(again)} of {application['maps']}; {evidence}")


def a_failover_in_a_fetch_loses_nothing(soak: Soak) -> None:
    said = []

    def fault(scene: Scene) -> None:
        to = "nn2" if hosts.active(soak) == "nn1" else "nn1"
        said.append(hosts.fail_over(soak, to, by_kill=True))

    try:
        under(soak, "fetch-failover", fault)
    finally:
        soak.client.up("--only", "yarn")
    print(f"the active NameNode killed in a fetch: {'; '.join(said)}")


def failovers_in_a_round_lose_nothing(soak: Soak) -> None:
    """A failover in a map task, one in a reduce task, one in a later job: by agreement and by death."""
    web = soak.web("sites", **SITES)
    root = soak.driver.hdfs("failovers")
    expected = crawl.rows_of_this_machine(soak.driver, web, soak.driver.local("round"), *ROUND)
    began = web.mark()
    driver = soak.driver.start("crawl", root, *crawl.options(web), *crawl.on_cluster(web), *ROUND, folder=web.folder)
    said = []
    for kind, by_kill in (("map", False), ("reduce", True), ("map", False)):
        soak.wait_for_tasks(kind, driver)
        to = "nn2" if hosts.active(soak) == "nn1" else "nn1"
        said.append(hosts.fail_over(soak, to, by_kill))
        soak.client.up("--only", "yarn")  # the one that died stands by
    out, err = driver.communicate()
    assert driver.returncode == 0, err[-3000:]
    assert soak.driver.rows(root) == expected
    crawl.check_requests(web, began)
    print(f"failovers in a round of {len(expected)} URLs, same rows: {len(said)} ({'; '.join(said)})")


CHECKS = [
    a_failover_in_a_fetch_loses_nothing,
    records_that_were_lost_with_a_host_are_made_again,
    the_host_of_the_application_master_loses_nothing,
    a_host_that_is_lost_with_its_disks_loses_nothing,
    a_crawl_uses_all_hosts,
    failovers_in_a_round_lose_nothing,
]
