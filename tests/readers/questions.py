"""The questions of docs/sql.md: their SQL, and the verbs that answer them."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "sql.md"


@dataclass(frozen=True)
class Question:
    title: str
    sql: str
    verb: str


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


class Questions:
    """`exports` are shell commands that write what the statements of `views` read; `variables` come before each shell command."""

    def __init__(self, page=PAGE):
        head, *chapters = re.split(r"^### ", page.read_text(), flags=re.MULTILINE)
        self.exports = re.findall(r"^    (trawl .*?)(?: +#.*)?$", head, flags=re.MULTILINE)
        (self.variables,) = blocks(head, "sh")
        (self.views,) = blocks(head, "sql")
        self.all = []
        for chapter in chapters:
            (sql,), (verb,) = blocks(chapter, "sql"), blocks(chapter, "sh")
            self.all.append(Question(chapter.splitlines()[0], sql, verb))

    def shell(self, crawled, command):
        done = subprocess.run(["bash", "-eu", "-c", f"{self.variables}\n{command}"], env=crawled.environment(), cwd=crawled.folder,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120)
        if done.returncode != 0:
            raise SystemExit(f"{command}\nexit {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-1000:]}")
        return done.stdout

    def export(self, crawled):
        for command in self.exports:
            self.shell(crawled, command)

    def connect(self, crawled):
        """A connection of DuckDB that has the views."""
        import duckdb
        connection = duckdb.connect()
        connection.execute(f"set file_search_path = '{crawled.folder}'")
        connection.execute(self.views)
        return connection

    def by_verb(self, crawled, question):
        return in_order([json.loads(line) for line in self.shell(crawled, question.verb).splitlines()])

    @staticmethod
    def by_sql(connection, question):
        found = connection.sql(question.sql)
        return in_order([dict(zip(found.columns, row)) for row in found.fetchall()])


def in_order(rows):
    return sorted(rows, key=lambda row: json.dumps(row, sort_keys=True))
