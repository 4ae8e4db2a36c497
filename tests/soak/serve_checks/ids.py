"""The paths of the API's endpoints, and what stands for the names in them."""

import json
import random
import re
import threading
from urllib.parse import quote

from serve_checks.server import fail


def templates_of(client):
    """The paths that are read, with names in braces, as the server itself lists them."""
    status, _, document = client.get("/openapi.json")
    if status != 200:
        fail(f"/openapi.json: {status}")
    return sorted(path for path, methods in json.loads(document)["paths"].items() if "get" in methods)


def items(body):
    """The rows of a list: its one member that is an array."""
    return next((value for value in body.values() if isinstance(value, list)), [])


class Ids:
    """What stands for the names in the paths of endpoints, as lists have told it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.known = {}

    def learn(self, path, body):
        with self.lock:
            for row in items(body)[:50]:
                if not isinstance(row, dict):
                    continue
                for member in ("id", "domain", "host", "segment", "job"):
                    if isinstance(row.get(member), str):
                        kept = self.known.setdefault((path.rstrip("/").rsplit("/", 1)[-1], member), [])
                        kept.append(row[member])
                        del kept[:-200]

    def fill(self, template):
        """The path with each name replaced; None where no list has told of one."""
        path = template
        for name in re.findall(r"\{(\w+)\}", template):
            before = template.split("/{" + name)[0].rsplit("/", 1)[-1]
            with self.lock:
                choices = [value for (kind, member), values in self.known.items() for value in values
                           if kind == {"hosts": "domains", "pages": "urls"}.get(before, before)
                           and member in {"id", "domain", "segment", "job", "host"}]
            if not choices:
                return None
            path = path.replace("{" + name + "}", quote(random.choice(choices), safe=""))
        return path
