"""A cluster in a folder: starts missing daemons, stops running ones, and reports their state.

The folder:  conf/ Hadoop's settings · env for a shell to source · run/ one record per process · log/ one log per daemon
             hdfs/ yarn/ s3/ tmp/ the daemons' data · ports.json
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

from pseudo import environment, ports, processes, s3, settings
from pseudo.daemons import BY_NAME, DAEMONS, Daemon, of_groups, wait_a_little

READY_SECONDS = 180
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

    # -- starting

    def up(self, groups: list[str], restart: list[str], overrides: dict[str, str]) -> None:
        """Starts the daemons of these groups (all groups, if empty) that do not run; those of `restart` in any case."""
        installation = find_installation()
        self.folder.mkdir(parents=True, exist_ok=True)
        with self._locked():
            for name in restart:
                self._stop([BY_NAME[name]], signal.SIGTERM)
            wanted = [BY_NAME[name] for name in restart] or of_groups(groups)
            if any(daemon.group != "s3" for daemon in wanted):
                _check_host_name()
            chosen = self._choose_ports()
            self._configure(installation, chosen, overrides)
            self._start_all(wanted, installation, chosen)
            self._write_env(installation, chosen)

    def _choose_ports(self) -> dict[str, int]:
        """Keeps the cluster's ports while they are free, so that its URIs stay the same from start to start."""
        known = self.ports()
        running = self._running()
        taken = {BY_NAME[name].group for name in running}
        if known and (taken or ports.all_free(known)):
            return known
        if known:
            ports.release(known, self.folder)
        try:
            chosen = ports.choose(self.folder)
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
        values = settings.all_settings(self.folder, class_path, chosen) | overrides
        settings.write_configuration(self._file("conf"), values, installation.java_home)

    def _start_all(self, wanted: list[Daemon], installation: Installation, chosen: dict[str, int]) -> None:
        started = time.monotonic()
        running = self._running()
        fresh = {daemon.name for daemon in wanted if daemon.name not in running}
        for daemon in wanted:
            if daemon.name in fresh and not daemon.after:
                self._start(daemon, installation, chosen)
        # In order of readiness: a daemon's predecessors are ready by the time it starts.
        for daemon in sorted(wanted, key=lambda each: len(each.after)):
            if daemon.name in fresh and daemon.after:
                self._start(daemon, installation, chosen)
            self._await_ready(daemon, chosen, fresh)
            print(f"{daemon.name} {'ready after' if daemon.name in fresh else 'runs, checked after'} "
                  f"{time.monotonic() - started:.1f} s", flush=True)

    def _start(self, daemon: Daemon, installation: Installation, chosen: dict[str, int]) -> None:
        variables = environment.of_daemon(self.folder, installation.java_home, daemon.heap_mb)
        if daemon.name == "s3":
            self._start_s3(daemon, installation, chosen, variables)
            return
        if daemon.name == "namenode":
            self._format_namenode(installation, variables)
        command = [str(installation.hadoop / daemon.command[0]), *daemon.command[1:]]
        self._launch(daemon, command, variables)

    def _start_s3(self, daemon: Daemon, installation: Installation, chosen: dict[str, int], variables: dict[str, str]) -> None:
        # A server that died keeps its credentials: its clients still use them.
        if not s3.credentials_file(self.folder).exists():
            s3.make_credentials(self.folder)
        command = s3.command(installation.s3, self.folder, chosen["s3"])
        self._launch(daemon, command, variables | s3.environment(self.folder))

    def _launch(self, daemon: Daemon, command: list[str], variables: dict[str, str]) -> None:
        log = self._log(daemon)
        with open(log, "a") as file:
            file.write(f"--- starting {daemon.name}\n")
        processes.save(processes.start_detached(command, variables, self.folder, log), self._record(daemon))

    def _format_namenode(self, installation: Installation, variables: dict[str, str]) -> None:
        if self._file("hdfs/name/current/VERSION").exists():
            return
        command = [str(installation.hadoop / "bin/hdfs"), "namenode", "-format", "-force", "-nonInteractive"]
        done = subprocess.run(command, env=variables, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, errors="replace")
        self._file("log/format.log").write_text(done.stdout)
        if done.returncode != 0:
            raise ClusterError(f"the NameNode's folder could not be made:\n{_tail(self._file('log/format.log'))}")

    def _await_ready(self, daemon: Daemon, chosen: dict[str, int], fresh: set[str]) -> None:
        process = processes.load(self._record(daemon))
        assert process is not None
        since = time.time() - processes.uptime_seconds(process) if daemon.name in fresh else 0.0
        deadline = time.monotonic() + READY_SECONDS
        while not daemon.ready(chosen, since):
            if not processes.is_running(process):
                raise ClusterError(f"{daemon.name} died; the end of {self._log(daemon)}:\n{_tail(self._log(daemon))}")
            if time.monotonic() > deadline:
                raise ClusterError(f"{daemon.name} is not ready after {READY_SECONDS} s; the end of {self._log(daemon)}:\n"
                                   f"{_tail(self._log(daemon))}")
            wait_a_little()
        if daemon.name == "s3":
            s3.create_bucket(self.folder, chosen["s3"])

    def _write_env(self, installation: Installation, chosen: dict[str, int]) -> None:
        groups = {BY_NAME[name].group for name in self._running()}
        variables = environment.exports(self.folder, installation.hadoop, installation.java_home, chosen, groups)
        environment.write(self._file("env"), variables)

    # -- stopping

    def down(self, names: list[str], signal_number: int = signal.SIGTERM, delete: bool = False) -> None:
        """Stops these daemons; without names all of them and their tasks, and removes the files made for clients."""
        if not self.folder.is_dir():
            return
        with self._locked():
            if names:
                self._stop([BY_NAME[name] for name in names], signal_number)
                return
            self._stop(list(DAEMONS), signal_number)
            self._end_tasks()
            for name in ("env", "overrides.json", "s3/credentials"):
                self._file(name).unlink(missing_ok=True)
            if delete:
                self._delete()

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

    def _end_tasks(self) -> None:
        """Ends the tasks that a killed NodeManager left behind: they work only in folders of this cluster."""
        for _ in range(20):
            left = list(processes.working_below(self._file("yarn/local")))
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
        process = processes.load(self._record(BY_NAME[name]))
        return process if process is not None and processes.is_running(process) else None

    def status(self) -> list[dict[str, object]]:
        chosen = self.ports()
        lines: list[dict[str, object]] = []
        for daemon in DAEMONS:
            process = self.process(daemon.name)
            line: dict[str, object] = {"daemon": daemon.name, "state": "stopped"}
            if process is None and self._record(daemon).exists():
                line["state"] = "died"
            if process is not None and chosen is not None:
                line["state"] = "ready" if daemon.ready(chosen, 0.0) else "not ready"
                line |= {"pid": process.pid, "memory_mb": processes.resident_bytes(process) >> 20,
                         "seconds": int(processes.uptime_seconds(process)), "port": chosen[daemon.name]}
            lines.append(line)
        return lines

    def _running(self) -> set[str]:
        return {daemon.name for daemon in DAEMONS if self.process(daemon.name)}

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
