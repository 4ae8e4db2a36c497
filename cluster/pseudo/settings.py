"""Hadoop's settings for the test cluster, by topic. Anything not named here is Hadoop's own default, as on a production cluster."""

from pathlib import Path
from xml.sax.saxutils import escape

LOOPBACK = "127.0.0.1"

# The longest time for which a lost daemon goes unnoticed. Twice this time, with its consequences, is still about a
# minute; with a much shorter time a busy machine would lose daemons that are only slow.
EXPIRY_MS = 30_000

# The first container of a job is its application master; four tasks of 1 GiB run beside it at once.
MASTER_MB, TASK_MB, TASKS_AT_ONCE = 512, 1024, 4

# Small and quick to start rather than fast: these daemons share one machine with the tasks.
SMALL_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

# The environment variable by which daemons, and nobody else, are told to be patient with each other.
CONNECT_RETRIES = "CLUSTER_CONNECT_RETRIES"

Settings = dict[str, str]


def all_settings(folder: Path, class_path: str, ports: dict[str, int]) -> Settings:
    return {
        **addresses(ports),
        **storage(folder),
        **containers(folder, class_path),
        **liveness(),
        **jobs(class_path),
        **queues(),
    }


def addresses(ports: dict[str, int]) -> Settings:
    def at(name: str) -> str:
        return f"{LOOPBACK}:{ports[name]}"

    return {
        "fs.defaultFS": "hdfs://" + at("namenode"),
        "dfs.namenode.rpc-bind-host": LOOPBACK,
        "dfs.namenode.http-address": at("namenode_http"),
        "dfs.datanode.address": at("datanode"),
        "dfs.datanode.http.address": at("datanode_http"),
        "dfs.datanode.ipc.address": at("datanode_ipc"),
        # The DataNode comes from an address without a name.
        "dfs.namenode.datanode.registration.ip-hostname-check": "false",
        "yarn.resourcemanager.hostname": LOOPBACK,
        "yarn.resourcemanager.address": at("resourcemanager"),
        "yarn.resourcemanager.scheduler.address": at("resourcemanager_scheduler"),
        "yarn.resourcemanager.resource-tracker.address": at("resourcemanager_tracker"),
        "yarn.resourcemanager.admin.address": at("resourcemanager_admin"),
        "yarn.resourcemanager.webapp.address": at("resourcemanager_http"),
        "yarn.nodemanager.hostname": LOOPBACK,
        "yarn.nodemanager.address": at("nodemanager"),
        "yarn.nodemanager.localizer.address": at("nodemanager_localizer"),
        "yarn.nodemanager.webapp.address": at("nodemanager_http"),
        "yarn.nodemanager.collector-service.address": at("nodemanager_collector"),
        "mapreduce.shuffle.port": str(ports["shuffle"]),
        "mapreduce.jobhistory.address": at("historyserver"),
        "mapreduce.jobhistory.webapp.address": at("historyserver_http"),
        "mapreduce.jobhistory.admin.address": at("historyserver_admin"),
    }


def storage(folder: Path) -> Settings:
    return {
        "hadoop.tmp.dir": str(folder / "tmp"),
        "dfs.namenode.name.dir": f"file://{folder}/hdfs/name",
        "dfs.datanode.data.dir": f"file://{folder}/hdfs/data",
        "dfs.replication": "1",
        "dfs.namenode.safemode.extension": "0",
        # A file closes only when the NameNode has heard of its last block; by default the client asks again after 400
        # ms, which makes writing small files twenty times slower than necessary.
        "dfs.client.block.write.locateFollowingBlock.initial.delay.ms": "10",
        # There is no second DataNode with which to continue.
        "dfs.client.block.write.replace-datanode-on-failure.policy": "NEVER",
    }


def containers(folder: Path, class_path: str) -> Settings:
    memory_mb = MASTER_MB + TASKS_AT_ONCE * TASK_MB
    return {
        "yarn.application.classpath": class_path,
        "yarn.nodemanager.local-dirs": str(folder / "yarn/local"),
        "yarn.nodemanager.log-dirs": str(folder / "yarn/log"),
        "yarn.nodemanager.resource.memory-mb": str(memory_mb),
        "yarn.nodemanager.resource.cpu-vcores": str(TASKS_AT_ONCE + 1),
        "yarn.scheduler.minimum-allocation-mb": "256",
        "yarn.scheduler.maximum-allocation-mb": str(memory_mb),
        # A container over its memory is killed, as a production cluster does it. "Enforced" means by cgroups, which are not set up
        # here; without this line neither kills.
        "yarn.nodemanager.resource.memory.enforced": "false",
        # Java reserves addresses that it never uses.
        "yarn.nodemanager.vmem-check-enabled": "false",
        # A developer's disk is often nine tenths full, and at that level a node declares itself unhealthy.
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99.5",
        # The part of the node's environment that tasks see: Java, and where the node keeps its S3 credentials (the
        # place, not the secret).
        "yarn.nodemanager.env-whitelist": "JAVA_HOME,AWS_SHARED_CREDENTIALS_FILE,AWS_EC2_METADATA_DISABLED",
        "yarn.nodemanager.aux-services": "mapreduce_shuffle",
        "yarn.nodemanager.log.retain-seconds": "86400",
    }


