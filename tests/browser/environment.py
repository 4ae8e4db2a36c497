"""What the tests of pages need: a browser of Debian's; Playwright and axe, and the W3C's HTML checker, each pinned. What is missing is
fetched once. OSError says why something cannot be had."""

import os
import shutil
from pathlib import Path

from support.pinned import pinned

HERE = Path(__file__).resolve().parent
BROWSERS = ("/usr/lib/chromium/chromium-headless-shell", "/usr/bin/chromium-headless-shell", "/usr/bin/chromium")
PACKAGES = ("chromium-headless-shell", "fonts-dejavu-core")


def use_python():
    """Goes on in the virtual environment that has Playwright and axe."""
    pinned.go_on_in(pinned.python("browser-python", [HERE / "requirements.txt"]))


def browser():
    """The path of a headless Chromium; installs Debian's where there is none."""
    found = next((path for path in BROWSERS if Path(path).exists()), None)
    if found:
        return found
    as_root = [] if os.getuid() == 0 else ["sudo", "-n"]
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        pinned.run(*as_root, "apt-get", "update", "-qq", env=env)
        pinned.run(*as_root, "apt-get", "install", "-y", "-qq", "--no-install-recommends", *PACKAGES, env=env)
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
    # Its jar is in the package; the script that would look for a Java is not run.
    modules = pinned.node("browser-vnu", HERE, "--ignore-scripts") / "node_modules"
    return ["java", "-Xmx512m", "-jar", str(modules / "vnu-jar/build/dist/vnu.jar")]
