"""The core that the bots of this process run on.

One bot of a process runs at a time, so bots on one core each, and as many workers as there are cores, never exceed
the machine: a bot with sixty busy threads slows down nobody but itself.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from qpolis.kernel import user_cache

_claimed: dict[int, int] = {}  # cores by the process that claimed them: a fork of it claims its own
_locks: list[int] = []  # open files, locked for as long as this process lives


def own_core() -> tuple[int, ...]:
    """A core that no other process has claimed for its bots, as far as there are enough; empty where cores cannot
    be chosen."""
    if not hasattr(os, "sched_setaffinity"):
        return ()
    me = os.getpid()
    if me not in _claimed:
        _claimed.clear()
        cores = sorted(os.sched_getaffinity(0))
        free = (core for core in cores if _claim(core))
        _claimed[me] = next(free, cores[me % len(cores)])
    return (_claimed[me],)


def _claim(core: int) -> bool:
    import fcntl

    with contextlib.suppress(OSError, RuntimeError):  # no place for locks, or no home
        folder = Path(user_cache()) / "cores"
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / f"{core}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            return False
        _locks.append(lock)
        return True
    return False
