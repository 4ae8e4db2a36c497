"""Airflows of pinned versions, and clean virtual environments on top of them that have the provider's wheel. OSError
says why they cannot be had."""

import os
import subprocess
import sys
from pathlib import Path

from support.pinned import pinned

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent.parent / "deploy/airflow"
VERSIONS = ("3.3", "3.0")


def airflow(version):
    """The folder of a virtual environment with that Airflow, pytest and build, and without the provider."""
    return pinned.python(f"airflow-{version}", [HERE / f"airflow-{version}.txt"], "--no-deps")


def wheel(version, folder):
    """Builds the provider's wheel into the folder; nothing is fetched."""
    pinned.run(airflow(version) / "bin/python", "-m", "build", "--no-isolation", "--wheel", "--outdir", folder, PACKAGE)
    built = list(folder.glob("airflow_provider_trawl-*.whl"))
    assert len(built) == 1, built
    return built[0]


def with_wheel(version, built, folder):
    """A new virtual environment that has the packages of the pinned one, and the wheel, installed by pip."""
    pinned.run(sys.executable, "-m", "venv", folder)
    below = subprocess.run(
        [airflow(version) / "bin/python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "airflow.pth").write_text(below + "\n")
    pip = [folder / "bin/python", "-m", "pip", "--disable-pip-version-check"]
    pinned.run(*pip, "install", "-q", "--no-index", built)
    pinned.run(*pip, "check")
    # The commands of a venv carry its path, so this one gets its own.
    for module, name in (("airflow.__main__", "airflow"), ("pytest", "pytest")):
        command = folder / "bin" / name
        call = "main()" if name == "airflow" else "raise SystemExit(main())"
        command.write_text(
            f"#!{folder / 'bin/python'}\nfrom {module} import main\nif __name__ == '__main__':\n    {call}\n"
        )
        command.chmod(0o755)
    return folder


def settings(home, **more):
    """The variables of an Airflow of its own in that folder."""
    dags = home / "dags"
    dags.mkdir(parents=True, exist_ok=True)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("AIRFLOW_", "TRAWL_"))}
    return (
        kept
        | {
            "AIRFLOW_HOME": str(home),
            "AIRFLOW__CORE__DAGS_FOLDER": str(dags),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__CORE__UNIT_TEST_MODE": "False",
            "AIRFLOW__DATABASE__SQL_ALCHEMY_CONN": f"sqlite:///{home}/airflow.db",
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": "http://localhost:1/execution/",
            "PYTHONDONTWRITEBYTECODE": "1",
            "PYTHONWARNINGS": "ignore",
        }
        | more
    )
