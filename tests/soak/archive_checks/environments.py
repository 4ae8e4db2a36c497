"""The programs of others that read archives, each at one version, in folders of the cache (TRAWL_CACHE, by default ~/.cache/trawl).

A folder's name has the digest of the file that pins its contents. What is missing is fetched once; a folder counts when it is whole.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("TRAWL_CACHE") or Path.home() / ".cache" / "trawl")
DEPENDENCY_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.6.1"


def _folder(name, *pins):
    digest = hashlib.sha256(b"".join((HERE / pin).read_bytes() for pin in pins)).hexdigest()[:16]
    return CACHE / f"{name}-{digest}"


def _make(folder, fill):
    """Fills the folder in place: commands of a virtual environment carry its path. Its file `.whole` comes last."""
    if (folder / ".whole").exists():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "archive-readers.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".whole").exists():
            print(f"fetching {folder.name} (once)", file=sys.stderr, flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            fill(folder)
            (folder / ".whole").touch()
    return folder


def _run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-3000:]}")


def python(pins):
    """The interpreter of a virtual environment that has what `pins` names: freeze.txt, or readers.txt for the small selection."""

    def fill(folder):
        _run(sys.executable, "-m", "venv", folder)
        _run(folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "-r", HERE / pins)

    return _make(_folder("archive-" + pins.removesuffix(".txt"), pins), fill) / "bin/python"


def use_python(pins):
    """Goes on in that virtual environment."""
    interpreter = python(pins)
    if Path(sys.prefix) != interpreter.parent.parent:
        os.execv(interpreter, [str(interpreter), *sys.argv])


def command(name):
    """A command of the virtual environment in which this runs."""
    return Path(sys.prefix) / "bin" / name


def classpath():
    """The jars of pom.xml."""

    def fill(folder):
        _run("mvn", "-B", "-q", "-f", HERE / "pom.xml", f"{DEPENDENCY_PLUGIN}:copy-dependencies", "-DincludeScope=runtime",
             f"-DoutputDirectory={folder}")

    return f"{_make(_folder('archive-jars', 'pom.xml'), fill)}/*"


def node_warcio():
    """The script of npm's warcio."""

    def fill(folder):
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        _run("npm", "ci", "--silent", cwd=folder)

    folder = _make(_folder("archive-node", "package.json", "package-lock.json"), fill)
    return folder / "node_modules/.bin/warcio"
