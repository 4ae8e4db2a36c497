"""Counts the exported pages of each domain: an application for spark-submit, submitted by trawl_to_spark.py."""

import sys


def main(directory: str) -> None:
    from pyspark.sql import SparkSession

    with SparkSession.builder.appName("trawl_pages").getOrCreate() as spark:
        spark.read.parquet(directory).groupBy("domain").count().orderBy("count", ascending=False).show(
            20, truncate=False
        )


if __name__ == "__main__":
    main(sys.argv[1])
