"""A fresh crawl of the site of site.py, over two days a week apart."""

import json
import os
import subprocess

from readers.site import Site

FIRST = "2026-01-05T09:00:00Z"
SECOND = "2026-01-12T09:00:00Z"


class Crawled:
    """`root` is a crawl in that folder, made by the program in the folder of a build."""

    def __init__(self, build, folder):
        self.trawl, self.folder, self.root = build / "trawl", folder, folder / "crawl"
        site = Site()
        try:
            hosts_file = folder / "hosts"
            hosts_file.write_text("".join(f"{address} {host}\n" for host, address in site.hosts.items()))
            options = ["--fetch.allow_private", "--fetch.hosts_file", hosts_file, "--fetch.delay_ms", "0", "--contact", "me@me.example",
                       "--fetch.max_body", "32KiB", "--fetch.retry_after", "100ms", "--fetch.idle_wait", "1s"]
            for day, now in enumerate((FIRST, SECOND)):
                site.begin_day(day)
                # The second day leaves pages that it found, and did not fetch yet.
                self.say("crawl", *(site.seeds if day == 0 else []), "--rounds", "8" if day == 0 else "1", "--now", now, *options, ok=(0, 1))
            self.say("settle", "--now", SECOND)
            self.say("graph", "--now", SECOND)
        finally:
            site.end()

    def environment(self):
        """Without variables that the program takes for options; with the program in the path, and the crawl as its root."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TRAWL_")}
        return kept | {"PATH": f"{self.trawl.parent}:{os.environ['PATH']}", "TRAWL_ROOT": str(self.root)}

    def say(self, *words, ok=(0,)):
        """What a verb prints."""
        done = subprocess.run([self.trawl, *map(str, words)], env=self.environment(), cwd=self.folder, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=120)
        if done.returncode not in ok:
            raise SystemExit(f"trawl {' '.join(map(str, words))}: exit {done.returncode}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        return done.stdout

    def lines(self, *words, ok=(0, 1)):
        """The objects that a verb prints, one per line."""
        return [json.loads(line) for line in self.say(*words, ok=ok).splitlines()]
