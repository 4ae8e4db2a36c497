"""Measures fetch and parse, and what follows them, on the pages of a web on this machine, in one round."""

from pathlib import Path
from typing import Any, Callable, Optional

from scale.jobs import Crawl
from scale.measure import Word, files_in
from scale.web import Web

FETCH = ["--contact", "https://scale.example/", "--fetch.allow_private", "--fetch.delay_ms", "0", "--fetch.hosts_file"]


def measure(
    crawl: Crawl, pages: int, html: Optional[Path], size: int, report: Callable[[dict[str, Any]], None]
) -> None:
    web = Web(max(pages // 20, 1), html, size)
    root, out = Path(crawl.root), crawl.folder / "out"
    hosts, seeds = crawl.folder / "hosts", crawl.folder / "seeds.txt"
    try:
        web.write_hosts(hosts)
        web.write_seeds(seeds, pages)
        steps: list[tuple[str, str, list[Word]]] = [
            ("inject", "inject", [seeds]),
            ("generate", "generate", ["--top_n", pages, "--time_limit", "12h", "--fetch.delay_ms", "0"]),
            ("fetch", "fetch", [*FETCH, hosts]),
            ("parse", "parse", []),
            ("updatedb", "updatedb", []),
            ("settle", "settle", []),
            ("export pages", "export", ["pages", out]),
            ("archive", "archive", [out / "warc", "--name", "scale"]),
        ]
        for name, verb, arguments in steps:
            before = files_in(root) if root.exists() else None
            cost = crawl.trawl(verb, *arguments)
            after = files_in(root)
            report(
                {
                    "job": name,
                    "pages": pages,
                    "page_bytes": sum(map(len, web.pages)) // len(web.pages),
                    "cpu_seconds": round(cost.cpu_seconds, 3),
                    "wall_seconds": round(cost.wall_seconds, 1),
                    "peak_mib": round(cost.peak_mib),
                    "files": after.files - (before.files if before else 0),
                    "bytes": after.size - (before.size if before else 0),
                    "out_bytes": files_in(out).size if out.exists() else 0,
                }
            )
        folders = {
            path.name: files_in(path).size
            for segment in (root / "segments").iterdir()
            for path in segment.iterdir()
            if path.is_dir()
        }
        report({"job": "segment", "pages": pages, "bytes_by_dataset": folders})
    finally:
        web.end()
