"""The Python packages by which tests read crawls and exports, pinned. OSError says why they cannot be had."""

from pathlib import Path

from support.pinned import pinned

PINS = Path(__file__).resolve().parent / "requirements.txt"


def small():
    """DuckDB, pyarrow, xxhash, matplotlib, and what builds and tests a package: what CI needs."""
    return pinned.python("readers", [PINS], "--no-deps")


def frames():
    """pandas, polars and PySpark beside DuckDB and pyarrow: what soak needs. PySpark wants a Java of 17 or newer."""
    return pinned.python("readers-frames", [PINS.with_name("requirements-frames.txt")], "--no-deps")


def dbt():
    """The program `dbt`, with its adapter for DuckDB."""
    return pinned.python("readers-dbt", [PINS.with_name("requirements-dbt.txt")], "--no-deps") / "bin" / "dbt"
