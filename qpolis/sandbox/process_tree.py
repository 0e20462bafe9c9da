"""The processes of one bot: the one that was started and whatever it starts, counted and ended together.

A process belongs to the family if it is in the session of the first one, if a member is its parent, or if its
environment carries the family's token: so a daemon that left the session and lost its parent is still found. What
is known of other processes comes from /proc; a system without it can only end the process group.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time

TOKEN = "QPOLIS_BOT"  # the environment variable that carries the token
PAGE = os.sysconf("SC_PAGE_SIZE")
CROWD = 512  # processes, more than a bot can have use for
PATIENCE = 5.0  # seconds for killed processes to go


def running() -> set[int]:
    """The ids of all processes; empty where there is no /proc."""
    try:
        return {int(name) for name in os.listdir("/proc") if name.isdigit()}
    except OSError:
        return set()


class Family:
    """The processes that descend from process `pid`, which has `token` in its environment.

    `before` are the processes that ran before it was started: none of them can be a member.
    """

    def __init__(self, pid: int, token: str, before: set[int]) -> None:
        self.pid = pid
        self._mark = f"{TOKEN}={token}".encode()
        self._members = {pid}
        self._strangers = before  # asked once, not at every look

    def members(self) -> set[int]:
        """The ids of the processes of the family, dead ones that nobody has waited for included."""
        now = running()
        self._members &= now
        self._strangers &= now
        for pid in sorted(now - self._members - self._strangers):
            (self._members if self._belongs(pid) else self._strangers).add(pid)
        return self._members

    def resident(self) -> int:
        """Bytes of memory in use by all members together; a page that several share counts for each of them."""
        return sum(_pages(pid) for pid in self.members()) * PAGE

    def exceeds(self, memory: int) -> bool:
        """Do the members use more than `memory` bytes? What they share counts once, which is slow to find out."""
        return self.resident() > memory and sum(_own_share(pid) for pid in self.members()) > memory

    @property
    def crowded(self) -> bool:
        """Were there too many members, when last looked at?"""
        return len(self._members) > CROWD

    def kill(self) -> None:
        """End every member at once, again and again until no new one turns up."""
        self._strangers = set()  # a process id may have been given anew: look at everything
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            alive = [pid for pid in self.members() if _state(pid) not in ("Z", "X", "")]
            for pid in alive:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGKILL)
            if not alive or time.monotonic() > deadline:
                return
            time.sleep(0.001)

    def _belongs(self, pid: int) -> bool:
        stat = _stat(pid)
        if len(stat) > 3 and (int(stat[3]) == self.pid or int(stat[1]) in self._members):
            return True
        return self._mark in _read(pid, "environ").split(b"\0")


def _read(pid: int, name: str) -> bytes:
    """A file of a process; empty if the process has gone or is not ours to look at."""
    try:
        with open(f"/proc/{pid}/{name}", "rb", buffering=0) as file:
            return file.readall() or b""
    except OSError:
        return b""


def _stat(pid: int) -> list[str]:
    """State, parent, group and session of a process (the name before them may hold spaces and brackets)."""
    return _read(pid, "stat").rpartition(b")")[2].decode().split()


def _state(pid: int) -> str:
    return (_stat(pid) or [""])[0]


def _pages(pid: int) -> int:
    fields = _read(pid, "statm").split()
    return int(fields[1]) if fields else 0


def _own_share(pid: int) -> int:
    """Bytes of a process, each shared page divided by the number of those who share it."""
    for line in _read(pid, "smaps_rollup").split(b"\n"):
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return _pages(pid) * PAGE
