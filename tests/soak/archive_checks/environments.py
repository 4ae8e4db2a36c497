"""The programs of others that read archives, each at one version. What is missing is fetched once; OSError says why it cannot be had."""

import sys
from pathlib import Path

from support.pinned import pinned

HERE = Path(__file__).resolve().parent
DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"


def use_python(pins):
    """Goes on in a virtual environment that has what `pins` names: freeze.txt, or readers.txt for the small selection."""
    pinned.go_on_in(pinned.python("archive-" + pins.removesuffix(".txt"), [HERE / pins], "--no-deps"))


def command(name):
    """A command of the virtual environment in which this runs."""
    return Path(sys.prefix) / "bin" / name


def classpath():
    """The jars of pom.xml."""

    def fill(folder):
        pinned.run("mvn", "-B", "-q", "-f", HERE / "pom.xml", f"{DEPENDENCY_PLUGIN}:copy-dependencies", "-DincludeScope=runtime",
                   f"-DoutputDirectory={folder}")

    return f"{pinned.folder('archive-jars', [HERE / 'pom.xml'], fill)}/*"


def node_warcio():
    """The script of npm's warcio."""
    return pinned.node("archive-node", HERE) / "node_modules/.bin/warcio"
