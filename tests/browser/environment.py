"""What the tests of pages need: a browser of Debian's, Playwright and axe, and the W3C's HTML checker, each pinned, in folders of the
cache (TRAWL_CACHE, by default ~/.cache/trawl). What is missing is fetched once. OSError says why something cannot be had."""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
CACHE = Path(os.environ.get("TRAWL_CACHE") or Path.home() / ".cache" / "trawl")
BROWSERS = ("/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
PACKAGES = ("chromium-headless-shell", "fonts-dejavu-core")


def _run(*command, cwd=None, env=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != 0:
        raise OSError(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-2000:]}")


def _folder(name, pins, fill):
    """A folder whose name has the digest of the file that pins its contents. Its file `.whole` comes last."""
    digest = hashlib.sha256(b"".join((HERE / pin).read_bytes() for pin in pins)).hexdigest()[:16]
    folder = CACHE / f"{name}-{digest}"
    CACHE.mkdir(parents=True, exist_ok=True)
    with open(CACHE / "browser.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / ".whole").exists():
            print(f"fetching {folder.name} (once)", file=sys.stderr, flush=True)
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            fill(folder)
            (folder / ".whole").touch()
    return folder


def use_python():
    """Goes on in the virtual environment that has Playwright and axe."""

    def fill(folder):
        _run(sys.executable, "-m", "venv", folder)
        _run(folder / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "-r", HERE / "requirements.txt")

    folder = _folder("browser-python", ["requirements.txt"], fill)
    if Path(sys.prefix) != folder:
        interpreter = folder / "bin/python"
        os.execv(interpreter, [str(interpreter), *sys.argv])


def browser():
    """The path of a headless Chromium; installs Debian's where there is none."""
    found = next((path for path in BROWSERS if Path(path).exists()), None)
    if found:
        return found
    as_root = [] if os.getuid() == 0 else ["sudo", "-n"]
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        _run(*as_root, "apt-get", "update", "-qq", env=env)
        _run(*as_root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES, env=env)
    except FileNotFoundError as error:
        raise OSError(f"there is no Chromium, and {error.filename} is not here to install one") from None
    found = next((path for path in BROWSERS if Path(path).exists()), None)
    if not found:
        raise OSError(f"{PACKAGES[0]} is installed, but none of {', '.join(BROWSERS)} is there")
    return found


def html_checker():
    """The command of the W3C's HTML checker."""
    if not shutil.which("java") or not shutil.which("npm"):
        raise OSError("java and npm are needed")

    def fill(folder):
        for name in ("package.json", "package-lock.json"):
            shutil.copy(HERE / name, folder)
        # Its jar is in the package; the script that would look for a Java is not run.
        _run("npm", "ci", "--silent", "--ignore-scripts", cwd=folder)

    folder = _folder("browser-vnu", ["package.json", "package-lock.json"], fill)
    return ["java", "-Xmx512m", "-jar", str(folder / "node_modules/vnu-jar/build/dist/vnu.jar")]
