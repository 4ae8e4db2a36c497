"""Roots and answers to hold against the schemas: every verb, in every form, on crawls of many kinds.

`ask` is a function that runs `trawl VERB… --json` and takes the name of the schema that its answer must fit.
"""

import json
import os
import subprocess

from schemas.documents import documents_of


class Crawls:
    """Asks the program about crawls in `folder`, and hands each answer to `take(schema, value, where)`."""

    def __init__(self, build, folder, take):
        self.trawl = build / "trawl"
        self.web_binary = build / "tests/test_web"
        self.folder = folder
        self.take = take
        self.asked = set()  # verbs, as the first words of the commands
        self.faults = []
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("TRAWL_")}
        self.root = None
        self.now = []  # ["--now", TIME], for commands that do not name a time themselves

    def run(self, verb, *words, stdin=None):
        root = ["--root", str(self.root)] if self.root else []
        now = [] if "--now" in words else self.now
        command = [str(self.trawl), *verb.split(), *root, "--json", *now, *map(str, words)]
        return subprocess.run(command, env=self.environment, input=stdin or "", capture_output=True, text=True, timeout=120, cwd=self.folder)

    def ask(self, schema, verb, *words, stdin=None, exits=(0,), lines=False, may_be_empty=False):
        """Runs the verb, and takes each line of its answer."""
        self.asked.add(verb)
        done = self.run(verb, *words, stdin=stdin)
        where = f"trawl {verb} {' '.join(map(str, words))} --root {self.root}"
        if done.returncode not in exits:
            self.faults.append(f"{where}: exit {done.returncode}: {done.stderr.strip()[-300:]}")
            return []
        answers = []
        for line in done.stdout.splitlines():
            try:
                answers.append(json.loads(line))
            except ValueError:
                self.faults.append(f"{where}: not JSON: {line[:200]}")
                return []
            self.take(schema, answers[-1], where)
        if not answers and not may_be_empty:
            self.faults.append(f"{where}: no answer; {done.stderr.strip()[-300:]}")
        if len(answers) > 1 and not lines:
            self.faults.append(f"{where}: {len(answers)} lines instead of one object")
        return answers

    def documents(self):
        self.documents_in(self.root)

    def documents_in(self, folder):
        for schema, value, path in documents_of(folder):
            if schema is None:
                self.faults.append(f"{path}: a JSON file that no schema describes")
            else:
                self.take(schema, value, str(path))
