"""A cluster in a folder: starts missing daemons, stops running ones, and reports their state.

The folder:  conf/ Hadoop's settings · env for a shell to source · run/ one record per process · log/ one log per daemon
             hdfs/ yarn/ s3/ krb5/ tmp/ the daemons' data · ports.json · shape.json
Nothing is kept in memory: every command finds out anew which daemons run, so that they may die at any time.
"""

import fcntl
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Iterator, Optional

from pseudo import environment, kerberos, ports, processes, s3, settings, shape
from pseudo.daemons import Daemon, daemons_of, namenode_state, of_groups, wait_a_little
from pseudo.shape import Shape

READY_SECONDS = 300
LOG_TAIL_LINES = 25


class ClusterError(Exception):
    """Its text is shown to the user unchanged."""


@dataclass(frozen=True)
class Installation:
    """The programs that cluster/setup has fetched."""
    hadoop: Path
    s3: Path
    java_home: Path


def find_installation() -> Installation:
    cache = Path(os.environ.get("TRAWL_CACHE") or Path.home() / ".cache/trawl")
    for part in ("hadoop", "s3"):
        if not (cache / part).exists():
            raise ClusterError(f"{cache / part} is missing: run cluster/setup")
    # Resolved, so that a later set-up does not change a running cluster.
    return Installation((cache / "hadoop").resolve(), (cache / "s3").resolve(), _find_java_home())


def _find_java_home() -> Path:
    candidates = [Path(os.environ["JAVA_HOME"])] if os.environ.get("JAVA_HOME") else []
    candidates += sorted(Path("/usr/lib/jvm").glob("java-17-openjdk-*"))
    for home in candidates:
        if (home / "bin/java").exists():
            return home
    raise ClusterError("no Java found: set JAVA_HOME, or run cluster/setup")


