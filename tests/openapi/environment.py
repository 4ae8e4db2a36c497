"""Schemathesis and a checker of OpenAPI documents, pinned, in a folder of the cache (TRAWL_CACHE, by default ~/.cache/trawl), which is
filled once. OSError says why they cannot be had."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

PINS = Path(__file__).resolve().parent / "requirements.txt"
CACHE = Path(os.environ.get("TRAWL_CACHE") or Path.home() / ".cache" / "trawl")


def _run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-2000:]}")


def programs():
    """The folder with `st` and `openapi-spec-validator`."""
    folder = CACHE / f"openapi-{hashlib.sha256(PINS.read_bytes()).hexdigest()[:16]}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "openapi.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".whole").exists():
            print(f"fetching {folder.name} (once)", file=sys.stderr, flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            _run(sys.executable, "-m", "venv", folder)
            _run(folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps", "-r", PINS)
            (folder / ".whole").touch()
    return folder / "bin"
