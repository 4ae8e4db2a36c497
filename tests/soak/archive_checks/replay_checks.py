"""5, 6, 15: pywb replays an archive over HTTP on loopback, from the ZipNum index and the files in place."""

import collections
import contextlib
import email.utils
import json
import re
import socket
import subprocess
import tempfile
import time
import urllib.parse
import urllib.request
from pathlib import Path

from archive_checks import environments, walk
from archive_checks.walk import get, kind, require

COLLECTION = "all"


class Replay:
    def __init__(self, port, process, log):
        self.port, self.process, self.log = port, process, log

    def get(self, timestamp, url):
        """Status, fields and decoded body, by curl as a reader would ask."""
        # Two replies differ by their heads alone, hence the file.
        with tempfile.NamedTemporaryFile() as heads:
            done = subprocess.run(["curl", "-s", "-S", "--compressed", "--globoff", "--path-as-is", "--max-time", "30", "-D", heads.name,
                                   f"http://127.0.0.1:{self.port}/{COLLECTION}/{timestamp}id_/{url}"], capture_output=True)
            require(done.returncode == 0, f"{timestamp} {url}: curl exit {done.returncode}: {done.stderr.decode()}")
            lines = Path(heads.name).read_bytes().decode("latin-1").split("\r\n\r\n")[0].split("\r\n")
        fields = collections.defaultdict(list)
        for line in lines[1:]:
            name, _, value = line.partition(":")
            fields[name.lower()].append(value.strip())
        return int(lines[0].split(" ")[1]), fields, done.stdout

    def index(self, **query):
        text = urllib.request.urlopen(f"http://127.0.0.1:{self.port}/{COLLECTION}/cdx?" + urllib.parse.urlencode(query), timeout=30).read().decode()
        return [json.loads(line) for line in text.splitlines()] if query.get("output") == "json" else text.splitlines()


@contextlib.contextmanager
def replay(archive):
    """Serves all names of the archive's folder as one collection."""
    with tempfile.TemporaryDirectory(prefix="replay-") as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        group = "".join(f"      n{number}: {{type: zipnum, path: {archive.folder}/cc-index/collections/{name}/indexes/cluster.idx}}\n"
                        for number, name in enumerate(archive.names))
        Path(folder, "config.yaml").write_text(f"collections:\n  {COLLECTION}:\n    index_group:\n{group}    archive_paths: {archive.folder}/\n")
        with open(Path(folder, "log"), "wb") as log:
            process = subprocess.Popen([environments.command("wayback"), "-b", "127.0.0.1", "-p", str(port), "-d", folder], stdout=log, stderr=log)
        try:
            for _ in range(300):
                with socket.socket() as probe:
                    if probe.connect_ex(("127.0.0.1", port)) == 0:
                        break
                require(process.poll() is None, Path(folder, "log").read_text()[-2000:])
                time.sleep(0.1)
            yield Replay(port, process, Path(folder, "log"))
        finally:
            process.terminate()
            process.wait()


def memento(fields):
    return "".join(re.findall(r"\d+", email.utils.parsedate_to_datetime(fields["memento-datetime"][0]).strftime("%Y %m %d %H %M %S"))) \
        if fields["memento-datetime"] else None


def replay_gives_the_bytes(archive):
    """Each capture at its own second: bytes, status, time. A revisit gives its original's bytes under its own time."""
    by_id = {get(record, "WARC-Record-ID"): record for record in archive.records_of_all}
    seconds = collections.Counter((line.key, line.timestamp) for line in archive.lines)
    counts = collections.Counter()
    with replay(archive) as server:
        for line in archive.lines:
            if seconds[line.key, line.timestamp] > 1:
                counts["two in one second, not asked"] += 1
                continue
            if re.search("%0[0-9a-f]|%1[0-9a-f]", line.facts["url"], re.IGNORECASE):
                # pywb puts the URL into a field of its answer, and then refuses to send that.
                counts["with control characters in the URL, not asked"] += 1
                continue
            record = archive.record_at(line)
            original = by_id[get(record, "WARC-Refers-To")] if kind(record) == "revisit" else record
            expected = walk.payload_of(original)
            status = int(original.block.split(b" ")[1][:3]) if kind(original) == "response" else 200
            code, fields, body = server.get(line.timestamp, line.facts["url"])
            where = f"{line.timestamp} {line.facts['url']} ({kind(record)})"
            if 300 <= status < 400:
                counts[f"status {status // 100}xx"] += 1
                continue
            require(code == status, f"{where}: status {code} for {status}: {body[:300]}")
            require(memento(fields) == line.timestamp, f"{where}: pywb took the capture of {memento(fields)}")
            kept = walk.http_fields(original, "Content-Encoding") if kind(original) == "response" else []
            require(fields["content-encoding"] in ([], kept), f"{where}: Content-Encoding {fields['content-encoding']}")
            require(body == expected, f"{where}: {len(body)} bytes for {len(expected)}")
            require(fields["content-length"] in ([], [str(len(expected))]), f"{where}: Content-Length {fields['content-length']}")
            counts[f"{kind(record)} {get(record, 'WARC-Profile').rsplit('/', 1)[1]}" if kind(record) == "revisit" else kind(record)] += 1
    require(counts["response"], "nothing was replayed")
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))


def pywb_finds_by_blocks(archive):
    """15: first and last keys, those at the borders of blocks, absent ones; by prefix, host and page."""
    ours = archive.lines
    borders = {0, len(ours) - 1}
    at = 0
    for shard in archive.shards:
        for _, _, content in walk.members(shard):
            borders |= {at, at + content.count(b"\n") - 1}
            at += content.count(b"\n")
    by_url = collections.Counter(line.key for line in ours)
    with replay(archive) as server:
        for number in sorted(borders)[:200]:
            line = ours[number]
            found = server.index(url=line.facts["url"], output="json")
            require(any(one["timestamp"] == line.timestamp and one["offset"] == line.facts["offset"] for one in found), f"{line.text[:200]}: not found")
            if len(archive.names) == 1:
                require(len(found) == by_url[line.key], f"{line.facts['url']}: {len(found)} captures of {by_url[line.key]}")
        require(server.index(url="http://absent.none.test/x") == [], "an absent key was found")
        hosts = collections.Counter(line.key.split(")")[0] for line in ours)
        asked = 0
        for line in {line.key.split(")")[0]: line for line in ours}.values():
            host = urllib.parse.urlsplit(line.facts["url"]).netloc
            if ":" in host:
                continue
            found = server.index(url=f"http://{host}/", matchType="prefix", output="json", limit=1_000_000)
            expected = hosts[line.key.split(")")[0]]
            require(len(found) == expected if len(archive.names) == 1 else len(found) >= expected, f"{host}: {len(found)} captures of {expected}")
            asked += 1
        pages = len(archive.names) > 1 or json.loads(urllib.request.urlopen(
            f"http://127.0.0.1:{server.port}/{COLLECTION}/cdx?url=*.test&showNumPages=true&output=json", timeout=30).read())
        require(pages, "no pages")
    return f"{len(borders)} borders, {asked} hosts"


CHECKS = [replay_gives_the_bytes, pywb_finds_by_blocks]
