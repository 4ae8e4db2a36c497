"""What a test cluster consists of: its number of nodes, whether its NameNode has a standby, and whether it asks for Kerberos.

A cluster keeps the shape of its first start. With one node everything listens on 127.0.0.1. With more, each node is a host of its
own: node1 is 127.0.0.2, node2 is 127.0.0.3, and so on. Java finds these names in a file of the cluster's own (`conf/hosts`), so
that nothing of the machine is changed.
"""

import json
import socket
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Optional

LOOPBACK = "127.0.0.1"
MOST_NODES = 9
# HDFS' name for a pair of NameNodes.
NAMESERVICE = "trawl-test"


@dataclass(frozen=True)
class Shape:
    nodes: int = 1
    ha: bool = False
    kerberos: bool = False

    @property
    def node_numbers(self) -> range:
        return range(1, self.nodes + 1)

    @property
    def has_names(self) -> bool:
        """Nodes have names, and folders of their own."""
        return self.nodes > 1

    @property
    def journal_numbers(self) -> range:
        """The JournalNodes: a majority of them has to live."""
        return range(1, (3 if self.nodes >= 3 else 1) + 1) if self.ha else range(0)

    def host(self, node: int) -> str:
        return f"node{node}" if self.has_names else LOOPBACK

    def address(self, node: int) -> str:
        return f"127.0.0.{node + 1}" if self.has_names else LOOPBACK

    def hosts_file(self) -> str:
        lines = [f"{LOOPBACK} localhost", f"{LOOPBACK} {socket.gethostname()}"]
        return "\n".join(lines + [f"{self.address(node)} {self.host(node)}" for node in self.node_numbers]) + "\n"


def numbered(name: str, number: int) -> str:
    """The first of its kind has the plain name: datanode, datanode2, datanode3."""
    return name if number == 1 else f"{name}{number}"


def load(folder: Path) -> Optional[Shape]:
    """Returns None where no cluster was started in the folder."""
    try:
        return Shape(**json.loads((folder / "shape.json").read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def save(shape: Shape, folder: Path) -> None:
    (folder / "shape.json").write_text(json.dumps(asdict(shape)))
