"""The command line of qpolis, from outside."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from qpolis.cli.main import main; main()"]
MARK = "QPOLIS_ATTACK_MARK"  # variable that marks the processes of a command
PATIENCE = 600  # seconds: a command that hangs is a failure


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(ROOT), **more}


def qpolis(words: list[str], folder: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder."""
    return subprocess.run(
        [*COMMAND, *words],
        cwd=folder,
        env=environment(**more),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )


class Command:
    """A command that runs in a session of its own. It is a fork of this process, so that what is loaded here need
    not be loaded again; or, `afresh`, a new process as users start it."""

    def __init__(self, words: list[str], folder: Path, afresh: bool = False) -> None:
        self._mark = f"qpolis-attack-{os.getpid()}-{time.monotonic_ns()}"
        sys.stderr.flush()
        self.pid = os.fork()
        if not self.pid:
            _become(words, folder, self._mark, afresh)

    def wait(self, seconds: float = PATIENCE) -> int | None:
        """Its exit code; None if it still runs after so many seconds."""
        descriptor = os.pidfd_open(self.pid)
        try:
            if not select.select([descriptor], [], [], seconds)[0]:
                return None
        finally:
            os.close(descriptor)
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def kill(self) -> None:
        """Kill all its processes; workers and bots may have groups of their own."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        for process in marked(self._mark):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)


def _become(words: list[str], folder: Path, mark: str, afresh: bool) -> NoReturn:
    """Be the command, in a process that was just forked."""
    code = 1
    try:
        os.setsid()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nothing, stream)
        os.chdir(folder)
        os.environ.update(environment(**{MARK: mark}))
        if afresh:
            os.execv(COMMAND[0], [*COMMAND, *words])
        code = call(words)
    finally:
        os._exit(code)


def call(words: list[str]) -> int:
    """Run a command in this process, whose exit code it gives."""
    from qpolis.cli.main import main

    try:
        main(words)
    except SystemExit as ended:
        return ended.code if isinstance(ended.code, int) else 1
    return 0


def marked(mark: str) -> list[int]:
    """Processes that have this text in their environment."""
    return _with(mark, "environ")


def naming(path: Path) -> list[int]:
    """Processes that have this path in their command, which end soon; those that are left after a while."""
    deadline = time.monotonic() + 20
    while (found := _with(str(path), "cmdline")) and time.monotonic() < deadline:
        time.sleep(0.05)
    return found


def _with(text: str, kind: str) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and text.encode() in Path("/proc", name, kind).read_bytes():
                found.append(int(name))
        except OSError:  # it is gone, or somebody else's
            pass
    return found
