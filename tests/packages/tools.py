"""Programs of others that judge what is in deploy/ and .github, each at one version. OSError says why one cannot be had."""

import os
import shutil
from pathlib import Path

from support.pinned import pinned

ACTIONLINT = "v1.7.12"
REQUIREMENTS = Path(__file__).resolve().parent / "requirements.txt"


def python():
    """The folder of a virtual environment with kubernetes-validate, which brings the schemas along, and PyYAML."""
    return pinned.python("packages", [REQUIREMENTS], "--no-deps")


def actionlint():
    """The program that reads workflows of GitHub; go builds it once."""
    go = shutil.which("go") or shutil.which("go", path="/usr/local/go/bin:/usr/lib/go/bin")
    if not go:
        raise OSError("there is no go")

    def fill(made):
        caches = {"GOBIN": str(made), "GOPATH": str(made / "go"), "GOCACHE": str(made / "cache"), "GOFLAGS": "-modcacherw"}
        pinned.run(go, "install", f"github.com/rhysd/actionlint/cmd/actionlint@{ACTIONLINT}", env={**os.environ, **caches})
        for name in ("go", "cache"):
            shutil.rmtree(made / name, ignore_errors=True)

    return pinned.folder("actionlint", [ACTIONLINT], fill) / "actionlint"
