"""Five million URLs: the Python package on the crawl beside DuckDB on its export. Prints one figure.

  python large.py table|some|batches ROOT      the whole table, four columns of it, or batch by batch
  python large.py duckdb FOLDER                the whole export as an Arrow table; duckdb-some: four columns
"""

import json
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "deploy" / "python"))

SOME = ["url", "state", "score", "discovered_ms"]


def read(what, place):
    if what.startswith("duckdb"):
        import duckdb
        columns = "url, state, score_millionths, discovered" if what.endswith("some") else "*"
        return duckdb.sql(f"select {columns} from '{place}/urls/*.parquet'").to_arrow_table().num_rows
    import trawl
    crawl = trawl.open(place)
    if what == "batches":
        return sum(batch.num_rows for batch in crawl.batches("urls"))
    return crawl.table("urls", SOME if what == "some" else None).num_rows


def main():
    begin, used = time.monotonic(), time.process_time()
    rows = read(*sys.argv[1:])
    print(json.dumps({"rows": rows, "seconds": round(time.monotonic() - begin, 1), "cpu_seconds": round(time.process_time() - used, 1),
                      "mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}))


if __name__ == "__main__":
    main()
