"""XXH3-64, by which documents and files are sealed. The package `xxhash` is optional."""

from __future__ import annotations

from typing import Callable, Optional

from .errors import TrawlError

Hash = Callable[[bytes], str]


def hash_or_none(verify: Optional[bool]) -> Optional[Hash]:
    """The hash as 16 hexadecimal digits; nothing where it is not wanted, or not there and not demanded."""
    if verify is False:
        return None
    try:
        import xxhash
    except ImportError:
        if verify:
            raise TrawlError("verify=True needs the package xxhash; type  pip install xxhash") from None
        return None
    return lambda data: str(xxhash.xxh3_64_hexdigest(data))
