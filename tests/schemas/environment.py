"""A validator of JSON Schema, pinned. OSError says why it cannot be had."""

from pathlib import Path

from support.pinned import pinned

PINS = Path(__file__).resolve().parent / "requirements.txt"


def folder():
    """The virtual environment that has it."""
    return pinned.python("schemas", [PINS], "--no-deps")
