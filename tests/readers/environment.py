"""The Python packages by which tests read crawls and exports, pinned. OSError says why they cannot be had."""

from pathlib import Path

from support.pinned import pinned

PINS = Path(__file__).resolve().parent / "requirements.txt"


def small():
    """DuckDB, pyarrow, xxhash, matplotlib, and what builds and tests a package: what CI needs."""
    return pinned.python("readers", [PINS], "--no-deps")


def large():
    """Beside those pandas, polars, PySpark and dbt-duckdb: what soak needs."""
    return pinned.python("readers-large", [PINS, PINS.with_name("requirements-large.txt")], "--no-deps")
