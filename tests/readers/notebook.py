"""Runs the blocks of examples/notebook.md in their order, the shell's and Python's, as a reader of the page would."""

import contextlib
import io
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
PAGE = REPOSITORY / "examples" / "notebook.md"
PORT = "8099"
FEWEST_BLOCKS = 9


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return str(free.getsockname()[1])


class Notebook:
    """A folder in which the blocks run. The page's port is another one here, so that two tests do not meet."""

    def __init__(self, build, folder):
        self.folder = folder
        kept = {name: value for name, value in os.environ.items() if not name.startswith("TRAWL_")}
        self.environment = kept | {"PATH": f"{build}:{os.environ['PATH']}", "SOURCES": str(REPOSITORY)}
        self.blocks = re.findall(r"^```(sh|python)\n(.*?)^```$", PAGE.read_text().replace(PORT, free_port()), flags=re.MULTILINE | re.DOTALL)

    def run(self):
        """What Python prints. A block that fails ends it with what it said."""
        if len(self.blocks) < FEWEST_BLOCKS:
            raise SystemExit(f"{PAGE.name} has {len(self.blocks)} blocks")
        printed, names, before = io.StringIO(), {}, os.getcwd()
        sys.path.insert(0, str(REPOSITORY / "deploy" / "python"))
        os.chdir(self.folder)
        try:
            with contextlib.redirect_stdout(printed):
                for language, block in self.blocks:
                    if language == "sh":
                        self.shell(block)
                    else:
                        exec(compile(block, PAGE.name, "exec"), names)
        finally:
            os.chdir(before)
            self.shell('[ ! -f server ] || kill "$(cat server)" 2> /dev/null || true')
        return printed.getvalue()

    def shell(self, block):
        with open(self.folder / "said", "w+") as said:  # no pipe, which the server would hold open
            done = subprocess.run(["bash", "-eu", "-c", block], env=self.environment, cwd=self.folder, stdout=said, stderr=subprocess.STDOUT,
                                  timeout=120)
            said.seek(0)
            if done.returncode != 0:
                raise SystemExit(f"{PAGE.name}: exit {done.returncode}\n{block}{said.read()[-2000:]}")

    def charts(self):
        """Whether both charts are there, and are what their names say."""
        png, svg = self.folder / "links.png", self.folder / "links.svg"
        return png.read_bytes().startswith(b"\x89PNG") and png.stat().st_size > 10_000 and svg.read_text().count("harbour.html") > 0
