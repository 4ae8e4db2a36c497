"""The Python packages by which tests read crawls and exports, pinned. OSError says why they cannot be had."""

from pathlib import Path

from support.pinned import pinned

HERE = Path(__file__).resolve().parent


def small():
    """DuckDB, pyarrow, xxhash, matplotlib, and what builds and tests a package: what CI needs."""
    return pinned.python("readers", [HERE / "requirements.txt"], "--no-deps")


def large():
    """pandas, polars, PySpark and dbt-duckdb, beside those: what soak needs. 1 GB."""
    return pinned.python("readers-large", [HERE / "requirements-large.txt"], "--no-deps")
