"""What a jailed program may see and use, and how it is started. The kernel keeps it to that; see launcher.py."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from qpolis.sandbox import seccomp

NAMESPACES, LANDLOCK = "namespaces", "landlock"
LEVELS = (NAMESPACES, LANDLOCK)  # the best first
HERE = os.path.dirname(os.path.abspath(__file__))
LAUNCHER = os.path.join(HERE, "launcher.py")
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt"),
    *("/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"),
)
MOST_NEIGHBOURS = 256  # files beside a bot: a folder with more is not a bot's own
RUN_FILE = "plan.toml"  # what a folder of results has
_hidden: set[str] = set()  # folders that no program may see, wherever they are: the runs that this process plays


def hide(folder: str | os.PathLike[str]) -> None:
    """From now on no jailed program sees this folder, whatever else it is shown."""
    _hidden.add(os.path.realpath(folder))


@dataclass(frozen=True)
class Jail:
    """What a program may see and use.

    `readable` are absolute paths that it sees as they are; `writable` those it may change, too; `environment` is
    all it has besides the few variables of `variables`. `cores` are those it may run on; empty: any. It dies with
    the thread that started it, because the kernel counts threads as parents.
    """

    level: str
    readable: tuple[str, ...]
    writable: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    cores: tuple[int, ...] = ()
    tmp: int = 64 << 20  # bytes of /tmp, of /dev/shm, and of any one file
    processes: int = 64  # threads count, too
    open_files: int = 256

    def folder(self) -> str | None:
        """A new folder for what the program writes, if this level needs one; whoever asks removes it."""
        return tempfile.mkdtemp(prefix="qpolis-bot-") if self.level == LANDLOCK else None

    def variables(self, folder: str | None = None) -> dict[str, str]:
        """The complete environment of the program."""
        path = os.pathsep.join((os.path.dirname(sys.executable), "/usr/local/bin", "/usr/bin", "/bin"))
        home = folder or "/tmp"
        return {"PATH": path, "LANG": "C.UTF-8", **self.environment, "HOME": home, "TMPDIR": home}

    def command(
        self,
        command: Sequence[str],
        folder: str | None = None,
        memory: int | None = None,
        files: Sequence[int] = (),
        report: int = 2,
    ) -> list[str]:
        """What starts `command` inside, by this process: with the `folder` that `folder()` gave, with at most
        `memory` bytes of data in any one process, and with these open `files`. Why nothing was started is written
        into the file `report`, which `command` does not get."""
        limits = {"CORE": 0, "FSIZE": self.tmp, "NOFILE": self.open_files}
        if memory is not None:
            limits["DATA"] = memory
        if self.level == NAMESPACES:  # elsewhere the system would count all processes of the user
            limits["NPROC"] = self.processes
        spec = {
            "level": self.level,
            "readable": [
                part
                for path in (*always_readable(), *self.readable)
                for part in _without_hidden(os.path.abspath(path))
            ],
            "writable": [os.path.abspath(path) for path in (*self.writable, *([folder] if folder else []))],
            "cores": self.cores,
            "tmp": self.tmp,
            "limits": limits,
            "files": list(files),
            "report": report,
            "parent": os.getpid(),
            "filter": seccomp.program(self.level == NAMESPACES).hex(),
        }
        return [sys.executable, "-I", "-S", LAUNCHER, json.dumps(spec), *command]


def always_readable() -> list[str]:
    """The system's programs and libraries, Python's, and the package qpolis: not the folder around it."""
    packages = [path for path in sys.path if os.path.basename(path) in ("site-packages", "dist-packages")]
    paths = [*SYSTEM, sys.prefix, sys.base_prefix, sys.exec_prefix, *packages, os.path.dirname(HERE)]
    return [path for path in dict.fromkeys(paths) if path != "/" and os.path.exists(path)]


def own_files(path: str) -> tuple[str, ...]:
    """What a bot that is the file `path` may see: itself, the files beside it, packages beside it and the folder
    of its own name; no hidden files, nothing of a run, and nothing elsewhere to which a link among them leads: who
    sent the bot may have sent the link. In a crowded folder only the Python files."""
    path = os.path.abspath(path)
    folder, name = os.path.split(path)
    if os.path.exists(os.path.join(folder, RUN_FILE)):
        return (path,)
    beside = [entry for entry in _entries(folder) if not entry.name.startswith(".")]
    files = [entry.path for entry in beside if entry.is_file() and _is_own(entry)]
    if len(files) > MOST_NEIGHBOURS:
        files = [file for file in files if file.endswith(".py")]
    stem = os.path.splitext(name)[0]
    folders = [
        entry.path
        for entry in beside
        if entry.is_dir(follow_symlinks=False)
        and (entry.name == stem or os.path.exists(os.path.join(entry.path, "__init__.py")))
        and not os.path.exists(os.path.join(entry.path, RUN_FILE))
    ]
    return tuple(dict.fromkeys([path, *sorted(files), *sorted(folders)]))


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder; nothing if it cannot be read."""
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return []


def _without_hidden(path: str) -> list[str]:
    """A path that is shown; if there is a hidden folder in it, all else that is in it."""
    if not _leads_to_hidden(path):
        return [path]
    if os.path.realpath(path) in _hidden:
        return []
    shown: list[str] = []
    for entry in _entries(path):
        if not entry.is_symlink():
            shown += _without_hidden(entry.path)
        elif not _leads_to_hidden(entry.path):
            shown.append(entry.path)
    return shown


def _leads_to_hidden(path: str) -> bool:
    real = os.path.realpath(path)
    return any(os.path.commonpath([real, folder]) == real for folder in _hidden)


def _is_own(entry: os.DirEntry[str]) -> bool:
    """Is this file beside a bot its own? A link is, to another such file."""
    folder, name = os.path.split(os.path.realpath(entry.path))
    beside = folder == os.path.realpath(os.path.dirname(entry.path))
    return beside and not name.startswith(".") and not _of_run(name) and not _of_run(entry.name)


def _of_run(name: str) -> bool:
    return name == RUN_FILE or (name.startswith("journal") and name.endswith(".bin"))