def liveness() -> Settings:
    """How soon the loss of a daemon or a container is noticed, and how long others wait for its return."""
    return {
        "dfs.heartbeat.interval": "1",
        # A DataNode counts as dead after twice this time and ten heartbeats.
        "dfs.namenode.heartbeat.recheck-interval": str((EXPIRY_MS - 10_000) // 2),
        "dfs.client.socket-timeout": "20000",
        "dfs.datanode.socket.write.timeout": "20000",
        # A silent NameNode is asked twice.
        "ipc.client.rpc-timeout.ms": str(EXPIRY_MS * 2 // 3),
        "ipc.ping.interval": "10000",
        "ipc.client.connect.timeout": "5000",
        "ipc.client.connect.max.retries.on.timeouts": "4",
        # Daemons that start together look for each other in small steps and for a long time. A client repeats a request
        # beyond its first second again and again, because each attempt to reach the ResourceManager includes all these
        # retries.
        "ipc.client.connect.max.retries": f"${{env.{CONNECT_RETRIES}:-5}}",
        "ipc.client.connect.retry.interval": "200",
        "yarn.resourcemanager.nodemanagers.heartbeat-interval-ms": "200",
        "yarn.nm.liveness-monitor.expiry-interval-ms": str(EXPIRY_MS),
        "yarn.am.liveness-monitor.expiry-interval-ms": str(EXPIRY_MS),
        "yarn.resourcemanager.rm.container-allocation.expiry-interval-ms": str(EXPIRY_MS),
        "yarn.resourcemanager.connect.max-wait.ms": str(EXPIRY_MS // 2),
        "yarn.resourcemanager.connect.retry-interval.ms": "1000",
        "yarn.nodemanager.resourcemanager.connect.max-wait.ms": "900000",
        "yarn.nodemanager.resourcemanager.connect.retry-interval.ms": "500",
        "yarn.app.mapreduce.am.scheduler.connection.wait.interval-ms": str(2 * EXPIRY_MS),
        # Trawl's tasks report at least every 30 s.
        "mapreduce.task.timeout": "45000",
        "mapreduce.task.timeout.check-interval-ms": "5000",
        "mapreduce.task.stuck.timeout-ms": "60000",
        "mapreduce.reduce.shuffle.connect.timeout": "10000",
        "mapreduce.reduce.shuffle.read.timeout": "20000",
        "mapreduce.reduce.shuffle.retry-delay.max.ms": "5000",
    }


def jobs(class_path: str) -> Settings:
    """Defaults of jobs; Trawl sets the values that it needs to be correct itself at each submission."""
    return {
        "mapreduce.framework.name": "yarn",
        "mapreduce.application.classpath": class_path,
        "yarn.app.mapreduce.am.staging-dir": "/user",
        "yarn.app.mapreduce.am.resource.mb": str(MASTER_MB),
        "yarn.app.mapreduce.am.command-opts": f"-Xmx320m {SMALL_JVM}",
        "mapreduce.map.memory.mb": str(TASK_MB),
        "mapreduce.reduce.memory.mb": str(TASK_MB),
        "mapreduce.map.java.opts": f"-Xmx256m {SMALL_JVM}",
        "mapreduce.reduce.java.opts": f"-Xmx256m {SMALL_JVM}",
        "mapreduce.task.io.sort.mb": "64",
        # With the default intervals, a small job spends most of its time waiting for these polls.
        "mapreduce.client.progressmonitor.pollinterval": "200",
        "mapreduce.client.completion.pollinterval": "200",
        "yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms": "200",
        "mapreduce.jobhistory.move.interval-ms": "2000",
    }


def queues() -> Settings:
    """Two queues, so that choosing one can be tested; either may use the whole cluster when the other is idle."""
    prefix = "yarn.scheduler.capacity."
    settings = {
        prefix + "root.queues": "default,crawl",
        prefix + "maximum-am-resource-percent": "0.5",
        prefix + "node-locality-delay": "0",
    }
    for queue in ("default", "crawl"):
        settings[f"{prefix}root.{queue}.capacity"] = "50"
        settings[f"{prefix}root.{queue}.maximum-capacity"] = "100"
        settings[f"{prefix}root.{queue}.user-limit-factor"] = "2"
    return settings


def site_file(name: str) -> str:
    """The Hadoop file to which a setting belongs."""
    for prefix, file in (
        ("yarn.scheduler.capacity.", "capacity-scheduler.xml"),
        ("yarn.app.mapreduce.", "mapred-site.xml"),
        ("mapreduce.", "mapred-site.xml"),
        ("yarn.", "yarn-site.xml"),
        ("dfs.", "hdfs-site.xml"),
    ):
        if name.startswith(prefix):
            return file
    return "core-site.xml"


LOG4J = """\
# Everything goes to standard error: a client's standard output is its result.
log4j.rootLogger=INFO,console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %p %c{2}: %m%n
log4j.logger.org.apache.hadoop.util.NativeCodeLoader=ERROR
log4j.logger.org.apache.hadoop.metrics2=WARN
"""


def write_configuration(folder: Path, settings: Settings, java_home: Path) -> None:
    """Writes Hadoop's files. Clients may read them at any time: each is replaced whole."""
    files: dict[str, list[str]] = {name: [] for name in (
        "core-site.xml", "hdfs-site.xml", "yarn-site.xml", "mapred-site.xml", "capacity-scheduler.xml")}
    for name, value in settings.items():
        files[site_file(name)].append(
            f"  <property><name>{escape(name)}</name><value>{escape(value)}</value></property>")
    for name, lines in files.items():
        _replace(folder / name, "\n".join(['<?xml version="1.0"?>', "<configuration>", *lines, "</configuration>", ""]))
    _replace(folder / "log4j.properties", LOG4J)
    _replace(folder / "hadoop-env.sh", "# Sourced by Hadoop's commands.\n"
             f"export JAVA_HOME=${{JAVA_HOME:-'{java_home}'}}\n"
             f"export HADOOP_CLIENT_OPTS=${{HADOOP_CLIENT_OPTS:-'-Xmx256m {SMALL_JVM}'}}\n")


def _replace(path: Path, text: str) -> None:
    written = path.with_name(path.name + ".new")
    written.write_text(text)
    written.replace(path)
