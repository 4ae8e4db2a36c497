"""What a check of a cluster of several nodes looks at: which node runs what, who is alive, where blocks lie, who is active."""

import json
import os
import re
import urllib.request

from pseudo import processes, settings
from pseudo.daemons import namenode_state
from tests.client import command_line
from tests.harness import wait_until

from streaming_checks.soak import PATIENCE, Soak

NAMENODES = {"nn1": "namenode", "nn2": "namenode2"}


def ask(url: str) -> dict:
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(url, timeout=30) as answer:
        return json.load(answer)


def node_of(soak: Soak, process: processes.ProcessId) -> int:
    """The node on whose disk a container's process works; 0 for one that has gone."""
    try:
        place = os.readlink(f"/proc/{process.pid}/cwd")
    except OSError:
        return 0
    found = re.match(re.escape(str(soak.client.cluster.folder / "yarn/local")) + r"/node(\d)/", place)
    return int(found[1]) if found else 0


def nodes_of_tasks(soak: Soak, kind: str) -> list[int]:
    return sorted({node for process in soak.driver.tasks(kind) if (node := node_of(soak, process))})


def nodes_of_masters(soak: Soak) -> list[int]:
    return sorted({node for process in soak.masters() if (node := node_of(soak, process))})


def lost_and_live(soak: Soak) -> tuple[int, int]:
    """DataNodes that the active NameNode counts as dead, and NodeManagers that run."""
    ports = soak.client.ports()
    name = NAMENODES[active(soak)]
    beans = ask(f"http://127.0.0.1:{ports[name + '_http']}/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState")["beans"]
    metrics = ask(f"{soak.client.environment['TRAWL_TEST_YARN']}/ws/v1/cluster/metrics")["clusterMetrics"]
    return beans[0]["NumDeadDataNodes"], metrics["activeNodes"]


def active(soak: Soak) -> str:
    """nn1 or nn2; empty while neither is."""
    ports = soak.client.ports()
    return next((name for name, daemon in NAMENODES.items() if namenode_state(ports, daemon) == "active"), "")


def lose(soak: Soak, node: int) -> str:
    """Loses a node with its disks. Returns the evidence, once HDFS and YARN have noticed."""
    cluster = soak.client.cluster
    folder = settings.data_folder(cluster.folder, cluster.shape, node)
    files = [path for path in folder.glob("**/blk_*") if path.is_file()]
    containers = list(processes.working_below(cluster.folder / f"yarn/local/node{node}"))
    tasks = [process for process in containers if b"bin/trawl\0task" in command_line(process.pid)]
    assert files, f"node{node} had no block to lose"
    said = soak.client.down("--lose_node", node).strip()
    assert not folder.exists() and not list(processes.working_below(cluster.folder / f"yarn/local/node{node}"))
    nodes = len(cluster.shape.node_numbers)
    wait_until(f"node{node} counts as lost", PATIENCE, lambda: lost_and_live(soak) == (1, nodes - 1))
    return f"node{node}: {said}, {len(tasks)} tasks among {len(containers)} processes, {len(files)} files of blocks"


def bring_back(soak: Soak) -> None:
    """Starts what is missing, and waits until each block has all its replicas again."""
    soak.client.up("--only", "yarn")
    nodes = len(soak.client.cluster.shape.node_numbers)
    wait_until("all nodes are back", PATIENCE, lambda: lost_and_live(soak) == (0, nodes))
    # Of the crawls: what jobs leave in /user asks for more replicas than there are nodes.
    crawls = path_of(soak.driver.hdfs(""))
    wait_until("each block has all its replicas", PATIENCE, lambda: set(replicas(soak, crawls)) == {f"{nodes} replicas"})


def fsck(soak: Soak, path: str) -> str:
    return soak.client.run("hdfs", "fsck", path, "-files", "-blocks", "-locations")


def replicas(soak: Soak, path: str) -> dict[str, int]:
    """Blocks below `path` by the number of their replicas: {"3 replicas": 40}."""
    found: dict[str, int] = {}
    for line in fsck(soak, path).splitlines():
        places = re.findall(r"DatanodeInfoWithStorage\[[^\]]*\]", line)
        if not places:
            continue
        found[f"{len(places)} replicas"] = found.get(f"{len(places)} replicas", 0) + 1
    return found


def path_of(root: str) -> str:
    """hdfs://nameservice/a is /a."""
    return "/" + root.split("://")[1].partition("/")[2]


def fail_over(soak: Soak, to: str, by_kill: bool) -> str:
    """Makes `to` the active NameNode, after the death of the other or with its consent. Returns the evidence."""
    before = active(soak)
    assert before and before != to, (before, to)
    if by_kill:
        soak.client.down("--daemon", NAMENODES[before], "--kill")
        soak.client.run("hdfs", "haadmin", "-transitionToActive", "--forceactive", to)
    else:
        soak.client.run("hdfs", "haadmin", "-failover", before, to)
    wait_until(f"{to} is active", PATIENCE, lambda: active(soak) == to)
    ports = soak.client.ports()
    states = {name: namenode_state(ports, daemon) or "gone" for name, daemon in NAMENODES.items()}
    assert states[to] == "active" and states[before] == ("gone" if by_kill else "standby"), states
    return f"{before} was active, now {to} is; {before} is {states[before]}"


def nodes_of_attempts(soak: Soak, application: str) -> dict[str, list[dict]]:
    """The attempts of a finished application by task, from the history server."""
    job = application.replace("application", "job")
    base = f"http://127.0.0.1:{soak.client.ports()['historyserver_http']}/ws/v1/history/mapreduce/jobs/{job}/tasks"
    wait_until(f"the history of {job} is there", PATIENCE, lambda: _answers(base))
    tasks = as_list(ask(base)["tasks"]["task"])
    return {task["id"]: as_list(ask(f"{base}/{task['id']}/attempts")["taskAttempts"]["taskAttempt"]) for task in tasks}


def hosts_of(attempts: dict[str, list[dict]]) -> set[str]:
    return {each["nodeHttpAddress"].partition(":")[0] for task in attempts.values() for each in task}


def as_list(value: object) -> list:
    """The history server shows a list of one element as the element."""
    return value if isinstance(value, list) else [value]


def _answers(url: str) -> bool:
    try:
        return "tasks" in ask(url)
    except OSError:
        return False


def applications(soak: Soak, since_ms: float = 0) -> list[dict]:
    url = f"{soak.client.environment['TRAWL_TEST_YARN']}/ws/v1/cluster/apps"
    apps = (ask(url)["apps"] or {"app": []})["app"]
    return sorted((app for app in apps if app["startedTime"] >= since_ms), key=lambda app: app["startedTime"])
