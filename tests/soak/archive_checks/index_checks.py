"""12 to 16: the index by lines, by blocks and by columns."""

import collections
import gzip
import json
import re
import subprocess
import tempfile
from pathlib import Path

from archive_checks import environments
from archive_checks.archive import SUBSETS, timestamp14
from archive_checks.record_checks import java, run
from archive_checks.walk import get, http_fields, kind, members, require

FIELDS = ["url", "mime", "mime-detected", "status", "digest", "length", "offset", "filename", "charset", "languages", "truncated", "redirect"]


def lines_are_sorted_in_blocks(archive):
    """14"""
    require(archive.lines, "no line")
    with tempfile.NamedTemporaryFile("wb", suffix=".cdxj") as file:
        file.write(b"".join(gzip.decompress(shard.read_bytes()) for shard in archive.shards))
        file.flush()
        done = run("sort", "-c", file.name, env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"})
        require(done.returncode == 0, done.stderr.replace(file.name, "index"))
    require(len({line.text for line in archive.lines}) == len(archive.lines), "a line stands twice")
    entries = []
    for shard in archive.shards:
        for offset, length, content in members(shard):
            lines = content.decode("ascii").splitlines()
            require(len(lines) <= 3000 and content.endswith(b"\n"), f"{shard}: {offset}: {len(lines)} lines")
            key, timestamp = lines[0].split(" ")[:2]
            entries.append([f"{key} {timestamp}", shard.name, str(offset), str(length)])
    cluster = [line.split("\t") for line in (archive.indexes / "cluster.idx").read_text().splitlines()]
    require([line[:1] + [Path(line[1]).name] + line[2:4] for line in cluster] == entries, "cluster.idx is not that of the blocks")
    require([int(line[4]) for line in cluster] == list(range(1, len(cluster) + 1)), "the blocks are not numbered")
    located = dict(line.split("\t")[:2] for line in (archive.indexes / "cluster.loc").read_text().splitlines())
    require(set(located) == {line[1] for line in cluster}, f"cluster.loc: {sorted(located)}")
    return f"{len(archive.lines)} lines, {len(entries)} blocks, {len(archive.shards)} files"


def each_capture_has_its_line(archive):
    """11, 13: and each line is cut out to one whole record, which says the same."""
    places = {(archive.relative(record.file), record.offset): record for record in archive.captures()}
    require(len(archive.lines) == len(places), f"{len(archive.lines)} lines for {len(places)} captures")
    for line in archive.lines:
        record = archive.record_at(line)
        where = f"{line.text[:200]}:"
        at = (line.facts["filename"], int(line.facts["offset"]))
        require(at in places and places[at].length == int(line.facts["length"]), f"{where} no capture is there")
        require(all(isinstance(value, str) for value in line.facts.values()), f"{where} a value that is no string")
        require([name for name in FIELDS if name in line.facts] == list(line.facts), f"{where} fields {list(line.facts)}")
        require(line.text.split(" ", 2)[2] == json.dumps(line.facts), f"{where} is not written as others write it")
        require(line.facts["url"] == get(record, "WARC-Target-URI"), f"{where} another URL")
        require(line.timestamp == timestamp14(get(record, "WARC-Date")), f"{where} another time than {get(record, 'WARC-Date')}")
        digest = get(record, "WARC-Payload-Digest")
        require(line.facts.get("digest") == (digest and digest.removeprefix("sha1:")), f"{where} another digest than {digest}")
        if kind(record) == "revisit":
            require(line.facts["mime"] == "warc/revisit" and "mime-detected" not in line.facts, f"{where} mime of a revisit")
        elif kind(record) == "response":
            types = http_fields(record, "Content-Type")
            essence = types[0].split(";")[0].split(",")[0].strip().lower() if types else ""
            require(line.facts["mime"].lower() == (essence or "unk"), f"{where} another mime than {types}")
        require(line.facts.get("truncated") == get(record, "WARC-Truncated") or kind(record) == "revisit", f"{where} truncated")
        if record.block and kind(record) != "resource":
            require(line.facts["status"] == record.block.split(b" ")[1][:3].decode(), f"{where} another status")
        elif kind(record) == "revisit":
            require(line.facts["status"] == "304", f"{where} a 304 without its status")
    return f"{len(archive.lines)} lines"


def keys_are_those_of_others(archive):
    """12: on this archive's URLs."""
    urls = [line.facts["url"] for line in archive.lines]
    for name, keys in (("surt", surt_keys(urls)), ("webarchive-commons", java_keys(urls))):
        wrong = [(line.facts["url"], line.key, key) for line, key in zip(archive.lines, keys, strict=True) if line.key != key]
        require(not wrong, f"{len(wrong)} keys differ from {name}: {wrong[:3]}")
    return f"{len(urls)} keys"


def surt_keys(urls):
    import surt

    return [surt.surt(url) for url in urls]


def java_keys(urls):
    done = subprocess.run(["java", "-cp", environments.classpath(), str(environments.HERE / "Keys.java")], input="".join(url + "\n" for url in urls).encode(),
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    require(done.returncode == 0, done.stderr.decode()[:1000])
    return done.stdout.decode().splitlines()


def other_indexers_agree(archive):
    """13: four indexers of the same files, on what they say of each record. Two have the same keys; the others escape in ways of their own."""
    ours = collections.defaultdict(list)
    for line in archive.lines:
        ours[line.facts["filename"]].append(line)
    for path in archive.files():
        # Files of different subsets have the same name, and that is all that some of them write: one by one.
        lines = ours[archive.relative(path)]
        agree("cdx-indexer", archive, lines, run(environments.command("cdx-indexer"), "-j", path), True)
        agree("cdxj-indexer", archive, lines, run(environments.command("cdxj-indexer"), path), True)
        agree("warcio.js", archive, lines, run(environments.node_warcio(), "cdx-index", path), False)
        agree("jwarc", archive, lines, java("org.netpreserve.jwarc.tools.WarcTool", "cdxj", path), False)
    return f"4 indexers, {len(archive.lines)} lines"


def agree(name, archive, ours, indexer, has_key):
    theirs = {}
    for text in indexer.stdout.splitlines():
        if "{" in text:
            key, timestamp, facts = text.split(" ", 2)
            found = json.loads(facts)
            theirs[str(found["offset"])] = (timestamp, str(found["length"]), found.get("status"), key)
    for line in ours:
        facts = line.facts
        if facts["offset"] not in theirs:
            # A record with nothing in it is left out by some.
            require(not archive.record_at(line).block, f"{name} has no line for {line.text[:200]}")
            continue
        timestamp, length, status, key = theirs.pop(facts["offset"])
        require((timestamp, length) == (line.timestamp, facts["length"]), f"{name}: {timestamp} {length} for {line.text[:300]}")
        require(status in (facts.get("status"), None, "-"), f"{name}: status {status} for {line.text[:300]}")
        require(key == line.key or not has_key, f"{name}: key {key} for {line.text[:300]}")
    require(not theirs, f"{name} has more lines: {list(theirs.items())[:2]}")


S, N = "string", True
# The flat schema of Common Crawl's table: name, type, whether it may be null.
COLUMNS = [
    ("url_surtkey", S, False), ("url", S, False), ("url_host_name", S, False), ("url_host_tld", S, N), ("url_host_2nd_last_part", S, N),
    ("url_host_3rd_last_part", S, N), ("url_host_4th_last_part", S, N), ("url_host_5th_last_part", S, N), ("url_host_registry_suffix", S, N),
    ("url_host_registered_domain", S, N), ("url_host_private_suffix", S, N), ("url_host_private_domain", S, N), ("url_host_name_reversed", S, N),
    ("url_protocol", S, False), ("url_port", "int32", N), ("url_path", S, False), ("url_query", S, N), ("fetch_time", "timestamp", False),
    ("fetch_status", "int16", False), ("fetch_redirect", S, N), ("content_digest", S, N), ("content_mime_type", S, N),
    ("content_mime_detected", S, N), ("content_charset", S, N), ("content_languages", S, N), ("content_truncated", S, N),
    ("warc_filename", S, False), ("warc_record_offset", "int32", False), ("warc_record_length", "int32", False), ("warc_segment", S, False),
]


def table_files(archive):
    return sorted((archive.table / f"crawl={archive.name}").glob("subset=*/part-*"))


def columns_are_those_of_the_common_index(archive):
    """16: names, order, types and nulls, as pyarrow reads them; within a file sorted by key."""
    import pyarrow.orc
    import pyarrow.parquet

    files = table_files(archive)
    require(files, "no file of the table")
    rows = 0
    for path in files:
        is_parquet = path.suffix == ".parquet"
        table = pyarrow.parquet.read_table(path, partitioning=None) if is_parquet else pyarrow.orc.read_table(path)
        names = [name for name, _, _ in COLUMNS]
        require(table.schema.names == names, f"{path}: {table.schema.names}")
        for (name, of_type, may_be_null), column in zip(COLUMNS, table.schema):
            require(str(column.type).startswith(of_type), f"{path}: {name} is {column.type}")
            if is_parquet:
                require(column.nullable == may_be_null, f"{path}: {name}: nullable {column.nullable}")
            require(may_be_null or table[name].null_count == 0, f"{path}: {name} has nulls")
        keys = table["url_surtkey"].to_pylist()
        require(keys == sorted(keys, key=str.encode), f"{path}: not sorted")
        if is_parquet:
            groups = pyarrow.parquet.ParquetFile(path).metadata
            at = names.index("url_surtkey")
            ends = [groups.row_group(group).column(at).statistics for group in range(groups.num_row_groups)]
            require(all(a.max <= b.min for a, b in zip(ends, ends[1:])), f"{path}: groups overlap")
            require(groups.num_rows == 0 or groups.row_group(0).column(0).compression == "GZIP", f"{path}: {groups.row_group(0).column(0).compression}")
        rows += len(table)
    require(rows == len(archive.lines), f"{rows} rows for {len(archive.lines)} lines")
    subsets = {path.parent.name for path in files}
    require(subsets == {f"subset={subset}" for subset in SUBSETS if archive.files(subset)}, f"{sorted(subsets)}")
    return f"{rows} rows in {len(files)} files"


def rows_of_table(archive):
    import pyarrow.dataset

    files = table_files(archive)
    form = files[0].suffix[1:]
    return pyarrow.dataset.dataset(str(archive.table), format=form, partitioning="hive").to_table().filter(
        pyarrow.compute.field("crawl") == archive.name).to_pylist()


def rows_say_what_lines_say(archive):
    """16: column by column, with the nulls of hosts and queries."""
    import pyarrow.compute  # noqa: F401

    rows = {(row["warc_filename"], row["warc_record_offset"]): row for row in rows_of_table(archive)}
    for line in archive.lines:
        row = rows.pop((line.facts["filename"], int(line.facts["offset"])))
        where = line.text[:200]
        for column, name in (("url", "url"), ("content_digest", "digest"), ("content_charset", "charset"), ("content_languages", "languages"),
                             ("fetch_redirect", "redirect"), ("content_mime_detected", "mime-detected"), ("content_truncated", "truncated")):
            require(row[column] == line.facts.get(name), f"{where}: {column} {row[column]}")
        require(row["url_surtkey"] == line.key, f"{where}: {row['url_surtkey']}")
        require(row["fetch_time"].strftime("%Y%m%d%H%M%S") == line.timestamp, f"{where}: {row['fetch_time']}")
        require(row["fetch_status"] == int(line.facts.get("status", -1)), f"{where}: {row['fetch_status']}")
        require(row["warc_record_length"] == int(line.facts["length"]), f"{where}: {row['warc_record_length']}")
        parts = re.fullmatch(r"crawl-data/([^/]+)/segments/([^/]+)/(crawldiagnostics|robotstxt|warc)/[^/]+", line.facts["filename"])
        require(parts and (row["crawl"], row["warc_segment"], row["subset"]) == parts.groups(), f"{where}: {row['crawl']} {row['subset']}")
        check_url_columns(row, where)
    require(not rows, f"{len(rows)} rows without a line")
    return f"{len(archive.lines)} rows"


# By hand, from the public suffix list.
DOMAINS = {
    "a.github.io": ("io", "github.io", "github.io", "a.github.io"), "b.co.uk": ("co.uk", "b.co.uk", "co.uk", "b.co.uk"),
    "127.0.0.1": (None, None, None, None), "coded.test": (None, None, None, None),
}


def check_url_columns(row, where):
    url = row["url"]
    scheme, rest = url.split("://", 1)
    authority = re.match(r"[^/?#]*", rest)[0]
    host, port = (authority, None) if not re.search(r":\d+$", authority) else authority.rsplit(":", 1)
    path, mark, query = rest[len(authority):].partition("?")
    is_address = bool(re.fullmatch(r"[\d.]+|\[.*\]", host))
    require(row["url_protocol"] == scheme and row["url_host_name"].strip("[]") == host.strip("[]"), f"{where}: {row['url_host_name']}")
    require(row["url_port"] == (int(port) if port else None), f"{where}: port {row['url_port']}")
    require(row["url_path"] == path, f"{where}: path {row['url_path']}")
    require(row["url_query"] == (query if mark else None), f"{where}: query {row['url_query']!r}")
    labels = [None] * 5 if is_address else (host.split(".")[::-1] + [None] * 5)[:5]
    names = ["url_host_tld", "url_host_2nd_last_part", "url_host_3rd_last_part", "url_host_4th_last_part", "url_host_5th_last_part"]
    require([row[name] for name in names] == labels, f"{where}: {[row[name] for name in names]}")
    require(row["url_host_name_reversed"] == (None if is_address else ".".join(host.split(".")[::-1])), f"{where}: {row['url_host_name_reversed']}")
    if host in DOMAINS:
        names = ["url_host_registry_suffix", "url_host_registered_domain", "url_host_private_suffix", "url_host_private_domain"]
        require(tuple(row[name] for name in names) == DOMAINS[host], f"{where}: {[row[name] for name in names]}")


def duckdb_counts_the_same(archive):
    """6, 16: hive partitions read by DuckDB; each revisit's digest has an original in the folder."""
    import duckdb

    form = table_files(archive)[0].suffix[1:]
    if form != "parquet":
        return "ORC: DuckDB does not read it"
    files = f"read_parquet('{archive.table}/crawl=*/subset=*/*.parquet', hive_partitioning = true)"
    counts = dict(duckdb.sql(f"select subset, count(*) from {files} where crawl = '{archive.name}' group by all").fetchall())
    ours = collections.Counter(Path(line.facts["filename"]).parent.name for line in archive.lines)
    require(counts == ours, f"{counts} for {ours}")
    orphans = duckdb.sql(f"select count(*) from {files} r where content_mime_type = 'warc/revisit' and content_digest is not null and not exists "
                         f"(select 1 from {files} o where o.content_digest = r.content_digest and o.content_mime_type <> 'warc/revisit')").fetchall()[0][0]
    require(orphans == 0, f"{orphans} revisits without an original")
    return ", ".join(f"{subset}: {count}" for subset, count in sorted(counts.items()))


def paths_name_each_file(archive):
    """Lists of paths for those who fetch files by them."""
    base = archive.folder / "crawl-data" / archive.name
    named = 0
    for subset in (*SUBSETS, "wet", "cc-index", "cc-index-table"):
        path = base / f"{subset}.paths.gz"
        there = {"cc-index": [*archive.shards, archive.indexes / "cluster.idx"],
                 "cc-index-table": table_files(archive)}.get(subset) or archive.files(subset)
        names = gzip.decompress(path.read_bytes()).decode().splitlines() if path.exists() else []
        files = {archive.relative(file) for file in there}
        require(set(names) == files or (subset == "cc-index" and set(names) - files <= {archive.relative(archive.indexes / "cluster.loc")}
                                        and files <= set(names)), f"{path}: {set(names) ^ files}")
        require(names == sorted(names), f"{path}: not in order")
        named += len(names)
    return f"{named} paths"


LINES = [lines_are_sorted_in_blocks, each_capture_has_its_line, keys_are_those_of_others, other_indexers_agree]
COLUMNAR = [columns_are_those_of_the_common_index, rows_say_what_lines_say, duckdb_counts_the_same, paths_name_each_file]
