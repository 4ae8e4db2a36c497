"""Programs of others that tests run, each at one version, in folders of the cache (TRAWL_CACHE, by default ~/.cache/trawl).

A folder's name has the digest of its pins, so another version is another folder. What is missing is fetched once, by one process; the others
wait for it. OSError says why something cannot be had.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

CACHE = Path(os.environ.get("TRAWL_CACHE") or Path.home() / ".cache" / "trawl")
SHOWN_OF_AN_ERROR = 3000


def run(*command, cwd=None, env=None):
    """What the command prints; its failure is an OSError with the end of all that it said."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{(done.stdout + done.stderr)[-SHOWN_OF_AN_ERROR:]}")
    return done.stdout


def _bytes(pin):
    return pin.read_bytes() if isinstance(pin, Path) else pin.encode()


def folder(name, pins, fill):
    """A folder that `fill(folder)` has filled with what `pins` say: files (Path), or words. It is filled in place, since commands of a
    virtual environment carry its path; its file `.whole` comes last."""
    made = CACHE / f"{name}-{hashlib.sha256(b''.join(map(_bytes, pins))).hexdigest()[:16]}"
    if (made / ".whole").exists():
        return made
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (made / ".whole").exists():
            print(f"fetching {made.name} (once)", file=sys.stderr, flush=True)
            shutil.rmtree(made, ignore_errors=True)
            made.mkdir()
            fill(made)
            (made / ".whole").touch()
    return made


def python(name, pins, *options):
    """The folder of a virtual environment with the packages that `pins` say: files of requirements (Path), or words such as "six==1.17.0".
    `options` go to pip."""
    packages = [word for pin in pins for word in (["-r", pin] if isinstance(pin, Path) else [pin])]

    def fill(made):
        run(sys.executable, "-m", "venv", made)
        run(made / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", *options, *packages)

    return folder(name, pins, fill)


def go_on_in(environment):
    """Goes on in that virtual environment: begins the program again there, unless it runs there."""
    if Path(sys.prefix) != environment:
        interpreter = environment / "bin/python"
        os.execv(interpreter, [str(interpreter), *sys.argv])


def node(name, source, *options):
    """A folder whose node_modules has what package.json and package-lock.json of `source` say. `options` go to npm."""
    pins = [source / "package.json", source / "package-lock.json"]

    def fill(made):
        for pin in pins:
            shutil.copy(pin, made)
        run("npm", "ci", "--silent", *options, cwd=made)

    return folder(name, pins, fill)
