"""Uses a test cluster like a user at a shell, and also looks at its processes."""

import glob
import json
import os
import socket
import subprocess
from pathlib import Path

from pseudo import processes, s3
from pseudo.cluster import Cluster

CLUSTER = Path(__file__).resolve().parent.parent
TASK = CLUSTER / "tests/streaming_task.py"


class Client:
    def __init__(self, folder: Path):
        self.folder = folder
        self.cluster = Cluster(folder / "first")
        self.second = Cluster(folder / "second")
        self.environment = dict(os.environ)

    def up(self, *options: object) -> str:
        return self.run(CLUSTER / "up", *options, self.cluster.folder)

    def down(self, *options: object) -> str:
        return self.run(CLUSTER / "down", *options, self.cluster.folder)

    def source_environment(self) -> None:
        sourced = self.run("bash", "-c", f". '{self.cluster.folder}/env' && env -0")
        self.environment = dict(line.split("=", 1) for line in sourced.split("\0") if line)

    def run(self, *arguments: object, stdin: str = "") -> str:
        """Returns the standard output. Raises AssertionError with the end of both outputs if the command fails."""
        done = subprocess.run([str(each) for each in arguments], input=stdin, capture_output=True, text=True, env=self.environment)
        assert done.returncode == 0, f"{arguments[0]} exited {done.returncode}: {(done.stdout + done.stderr)[-3000:]}"
        return done.stdout

    def stream(self, mapper: str, reducer: str, output: str, definitions: dict[str, object], *options: str) -> None:
        """Runs a Streaming job over /test/control, with the same settings as Trawl's own jobs."""
        jar = glob.glob(self.environment["HADOOP_HOME"] + "/share/hadoop/tools/lib/hadoop-streaming-*.jar")[0]
        all_definitions = {
            "mapreduce.input.lineinputformat.linespermap": 1,
            "stream.map.input.ignoreKey": "true",
            "stream.map.output": "rawbytes",
            "stream.reduce.input": "rawbytes",
            "stream.reduce.output": "text",
            "mapreduce.partition.binarypartitioner.left.offset": 0,
            "mapreduce.partition.binarypartitioner.right.offset": 1,
        } | definitions
        words = [word for name, value in all_definitions.items() for word in ("-D", f"{name}={value}")]
        self.run("hadoop", "jar", jar, *words, "-files", TASK, *options,
                 "-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat",
                 "-partitioner", "org.apache.hadoop.mapred.lib.BinaryPartitioner",
                 "-input", "/test/control", "-output", output, "-mapper", mapper, "-reducer", reducer)

    def put_if_absent(self, name: str, secret: str) -> str:
        """Creates an object and returns the status."""
        user = f"{self.environment['AWS_ACCESS_KEY_ID']}:{secret}"
        options = [
            f'url = "http://127.0.0.1:{self.ports()["s3"]}/{s3.BUCKET}/{name}"', 'request = "PUT"', 'data = "body"',
            f'aws-sigv4 = "aws:amz:{s3.REGION}:s3"', f'user = "{user}"', 'noproxy = "*"', "silent",
            'header = "If-None-Match: *"', 'header = "x-amz-content-sha256: UNSIGNED-PAYLOAD"',
            'header = "Content-Type: application/octet-stream"', 'output = "/dev/null"', 'write-out = "%{http_code}"',
        ]
        return self.run("curl", "--config", "-", stdin="\n".join(options))

    def secret(self) -> str:
        return self.environment["AWS_SECRET_ACCESS_KEY"]

    def lost_nodes(self) -> int:
        url = f"{self.environment['TRAWL_TEST_YARN']}/ws/v1/cluster/metrics"
        return json.loads(self.run("curl", "-s", "--noproxy", "*", url))["clusterMetrics"]["lostNodes"]

    def ports(self) -> dict[str, int]:
        ports = self.cluster.ports()
        assert ports is not None, "the cluster has no ports"
        return ports

    def listening(self) -> list[str]:
        return [name for name, port in self.ports().items() if _answers(port)]

    def daemons(self) -> dict[str, processes.ProcessId]:
        """The processes of the running daemons."""
        found = {str(line["daemon"]): self.cluster.process(str(line["daemon"])) for line in self.cluster.status()}
        return {name: process for name, process in found.items() if process is not None}

    def tasks(self) -> list[processes.ProcessId]:
        """The Streaming tasks' own processes, which are children of Hadoop's."""
        return [process for process in processes.working_below(self.cluster.folder / "yarn/local")
                if b"streaming_task.py" in command_line(process.pid)]


def command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        return b""  # Gone meanwhile.


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