class Cluster:
    def __init__(self, folder: Path):
        self.folder = folder.absolute()

    # -- its shape

    @property
    def shape(self) -> Shape:
        return shape.load(self.folder) or Shape()

    @property
    def daemons(self) -> tuple[Daemon, ...]:
        return daemons_of(self.shape)

    def daemon(self, name: str) -> Daemon:
        for daemon in self.daemons:
            if daemon.name == name:
                return daemon
        raise ClusterError(f"there is no daemon {name}; there are {', '.join(each.name for each in self.daemons)}")

    def _keep_shape(self, wanted: Optional[Shape]) -> None:
        known = shape.load(self.folder)
        if known is None and wanted is None and self._file("ports.json").exists():
            known = Shape()  # from before shapes were written down
        if known and wanted and known != wanted:
            raise ClusterError(f"{self.folder} was started with {known}: take another folder, or cluster/down --delete first")
        shape.save(known or wanted or Shape(), self.folder)

    # -- starting

    def up(self, groups: list[str], restart: list[str], overrides: dict[str, str], wanted_shape: Optional[Shape] = None) -> None:
        """Starts the daemons of these groups (all groups, if empty) that do not run; those of `restart` in any case.

        `wanted_shape` is for the first start; without one the cluster keeps the shape that it has.
        """
        installation = find_installation()
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._locked():
            self._keep_shape(wanted_shape)
            for name in restart:
                self._stop([self.daemon(name)], signal.SIGTERM)
            wanted = [self.daemon(name) for name in restart] or of_groups(self.daemons, groups)
            if any(daemon.group != "s3" for daemon in wanted):
                _check_host_name()
            chosen = self._choose_ports()
            self._configure(installation, chosen, overrides)
            self._start_all(wanted, installation, chosen)
            self._write_env(installation, chosen)

    def _choose_ports(self) -> dict[str, int]:
        """Keeps the cluster's ports while they are free, so that its URIs stay the same from start to start."""
        known = self.ports()
        if known and (self._running() or ports.all_free(known)):
            return known
        if known:
            ports.release(known, self.folder)
        try:
            chosen = ports.choose(self.folder, self.shape)
        except RuntimeError as error:
            raise ClusterError(str(error)) from error
        self._file("ports.json").write_text(json.dumps(chosen, indent=1))
        return chosen

    def _configure(self, installation: Installation, chosen: dict[str, int], overrides: dict[str, str]) -> None:
        for name in ("conf", "log", "run", "tmp"):
            self._file(name).mkdir(exist_ok=True)
        # Overrides stay in effect until the next start that names some, or until the cluster is stopped.
        remembered = self._file("overrides.json")
        if overrides:
            remembered.write_text(json.dumps(overrides))
        elif remembered.exists():
            overrides = json.loads(remembered.read_text())
        class_path = environment.class_path(self.folder, installation.hadoop)
        values = settings.all_settings(self.folder, class_path, chosen, self.shape) | overrides
        self._file("conf/hosts").write_text(self.shape.hosts_file())
        settings.write_configuration(self._file("conf"), values, installation.java_home,
                                     environment.java_options(self.folder, self.shape))

    def _start_all(self, wanted: list[Daemon], installation: Installation, chosen: dict[str, int]) -> None:
        started = time.monotonic()
        running = self._running()
        fresh = {daemon.name for daemon in wanted if daemon.name not in running}
        waiting = [daemon for daemon in wanted if daemon.name in fresh]
        unready = [daemon for daemon in wanted if daemon.name not in fresh]
        while waiting or unready:
            for daemon in self._startable(waiting, unready):
                waiting.remove(daemon)
                self._start(daemon, installation, chosen)
                unready.append(daemon)
            for daemon in [each for each in unready if self._is_ready(each, chosen, fresh, started)]:
                unready.remove(daemon)
                self._once_ready(daemon, installation, chosen)
                print(f"{daemon.name} {'ready after' if daemon.name in fresh else 'runs, checked after'} "
                      f"{time.monotonic() - started:.1f} s", flush=True)
            if unready:
                wait_a_little()

    @staticmethod
    def _startable(waiting: list[Daemon], unready: list[Daemon]) -> list[Daemon]:
        awaited = {daemon.name for daemon in (*waiting, *unready)}
        return [daemon for daemon in waiting if not awaited.intersection(daemon.after)]

    def _start(self, daemon: Daemon, installation: Installation, chosen: dict[str, int]) -> None:
        variables = environment.of_daemon(self.folder, installation.java_home, daemon.heap_mb, self.shape)
        if daemon.name == "s3":
            self._start_s3(daemon, installation, chosen, variables)
            return
        if daemon.name == "kdc":
            self._start_kdc(daemon, chosen, variables)
            return
        own = settings.of_daemon(self.folder, chosen, self.shape, daemon.name.rstrip("0123456789"), daemon.number, daemon.node)
        own_words = [word for name, value in own.items() for word in ("-D", f"{name}={value}")]
        if daemon.name.startswith("journalnode"):
            self._bring_journal_back(daemon.number)
        elif daemon.name == "namenode":
            self._make_image(daemon, installation, variables, [*own_words, "-format", "-force", "-nonInteractive"])
        elif daemon.name == "namenode2":
            self._make_image(daemon, installation, variables, [*own_words, "-bootstrapStandby", "-force", "-nonInteractive"])
        if self.shape.kerberos and daemon.name.startswith("nodemanager"):
            variables["HADOOP_CONF_DIR"] = str(self._node_settings(installation))
        self._launch(daemon, [str(installation.hadoop / daemon.command[0]), *daemon.command[1:], *own_words], variables)

    def _start_s3(self, daemon: Daemon, installation: Installation, chosen: dict[str, int], variables: dict[str, str]) -> None:
        # A server that died keeps its credentials: its clients still use them.
        if not s3.credentials_file(self.folder).exists():
            s3.make_credentials(self.folder)
        command = s3.command(installation.s3, self.folder, chosen["s3"])
        self._launch(daemon, command, variables | s3.environment(self.folder))

    def _start_kdc(self, daemon: Daemon, chosen: dict[str, int], variables: dict[str, str]) -> None:
        try:
            kerberos.make(self.folder, chosen["kdc"], self.shape)
            command = kerberos.command()
        except RuntimeError as error:
            raise ClusterError(str(error)) from error
        self._launch(daemon, command, variables | kerberos.environment(self.folder))

    def _node_settings(self, installation: Installation) -> Path:
        try:
            return kerberos.make_node_settings(self.folder, installation.hadoop, installation.java_home)
        except RuntimeError as error:
            raise ClusterError(str(error)) from error

    def _launch(self, daemon: Daemon, command: list[str], variables: dict[str, str]) -> None:
        log = self._log(daemon)
        with open(log, "a") as file:
            file.write(f"--- starting {daemon.name}\n")
        processes.save(processes.start_detached(command, variables, self.folder, log), self._record(daemon))

    def _bring_journal_back(self, number: int) -> None:
        """A JournalNode that lost its disk gets a copy of another one's folder, as an operator would do it; it then catches up."""
        mine = settings.journal_folder(self.folder, number)
        others = [settings.journal_folder(self.folder, each) for each in self.shape.journal_numbers if each != number]
        source = next((other for other in others if other.exists()), None)
        if source is not None and not mine.exists():
            shutil.copytree(source, mine, ignore=shutil.ignore_patterns("in_use.lock", "edits_inprogress*"))

    def _make_image(self, daemon: Daemon, installation: Installation, variables: dict[str, str], words: list[str]) -> None:
        """The NameNode's folder: made once, by its own command."""
        if (settings.namenode_folder(self.folder, daemon.number) / "current/VERSION").exists():
            return
        self._command(installation, variables, f"format-{daemon.name}", "namenode", *words)

    def _command(self, installation: Installation, variables: dict[str, str], name: str, *words: str) -> str:
        """Runs a command of HDFS' and returns what it printed. Its output is also in log/NAME.log."""
        login = kerberos.by_keytab(self.folder) if self.shape.kerberos else {}
        done = subprocess.run([str(installation.hadoop / "bin/hdfs"), *words], env=variables | login, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        self._file(f"log/{name}.log").write_text(done.stdout)
        if done.returncode != 0:
            raise ClusterError(f"hdfs {words[0]} failed ({name}):\n{_tail(self._file(f'log/{name}.log'))}")
        return done.stdout

    def _is_ready(self, daemon: Daemon, chosen: dict[str, int], fresh: set[str], started: float) -> bool:
        process = processes.load(self._record(daemon))
        assert process is not None
        since = time.time() - processes.uptime_seconds(process) if daemon.name in fresh and processes.is_running(process) else 0.0
        if daemon.ready(chosen, since):
            return True
        if not processes.is_running(process):
            raise ClusterError(f"{daemon.name} died; the end of {self._log(daemon)}:\n{_tail(self._log(daemon))}")
        if time.monotonic() - started > READY_SECONDS:
            raise ClusterError(f"{daemon.name} is not ready after {READY_SECONDS} s; the end of {self._log(daemon)}:\n"
                               f"{_tail(self._log(daemon))}")
        return False

    def _once_ready(self, daemon: Daemon, installation: Installation, chosen: dict[str, int]) -> None:
        if daemon.name == "s3":
            s3.create_bucket(self.folder, chosen["s3"])
        if self.shape.ha and daemon.name.startswith("namenode"):
            self._make_one_active(installation, chosen)

    def _make_one_active(self, installation: Installation, chosen: dict[str, int]) -> None:
        """Of two standbys the first becomes active. A NameNode that is alone may have died active: that is for an operator to say."""
        if {namenode_state(chosen, name) for name in ("namenode", "namenode2")} == {"standby"}:
            variables = environment.of_daemon(self.folder, installation.java_home, 128, self.shape)
            self._command(installation, variables, "haadmin", "haadmin", "-transitionToActive", "nn1")

    def _write_env(self, installation: Installation, chosen: dict[str, int]) -> None:
        groups = {self.daemon(name).group for name in self._running()}
        variables = environment.exports(self.folder, installation.hadoop, installation.java_home, chosen, groups, self.shape)
        environment.write(self._file("env"), variables)

    # -- stopping

    def down(self, names: list[str], signal_number: int = signal.SIGTERM, delete: bool = False) -> None:
        """Stops these daemons; without names all of them and their tasks, and removes the files made for clients."""
        if not self.folder.is_dir():
            return
        with self._locked():
            if names:
                self._stop([self.daemon(name) for name in names], signal_number)
                return
            self._stop(list(self.daemons), signal_number)
            self._end_tasks(self._file("yarn/local"))
            for name in ("env", "overrides.json", "s3/credentials"):
                self._file(name).unlink(missing_ok=True)
            if delete:
                self._delete()

    def lose_node(self, node: int) -> list[str]:
        """What happens when a machine burns: its daemons and tasks end at once, and its disks are gone. Returns the daemons that ran."""
        if node not in self.shape.node_numbers or not self.shape.has_names:
            raise ClusterError(f"there is no node {node} to lose: {self.folder} has {self.shape.nodes}")
        with self._locked():
            lost = [daemon for daemon in self.daemons if daemon.node == node and self.process(daemon.name)]
            self._stop(lost, signal.SIGKILL)
            disks = settings.disks_of(self.folder, self.shape, node)
            self._end_tasks(settings.of_node(self._file("yarn/local"), self.shape, node))
            for disk in disks:
                shutil.rmtree(disk, ignore_errors=True)
            return [daemon.name for daemon in lost]

    def _stop(self, daemons: list[Daemon], signal_number: int) -> None:
        stopping: list[tuple[Daemon, processes.ProcessId]] = []
        for daemon in daemons:
            process = processes.load(self._record(daemon))
            if process is not None and processes.send(process, signal_number):
                # A suspended process does not react to a polite request.
                processes.send(process, signal.SIGCONT)
                stopping.append((daemon, process))
        for daemon, process in stopping:
            if not processes.wait_until_gone(process, daemon.patience_seconds):
                processes.send(process, signal.SIGKILL)
                if not processes.wait_until_gone(process, 10):
                    raise ClusterError(f"{daemon.name} (process {process.pid}) does not end")
        for daemon in daemons:
            self._record(daemon).unlink(missing_ok=True)

    def _end_tasks(self, folder: Path) -> None:
        """Ends the tasks that a killed NodeManager left behind: they work only in folders of this cluster."""
        for _ in range(20):
            left = list(processes.working_below(folder))
            if not left:
                return
            for process in left:
                processes.send(process, signal.SIGKILL)
            wait_a_little()
        raise ClusterError(f"tasks do not end: processes {[process.pid for process in left]}")

    def _delete(self) -> None:
        known = self.ports()
        if known:
            ports.release(known, self.folder)
        shutil.rmtree(self.folder)

    # -- looking

    def ports(self) -> Optional[dict[str, int]]:
        try:
            return json.loads(self._file("ports.json").read_text())
        except (FileNotFoundError, ValueError):
            return None

    def process(self, name: str) -> Optional[processes.ProcessId]:
        """Returns None unless it runs."""
        process = processes.load(self._record(self.daemon(name)))
        return process if process is not None and processes.is_running(process) else None

    def status(self) -> list[dict[str, object]]:
        chosen = self.ports()
        lines: list[dict[str, object]] = []
        for daemon in self.daemons:
            process = self.process(daemon.name)
            line: dict[str, object] = {"daemon": daemon.name, "state": "stopped", "host": self._host(daemon)}
            if process is None and self._record(daemon).exists():
                line["state"] = "died"
            if process is not None and chosen is not None:
                line["state"] = "ready" if daemon.ready(chosen, 0.0) else "not ready"
                line |= {"pid": process.pid, "memory_mb": processes.resident_bytes(process) >> 20,
                         "seconds": int(processes.uptime_seconds(process)), "port": chosen[daemon.name]}
            lines.append(line)
        return lines

    def _host(self, daemon: Daemon) -> str:
        return self.shape.host(daemon.node) if daemon.node else shape.LOOPBACK

    def _running(self) -> set[str]:
        return {daemon.name for daemon in self.daemons if self.process(daemon.name)}

    # -- files

    def _file(self, name: str) -> Path:
        return self.folder / name

    def _record(self, daemon: Daemon) -> Path:
        return self._file(f"run/{daemon.name}.json")

    def _log(self, daemon: Daemon) -> Path:
        return self._file(f"log/{daemon.name}.log")

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """One command at a time changes a cluster; the next one waits."""
        path = self._file("lock")
        while True:
            with open(path, "w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                if path.exists() and path.stat().st_ino == os.fstat(lock.fileno()).st_ino:
                    yield
                    return
            # The folder was deleted while we waited.
            self.folder.mkdir(parents=True, exist_ok=True)


def _check_host_name() -> None:
    name = socket.gethostname()
    try:
        socket.gethostbyname(name)
    except OSError as error:
        raise ClusterError(f"this machine's name, {name}, does not resolve, which Hadoop's tasks need: "
                           f"add '127.0.0.1 {name}' to /etc/hosts") from error


def _tail(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines()[-LOG_TAIL_LINES:]
    return "\n".join("    " + line for line in lines)
