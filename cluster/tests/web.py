"""The test web as a process: sites on loopback whose log tells which pages were requested, and when."""

import json
import subprocess
import urllib.request
from collections import defaultdict
from pathlib import Path

MARK = "/mark/"

# An entry of the log: host, path, start_ms and end_ms (null while it is in flight), whole.
Entry = dict


class Web:
    def __init__(self, binary: Path, folder: Path, **options: object):
        folder.mkdir(parents=True)
        self.folder = folder
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self.process = subprocess.Popen([str(binary), *words, "--hosts_file", str(folder / "hosts"), "--log", str(folder / "log")],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.where = json.loads(self.process.stdout.readline())

    @property
    def hosts_file(self) -> Path:
        return self.folder / "hosts"

    @property
    def seeds(self) -> list[str]:
        """The first page of each host."""
        return self.where["seeds"]

    def url(self, host: int, page: int) -> str:
        return f"http://h{host}.test/" + (f"p/{page}.html" if page else "")

    def log(self) -> list[Entry]:
        """The requests so far, in order, marks included."""
        self.process.stdin.write("log\n")
        self.process.stdin.flush()
        self.process.stdout.readline()
        entries = [json.loads(line) for line in (self.folder / "log").read_text().splitlines()]
        return sorted(entries, key=lambda entry: entry["start_ms"])

    def day(self, day: int) -> None:
        """Lets that day come on the sites that change by the day (options `dated` and `twins`)."""
        self.process.stdin.write(f"day {day}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()

    def mark(self) -> float:
        """The time now, by the log's clock."""
        name = f"{MARK}{len(self.log())}"
        request = urllib.request.Request(f"http://{self.where['hosts']['h0.test']}{name}", headers={"Host": "h0.test"})
        try:
            urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=30).read()
        except urllib.error.HTTPError:
            pass
        return next(entry["start_ms"] for entry in self.log() if entry["path"] == name)

    def end(self) -> None:
        self.process.stdin.close()
        self.process.wait()


def by_host(entries: list[Entry], since_ms: float = 0) -> dict[str, list[Entry]]:
    hosts = defaultdict(list)
    for entry in entries:
        if entry["start_ms"] >= since_ms and not entry["path"].startswith(MARK):
            hosts[entry["host"]].append(entry)
    return hosts


def shortest_gap_ms(hosts: dict[str, list[Entry]]) -> float:
    """The shortest time from an answer's end to the next request to its host; negative where two were in flight at once.

    An answer whose client was killed ends when the server noticed that.
    """
    gaps = [later["start_ms"] - (earlier["end_ms"] if earlier["end_ms"] is not None else earlier["start_ms"])
            for entries in hosts.values() for earlier, later in zip(entries, entries[1:])]
    return min(gaps, default=float("inf"))


def asked_twice(hosts: dict[str, list[Entry]]) -> list[tuple[Entry, Entry]]:
    """Each repeated request for a page, with the one before it; robots.txt, which attempts may repeat, is left out."""
    repeated = []
    for entries in hosts.values():
        seen: dict[str, Entry] = {}
        for entry in entries:
            if entry["path"] in seen and entry["path"] != "/robots.txt":
                repeated.append((seen[entry["path"]], entry))
            seen[entry["path"]] = entry
    return repeated
