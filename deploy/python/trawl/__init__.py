"""Reads crawls of Trawl from their own files. Start at `open`."""

from .crawl import Crawl, open
from .errors import Damaged, NotFound, TrawlError, Unreachable
from .manifest import Run, Segment, Snapshot
from .page import Page
from .urls import key_of_url, url_of_key

__version__ = "0.1.0"
__all__ = ["Crawl", "Damaged", "NotFound", "Page", "Run", "Segment", "Snapshot", "TrawlError", "Unreachable", "key_of_url", "open", "url_of_key"]
