"""Free loopback ports for a cluster, so that several clusters can run side by side.

Ports come in blocks in a row from below the range that the kernel gives to outgoing connections, which would otherwise take one while
its daemon restarts. A block belongs to the folder that a claim file names, for as long as that folder exists.
"""

import os
import random
import socket
import tempfile
from pathlib import Path
from typing import Optional

from pseudo.shape import Shape, numbered

MASTERS = (
    "namenode", "namenode_http",
    "resourcemanager", "resourcemanager_scheduler", "resourcemanager_tracker", "resourcemanager_admin", "resourcemanager_http",
    "historyserver", "historyserver_http", "historyserver_admin",
    "s3",
)
STANDBY = ("namenode2", "namenode2_http")
OF_EACH_NODE = ("datanode", "datanode_http", "datanode_ipc",
                "nodemanager", "nodemanager_localizer", "nodemanager_http", "nodemanager_collector", "shuffle")
OF_EACH_JOURNAL = ("journalnode", "journalnode_http")
FIRST, LAST, BLOCK = 20000, 32000, 20


def names(shape: Shape) -> list[str]:
    return [*MASTERS, *(STANDBY if shape.ha else ()), *(("kdc",) if shape.kerberos else ()),
            *(port_of(name, node) for node in shape.node_numbers for name in OF_EACH_NODE),
            *(port_of(name, journal) for journal in shape.journal_numbers for name in OF_EACH_JOURNAL)]


def port_of(name: str, number: int) -> str:
    """datanode_http of the second node is datanode2_http."""
    daemon, underscore, rest = name.partition("_")
    return numbered(daemon, number) + underscore + rest


def choose(folder: Path, shape: Shape) -> dict[str, int]:
    """Returns ports that nobody listens on and no other cluster claims. Raises RuntimeError when all are taken."""
    wanted = names(shape)
    size = -(-len(wanted) // BLOCK) * BLOCK
    bases = list(range(FIRST, LAST - size + 1, BLOCK))
    random.shuffle(bases)
    for base in bases:
        ports = {name: base + offset for offset, name in enumerate(wanted)}
        claimed = [block for block in _blocks(ports) if _claim(block, folder)]
        if claimed == _blocks(ports) and all_free(ports):
            return ports
        for block in claimed:
            _claim_file(block).unlink(missing_ok=True)
    raise RuntimeError(f"no {size} free ports in a row between {FIRST} and {LAST}")


def all_free(ports: dict[str, int]) -> bool:
    return all(is_free(port) for port in ports.values())


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As Java does: a lingering connection of the last daemon is not a listener.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            # On every address: nodes have addresses of their own.
            probe.bind(("", port))
        except OSError:
            return False
        return True


def release(ports: dict[str, int], folder: Path) -> None:
    for block in _blocks(ports):
        if _owner(block) == str(folder):
            _claim_file(block).unlink(missing_ok=True)


def _blocks(ports: dict[str, int]) -> list[int]:
    return sorted({port - port % BLOCK for port in ports.values()})


def _claim(base: int, folder: Path) -> bool:
    file = _claim_file(base)
    owner = _owner(base)
    if owner is not None and not Path(owner).is_dir():
        file.unlink(missing_ok=True)
    try:
        # Linked into place, so that a claim never stands there without its owner.
        written = file.with_name(f"{file.name}.{os.getpid()}")
        written.write_text(str(folder))
        os.link(written, file)
        return True
    except FileExistsError:
        return False
    finally:
        written.unlink(missing_ok=True)


def _owner(base: int) -> Optional[str]:
    try:
        return _claim_file(base).read_text()
    except FileNotFoundError:
        return None


def _claim_file(base: int) -> Path:
    folder = Path(tempfile.gettempdir()) / f"trawl-cluster-ports-{os.getuid()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / str(base)
