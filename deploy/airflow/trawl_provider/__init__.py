"""Airflow provider of Trawl, the batch web crawler. Start with `operators.verbs` and the DAGs of `example_dags`."""

__version__ = "0.1.0"
