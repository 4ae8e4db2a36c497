"""What was crawled against what was archived: bodies, cuts, times, rows in and records out, what must not be there."""

import collections
import re
import statistics
from pathlib import Path

from archive_checks import walk
from archive_checks.archive import SUBSETS
from archive_checks.walk import get, kind, require
from archive_checks.web import GOAL


def bodies_are_those_of_the_web(archive):
    """4, 8: each payload and each reason to be cut equals what the web sent, without a word from trawl."""
    counts = collections.Counter()
    for record in archive.captures():
        sent = archive.sent_for(record)
        if sent is None:
            counts["not noted"] += 1
            continue
        expected = sent[1]
        where = f"{record.file}: {get(record, 'WARC-Target-URI')}: {kind(record)}"
        require(not expected.skipped, f"{where}: asks not to be archived")
        if kind(record) == "revisit":
            continue
        payload = walk.payload_of(record)
        if record.block.startswith(b"HTTP/1.1 304 "):  # with --revisits never
            require(payload == b"", f"{where}: a 304 with a body")
            continue
        require(get(record, "WARC-Truncated") == expected.truncated, f"{where}: cut by {get(record, 'WARC-Truncated')} for {expected.truncated}")
        if expected.payload is not None:
            require(payload == expected.payload, f"{where}: another body: {len(payload)} bytes for {len(expected.payload)}: {payload[:60]}")
            counts["equal"] += 1
        counts["cut" if expected.truncated else "whole"] += 1
        for line in expected.same_heads:
            require(line.encode() in walk.split_http(record.block)[0], f"{where}: has no {line}")
    require(counts["equal"], "no body was compared")
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def dates_are_those_of_the_begin(archive):
    """9: the web's clock and the crawl's differ by one figure a round, whatever an answer took."""
    differences = collections.defaultdict(dict)
    for record in archive.of_type("response", "revisit"):
        sent = archive.sent_for(record)
        if sent and sent[2]:
            date = get(record, "WARC-Date")
            differences[sent[0]][get(record, "WARC-Target-URI")] = sent[2] - milliseconds(date) / 1000
    slow = 0
    for day, by_url in differences.items():
        middle = statistics.median(by_url.values())
        for url, difference in by_url.items():
            require(abs(difference - middle) < 1.5, f"{url}: begun {difference - middle:.1f} s from where it should")
            slow += url.startswith("http://slow.test/late")
    require(slow, "no slow page")
    return f"{sum(map(len, differences.values()))} captures, {slow} that began to answer after {archive.web.SLEEPS} s"


def milliseconds(date):
    from datetime import datetime, timezone

    return int(datetime.strptime(date, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=timezone.utc).timestamp() * 1000)


def fetch_rows(root, segment):
    import pyarrow.orc

    for path in sorted((Path(root) / "segments" / segment / "fetch").glob("*.orc")):
        yield from pyarrow.orc.read_table(path).to_pylist()


def rows_in_are_records_out(archive):
    """11: every fetch row with a whole head is a record, or is counted as skipped."""
    rows = records = 0
    for path in (archive.folder / "crawl-data" / archive.name / "segments").iterdir():
        here = [row for row in fetch_rows(archive.root, path.name) if re.search(rb"\n\r?\n$", row["response_headers"])]
        rows += len(here)
        records += sum(kind(record) in ("response", "revisit") and Path(record.file).parent.parent.name == path.name
                       and "/robotstxt/" not in record.file for record in archive.records)
    skipped = sum(count for reason, count in archive.report["skipped"].items() if reason not in NOT_ROWS)
    require(rows == records + skipped, f"{rows} rows with a head, {records} records, skipped {archive.report['skipped']}")
    ours = collections.Counter(kind(record) for path in archive.files(*SUBSETS, "wet") for record in walk.read(path))
    theirs = {name: count for name, count in archive.report["records"].items() if count}
    require(theirs == dict(ours), f"the report counts {theirs}; there are {dict(ours)}")
    captures = collections.Counter(Path(record.file).parent.name for record in archive.captures())
    require({name: count for name, count in archive.report["captures"].items() if count} == dict(captures),
            f"the report counts {archive.report['captures']}; there are {dict(captures)}")
    return f"{rows} rows, {records} records, {skipped} skipped"


# Reasons to skip that are not about a row with a head of the fetch dataset.
NOT_ROWS = {"no_answer", "robots_no_answer", "no_head"}


def nothing_unwanted_is_there(archive):
    """19"""
    for record in archive.records:
        url = get(record, "WARC-Target-URI") or ""
        if kind(record) in ("response", "revisit", "request", "metadata"):
            require(not re.search(r"/(meta-noarchive|meta-none-case|header-noarchive|header-past)$", url), f"{url} asks not to be archived")
    for line in archive.lines:
        require(".wet." not in line.facts["filename"], f"{line.text[:200]}: a conversion in the index")
    robots = [record for record in archive.captures() if "/robotstxt/" in record.file]
    require(all(get(record, "WARC-Target-URI").endswith(("/robots.txt", "//" + "".join(GOAL))) for record in robots), "something else in robotstxt")
    inside = [record for record in archive.captures() if "/warc/" in record.file and kind(record) == "response"]
    for record in inside:
        require(record.block.split(b" ")[1][:1] == b"2", f"{get(record, 'WARC-Target-URI')}: {record.block[:20]} in warc")
    return f"{len(robots)} robots.txt, {len(inside)} pages"


def protocols_are_told(archive):
    """HTTP and TLS versions, as the hosts speak them."""
    expected = {"https://h2.test/": ["h2", "tls/1.3"], "https://tls.test/": ["http/1.1", "tls/1.3"], "https://tls12.test/": ["http/1.1", "tls/1.2"],
                "http://coded.test/": ["http/1.1"]}
    seen = collections.Counter()
    for record in archive.of_type("response", "revisit"):
        url = get(record, "WARC-Target-URI")
        protocols = [value for name, value in record.fields if name == "WARC-Protocol"]
        for prefix, wanted in expected.items():
            if url.startswith(prefix):
                require(sorted(protocols) == wanted, f"{url}: {protocols}")
                seen[prefix] += 1
        require(get(record, "WARC-IP-Address") == ("::1" if "[" in url else "127.0.0.1"), f"{url}: address {get(record, 'WARC-IP-Address')}")
    require(set(seen) == set(expected), f"only {dict(seen)}")
    return ", ".join(f"{count} of {prefix}" for prefix, count in seen.items())


CHECKS = [bodies_are_those_of_the_web, dates_are_those_of_the_begin, nothing_unwanted_is_there, protocols_are_told]
