"""A finished archive as its checkers see it: files, records, lines of the index."""

import gzip
import json
from collections import namedtuple
from functools import cached_property
from pathlib import Path

from archive_checks import walk

Line = namedtuple("Line", "text key timestamp facts")
SUBSETS = ("warc", "crawldiagnostics", "robotstxt")


class Archive:
    """One NAME in DIR, what the web sent, the crawl, and what `trawl archive --json` said (each None where there is none)."""

    def __init__(self, folder, name, web=None, root=None, report=None):
        self.folder, self.name, self.web, self.root, self.report = Path(folder), name, web, root, report

    @cached_property
    def names(self):
        """All names in the folder: revisits may point to earlier ones."""
        return sorted(path.name for path in (self.folder / "crawl-data").iterdir())

    def files(self, *subsets, name=None):
        """Paths of WARC files below the folder, in order."""
        found = []
        for subset in subsets or SUBSETS:
            found += (self.folder / "crawl-data" / (name or self.name)).glob(f"segments/*/{subset}/*.gz")
        return sorted(found)

    def relative(self, path):
        return str(Path(path).relative_to(self.folder))

    @cached_property
    def segments(self):
        """Of all names, in the order of their rounds."""
        return sorted({path.name for name in self.names for path in (self.folder / "crawl-data" / name / "segments").iterdir()})

    def sent_for(self, record):
        """What the web sent for this capture: (day, Answer, …); None where it notes nothing."""
        day = self.segments.index(Path(record.file).parent.parent.name)
        sent = [sent for sent in self.web.sent_to(walk.get(record, "WARC-Target-URI")) if sent[0] == day]
        return sent[-1] if sent else None

    @cached_property
    def records(self):
        return [record for path in self.files() for record in walk.read(path)]

    @cached_property
    def records_of_all(self):
        return [record for name in self.names for path in self.files(name=name) for record in walk.read(path)]

    def of_type(self, *types):
        return [record for record in self.records if walk.kind(record) in types]

    def captures(self):
        return self.of_type("response", "revisit", "resource")

    @cached_property
    def indexes(self):
        return self.folder / "cc-index/collections" / self.name / "indexes"

    @cached_property
    def shards(self):
        return sorted(self.indexes.glob("cdx-*.gz"))

    @cached_property
    def lines(self):
        lines = []
        for shard in self.shards:
            for text in gzip.decompress(shard.read_bytes()).decode("ascii").splitlines():
                key, timestamp, facts = text.split(" ", 2)
                lines.append(Line(text, key, timestamp, json.loads(facts)))
        return lines

    @cached_property
    def table(self):
        return self.folder / "cc-index/table/trawl/warc"

    def record_at(self, line):
        """The record to which a line of the index points, cut out of its file."""
        path = self.folder / line.facts["filename"]
        with open(path, "rb") as file:
            file.seek(int(line.facts["offset"]))
            data = file.read(int(line.facts["length"]))
        return walk.read_member(path, int(line.facts["offset"]), len(data), gzip.decompress(data))


def timestamp14(date):
    """WARC-Date, cut to seconds."""
    return "".join(letter for letter in date[:19] if letter.isdigit())
