"""What others' validators say of the records, and the references between them."""

import collections
import subprocess

from archive_checks import environments, walk
from archive_checks.walk import get, kind, require


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def members_are_records(archive):
    """1, 7"""
    for path in archive.files():
        done = run("gzip", "-t", path)
        require(done.returncode == 0, f"gzip -t: {done.stderr}")
    require(archive.records, "no record")
    for record in archive.records:
        walk.check(record)
    for path in archive.files():
        first = next(walk.read(path))
        require(kind(first) == "warcinfo" and get(first, "WARC-Filename") == path.name, f"{path} does not begin with its warcinfo")
    return f"{len(archive.records)} members of {len(archive.files())} files"


def warcio_passes_each_digest(archive):
    """2"""
    done = run(environments.command("warcio"), "check", "-v", *archive.files())
    require(done.returncode == 0 and not done.stderr, f"exit {done.returncode}: {done.stderr}{[l for l in done.stdout.splitlines() if 'fail' in l or 'exc' in l][:5]}")
    records = [line.split() for line in done.stdout.splitlines() if "WARC-Record-ID" in line]
    verdicts = [line.strip() for line in done.stdout.splitlines() if line.startswith("    ")]
    require(len(records) == len(verdicts) == len(archive.records), f"{len(records)} records, {len(verdicts)} verdicts of {len(archive.records)}")
    for words, verdict in zip(records, verdicts):
        require(verdict == "digest pass" or words[-1] == "revisit", f"{words}: {verdict}")
    return f"{verdicts.count('digest pass')} digests"


def java(*arguments):
    return run("java", "-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", environments.classpath(), *arguments)


def jwarc_has_nothing_to_say(archive):
    """3: also its errors count that leave its exit at 0."""
    done = java("org.netpreserve.jwarc.tools.WarcTool", "validate", *archive.files())
    require(done.returncode == 0 and not done.stderr.strip(), f"exit {done.returncode}: {done.stderr[:1000]}{done.stdout[:300]}")
    return f"{len(archive.files())} files"


def jwat_has_nothing_to_say(archive):
    """3"""
    done = java(environments.HERE / "JwatCheck.java", *archive.files())
    require(done.returncode == 0, f"exit {done.returncode}: {(done.stdout + done.stderr)[:1500]}")
    records = sum(int(line.split()[0]) for line in done.stdout.splitlines())
    require(records == len(archive.records), f"JWAT reads {records} of {len(archive.records)}")
    return f"{records} records"


def fastwarc_finds_each_head(archive):
    """7: FastWARC takes a head apart only where it is one."""
    import io

    from fastwarc.warc import ArchiveIterator, WarcRecordType

    seen = 0
    for path in archive.files():
        for record in ArchiveIterator(io.BytesIO(path.read_bytes()), record_types=WarcRecordType.response, parse_http=True, strict_mode=True):
            require(record.http_headers is not None and record.http_headers.status_code, f"{path}: {record.record_id}: no status")
            require(len(record.reader.read()) == int(record.http_headers.get("Content-Length", "-1")), f"{path}: {record.record_id}: length")
            seen += 1
    require(seen == len(archive.of_type("response")), f"{seen} of {len(archive.of_type('response'))} responses")
    return f"{seen} heads"


def ids_are_unique_and_resolve(archive):
    """10"""
    ids = collections.Counter(get(record, "WARC-Record-ID") for record in archive.records_of_all)
    twice = [name for name, count in ids.items() if count > 1]
    require(not twice, f"{len(twice)} ids stand twice, as {twice[:2]}")
    resolved = 0
    for record in archive.records:
        for name, value in record.fields:
            if name in ("WARC-Concurrent-To", "WARC-Warcinfo-ID", "WARC-Refers-To"):
                require(value in ids, f"{record.file}: {record.offset}: {name} leads to no record: {value}")
                resolved += 1
    return f"{len(ids)} ids, {resolved} references"


def captures_hold_together(archive):
    """9: request, response or revisit, metadata stand together and have one date."""
    captures = 0
    for at, record in enumerate(archive.records):
        if kind(record) in ("response", "revisit"):
            request, metadata = archive.records[at - 1], archive.records[at + 1] if at + 1 < len(archive.records) else None
            near = [other for other in (request, metadata) if other and get(record, "WARC-Record-ID") in
                    [value for name, value in other.fields if name == "WARC-Concurrent-To"]]
            require(kind(request) == "request" and request in near, f"{record.file}: {record.offset}: its request does not stand before it")
            for other in near:
                require(other.file == record.file, f"{record.file}: a capture in two files")
                for name in ("WARC-Date", "WARC-Target-URI", "WARC-Warcinfo-ID"):
                    require(get(other, name) == get(record, name), f"{record.file}: {record.offset}: {kind(other)}: another {name}")
            captures += 1
    return f"{captures} captures"


def revisits_lead_to_their_originals(archive):
    """6: date, URI and digest of the original, to the letter."""
    by_id = {get(record, "WARC-Record-ID"): record for record in archive.records_of_all}
    counts = collections.Counter()
    for record in archive.of_type("revisit"):
        original = by_id.get(get(record, "WARC-Refers-To"))
        where = f"{record.file}: {record.offset}: {get(record, 'WARC-Target-URI')}"
        require(original is not None and kind(original) == "response", f"{where}: no original")
        require(get(record, "WARC-Refers-To-Date") == get(original, "WARC-Date"), f"{where}: another date than its original's")
        require(get(record, "WARC-Refers-To-Target-URI") == get(original, "WARC-Target-URI"), f"{where}: another URI than its original's")
        if record.block:
            require(get(record, "WARC-Payload-Digest") == get(original, "WARC-Payload-Digest"), f"{where}: another digest than its original's")
            size, _ = walk.check_head(record)
            require(size == len(walk.payload_of(original)), f"{where}: another length than its original's")
            require(size > 0, f"{where}: a revisit of nothing")
        counts[get(record, "WARC-Profile").rsplit("/", 1)[1]] += 1
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"


CHECKS = [members_are_records, warcio_passes_each_digest, jwarc_has_nothing_to_say, jwat_has_nothing_to_say, fastwarc_finds_each_head,
          ids_are_unique_and_resolve, captures_hold_together, revisits_lead_to_their_originals]
# These need warcio and FastWARC alone.
SMALL = [check for check in CHECKS if not check.__name__.startswith("j")]
