"""A crawl of the difficult web in three rounds, and archives of it."""

import hashlib
import json
import subprocess
from pathlib import Path

from archive_checks.archive import Archive
from archive_checks.walk import Fault, require

DAYS = ["2026-01-01T00:00:00Z", "2026-03-01T00:00:00Z", "2026-05-01T00:00:00Z"]


class Crawl:
    def __init__(self, trawl, folder, web):
        self.trawl, self.folder, self.web = str(trawl), Path(folder), web
        self.root = self.folder / "crawl"

    def run(self, *arguments, code=0, environment=None):
        done = subprocess.run([self.trawl, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        if done.returncode != code:
            raise Fault(f"trawl {' '.join(map(str, arguments))}: exit {done.returncode}: {(done.stderr or done.stdout)[-2000:]}")
        return done.stdout

    def rounds(self, days=DAYS):
        self.folder.mkdir(parents=True, exist_ok=True)
        seeds = self.folder / "seeds"
        seeds.write_text("".join(url + "\n" for url in self.web.seeds()))
        self.run("inject", seeds, "--root", self.root, "--now", days[0], "--quiet")
        for day, now in enumerate(days):
            self.web.day = day
            for verb in ("generate", "fetch", "parse", "updatedb"):
                self.run(verb, "--root", self.root, "--now", now, "--quiet", *(self.web.options() if verb == "fetch" else []))

    def segments(self):
        return sorted(path.name for path in (self.root / "segments").iterdir())

    def archive(self, folder, name, *more, environment=None):
        out = self.run("archive", folder, "--name", name, "--root", self.root, "--json", *more, environment=environment)
        return Archive(folder, name, self.web, self.root, json.loads(out))


def digests(folder):
    """Each file of an archive that others read, with the digest of its bytes."""
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(Path(folder).rglob("*"))
            if path.is_file() and not path.relative_to(folder).parts[0].startswith("_trawl")}


def require_same_bytes(folder, expected, what):
    there = digests(folder)
    different = [name for name in sorted(set(there) | set(expected)) if there.get(name) != expected.get(name)]
    require(not different, f"{what}: {len(different)} files differ, as {different[:3]}")
