"""Counts what the jobs ask of an S3 server: it writes a line into its log for each request."""

import os
import re
import secrets
import socket
import subprocess
import time
from collections import Counter
from pathlib import Path
from typing import Any, Callable

from scale import jobs
from scale.measure import Failure

BUCKET, REGION = "scale", "us-east-1"
OPERATION = re.compile(r" s3_(?P<name>[A-Z][A-Za-z0-9]*) ")
# As price lists divide requests; those that delete or abort cost nothing.
KINDS = (("List", "list"), ("Get", "get"), ("Head", "head"), ("Delete", "delete"), ("Abort", "delete"))


def kind_of(operation: str) -> str:
    return next((kind for begin, kind in KINDS if operation.startswith(begin)), "put")


class Server:
    def __init__(self, program: Path, folder: Path):
        self.log = folder / "access.log"
        self.port = _free_port()
        (folder / "buckets" / BUCKET).mkdir(parents=True)
        self.environment = {
            **os.environ,
            "ROOT_ACCESS_KEY_ID": "SCALE" + secrets.token_hex(8),
            "ROOT_SECRET_ACCESS_KEY": secrets.token_urlsafe(30),
        }
        words = [
            "nice",
            "-n",
            "19",
            str(program),
            "--port",
            f"127.0.0.1:{self.port}",
            "--region",
            REGION,
            "--quiet",
            "--access-log",
            str(self.log),
            "posix",
            str(folder / "buckets"),
        ]
        self.process = subprocess.Popen(
            words, env=self.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        for _ in range(300):
            if self.process.poll() is not None:
                raise Failure("the S3 server does not start")
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.1)
        self.end()
        raise Failure("the S3 server does not answer")

    def end(self) -> None:
        self.process.terminate()
        self.process.wait()

    @property
    def root(self) -> str:
        return f"s3://{BUCKET}/crawl?endpoint_override=127.0.0.1:{self.port}&scheme=http&region={REGION}"

    @property
    def client(self) -> dict[str, str]:
        names = {name: value for name, value in os.environ.items() if not name.startswith("TRAWL_")}
        return {
            **names,
            "AWS_ACCESS_KEY_ID": self.environment["ROOT_ACCESS_KEY_ID"],
            "AWS_SECRET_ACCESS_KEY": self.environment["ROOT_SECRET_ACCESS_KEY"],
            "AWS_EC2_METADATA_DISABLED": "true",
        }

    def counts(self) -> Counter[str]:
        counts: Counter[str] = Counter()
        if self.log.exists():
            for line in self.log.read_text(errors="replace").splitlines():
                if found := OPERATION.search(line):
                    counts[kind_of(found["name"])] += 1
        return counts


def _free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return int(bound.getsockname()[1])


def measure(
    build: Path, folder: Path, urls: int, seed: int, without: set[str], report: Callable[[dict[str, Any]], None]
) -> None:
    program = Path(os.environ.get("TRAWL_CACHE") or Path.home() / ".cache/trawl") / "s3/versitygw"
    if not program.exists():
        raise Failure(f"{program} is missing: run cluster/setup, with Go")
    server = Server(program, folder)
    try:
        seen = Counter[str]()

        def with_requests(record: dict[str, Any]) -> None:
            now = server.counts()
            report({**record, "requests": dict(sorted((now - seen).items()))})
            seen.clear()
            seen.update(server.counts())  # looking asked, too

        jobs.measure(jobs.Crawl(build, folder, server.root, server.client), urls, seed, without, with_requests)
    finally:
        server.end()
