"""The processes of one bot: the one that was started and whatever it starts, counted and ended together.

A process belongs to the tree if it is in the session of the first one, if a member is its parent, or if its
environment carries the tree's token: so a daemon that left the session and lost its parent is still found, which
psutil's own `children` would lose.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time

import psutil

TOKEN = "QPOLIS_BOT"  # the environment variable that carries the token
MOST_PROCESSES = 512  # more than a bot can have use for
PATIENCE = 5.0  # seconds for killed processes to go
CLOCK_STEP = 60.0  # seconds by which the system's clock may be set back while a bot runs
LINUX = sys.platform.startswith("linux")
ENDED = (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD)


def running() -> set[int]:
    """The ids of all processes."""
    return set(psutil.pids())


class ProcessTree:
    """The processes that descend from process `pid`, which has `token` in its environment.

    `before` are the processes that ran before it was started: none of them can be a member.
    """

    def __init__(self, pid: int, token: str, before: set[int]) -> None:
        self.pid = pid
        self._token = token
        self._begun = time.time()
        self._members: dict[int, psutil.Process] = {}
        self._strangers = before - {pid}  # asked once, not at every look

    def members(self) -> list[psutil.Process]:
        """The processes of the tree, dead ones that nobody has waited for included."""
        now = running()
        self._strangers &= now
        for gone in self._members.keys() - now:
            del self._members[gone]
        for pid in sorted(now - self._members.keys() - self._strangers):
            if process := self._member(pid):
                self._members[pid] = process
            else:
                self._strangers.add(pid)
        return list(self._members.values())

    def resident(self) -> int:
        """Bytes of memory in use by all members together; a page that several share counts for each of them."""
        return sum(map(_resident, self.members()))

    def exceeds(self, memory: int) -> bool:
        """Do the members use more than `memory` bytes? What they share counts once, which is slow to find out."""
        return self.resident() > memory and sum(map(_own_share, self.members())) > memory

    def processor_time(self) -> float:
        """Seconds of processor time of the members as of the last look, and of those they waited for."""
        return sum(map(_processor_time, self._members.values()))

    def own_time(self) -> float:
        """Seconds of processor time of the members as of the last look, without those they waited for: quick."""
        return sum(map(own_time, self._members or (self.pid,)))

    def run_delay(self) -> float | None:
        """Seconds for which their threads were ready and had no processor; None where nobody counts that."""
        delays = [delay for pid in self._members if (delay := run_delay(pid)) is not None]
        return sum(delays) if delays else None

    def signal(self, number: int) -> None:
        """Send a signal to the process group, and to the members known to have left it."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, number)
        if len(self._members) > 1:
            for pid in self._members:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, number)

    @property
    def too_many(self) -> bool:
        """Were there too many members, when last looked at?"""
        return len(self._members) > MOST_PROCESSES

    def kill(self) -> None:
        """End every member at once, again and again until no new one turns up."""
        self._strangers = set()  # a process id may have been given anew: look at everything
        deadline = time.monotonic() + PATIENCE
        while True:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.pid, signal.SIGKILL)
            alive = [process for process in self.members() if _alive(process)]
            for process in alive:
                with contextlib.suppress(psutil.Error):
                    process.kill()
            if not alive or time.monotonic() > deadline:
                return
            time.sleep(0.001)

    def _member(self, pid: int) -> psutil.Process | None:
        """The process of this id if it belongs to the tree; None too if it has gone or is not ours to look at."""
        try:
            process = psutil.Process(pid)
            if os.getsid(pid) == self.pid:
                return process
            if process.create_time() < self._begun - CLOCK_STEP:  # nothing descends from what came after it
                return None
            if process.ppid() in self._members or process.environ().get(TOKEN) == self._token:
                return process
            return None
        except (psutil.Error, OSError):
            return None


def own_time(pid: int) -> float:
    """Seconds of processor time of a process by itself, to the nanosecond where its clock can be read (Linux)."""
    try:
        if LINUX:
            return time.clock_gettime((~pid << 3) | 2)  # what clock_getcpuclockid makes of the id
        return _own_time(psutil.Process(pid))
    except (OSError, psutil.Error):
        return 0.0


def run_delay(pid: int) -> float | None:
    """Seconds for which the threads of a process were ready and had no processor; None if that is unknown."""
    delay = None
    with contextlib.suppress(OSError, ValueError, IndexError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                delay = (delay or 0.0) + int(file.read().split()[1]) / 1e9
    return delay


def _own_time(process: psutil.Process) -> float:
    used = process.cpu_times()
    return float(used.user + used.system)


def _processor_time(process: psutil.Process) -> float:
    """Of a process, and of its children that it waited for."""
    try:
        used = process.cpu_times()
    except psutil.Error:
        return 0.0
    waited_for = getattr(used, "children_user", 0.0) + getattr(used, "children_system", 0.0)
    return float((own_time(process.pid) or used.user + used.system) + waited_for)


def _alive(process: psutil.Process) -> bool:
    try:
        return process.status() not in ENDED
    except psutil.Error:
        return False


def _resident(process: psutil.Process) -> int:
    try:
        return int(process.memory_info().rss)
    except psutil.Error:
        return 0


def _own_share(process: psutil.Process) -> int:
    """Bytes of a process, each shared page divided by the number of those who share it (Linux), or left out."""
    try:
        used = process.memory_full_info()
        return int(getattr(used, "pss", used.uss))
    except psutil.Error:
        return _resident(process)
