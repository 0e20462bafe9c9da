"""Wakes paused programs when this process dies: one that is stopped does not notice that its pipes were closed.

The system does not do it for programs in sessions of their own. A small process reads which process groups there
are; when its input ends, we have ended, and it continues all of them, so that they read the end of theirs.
"""

from __future__ import annotations

import contextlib
import os
import sys

CODE = """
import os, signal, sys
groups = set()
for line in sys.stdin:
    group = int(line)
    (groups.add if group > 0 else groups.discard)(abs(group))
for group in groups:
    try:
        os.killpg(group, signal.SIGCONT)
    except OSError:
        pass
"""

_pipe = -1  # to the small process; -1: there is none yet
_owner = 0  # the process that started it: a fork of it needs one of its own
_guarded: set[int] = set()


def guard(group: int) -> None:
    """Continue this process group when we die."""
    if _owner != os.getpid():
        _start()
    if group not in _guarded:
        _guarded.add(group)
        _say(group)


def release(group: int) -> None:
    """This process group has ended: its number may be given to others."""
    if _owner == os.getpid() and group in _guarded:
        _guarded.discard(group)
        _say(-group)


def _say(number: int) -> None:
    with contextlib.suppress(OSError):  # somebody killed it; all that is lost is comfort
        os.write(_pipe, b"%d\n" % number)


def _start() -> None:
    global _pipe, _owner
    _guarded.clear()
    reading, _pipe = os.pipe()
    try:
        os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-c", CODE],
            {},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, reading, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
            ],
            setsid=True,  # so that an interrupt from the keyboard does not reach it
        )
    finally:
        os.close(reading)
    _owner = os.getpid()
