"""Hadoop's settings for the test cluster, by topic. Anything not named here is Hadoop's own default, as on a production cluster."""

from pathlib import Path
from xml.sax.saxutils import escape

from pseudo import kerberos
from pseudo.ports import port_of
from pseudo.shape import LOOPBACK, NAMESERVICE, Shape, numbered

# The longest time for which a lost daemon goes unnoticed. Twice this time, with its consequences, is still about a
# minute; with a much shorter time a busy machine would lose daemons that are only slow.
EXPIRY_MS = 30_000

# The first container of a job is its application master; four tasks of 1 GiB run beside it at once. Of several nodes each runs two.
MASTER_MB, TASK_MB, TASKS_AT_ONCE, TASKS_OF_SEVERAL = 512, 1024, 4, 2

# Small and quick to start rather than fast: these daemons share one machine with the tasks.
SMALL_JVM = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"

# The environment variable by which daemons, and nobody else, are told to be patient with each other.
CONNECT_RETRIES = "CLUSTER_CONNECT_RETRIES"

# Java and its options (where the names of the nodes stand), and where the node keeps its S3 credentials (the place, not the secret).
NODES_VARIABLES = ("JAVA_HOME", "JAVA_TOOL_OPTIONS", "AWS_SHARED_CREDENTIALS_FILE", "AWS_EC2_METADATA_DISABLED")

Settings = dict[str, str]


def all_settings(folder: Path, class_path: str, ports: dict[str, int], shape: Shape = Shape()) -> Settings:
    """What clients and masters read. The daemons of a node have settings of their own beside these."""
    return {
        **addresses(ports, shape),
        **storage(folder, shape),
        **containers(folder, class_path, shape),
        **liveness(),
        **jobs(class_path),
        **queues(),
        **(pair(ports, shape) if shape.ha else {}),
        **(kerberos.settings(folder, shape) if shape.kerberos else {}),
        **({} if shape.has_names else {**datanode(folder, ports, shape, 1), **nodemanager(folder, ports, shape, 1)}),
    }


def of_daemon(folder: Path, ports: dict[str, int], shape: Shape, kind: str, number: int, node: int) -> Settings:
    """The settings of one daemon alone: where it is, and the place of its data."""
    if kind == "namenode" and shape.ha:
        return {"dfs.ha.namenode.id": f"nn{number}", "dfs.namenode.name.dir": f"file://{namenode_folder(folder, number)}"}
    if kind == "journalnode":
        def at(name: str) -> str:
            return f"{shape.address(node)}:{ports[port_of(name, number)]}"
        return {"dfs.journalnode.rpc-address": at("journalnode"), "dfs.journalnode.http-address": at("journalnode_http"),
                "dfs.journalnode.edits.dir": str(journal_folder(folder, number))}
    if kind == "datanode" and shape.has_names:
        return datanode(folder, ports, shape, node)
    if kind == "nodemanager" and shape.has_names:
        return nodemanager(folder, ports, shape, node)
    return {}


def namenode_folder(folder: Path, number: int) -> Path:
    return folder / "hdfs" / numbered("name", number)


def journal_folder(folder: Path, number: int) -> Path:
    return folder / "hdfs" / numbered("journal", number)


def disks_of(folder: Path, shape: Shape, node: int) -> list[Path]:
    """All that lies on the disks of a node alone."""
    journals = [journal_folder(folder, node)] if node in shape.journal_numbers else []
    return [data_folder(folder, shape, node), *(of_node(folder / part, shape, node) for part in ("yarn/local", "yarn/log")), *journals]


