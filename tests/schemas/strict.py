"""Schemas made strict: what a schema does not name is a fault. And which of their members were ever met."""

import re

from jsonschema import Draft202012Validator, FormatChecker

TIME = re.compile(r"-?\d{4,}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")
MOST_SHOWN = 3

_formats = FormatChecker(formats=())
_formats.checks("date-time")(lambda value: not isinstance(value, str) or TIME.fullmatch(value) is not None)


def strict(schema):
    """The same schema; an object with members takes no others, unless it says what others are."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for name, part in schema.items():
        if name in ("properties", "patternProperties"):
            made[name] = {member: strict(value) for member, value in part.items()}
        else:
            made[name] = strict(part) if name in ("items", "additionalProperties", "anyOf") else part
    if "properties" in made:
        made.setdefault("additionalProperties", False)
    return made


def members(schema, path=""):
    """(path, identity) of all members that the schema names. Members of a shared part have one identity in all schemas: name and sentence."""
    for name, part in schema.get("properties", {}).items():
        yield f"{path}/{name}", (name, part.get("description"))
        yield from members(part, f"{path}/{name}")
    for place, part in _within(schema):
        yield from members(part, path + place)
    for part in schema.get("anyOf", []):
        yield from members(part, path)


def _within(schema):
    if isinstance(schema.get("items"), dict):
        yield "[]", schema["items"]
    if isinstance(schema.get("additionalProperties"), dict):
        yield "{}", schema["additionalProperties"]


class Judge:
    """Holds values against one schema, and remembers which of its members they had."""

    def __init__(self, document):
        self.document = document
        self.schema = strict(document)
        self.validator = Draft202012Validator(self.schema, format_checker=_formats)
        self.values = 0
        self.met = set()
        self._branches = {}

    def faults(self, value):
        self.values += 1
        found = [f"{error.json_path}: {_shown(error)}" for error in self.validator.iter_errors(value)]
        if not found:
            self._meet(self.schema, value)
        return found[:MOST_SHOWN]

    def _meet(self, schema, value):
        if isinstance(value, dict):
            for name, part in value.items():
                if name in schema.get("properties", {}):
                    below = schema["properties"][name]
                    self.met.add((name, below.get("description")))
                    self._meet(below, part)
                elif isinstance(schema.get("additionalProperties"), dict):
                    self._meet(schema["additionalProperties"], part)
        if isinstance(value, list) and isinstance(schema.get("items"), dict):
            for part in value:
                self._meet(schema["items"], part)
        for part in schema.get("anyOf", []):
            if self._fits(part, value):
                self._meet(part, value)

    def _fits(self, schema, value):
        branch = self._branches.setdefault(id(schema), Draft202012Validator(schema, format_checker=_formats))
        return branch.is_valid(value)


def _shown(error):
    """Of alternatives the one that comes nearest says what is wrong."""
    if error.validator != "anyOf" or not error.context:
        return error.message[:300]
    by_branch = {}
    for below in error.context:
        by_branch.setdefault(below.schema_path[0], []).append(below)
    nearest = min(by_branch.values(), key=len)
    return "; ".join(f"{below.json_path}: {_shown(below)}" for below in nearest[:MOST_SHOWN])
