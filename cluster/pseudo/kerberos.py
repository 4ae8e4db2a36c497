"""A Kerberos of the cluster's own: a KDC on loopback, the principals of the daemons and of one user, and Hadoop's settings for them.

All daemons have one key, that of hdfs/cluster; web pages have HTTP/ADDRESS. The user is `crawler`. Both stand for the user who
runs the cluster. The folder `krb5` has the KDC's database, `krb5.conf`, `cluster.keytab` and `crawler.keytab`.
"""

import getpass
import os
import secrets
import shutil
import subprocess
from pathlib import Path

from pseudo.shape import LOOPBACK, Shape

REALM = "TRAWL.TEST"
USER = f"crawler@{REALM}"
SERVICE = f"hdfs/cluster@{REALM}"
# A ticket ends when it ends: the usual five minutes of grace would hide it from a test.
CLOCK_SKEW_SECONDS = 5


def folder_of(cluster: Path) -> Path:
    return cluster / "krb5"


def client_file(cluster: Path) -> Path:
    return folder_of(cluster) / "krb5.conf"


def keytab(cluster: Path, name: str = "crawler") -> Path:
    return folder_of(cluster) / f"{name}.keytab"


def environment(cluster: Path) -> dict[str, str]:
    """For Kerberos' own commands."""
    folder = folder_of(cluster)
    return {"KRB5_CONFIG": str(client_file(cluster)), "KRB5_KDC_PROFILE": str(folder / "kdc.conf")}


def of_client(cluster: Path) -> dict[str, str]:
    """For a shell: tickets go into a file of the cluster's. `kinit -kt "$TRAWL_TEST_KEYTAB" "$TRAWL_TEST_PRINCIPAL"` gets one."""
    return {"KRB5_CONFIG": str(client_file(cluster)), "KRB5CCNAME": f"FILE:{folder_of(cluster)}/tickets",
            "TRAWL_TEST_KEYTAB": str(keytab(cluster)), "TRAWL_TEST_PRINCIPAL": USER}


def by_keytab(cluster: Path) -> dict[str, str]:
    """For a command that gets its own tickets, and new ones when they end: Hadoop's Java reads the first two, others the third."""
    return {"KRB5PRINCIPAL": USER, "KRB5KEYTAB": str(keytab(cluster)), "KRB5_CLIENT_KTNAME": str(keytab(cluster))}


def command() -> list[str]:
    return [_program("krb5kdc"), "-n"]


def _program(name: str) -> str:
    """Debian has them in /usr/sbin, which a user's PATH lacks."""
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if found is None:
        raise RuntimeError(f"{name} is missing: install krb5-kdc, krb5-admin-server and krb5-user")
    return found


def make(cluster: Path, port: int, shape: Shape) -> None:
    """Writes the settings, and makes database and keys once."""
    folder = folder_of(cluster)
    folder.mkdir(mode=0o700, exist_ok=True)
    client_file(cluster).write_text(f"""[libdefaults]
  default_realm = {REALM}
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
  clockskew = {CLOCK_SKEW_SECONDS}
[realms]
  {REALM} = {{
    kdc = {LOOPBACK}:{port}
  }}
[domain_realm]
""" + "".join(f"  {host} = {REALM}\n" for host in _hosts(shape)))
    (folder / "kdc.conf").write_text(f"""[kdcdefaults]
  kdc_listen = {LOOPBACK}:{port}
  kdc_tcp_listen = {LOOPBACK}:{port}
[realms]
  {REALM} = {{
    database_name = {folder}/principal
    key_stash_file = {folder}/stash
    acl_file = {folder}/acl
    max_life = 1d
    max_renewable_life = 7d
    supported_enctypes = aes256-cts-hmac-sha1-96:normal
  }}
[logging]
  kdc = FILE:{folder}/kdc.log
""")
    if (folder / "made").exists():
        return
    _run(cluster, ["kdb5_util", "create", "-s", "-r", REALM, "-P", secrets.token_urlsafe(20)])
    (folder / "signature").write_text(secrets.token_urlsafe(30))
    principals = {"cluster": [SERVICE, *(f"HTTP/{host}@{REALM}" for host in _hosts(shape))], "crawler": [USER]}
    for name, wanted in principals.items():
        for principal in wanted:
            _run(cluster, ["kadmin.local", "-q", f"addprinc -randkey {principal}"])
            _run(cluster, ["kadmin.local", "-q", f"ktadd -norandkey -k {keytab(cluster, name)} {principal}"])
    (folder / "made").touch()


