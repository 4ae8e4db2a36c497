"""Folders as the root of programs: what a package does on a machine that has nothing else of ours."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

# The user of the container image.
UID = 10001
# Given to `sh -c` with the root, how many mounts of this machine's folders, and those folders. The mounts are seen by nobody else.
ENTER = """
set -e
root=$1 count=$2 rights=$3
shift 3
mount --bind "$root" "$root"
while [ "$count" -gt 0 ]; do mkdir -p "$root$2"; mount --bind "$1" "$root$2"; shift 2; count=$((count - 1)); done
[ "$rights" = rw ] || mount -o remount,bind,ro "$root"
mkdir -p "$root/proc" 2> /dev/null || true
mount -t proc proc "$root/proc"
exec chroot "$@"
"""


def is_root():
    return os.geteuid() == 0


class Root:
    """`mounts` are pairs of a folder here and its name there, which can be written also where the root is read-only."""

    def __init__(self, folder):
        self.folder, self.mounts = folder, []
        for name in ("proc", "tmp", "dev", "etc"):
            (folder / name).mkdir(parents=True, exist_ok=True)

    def add_glibc(self):
        listed = subprocess.run(["dpkg", "-L", "libc6"], capture_output=True, text=True, check=True).stdout.split()
        for name in listed:
            if re.search(r"/(ld-linux|lib)[^/]*\.so[^/]*$", name):
                self._copy(Path(name))

    def add_program(self, path):
        """A program of this machine with its libraries."""
        self._copy(Path(path))
        listed = subprocess.run(["ldd", path], capture_output=True, text=True, check=True).stdout
        for library in re.findall(r"(/\S+) \(0x", listed):
            self._copy(Path(library))

    def _copy(self, path):
        into = self.folder / path.relative_to("/")
        if not into.exists():
            into.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path.resolve(), into)

    def words(self, *command, uid=None, is_read_only=False):
        """The command line that runs the command there, as process 1 of a process namespace."""
        mounts = [str(word) for pair in self.mounts for word in pair]
        user = [f"--userspec={uid}:{uid}", "--groups="] if uid else []
        return ["unshare", "--pid", "--mount", "--fork", *([] if is_root() else ["--map-root-user"]), "sh", "-c", ENTER, "sh",
                str(self.folder), str(len(self.mounts)), "ro" if is_read_only else "rw", *mounts, *user, str(self.folder), *map(str, command)]

    def run(self, *command, uid=None, is_read_only=False, is_offline=False, ok=(0,), **variables):
        """What the command prints there."""
        words = self.words(*command, uid=uid, is_read_only=is_read_only)
        if is_offline:
            words[1:1] = ["--net"]
        done = subprocess.run(words, env=environment(variables), capture_output=True, text=True, timeout=300, check=False)
        assert done.returncode in ok, f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stdout[-1500:]}{done.stderr[-1500:]}"
        return done.stdout


def first_process(started):
    """The id, here, of process 1 of the namespace that a Popen of Root.words has started."""
    return int(Path(f"/proc/{started.pid}/task/{started.pid}/children").read_text().split()[0])


def end(started):
    """Ends that process. A signal to `unshare` would not reach it, since it has another user."""
    if started.poll() is None:
        os.kill(first_process(started), signal.SIGTERM)
        started.wait(60)


def look_into(process, *command):
    """The command line that runs the command in the namespaces of that process, as the user of the image."""
    return ["nsenter", f"--target={process}", "--pid", "--mount", "--net", f"--root=/proc/{process}/root", "--wd=/", "-S", str(UID), "-G", str(UID), *command]


def environment(variables):
    """Nothing of this process but the path."""
    return {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "TMPDIR": "/tmp", **{name: str(value) for name, value in variables.items()}}
