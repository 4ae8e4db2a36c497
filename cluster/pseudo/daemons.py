"""The daemons of the test cluster: their commands, the order in which they can start, and when one is ready."""

import json
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Callable, Optional

from pseudo.settings import LOOPBACK

Ports = dict[str, int]


@dataclass(frozen=True)
class Daemon:
    name: str
    group: str
    # The command, a path below HADOOP_HOME, and its arguments; empty for the S3 server, which is not part of Hadoop.
    command: tuple[str, ...]
    heap_mb: int
    # Called with the ports and the time, in seconds since the epoch, of the daemon's start. Must not block for long.
    ready: Callable[[Ports, float], bool]
    # Started only when these are ready: without them it would sleep for a long time before it asked again.
    after: tuple[str, ...] = ()
    # Time limit of a polite stop.
    patience_seconds: float = 10


def namenode_ready(ports: Ports, _since: float) -> bool:
    state = _bean(ports["namenode_http"], "Hadoop:service=NameNode,name=FSNamesystemState")
    return state.get("FSState") == "Operational" and state.get("NumLiveDataNodes", 0) > 0


def datanode_ready(ports: Ports, _since: float) -> bool:
    # The NameNode still counts a lost DataNode for a while: the DataNode itself knows whether it is registered.
    info = _bean(ports["datanode_http"], "Hadoop:service=DataNode,name=DataNodeInfo")
    actors = json.loads(info.get("BPServiceActorInfo", "[]"))
    return any(actor.get("ActorState") == "RUNNING" for actor in actors)


def resourcemanager_ready(ports: Ports, _since: float) -> bool:
    info = _get_json(ports["resourcemanager_http"], "/ws/v1/cluster/info")
    return info is not None and info["clusterInfo"]["state"] == "STARTED"


def nodemanager_ready(ports: Ports, since: float) -> bool:
    # The same for NodeManagers, but only the ResourceManager knows: a heartbeat later than the start is this daemon's.
    answer = _get_json(ports["resourcemanager_http"], "/ws/v1/cluster/nodes")
    if _get_json(ports["nodemanager_http"], "/ws/v1/node/info") is None or answer is None:
        return False
    nodes = (answer.get("nodes") or {}).get("node", [])
    return any(node["state"] == "RUNNING" and node["lastHealthUpdate"] >= since * 1000 for node in nodes)


def historyserver_ready(ports: Ports, _since: float) -> bool:
    return _get_json(ports["historyserver_http"], "/ws/v1/history/info") is not None


def s3_ready(ports: Ports, _since: float) -> bool:
    return _get(ports["s3"], "/") is not None


DAEMONS = (
    Daemon("namenode", "hdfs", ("bin/hdfs", "namenode"), 256, namenode_ready),
    Daemon("datanode", "hdfs", ("bin/hdfs", "datanode"), 256, datanode_ready),
    Daemon("resourcemanager", "yarn", ("bin/yarn", "resourcemanager"), 256, resourcemanager_ready),
    # It often hangs in its shutdown, after it has ended its containers.
    Daemon("nodemanager", "yarn", ("bin/yarn", "nodemanager"), 256, nodemanager_ready, patience_seconds=4),
    Daemon("historyserver", "yarn", ("bin/mapred", "historyserver"), 200, historyserver_ready, after=("namenode",)),
    Daemon("s3", "s3", (), 0, s3_ready),
)
BY_NAME = {daemon.name: daemon for daemon in DAEMONS}

# YARN keeps its jobs' files and histories in HDFS.
GROUPS = {"hdfs": ("hdfs",), "yarn": ("hdfs", "yarn"), "s3": ("s3",)}


def of_groups(groups: list[str]) -> list[Daemon]:
    """The daemons of these groups and of those they need; of all groups, if none is named."""
    wanted = {needed for group in groups or GROUPS for needed in GROUPS[group]}
    return [daemon for daemon in DAEMONS if daemon.group in wanted]


def _bean(port: int, name: str) -> dict[str, Any]:
    answer = _get_json(port, f"/jmx?qry={name}")
    beans = answer.get("beans", []) if answer else []
    return beans[0] if beans else {}


def _get_json(port: int, path: str) -> Optional[dict[str, Any]]:
    body = _get(port, path)
    try:
        return json.loads(body) if body else None
    except ValueError:
        return None


# A proxy in the environment is for other machines.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def _get(port: int, path: str) -> Optional[bytes]:
    """The body of any answer, also of a refusal; None without an answer."""
    try:
        with _opener.open(f"http://{LOOPBACK}:{port}{path}", timeout=3) as answer:
            return answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.read() if path == "/" else None
    except OSError:
        return None
    except Exception:  # Not HTTP, or cut short: the server is not ready.
        return None


def wait_a_little() -> None:
    time.sleep(0.2)