def addresses(ports: dict[str, int], shape: Shape) -> Settings:
    def at(name: str) -> str:
        return f"{LOOPBACK}:{ports[name]}"

    return {
        "fs.defaultFS": f"hdfs://{NAMESERVICE}" if shape.ha else "hdfs://" + at("namenode"),
        "dfs.namenode.rpc-bind-host": LOOPBACK,
        "dfs.namenode.http-address": at("namenode_http"),
        # The DataNode comes from an address without a name.
        "dfs.namenode.datanode.registration.ip-hostname-check": "false",
        "yarn.resourcemanager.hostname": LOOPBACK,
        "yarn.resourcemanager.address": at("resourcemanager"),
        "yarn.resourcemanager.scheduler.address": at("resourcemanager_scheduler"),
        "yarn.resourcemanager.resource-tracker.address": at("resourcemanager_tracker"),
        "yarn.resourcemanager.admin.address": at("resourcemanager_admin"),
        "yarn.resourcemanager.webapp.address": at("resourcemanager_http"),
        "mapreduce.jobhistory.address": at("historyserver"),
        "mapreduce.jobhistory.webapp.address": at("historyserver_http"),
        "mapreduce.jobhistory.admin.address": at("historyserver_admin"),
    }


def datanode(folder: Path, ports: dict[str, int], shape: Shape, node: int) -> Settings:
    def at(name: str) -> str:
        return f"{shape.address(node)}:{ports[port_of(name, node)]}"

    return {
        "dfs.datanode.address": at("datanode"),
        "dfs.datanode.http.address": at("datanode_http"),
        "dfs.datanode.ipc.address": at("datanode_ipc"),
        "dfs.datanode.data.dir": f"file://{data_folder(folder, shape, node)}",
        **({"dfs.datanode.hostname": shape.host(node)} if shape.has_names else {}),
    }


def nodemanager(folder: Path, ports: dict[str, int], shape: Shape, node: int) -> Settings:
    def at(name: str) -> str:
        return f"{shape.host(node)}:{ports[port_of(name, node)]}"

    return {
        "yarn.nodemanager.hostname": shape.host(node),
        "yarn.nodemanager.address": at("nodemanager"),
        "yarn.nodemanager.localizer.address": at("nodemanager_localizer"),
        "yarn.nodemanager.webapp.address": at("nodemanager_http"),
        "yarn.nodemanager.collector-service.address": at("nodemanager_collector"),
        "yarn.nodemanager.local-dirs": str(of_node(folder / "yarn/local", shape, node)),
        "yarn.nodemanager.log-dirs": str(of_node(folder / "yarn/log", shape, node)),
        "mapreduce.shuffle.port": str(ports[port_of("shuffle", node)]),
    }


def data_folder(folder: Path, shape: Shape, node: int) -> Path:
    return of_node(folder / "hdfs/data", shape, node)


def of_node(folder: Path, shape: Shape, node: int) -> Path:
    """Each node has a disk of its own, unless there is only one."""
    return folder / shape.host(node) if shape.has_names else folder


def pair(ports: dict[str, int], shape: Shape) -> Settings:
    """Two NameNodes with one journal. An operator (or a test) says which of them is the active one."""
    journals = ";".join(f"{shape.address(min(each, shape.nodes))}:{ports[numbered('journalnode', each)]}" for each in shape.journal_numbers)
    settings = {
        "dfs.nameservices": NAMESERVICE,
        f"dfs.ha.namenodes.{NAMESERVICE}": "nn1,nn2",
        f"dfs.client.failover.proxy.provider.{NAMESERVICE}":
            "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider",
        "dfs.namenode.shared.edits.dir": f"qjournal://{journals}/{NAMESERVICE}",
        # The JournalNodes themselves let only one NameNode write.
        "dfs.ha.fencing.methods": "shell(/bin/true)",
        # A standby that has read the journal up to the last seconds takes over soon.
        "dfs.ha.tail-edits.period": "1s",
        "dfs.ha.log-roll.period": "5s",
    }
    for number in (1, 2):
        namenode = numbered("namenode", number)
        settings[f"dfs.namenode.rpc-address.{NAMESERVICE}.nn{number}"] = f"{LOOPBACK}:{ports[namenode]}"
        settings[f"dfs.namenode.http-address.{NAMESERVICE}.nn{number}"] = f"{LOOPBACK}:{ports[namenode + '_http']}"
    return settings


