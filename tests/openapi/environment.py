"""Schemathesis and a checker of OpenAPI documents, pinned. OSError says why they cannot be had."""

from pathlib import Path

from support.pinned import pinned

PINS = Path(__file__).resolve().parent / "requirements.txt"


def programs():
    """The folder with `st` and `openapi-spec-validator`."""
    return pinned.python("openapi", [PINS], "--no-deps") / "bin"
