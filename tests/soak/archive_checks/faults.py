"""The checks are checked: each passes the archive by hand, and those named see the fault that was put in."""

import shutil
from pathlib import Path

from archive_checks import decode_checks, index_checks, made, record_checks, replay_checks
from archive_checks.walk import Fault, require

CHECKS = {check.__name__: check for check in [
    *record_checks.CHECKS, decode_checks.strict_decoders_read_what_was_stored, *index_checks.LINES, *replay_checks.CHECKS]}


def sees(check, archive):
    try:
        check(archive)
    except Exception:  # A reader may also throw something of its own.
        return True
    return False


def checks_see_faults(folder):
    folder = Path(folder)
    for name, check in CHECKS.items():
        shutil.rmtree(folder / "good", ignore_errors=True)
        try:
            check(made.make(folder / "good"))
        except Fault as fault:
            raise Fault(f"{name} finds fault with the archive by hand: {fault}") from None
    seen = 0
    for number, (what, (how, names)) in enumerate(made.FAULTS.items()):
        for name in names:
            require(sees(CHECKS[name], made.make(folder / str(number), **how)), f"{what}: not seen by {name}")
            seen += 1
    unused = set(CHECKS) - {name for _, names in made.FAULTS.values() for name in names}
    return f"{len(made.FAULTS)} faults, {seen} times, by {len(CHECKS) - len(unused)} of {len(CHECKS)} checks"
