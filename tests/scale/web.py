"""A web of many hosts on one port of this machine: made pages with 30 links, or the files of a folder.

It stands in for the web where bytes and seconds per page are measured. No two pages
are equal. Every host has a robots.txt.
"""

import asyncio
import itertools
import random
import threading
from pathlib import Path
from typing import Optional

LINKS = 30


def made_pages(count: int, size: int) -> list[bytes]:
    """Pages of `size` bytes or a little more: of these a third is text, the rest markup and links."""
    words = random.Random(7)
    vocabulary = [
        "".join(words.choice("bdfgklmnprstv") + words.choice("aeiou") for _ in range(words.randint(1, 4)))
        for _ in range(4000)
    ]
    pages = []
    for number in range(count):
        page = ['<!doctype html><html lang="en"><head><meta charset="utf-8">']
        page.append(f"<title>Page {number} {words.choice(vocabulary)}</title></head><body>")
        for link in range(LINKS):
            href = f"/{link}-{words.choice(vocabulary)}.html"
            name = " ".join(words.choices(vocabulary, k=2))
            page.append(f'<nav><ul><li class="item"><a class="item-link" href="{href}">{name}</a></li></ul></nav>')
        length = sum(map(len, page))
        while length < size:
            text = " ".join(words.choices(vocabulary, k=40))
            block = f'<div class="block block-{words.randint(1, 9)}" data-track="{words.getrandbits(160):040x}">'
            block += f'<div class="inner" style="margin:0 auto"><p class="text text--body">{text}.</p></div>'
            block += f'<script>window.push({{"id":"{words.getrandbits(320):080x}","slot":{length}}})</script></div>'
            page.append(block)
            length += len(block)
        pages.append("".join(page).encode())
    return pages


class Web:
    """Serves until `end`. Host i is h<i>.test; each path has a page."""

    def __init__(self, hosts: int, folder: Optional[Path] = None, size: int = 65_536):
        self.hosts = hosts
        files = sorted(folder.glob("*.html")) if folder else []
        self.pages = [path.read_bytes() for path in files] or made_pages(64, size)
        self.requests = itertools.count()
        self.loop = asyncio.new_event_loop()
        self.server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=2048))
        self.port: int = self.server.sockets[0].getsockname()[1]
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def end(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()

    def write_hosts(self, path: Path) -> None:
        with open(path, "w") as file:
            for begin in range(0, self.hosts, 100):
                names = " ".join(f"h{host}.test" for host in range(begin, min(begin + 100, self.hosts)))
                file.write(f"127.0.0.1:{self.port} {names}\n")

    def write_seeds(self, path: Path, pages: int) -> None:
        path.write_text("".join(f"http://h{number % self.hosts}.test/{number}.html\n" for number in range(pages)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                path = head.split(b" ", 2)[1]
                if path == b"/robots.txt":
                    status, content_type, body = b"200 OK", b"text/plain", b"User-agent: *\nDisallow: /private/\n"
                else:
                    number = next(self.requests)
                    status, content_type = b"200 OK", b"text/html; charset=utf-8"
                    body = self.pages[number % len(self.pages)] + b"<p>number %d on %s</p>" % (number, path)
                writer.write(
                    b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n" % (status, content_type, len(body))
                    + body
                )
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()
