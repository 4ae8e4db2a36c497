"""A NameNode and an S3 server that go away in the middle of a write, of a publication, of a read.

The jobs run on this machine, through a proxy that pulls the plug when a certain request comes by. The checks expect
exit 3, an error that names the store, and that the same command continues when the server is back, with nothing lost.
"""

import re
import subprocess

from tests.proxy import Proxy

from streaming_checks.soak import BUILD, QUICK, Soak

HERE = ("--runner", "local", "--partitions", "2")


class Plugged:
    """A store reached through a proxy: a root whose server can be taken away."""

    def __init__(self, soak: Soak, daemon: str):
        self.soak = soak
        self.daemon = daemon
        self.proxy = Proxy(soak.client.ports()[daemon])

    def root(self, name: str) -> str:
        direct = self.direct_root(name)
        return direct.replace(f"127.0.0.1:{self.soak.client.ports()[self.daemon]}", f"127.0.0.1:{self.proxy.port}")

    def direct_root(self, name: str) -> str:
        return self.soak.driver.hdfs(name) if self.daemon == "namenode" else self.soak.driver.s3(name)

    def request(self, what: str) -> bytes:
        """The bytes of a request of that kind."""
        return REQUESTS[self.daemon][what]

    def pull(self) -> None:
        self.soak.client.down("--daemon", self.daemon, "--kill")


# HDFS: the method's name is in the header before the one with the file's name.
REQUESTS = {
    "namenode": {"write": rb"addBlock.{1,200}crawldb/urls/", "publish": rb"rename2?.{1,200}snapshots/", "read": rb"getBlockLocations.{1,200}crawldb/urls/"},
    "s3": {"write": rb"P(UT|OST) /[^ ]*crawldb/urls/", "publish": rb"PUT /[^ ]*snapshots/00000001", "read": rb"GET /[^ ]*crawldb/urls/[^ ]*orc"},
}


def pulled(soak: Soak, daemon: str, what: str, is_behind: bool) -> None:
    plugged = Plugged(soak, daemon)
    try:
        name = f"pulled-{what}-{'behind' if is_behind else 'before'}"
        root = plugged.root(name)
        reads = what == "read"
        if reads:
            soak.inject(plugged.direct_root(name), *HERE)
        plugged.proxy.arm(plugged.request(what), plugged.pull, is_behind)
        words = (["readdb", "dump", "--root", root] if reads
                 else soak.driver.arguments("inject", root, soak.seeds, *HERE))
        if reads:
            words = [str(soak.driver.binary), *words]
        done = subprocess.run(words, capture_output=True, text=True, env=soak.client.environment)
        assert plugged.proxy.triggered.is_set(), f"no such request; exit {done.returncode}: {done.stderr[-500:]}"
        said = done.stderr.strip().splitlines()[-1] if done.stderr.strip() else ""
        assert done.returncode == 3, f"exit {done.returncode}: {said}"
        assert name in said, said
        print(f"     ({daemon} gone {'behind' if is_behind else 'before'} a {what}: {said[:160]})", flush=True)
    finally:
        plugged.proxy.close()
        soak.client.up()
    soak.inject(plugged.direct_root(name), *HERE)
    # A second seed run changes nothing, unless the first had not published.
    assert soak.driver.digests(plugged.direct_root(name)) == soak.expected()


def check_all(soak: Soak, daemon: str) -> None:
    for what in ("write", "publish", "read"):
        for is_behind in (False, True):
            pulled(soak, daemon, what, is_behind)


def a_namenode_that_goes_away_loses_nothing(soak: Soak) -> None:
    check_all(soak, "namenode")


def an_s3_server_that_goes_away_loses_nothing(soak: Soak) -> None:
    check_all(soak, "s3")


def races_have_one_winner_each(soak: Soak) -> None:
    races = 100 if QUICK else 1000
    environment = soak.client.environment | {"TRAWL_TEST_RACES": str(races)}
    done = subprocess.run([str(BUILD / "tests/runtime_test"), "--gtest_filter=Live/*:LiveHdfs.*:LiveS3.*"], capture_output=True,
                          text=True, env=environment)
    assert done.returncode == 0, done.stdout[-3000:]
    assert "NOT TESTED" not in done.stdout, done.stdout[-3000:]
    for line in re.findall(r"^Races .*$", done.stdout, re.MULTILINE):
        print(line, flush=True)


CHECKS = [
    races_have_one_winner_each,
    an_s3_server_that_goes_away_loses_nothing,
    a_namenode_that_goes_away_loses_nothing,
]
