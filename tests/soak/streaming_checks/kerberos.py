"""A cluster that asks for Kerberos: with a ticket, without one, and with one that ends in the middle of a fetch.

Each check prints what it did and by what it is seen that it took place, and fails where it did not.
"""

import re
import subprocess
import time
from contextlib import contextmanager
from typing import Iterator

from pseudo import kerberos
from tests.driver import STOPPED, timed
from tests.harness import wait_until

from streaming_checks.faults import DELAY_MS, Scene
from streaming_checks.soak import PATIENCE, Soak

# Of the tickets of a keytab.
TICKET_SECONDS = 30


class Slow(Scene):
    """Takes three times as long as others."""

    def options(self) -> list[object]:
        return [*super().options(), "--fetch.delay_ms", 3 * DELAY_MS]


class ShortTicketed(Slow):
    """The driver starts with a ticket that ends soon."""

    ticket_seconds = 0

    def start(self) -> subprocess.Popen:
        get_ticket(self.soak, self.ticket_seconds)
        return super().start()


def get_ticket(soak: Soak, seconds: int = 3600) -> None:
    environment = soak.client.environment
    soak.client.run("kinit", "-l", f"{seconds}s", "-kt", environment["TRAWL_TEST_KEYTAB"], environment["TRAWL_TEST_PRINCIPAL"])


def has_ticket(soak: Soak) -> bool:
    return subprocess.run(["klist", "-s"], env=soak.client.environment).returncode == 0


@contextmanager
def with_environment(soak: Soak, **variables: str) -> Iterator[None]:
    before = soak.client.environment
    soak.client.environment = before | variables
    try:
        yield
    finally:
        soak.client.environment = before


def logins(soak: Soak) -> int:
    """How often the KDC has given the user a ticket to get tickets with."""
    log = (kerberos.folder_of(soak.client.cluster.folder) / "kdc.log").read_text(errors="replace")
    return len(re.findall(rf"AS_REQ .* ISSUE: .* {re.escape(kerberos.USER)} for krbtgt", log))


def a_ticket_lets_jobs_run_and_none_does_not(soak: Soak) -> None:
    root = soak.driver.hdfs("kerberos")
    with with_environment(soak, KRB5CCNAME=f"FILE:{soak.folder}/no-tickets"):
        assert not has_ticket(soak)
        said = soak.inject(root, exit_code=3)["err"].strip().splitlines()[-1]
    assert "kinit" in said and "KRB5KEYTAB" in said, said
    get_ticket(soak)
    soak.inject(root)
    assert soak.driver.digests(root) == soak.expected()
    application = soak.driver.application_of(root)
    print(f"without a Kerberos ticket: exit 3, {said[:260]}")
    print(f"with a Kerberos ticket, rows of the local run: {application['id']} {application['finalStatus']}")


def a_job_outlives_the_ticket_of_the_command_that_comes_back_for_it(soak: Soak) -> None:
    root = soak.driver.hdfs("outlived")
    get_ticket(soak)
    soak.inject(root, "--detach", exit_code=STOPPED)
    application = soak.driver.application_of(root)
    assert application["state"] != "FINISHED", application
    get_ticket(soak, 5)
    wait_until("the ticket is over", PATIENCE, lambda: not has_ticket(soak))
    time.sleep(kerberos.CLOCK_SKEW_SECONDS + 1)
    said = soak.inject(root, exit_code=3)["err"].strip().splitlines()[-1]
    assert "kinit" in said, said
    get_ticket(soak)
    soak.inject(root)
    assert soak.driver.application_of(root)["id"] == application["id"], "another job was submitted"
    assert soak.driver.digests(root) == soak.expected()
    print(f"a command whose Kerberos ticket had ended while its job ran: exit 3 ({said[:200]}); after kinit it took {application['id']} up")


def a_ticket_that_ends_in_a_fetch_stops_the_driver_alone(soak: Soak) -> None:
    get_ticket(soak)
    # Long enough to submit and to start, too short for the fetch: a whole job, map and reduce, takes this time here and now.
    ShortTicketed.ticket_seconds = 15 + int(timed(lambda: soak.inject(soak.driver.hdfs("usual"))))
    began = time.monotonic()
    scene = ShortTicketed(soak, "ticket")
    soak.wait_for_tasks("map", scene.process, 2)
    assert has_ticket(soak), f"the tasks began after the ticket's {scene.ticket_seconds} s: other work has the machine"
    wait_until("the ticket is over", PATIENCE, lambda: not has_ticket(soak))
    over_ms = scene.web.mark()
    lived = time.monotonic() - began
    said = scene.finish(exit_code=3).strip().splitlines()[-1]
    assert "kinit" in said, said
    application = soak.driver.application_of(scene.root)
    wait_until("its job is done all the same", PATIENCE, lambda: soak.driver.application_of(scene.root)["state"] == "FINISHED")
    scene.ticket_seconds = 3600
    scene.process = scene.start()
    scene.finish()
    assert soak.driver.application_of(scene.root)["id"] == application["id"], "another job was submitted"
    scene.check(over_ms)
    print(f"a Kerberos ticket that ended in a fetch after {lived:.0f} s: the driver left with exit 3 ({said[:200]}), {application['id']} went on, "
          "and after kinit the same command took it up")


def a_keytab_outlives_every_ticket(soak: Soak) -> None:
    folder = soak.client.cluster.folder
    kerberos.set_ticket_life(folder, TICKET_SECONDS)
    try:
        variables = kerberos.by_keytab(folder) | {"KRB5CCNAME": f"FILE:{soak.folder}/no-tickets"}
        with with_environment(soak, **variables):
            before, began = logins(soak), time.monotonic()
            scene = Slow(soak, "keytab")
            scene.wait_until_it_asks()
            submitted = logins(soak)
            began_ms = scene.web.mark()
            scene.finish()
            lived, after = time.monotonic() - began, logins(soak)
            assert lived > 2 * TICKET_SECONDS, f"the fetch took {lived:.0f} s only"
            assert after > submitted, f"the driver got no new ticket: {before}, {submitted}, {after}"
            scene.check(began_ms)
    finally:
        kerberos.set_ticket_life(folder, 86400)
    print(f"a fetch of {lived:.0f} s by keytab, tickets of {TICKET_SECONDS} s: {after - before} logins at the KDC, {after - submitted} of them "
          "after the job was submitted")


CHECKS = [
    a_ticket_lets_jobs_run_and_none_does_not,
    a_job_outlives_the_ticket_of_the_command_that_comes_back_for_it,
    a_ticket_that_ends_in_a_fetch_stops_the_driver_alone,
    a_keytab_outlives_every_ticket,
]
