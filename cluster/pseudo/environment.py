"""The file that a shell sources to use the cluster like a production one, and the daemons' own environment."""

import os
import shlex
from pathlib import Path

from pseudo import kerberos, s3
from pseudo.settings import CONNECT_RETRIES, SMALL_JVM
from pseudo.shape import LOOPBACK, NAMESERVICE, Shape


def exports(folder: Path, home: Path, java_home: Path, ports: dict[str, int], groups: set[str], shape: Shape) -> dict[str, str]:
    """The variables of these groups, without those of parts that do not run, so that their tests are skipped."""
    variables: dict[str, str] = {"TRAWL_CLUSTER": str(folder)}
    if "hdfs" in groups:
        variables |= {
            "JAVA_HOME": str(java_home),
            "HADOOP_HOME": str(home),
            "HADOOP_CONF_DIR": str(folder / "conf"),
            "CLASSPATH": class_path(folder, home).replace(",", ":"),
            "ARROW_LIBHDFS_DIR": str(home / "lib/native"),
            "LIBHDFS_OPTS": f"-Xmx128m {SMALL_JVM}{java_options(folder, shape)}",
            "TRAWL_TEST_HDFS": f"hdfs://{NAMESERVICE}" if shape.ha else f"hdfs://{LOOPBACK}:{ports['namenode']}",
        }
    if shape.kerberos:
        variables |= kerberos.of_client(folder)
    if "yarn" in groups:
        variables["TRAWL_TEST_YARN"] = f"http://{LOOPBACK}:{ports['resourcemanager_http']}"
    if "s3" in groups:
        credentials = s3.read_credentials(folder)
        variables |= {
            "TRAWL_TEST_S3": s3.uri(ports["s3"]),
            "AWS_ACCESS_KEY_ID": credentials.key,
            "AWS_SECRET_ACCESS_KEY": credentials.secret,
            "AWS_DEFAULT_REGION": s3.REGION,
            # Nobody answers there, and the library would wait many seconds for an answer.
            "AWS_EC2_METADATA_DISABLED": "true",
        }
    return variables


def write(path: Path, variables: dict[str, str]) -> None:
    lines = [f"export {name}={shlex.quote(value)}" for name, value in variables.items()]
    if "HADOOP_HOME" in variables:
        lines.append('case ":$PATH:" in *":$HADOOP_HOME/bin:"*) ;; *) PATH=$HADOOP_HOME/bin:$PATH ;; esac')
    written = path.with_name(path.name + ".new")
    with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write("\n".join(["# The environment of the test cluster, for a shell to source. Each start writes it anew.", *lines, ""]))
    written.replace(path)


def java_options(folder: Path, shape: Shape) -> str:
    """What every Java on this cluster has to be told; each option after a blank."""
    options = f" -Djdk.net.hosts.file={folder}/conf/hosts" if shape.has_names else ""
    return options + (f" -Djava.security.krb5.conf={kerberos.client_file(folder)}" if shape.kerberos else "")


def class_path(folder: Path, home: Path) -> str:
    """Hadoop's jars, separated by commas as Hadoop's settings need it."""
    share = home / "share/hadoop"
    return ",".join([str(folder / "conf"), f"{share}/common/lib/*", f"{share}/common/*", f"{share}/hdfs/*",
                     f"{share}/mapreduce/*", f"{share}/yarn/*"])


def of_daemon(folder: Path, java_home: Path, heap_mb: int, shape: Shape) -> dict[str, str]:
    """Keeps little of the caller's environment: a task must see the node's variables, not those of its starter."""
    kept = {name: os.environ[name] for name in ("HOME", "LANG", "LOGNAME", "PATH", "TMPDIR", "USER") if name in os.environ}
    told = java_options(folder, shape).strip()
    # Java reads this variable itself, in tasks and in libhdfs, too; it says so on standard error.
    return kept | ({"JAVA_TOOL_OPTIONS": told} if told else {}) | {
        "JAVA_HOME": str(java_home),
        "HADOOP_CONF_DIR": str(folder / "conf"),
        "HADOOP_DAEMON_OPTS": f"-Xmx{heap_mb}m {SMALL_JVM} -Xshare:auto",
        CONNECT_RETRIES: "100",
        "AWS_SHARED_CREDENTIALS_FILE": str(s3.credentials_file(folder)),
        "AWS_EC2_METADATA_DISABLED": "true",
    }
