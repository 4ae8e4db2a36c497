"""What can go wrong."""

from __future__ import annotations


class TrawlError(Exception):
    """Any failure that this package knows."""


class NotFound(TrawlError, LookupError):
    """What was asked for is not in the crawl, or there is no crawl."""


class Unreachable(TrawlError):
    """The place of the crawl gives no answer, or does not let us in. Whether its files are sound is not known."""


class Damaged(TrawlError):
    """A file of the crawl is missing, cut, changed, or of a newer format. `path` is its name within the root."""

    def __init__(self, path: str, why: str):
        super().__init__(f"{path}: {why}")
        self.path = path
