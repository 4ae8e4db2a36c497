"""What pandas, polars, PySpark and dbt read of a crawl's exports and archive, beside what the verbs say."""

import json
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
NAME = "READERS-2026-03"


def counted(pairs):
    found = {}
    for state, urls in pairs:
        found[state] = found.get(state, 0) + int(urls)
    return found


class Frames:
    """`crawled` is a crawl; its exports and its archive are made here."""

    def __init__(self, crawled):
        self.crawled, self.folder = crawled, crawled.folder
        for form in ("parquet", "orc"):
            for what in ("urls", "pages", "links"):
                crawled.say("export", what, self.folder / f"{what}-{form}", "--format", form, *(["--respect", "none"] if what == "pages" else []))
        crawled.say("archive", self.folder / "archive", "--name", NAME, "--respect", "none")
        stats = json.loads(crawled.say("readdb", "stats", "--json"))
        self.states = stats["by_state"]
        self.pages = stats["bodies"]
        self.links = len(crawled.lines("graph", "--dead_links", "--json"))

    def files(self, what, form):
        return sorted(map(str, (self.folder / f"{what}-{form}" / what).glob(f"*.{form}")))

    def index(self):
        return sorted(map(str, (self.folder / "archive" / "cc-index").rglob("*.parquet")))

    def captures(self):
        """The records that the index of lines names, by status."""
        import gzip
        found = {}
        for path in (self.folder / "archive" / "cc-index").rglob("cdx-*.gz"):
            for line in gzip.open(path, "rt"):
                status = json.loads(line.split(" ", 2)[2]).get("status", "")
                found[status] = found.get(status, 0) + 1
        return found

    def by_pandas(self):
        import pandas
        urls = pandas.concat(map(pandas.read_parquet, self.files("urls", "parquet")))
        orc = pandas.concat(map(pandas.read_orc, self.files("urls", "orc")))
        pages = pandas.concat(map(pandas.read_parquet, self.files("pages", "parquet")))
        assert counted(urls.state.value_counts().items()) == counted(orc.state.value_counts().items()) == self.states
        assert len(pages) == self.pages and pages.text.str.len().gt(0).any()
        assert str(urls.fetched.dt.tz) == "UTC"
        return len(urls)

    def by_polars(self):
        import polars
        urls = polars.scan_parquet(self.files("urls", "parquet"))
        found = urls.group_by("state").agg(polars.len()).collect()
        assert counted(found.iter_rows()) == self.states
        pages = polars.read_parquet(self.files("pages", "parquet"))
        assert pages.height == self.pages
        index = polars.read_parquet(self.index())
        assert counted((str(status or ""), 1) for status in index["fetch_status"]) == self.captures()
        return urls.select(polars.len()).collect().item()

    def by_spark(self):
        from pyspark.sql import SparkSession
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.master("local[1]").appName("crawl")
        for name, value in {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "2", "spark.driver.bindAddress": "127.0.0.1",
                            "spark.driver.host": "127.0.0.1", "spark.sql.session.timeZone": "UTC", "spark.driver.memory": "1g",
                            "spark.local.dir": str(self.folder), "spark.sql.warehouse.dir": str(self.folder / "warehouse")}.items():
            builder = builder.config(name, value)
        spark = builder.getOrCreate()
        try:
            spark.sparkContext.setLogLevel("ERROR")
            rows = 0
            for form in ("parquet", "orc"):
                urls = spark.read.format(form).load(str(self.folder / f"urls-{form}" / "urls"))
                urls.createOrReplaceTempView("urls")
                assert counted(spark.sql("select state, count(*) from urls group by state").collect()) == self.states, form
                assert dict(urls.dtypes)["fetched"].startswith("timestamp"), urls.dtypes
                assert spark.read.format(form).load(str(self.folder / f"pages-{form}" / "pages")).count() == self.pages, form
                links = spark.read.format(form).load(str(self.folder / f"links-{form}" / "links"))
                links.createOrReplaceTempView("links")
                dead = spark.sql("""select count(*) from links join urls target on target.url = target_url join urls source on source.url = source_url
                                    where target.state in ('gone', 'failing') and source.state not in ('gone', 'failing')""").collect()[0][0]
                assert dead == self.links, (form, dead, self.links)
                rows += urls.count()
            index = spark.read.parquet(str(self.folder / "archive" / "cc-index" / "table" / "trawl" / "warc"))
            assert counted((str(status or ""), 1) for (status,) in index.select("fetch_status").collect()) == self.captures()
            assert index.select("crawl").distinct().collect()[0][0] == NAME
        finally:
            spark.stop()
        return rows


def by_dbt(frames, dbt):
    """Builds examples/dbt, and compares its tables with the verbs' answers."""
    import duckdb
    database = frames.folder / "crawl.duckdb"
    names = json.dumps({"urls": str(frames.folder / "urls-parquet"), "links": str(frames.folder / "links-parquet")})
    project = REPOSITORY / "examples" / "dbt"
    done = subprocess.run([dbt, "build", "--project-dir", project, "--profiles-dir", project, "--vars", names, "--target-path", frames.folder / "target",
                           "--log-path", frames.folder / "log", "--no-use-colors"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          env={**os.environ, "CRAWL_DUCKDB": str(database), "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "DO_NOT_TRACK": "1"},
                          cwd=frames.folder)
    assert done.returncode == 0, done.stdout[-3000:]
    with duckdb.connect(str(database), read_only=True) as connection:
        dead = connection.sql("select count(*) from dead_links").fetchall()[0][0]
        answers = dict(connection.sql("select status, sum(urls)::int from answers_by_host group by all").fetchall())
    expected = counted((row["status"], 1) for row in frames.crawled.lines("readdb", "dump") if row["status"])
    assert dead == frames.links and answers == expected, (dead, frames.links, answers, expected)
    return len(answers)
