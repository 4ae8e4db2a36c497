"""The daemons of the test cluster: their commands, the order in which they can start, and when one is ready."""

import json
import socket
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, replace
from typing import Any, Callable, Optional

from pseudo.ports import port_of
from pseudo.shape import LOOPBACK, Shape, numbered

Ports = dict[str, int]


@dataclass(frozen=True)
class Daemon:
    name: str
    group: str
    # The command, a path below HADOOP_HOME, and its arguments; empty for what is not part of Hadoop.
    command: tuple[str, ...]
    heap_mb: int
    # Called with the ports and the time, in seconds since the epoch, of the daemon's start. Must not block for long.
    ready: Callable[[Ports, float], bool]
    # Started only when these are ready: without them it would sleep for a long time before it asked again, or not start at all.
    after: tuple[str, ...] = ()
    # Time limit of a polite stop.
    patience_seconds: float = 10
    # The node on which it runs; 0: it is a master.
    node: int = 0
    # Among its like: the second NameNode is 2.
    number: int = 1


def daemons_of(shape: Shape) -> tuple[Daemon, ...]:
    """In the order in which they are started, shown and stopped."""
    found = [*_storage(shape), *_containers(shape)]
    if shape.kerberos:
        # Whoever has to log in waits for it.
        found = [replace(daemon, after=("kdc", *daemon.after)) for daemon in found]
        found.insert(0, Daemon("kdc", "hdfs", (), 0, kdc_ready))
    return (*found, Daemon("s3", "s3", (), 0, s3_ready))


def _storage(shape: Shape) -> list[Daemon]:
    journals = tuple(numbered("journalnode", each) for each in shape.journal_numbers)
    found = [Daemon(name, "hdfs", ("bin/hdfs", "journalnode"), 128, journalnode_ready(shape.address(min(number, shape.nodes)), name),
                    node=min(number, shape.nodes), number=number)
             for number, name in enumerate(journals, 1)]
    found.append(Daemon("namenode", "hdfs", ("bin/hdfs", "namenode"), 256, namenode_ready("namenode"), after=journals))
    if shape.ha:
        found.append(Daemon("namenode2", "hdfs", ("bin/hdfs", "namenode"), 256, namenode_ready("namenode2"),
                            after=(*journals, "namenode"), number=2))
    for node in shape.node_numbers:
        found.append(Daemon(numbered("datanode", node), "hdfs", ("bin/hdfs", "datanode"), 256, datanode_ready(shape, node), node=node,
                            number=node))
    return found


def _containers(shape: Shape) -> list[Daemon]:
    found = [Daemon("resourcemanager", "yarn", ("bin/yarn", "resourcemanager"), 256, resourcemanager_ready)]
    for node in shape.node_numbers:
        # It often hangs in its shutdown, after it has ended its containers.
        found.append(Daemon(numbered("nodemanager", node), "yarn", ("bin/yarn", "nodemanager"), 256, nodemanager_ready(shape, node),
                            patience_seconds=4, node=node, number=node))
    namenodes = ("namenode", "namenode2") if shape.ha else ("namenode",)
    found.append(Daemon("historyserver", "yarn", ("bin/mapred", "historyserver"), 200, historyserver_ready, after=namenodes))
    return found


def namenode_ready(name: str) -> Callable[[Ports, float], bool]:
    def ready(ports: Ports, _since: float) -> bool:
        state = _bean(LOOPBACK, ports[f"{name}_http"], "Hadoop:service=NameNode,name=FSNamesystemState")
        return state.get("FSState") == "Operational" and state.get("NumLiveDataNodes", 0) > 0
    return ready


def namenode_state(ports: Ports, name: str) -> str:
    """active or standby; empty where it does not answer."""
    return str(_bean(LOOPBACK, ports[f"{name}_http"], "Hadoop:service=NameNode,name=NameNodeStatus").get("State", ""))


def journalnode_ready(address: str, name: str) -> Callable[[Ports, float], bool]:
    return lambda ports, _since: _get(address, ports[f"{name}_http"], "/jmx?qry=java.lang:type=Runtime") is not None


def datanode_ready(shape: Shape, node: int) -> Callable[[Ports, float], bool]:
    # The NameNode still counts a lost DataNode for a while: the DataNode itself knows whether it is registered.
    def ready(ports: Ports, _since: float) -> bool:
        info = _bean(shape.address(node), ports[port_of("datanode_http", node)], "Hadoop:service=DataNode,name=DataNodeInfo")
        actors = json.loads(info.get("BPServiceActorInfo", "[]"))
        return any(actor.get("ActorState") == "RUNNING" for actor in actors)
    return ready


def resourcemanager_ready(ports: Ports, _since: float) -> bool:
    info = _get_json(LOOPBACK, ports["resourcemanager_http"], "/ws/v1/cluster/info")
    return info is not None and info["clusterInfo"]["state"] == "STARTED"


def nodemanager_ready(shape: Shape, node: int) -> Callable[[Ports, float], bool]:
    # The same for NodeManagers, but only the ResourceManager knows: a heartbeat later than the start is this daemon's.
    def ready(ports: Ports, since: float) -> bool:
        answer = _get_json(LOOPBACK, ports["resourcemanager_http"], "/ws/v1/cluster/nodes")
        if _get_json(shape.address(node), ports[port_of("nodemanager_http", node)], "/ws/v1/node/info") is None or answer is None:
            return False
        nodes = (answer.get("nodes") or {}).get("node", [])
        return any(each["state"] == "RUNNING" and each["lastHealthUpdate"] >= since * 1000 for each in nodes
                   if not shape.has_names or each["nodeHostName"] == shape.host(node))
    return ready


def historyserver_ready(ports: Ports, _since: float) -> bool:
    return _get_json(LOOPBACK, ports["historyserver_http"], "/ws/v1/history/info") is not None


def s3_ready(ports: Ports, _since: float) -> bool:
    return _get(LOOPBACK, ports["s3"], "/") is not None


def kdc_ready(ports: Ports, _since: float) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex((LOOPBACK, ports["kdc"])) == 0


# YARN keeps its jobs' files and histories in HDFS.
GROUPS = {"hdfs": ("hdfs",), "yarn": ("hdfs", "yarn"), "s3": ("s3",)}


def of_groups(daemons: tuple[Daemon, ...], groups: list[str]) -> list[Daemon]:
    """The daemons of these groups and of those they need; of all groups, if none is named."""
    wanted = {needed for group in groups or GROUPS for needed in GROUPS[group]}
    return [daemon for daemon in daemons if daemon.group in wanted]


def _bean(host: str, port: int, name: str) -> dict[str, Any]:
    answer = _get_json(host, port, f"/jmx?qry={name}")
    beans = answer.get("beans", []) if answer else []
    return beans[0] if beans else {}


def _get_json(host: str, port: int, path: str) -> Optional[dict[str, Any]]:
    body = _get(host, port, path)
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None


# A proxy in the environment is for other machines.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _get(host: str, port: int, path: str) -> Optional[bytes]:
    """The body of any answer, also of a refusal; None without an answer."""
    try:
        with _opener.open(f"http://{host}:{port}{path}", timeout=3) as answer:
            return answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.read() if path == "/" else None
    except OSError:
        return None
    except Exception:  # Not HTTP, or cut short: the server is not ready.
        return None


def wait_a_little() -> None:
    time.sleep(0.2)
