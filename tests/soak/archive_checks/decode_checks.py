"""4: strict decoders read what was stored. Nobody else notices a body that is decoded under a head that says it is not."""

import io
import subprocess

from archive_checks import environments, walk
from archive_checks.walk import Fault, get, require

# jwarc starts a Java for each record.
BY_JWARC = 60
# Codings of the web that no reader knows.
UNKNOWN = ("snow", "sn\xef\xbf\xbdw")


def payload_by_fastwarc(record):
    """Decoded by whatever its head names. A coding that nobody knows it refuses, as it should: then the bytes as they are."""
    from fastwarc.warc import ArchiveIterator

    with open(record.file, "rb") as file:
        file.seek(record.offset)
        data = file.read(record.length)
    decode = "none" if has_unknown_coding(record) else "all"
    return next(iter(ArchiveIterator(io.BytesIO(data), parse_http=True, auto_decode=decode))).reader.read()


def has_unknown_coding(record):
    return any(coding in UNKNOWN for field in walk.http_fields(record, "Content-Encoding") for coding in field.split(", "))


def fastwarc_decodes_all(archive):
    """4: by FastWARC alone."""
    responses = archive.of_type("response")
    for record in responses:
        try:
            payload = payload_by_fastwarc(record)
        except (OSError, ValueError) as error:
            raise Fault(f"{record.file}: {get(record, 'WARC-Target-URI')}: FastWARC: {error}") from None
        require(payload == walk.payload_of(record), f"{record.file}: {get(record, 'WARC-Target-URI')}: FastWARC decodes it to another body")
    return f"{len(responses)} bodies by FastWARC"


def strict_decoders_read_what_was_stored(archive):
    """4: FastWARC decodes all of them, jwarc one of each kind of head."""
    decoded = fastwarc_decodes_all(archive)
    extracted = 0
    for record in one_of_each_kind(archive):
        done = subprocess.run(["java", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", environments.classpath(),
                               "org.netpreserve.jwarc.tools.WarcTool", "extract", "--payload", record.file, str(record.offset)], capture_output=True)
        if has_unknown_coding(record):
            continue
        require(done.returncode == 0 and done.stdout == walk.payload_of(record), f"{get(record, 'WARC-Target-URI')}: jwarc: {done.stderr[-500:]}")
        extracted += 1
    return f"{decoded}, {extracted} by jwarc"


def one_of_each_kind(archive):
    """A record for each set of names of fields in its head."""
    kinds = {}
    for record in archive.of_type("response"):
        lines, payload = walk.split_http(record.block)
        names = tuple(sorted(line.split(b":")[0].lower() for line in lines[1:]))
        codings = tuple(walk.http_fields(record, "X-Crawler-Content-Encoding"))
        kinds.setdefault((lines[0].split()[1], names, codings, payload == b""), record)
    return list(kinds.values())[:BY_JWARC]
