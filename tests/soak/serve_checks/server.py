"""A `trawl serve` on a root of its own, clients of it, and the verbs beside it."""

import http.client
import json
import os
import re
import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path

QUICK = bool(os.environ.get("SOAK_QUICK"))
BUILD = Path(os.environ["SOAK_BUILD"]).absolute()
FOLDER = Path(os.environ["SOAK_FOLDER"]).absolute()
TRAWL = str(BUILD / "trawl")
# SOAK_ROOT: a root elsewhere, hdfs://… or s3://…; it must be new.
ROOT = os.environ.get("SOAK_ROOT") or str(FOLDER / "crawl")
# The binary takes these variables as options.
for _name in [name for name in os.environ if name.startswith("TRAWL_") and name != "TRAWL_CACHE"]:
    del os.environ[_name]


# What is to be done before all ends by a failure.
AT_FAILURE = []


def fail(text):
    """Ends the process from any thread."""
    print(f"FAILED {text}", flush=True)
    for act in reversed(AT_FAILURE):
        act()
    os._exit(1)  # whatever threads there are; a test web ends with its standard input


def lines(*arguments, expected=(0,), root=None):
    """The JSON values that a verb prints."""
    words = [TRAWL, *map(str, arguments), "--root", root or ROOT, "--json"]
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode not in expected:
        fail(f"{' '.join(words)}: exit {done.returncode}: {done.stderr}")
    return [json.loads(line) for line in done.stdout.splitlines() if line]


def trawl(*arguments, expected=(0,), root=None):
    """The JSON value that a verb prints."""
    printed = lines(*arguments, expected=expected, root=root)
    return printed[-1] if printed else {}


class Web:
    """The test web; it lives as long as its standard input is open."""

    def __init__(self, *arguments, name="hosts"):
        self.hosts_file = str(FOLDER / name)
        self.process = subprocess.Popen(
            [str(BUILD / "tests" / "test_web"), *map(str, arguments), "--hosts_file", self.hosts_file],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        while not Path(self.hosts_file).exists():
            time.sleep(0.05)

    def options(self):
        return ["--contact", "soak@trawl.example", "--fetch.allow_private", "--fetch.hosts_file", self.hosts_file]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Server:
    def __init__(self, *options, root=None):
        self.options = options
        self.root = root or ROOT
        self.token = secrets.token_hex(16)
        self.token_file = FOLDER / "token"
        self.token_file.touch(0o600)
        self.token_file.write_text(self.token + "\n")
        self.process = None
        self.port = None
        AT_FAILURE.append(self.kill)

    def start(self):
        self.process = subprocess.Popen(
            [TRAWL, "serve", "--root", self.root, "--serve.listen", "127.0.0.1:0", "--serve.token_file", str(self.token_file),
             *self.options], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.said = []
        for line in self.process.stderr:
            self.said.append(line)
            found = re.search(r"listening on https?://127\.0\.0\.1:(\d+)", line)
            if found:
                self.port = int(found[1])
                # Whatever it says from now on must not fill the pipe.
                threading.Thread(target=self.said.extend, args=(self.process.stderr,), daemon=True).start()
                return
        fail("trawl serve did not start: " + "".join(self.said))

    def rss_mb(self):
        """The most that it had so far, in MiB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def kill(self):
        if self.process is not None:
            self.process.kill()
            self.process.wait()

    def stop(self):
        """Asks it to end. Returns its exit code and how long it took."""
        begin = time.monotonic()
        self.process.terminate()
        code = self.process.wait(timeout=60)
        return code, time.monotonic() - begin


class Client:
    """One connection, opened again where it was closed. One thread."""

    def __init__(self, server):
        self.server = server
        self.connection = None

    def ask(self, method, target, body=None, headers=None, timeout=60):
        """Returns status, headers and bytes. Raises OSError or HTTPException where there is no answer."""
        all_headers = {"Authorization": "Bearer " + self.server.token, **(headers or {})}
        payload = None
        if body is not None:
            payload = json.dumps(body)
            all_headers["Content-Type"] = "application/json"
        for attempt in (1, 2):
            is_old = self.connection is not None
            if not is_old:
                self.connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=timeout)
            try:
                self.connection.request(method, target, payload, all_headers)
                answer = self.connection.getresponse()
                data = answer.read()
                if answer.will_close:
                    self.close()
                return answer.status, dict((name.lower(), value) for name, value in answer.getheaders()), data
            except (OSError, http.client.HTTPException):
                self.close()
                # A connection that waited between two requests may have been closed.
                if not is_old or attempt == 2:
                    raise
        return None

    def get(self, target, headers=None):
        return self.ask("GET", target, headers=headers)

    def close(self):
        if self.connection is not None:
            self.connection.close()
        self.connection = None