def make_node_settings(cluster: Path, hadoop: Path, java_home: Path) -> Path:
    """The folder of settings of the NodeManagers: the cluster's, and the class without which their shuffle refuses to work."""
    folder = folder_of(cluster) / "node-conf"
    folder.mkdir(exist_ok=True)
    for file in (cluster / "conf").iterdir():
        link = folder / file.name
        if file.is_file() and not link.is_symlink():
            link.symlink_to(file)
    if not (folder / "org").exists():
        jars = ":".join(str(jar) for part in ("common", "common/lib") for jar in (hadoop / "share/hadoop" / part).glob("*.jar"))
        done = subprocess.run([str(java_home / "bin/javac"), "-nowarn", "-proc:none", "-cp", jars, "-d", str(folder),
                               str(Path(__file__).parent / "SecureIOUtils.java")], capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"SecureIOUtils.java does not compile: {done.stderr[-1000:]}")
    return folder


def set_ticket_life(cluster: Path, seconds: int) -> None:
    """Of the tickets that the user gets from now on."""
    _run(cluster, ["kadmin.local", "-q", f'modprinc -maxlife "{seconds} seconds" {USER}'])


def _hosts(shape: Shape) -> list[str]:
    return [LOOPBACK, "localhost", *(shape.host(node) for node in shape.node_numbers if shape.has_names)]


def _run(cluster: Path, words: list[str]) -> None:
    done = subprocess.run([_program(words[0]), *words[1:]], env=os.environ | environment(cluster), stdin=subprocess.DEVNULL, capture_output=True, text=True)
    # kadmin.local exits 0 whatever came of the query.
    if done.returncode != 0 or "while " in done.stderr:
        raise RuntimeError(f"{' '.join(words[:3])}: {(done.stdout + done.stderr)[-500:]}")


def settings(cluster: Path, shape: Shape) -> dict[str, str]:
    own_keytab = str(keytab(cluster, "cluster"))
    found = {
        "hadoop.security.authentication": "kerberos",
        # Daemons and user are who runs the cluster.
        "hadoop.security.auth_to_local": "\n".join(f"RULE:[{parts}:$1@$0]({name}@{REALM})s/.*/{getpass.getuser()}/"
                                                   for parts, name in ((2, "hdfs"), (2, "HTTP"), (1, "crawler"))) + "\nDEFAULT",
        "dfs.block.access.token.enable": "true",
        # Without it a DataNode wants ports that only root may open.
        "ignore.secure.ports.for.testing": "true",
        "dfs.web.authentication.kerberos.principal": f"HTTP/{LOOPBACK}@{REALM}",
        "dfs.web.authentication.kerberos.keytab": own_keytab,
        "yarn.resourcemanager.principal": SERVICE,
        "yarn.resourcemanager.keytab": own_keytab,
        "yarn.nodemanager.principal": SERVICE,
        "yarn.nodemanager.keytab": own_keytab,
        "mapreduce.jobhistory.principal": SERVICE,
        "mapreduce.jobhistory.keytab": own_keytab,
        "hadoop.http.authentication.signature.secret.file": str(folder_of(cluster) / "signature"),
        "hadoop.http.authentication.kerberos.principal": f"HTTP/{LOOPBACK}@{REALM}",
        "hadoop.http.authentication.kerberos.keytab": own_keytab,
    }
    for daemon in ("namenode", "datanode", "journalnode"):
        found[f"dfs.{daemon}.kerberos.principal"] = SERVICE
        found[f"dfs.{daemon}.keytab.file"] = own_keytab
    for daemon in ("namenode", "journalnode"):
        found[f"dfs.{daemon}.kerberos.internal.spnego.principal"] = f"HTTP/{LOOPBACK}@{REALM}"
    return found