def storage(folder: Path, shape: Shape) -> Settings:
    several = {
        # All DataNodes come from one address: their names tell them apart.
        "dfs.client.use.datanode.hostname": "true",
        "dfs.datanode.use.datanode.hostname": "true",
        "dfs.replication": str(min(3, shape.nodes)),
        # With one of three nodes lost, no fourth node can take its place in a pipeline.
        "dfs.client.block.write.replace-datanode-on-failure.best-effort": "true",
        # Many small blocks: by default a node that comes back empty gets two of them per second.
        "dfs.namenode.redundancy.interval.seconds": "1",
        "dfs.namenode.replication.work.multiplier.per.iteration": "50",
        "dfs.namenode.replication.max-streams": "50",
        "dfs.namenode.replication.max-streams-hard-limit": "100",
        "dfs.namenode.reconstruction.pending.timeout-sec": "30",
    }
    alone = {
        "dfs.replication": "1",
        # There is no second DataNode with which to continue.
        "dfs.client.block.write.replace-datanode-on-failure.policy": "NEVER",
    }
    return {
        "hadoop.tmp.dir": str(folder / "tmp"),
        "dfs.namenode.name.dir": f"file://{namenode_folder(folder, 1)}",
        "dfs.namenode.safemode.extension": "0",
        # A file closes only when the NameNode has heard of its last block; by default the client asks again after 400
        # ms, which makes writing small files twenty times slower than necessary.
        "dfs.client.block.write.locateFollowingBlock.initial.delay.ms": "10",
        **(several if shape.has_names else alone),
    }


def containers(folder: Path, class_path: str, shape: Shape) -> Settings:
    at_once = TASKS_OF_SEVERAL if shape.has_names else TASKS_AT_ONCE
    memory_mb = MASTER_MB + at_once * TASK_MB
    return {
        "yarn.application.classpath": class_path,
        "yarn.nodemanager.resource.memory-mb": str(memory_mb),
        "yarn.nodemanager.resource.cpu-vcores": str(at_once + 1),
        "yarn.scheduler.minimum-allocation-mb": "256",
        "yarn.scheduler.maximum-allocation-mb": str(memory_mb),
        # A container over its memory is killed, as a production cluster does it. "Enforced" means by cgroups, which are not set up
        # here; without this line neither kills.
        "yarn.nodemanager.resource.memory.enforced": "false",
        # Java reserves addresses that it never uses.
        "yarn.nodemanager.vmem-check-enabled": "false",
        # A developer's disk is often nine tenths full, and at that level a node declares itself unhealthy.
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99.5",
        # The part of the node's environment that tasks see.
        "yarn.nodemanager.env-whitelist": ",".join(NODES_VARIABLES),
        "yarn.nodemanager.aux-services": "mapreduce_shuffle",
        # Where yarn.node-labels.enabled is set, too (`cluster/up --set`); by default all clusters of a user share a folder.
        "yarn.node-labels.fs-store.root-dir": f"file://{folder}/yarn/labels",
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
        # An application master asks the NodeManager of a lost node to end an attempt, for three minutes by default, before it
        # starts the next one.
        "yarn.client.nodemanager-connect.max-wait-ms": str(EXPIRY_MS // 2),
        "yarn.client.nodemanager-connect.retry-interval-ms": "1000",
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


def write_configuration(folder: Path, settings: Settings, java_home: Path, java_options: str) -> None:
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
             f"export HADOOP_CLIENT_OPTS=${{HADOOP_CLIENT_OPTS:-'-Xmx256m {SMALL_JVM}{java_options}'}}\n")


def _replace(path: Path, text: str) -> None:
    written = path.with_name(path.name + ".new")
    written.write_text(text)
    written.replace(path)
