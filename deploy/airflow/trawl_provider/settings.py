"""What a connection of type `trawl` says, read strictly: a mistake in it is told at once, by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from trawl_provider.exceptions import TrawlUsageError

WORDS = ("binary", "runner", "queue", "bundle", "resource_manager", "serve_url")
# Of variables that go to `trawl`. AWS_SECRET_ACCESS_KEY is one; AWS_WEB_IDENTITY_TOKEN_FILE names a place, and no
# option of `trawl` is a secret.
SECRET_NAME = re.compile("(?!TRAWL_).*(secret|passw|passphrase|token|credential|key)(?!.*_(file|path|uri|url)$)", re.I)
# What is shorter is no secret, and to hide it would spoil whole lines.
SHORTEST_SECRET = 6


def variables_of(value: Any, whose: str) -> dict[str, str]:
    """Environment variables from an object, or from its JSON, as the form of Airflow's pages and templates give it."""
    if isinstance(value, str):
        try:
            value = json.loads(value) if value.strip() else {}
        except ValueError:
            value = None
    if not isinstance(value, Mapping):
        raise TrawlUsageError(
            f'{whose} "environment" is no object, such as {{"TRAWL_FETCH_CONTACT": "https://you.example/"}}'
        )
    found = {str(name): str(one) for name, one in value.items() if one is not None}
    for name, one in found.items():
        if not name or "=" in name or "\0" in name + one:
            raise TrawlUsageError(f'{whose} "environment" has a variable that no process can have: {name[:80]!r}')
    return found


def _address(name: str, word: str) -> str:
    """`rm.example:8088` is http://rm.example:8088."""
    if not word:
        return ""
    address = (word if "://" in word else f"http://{word}").rstrip("/")
    parts = urlsplit(address)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise TrawlUsageError(f"the connection's {name} is no http:// address: {word!r}")
    if "@" in parts.netloc:
        raise TrawlUsageError(
            f"the connection's {name} has a user in its address; the token is the connection's password"
        )
    return address


def checked_root(root: str, whose: str) -> str:
    """A place that means the same on every worker. The message has nothing of a root with a password."""
    if "://" in root:
        if "@" in urlsplit(root).netloc:
            raise TrawlUsageError(
                f"{whose} root has a user or a password in it, which logs would show; credentials belong into the "
                "connection's environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or to the worker's role"
            )
    elif not root.startswith("/"):
        raise TrawlUsageError(
            f"{whose} root {root!r} is no place that every worker understands in the same way: give an absolute "
            "path, hdfs://… or s3://…"
        )
    return root


@dataclass(frozen=True)
class TrawlSettings:
    """A connection of type `trawl`."""

    root: str = ""
    binary: str = "trawl"
    runner: str = ""
    queue: str = ""
    bundle: str = ""
    resource_manager: str = ""
    serve_url: str = ""
    token: str = field(default="", repr=False)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, connection: Any) -> TrawlSettings:
        extra = connection.extra_dejson
        words = {name: str(extra.get(name) or "").strip() for name in WORDS}
        for name in ("resource_manager", "serve_url"):
            words[name] = _address(name, words[name])
        return cls(
            root=(connection.host or "").strip(),
            token=connection.password or "",
            environment=variables_of(extra.get("environment") or {}, "the connection's"),
            **words | {"binary": words["binary"] or "trawl"},
        )


def secrets_of(settings: TrawlSettings, variables: Mapping[str, str]) -> Iterator[str]:
    """What no log may show."""
    if settings.token:
        yield settings.token
    for name, value in variables.items():
        if SECRET_NAME.match(name) and len(value) >= SHORTEST_SECRET:
            yield value
