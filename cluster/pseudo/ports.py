"""Free loopback ports for a cluster, so that several clusters can run side by side.

Ports come as one block from below the range that the kernel gives to outgoing connections, which would otherwise take one while
its daemon restarts. A block belongs to the folder that a claim file names, for as long as that folder exists.
"""

import os
import random
import socket
import tempfile
from pathlib import Path
from typing import Optional

NAMES = (
    "namenode", "namenode_http", "datanode", "datanode_http", "datanode_ipc",
    "resourcemanager", "resourcemanager_scheduler", "resourcemanager_tracker", "resourcemanager_admin", "resourcemanager_http",
    "nodemanager", "nodemanager_localizer", "nodemanager_http", "nodemanager_collector", "shuffle",
    "historyserver", "historyserver_http", "historyserver_admin",
    "s3",
)
FIRST, LAST, BLOCK = 20000, 32000, 20


def choose(folder: Path) -> dict[str, int]:
    """Returns ports that nobody listens on and no other cluster claims. Raises RuntimeError when all are taken."""
    bases = list(range(FIRST, LAST, BLOCK))
    random.shuffle(bases)
    for base in bases:
        ports = {name: base + offset for offset, name in enumerate(NAMES)}
        if _claim(base, folder):
            if all_free(ports):
                return ports
            _claim_file(base).unlink(missing_ok=True)
    raise RuntimeError(f"no {BLOCK} free ports in a row between {FIRST} and {LAST}")


def all_free(ports: dict[str, int]) -> bool:
    return all(is_free(port) for port in ports.values())


def is_free(port: int) -> bool:
    with socket.socket() as probe:
        # As Java does: a lingering connection of the last daemon is not a listener.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def release(ports: dict[str, int], folder: Path) -> None:
    base = ports[NAMES[0]]
    if _owner(base) == str(folder):
        _claim_file(base).unlink(missing_ok=True)


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
