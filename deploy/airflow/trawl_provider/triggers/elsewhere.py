"""What blocks runs in a thread, beside the triggerer's loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeVar

from asgiref.sync import sync_to_async

from trawl_provider.hooks.trawl import TrawlHook

Value = TypeVar("Value")


async def in_a_thread(work: Callable[[], Value], hook: TrawlHook) -> Value:
    """Where the trigger is cancelled meanwhile (its task is cleared, the triggerer ends), the program is stopped:
    neither the program nor a thread holds the triggerer up."""
    try:
        return await sync_to_async(work, thread_sensitive=False)()
    except asyncio.CancelledError:
        threading.Thread(target=hook.stop, daemon=True).start()
        raise
