"""Runs checks one after the other and counts them. A check is a function that raises when its name is not true."""

import time
from typing import Callable, TypeVar

Subject = TypeVar("Subject")


class Skipped(Exception):
    """Says why this check cannot be made here."""


def run_checks(checks: list[Callable[[Subject], None]], subject: Subject) -> bool:
    """Prints one line per check and then the counts. Returns True if no check failed."""
    passed = failed = skipped = 0
    for check in checks:
        name = check.__name__.replace("_", " ")
        started = time.monotonic()
        try:
            check(subject)
        except Skipped as reason:
            skipped += 1
            print(f"skip {name}: {reason}", flush=True)
        except Exception as error:  # Whatever the error, the next check is still worth running.
            failed += 1
            print(f"FAIL {name}: {error or type(error).__name__}", flush=True)
        else:
            passed += 1
            print(f"ok   {name} ({time.monotonic() - started:.1f} s)", flush=True)
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return failed == 0


def wait_until(what: str, seconds: float, holds: Callable[[], bool]) -> None:
    started = time.monotonic()
    while not holds():
        assert time.monotonic() - started < seconds, f"after {seconds} s it is still not so that {what}"
        time.sleep(0.5)
    print(f"     ({what} after {time.monotonic() - started:.0f} s)", flush=True)
