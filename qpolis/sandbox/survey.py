"""What this machine offers to bots and to those who hold them, in plain words, one line each."""

from __future__ import annotations

import os
import platform
from importlib import metadata

from qpolis.kernel import kernel_folder, kernels_are_kept, user_cache
from qpolis.sandbox import levels, seccomp
from qpolis.sandbox.jail import LANDLOCK, LEVELS, NAMESPACES

TIMES = "/proc/self/schedstat"  # of a process: time on the processor, time waiting for it


def survey() -> list[str]:
    """One line for each thing that was looked at."""
    return [
        f"Python {platform.python_version()}, numba {metadata.version('numba')}",
        f"cores: {len(os.sched_getaffinity(0))} of {os.cpu_count()} may be used",
        sandbox_line(),
        f"user namespaces: {_offered(NAMESPACES)}",
        f"Landlock: {_offered(LANDLOCK)}",
        f"seccomp: {seccomp_line()}",
        f"processor time and waiting time of bots: {times_line()}",
        cache_line(),
    ]


def sandbox_line() -> str:
    """The best level, and what is missing for a better one."""
    level = levels.best()
    better = LEVELS[: LEVELS.index(level)] if level else LEVELS
    lacks = "".join(f"; {name} is missing: {levels.missing(name)}" for name in better)
    return f"sandbox: {level or 'none'}{lacks}"


def seccomp_line() -> str:
    """A level that works has set its filter."""
    if not seccomp.supported():
        return f"no, the system calls of machine type {platform.machine()} are not known"
    return "yes" if levels.best() else "not known, because no level of the sandbox works"


def times_line() -> str:
    try:
        with open(TIMES) as file:
            return (
                "can be read" if len(file.read().split()) >= 2 else f"cannot be read: {TIMES} is not as expected"
            )
    except OSError as error:
        return f"cannot be read: {TIMES}: {error.strerror}"


def cache_line() -> str:
    if kernels_are_kept():
        return f"compiled kernels: {kernel_folder()}, can be written"
    return f"compiled kernels: {user_cache()} cannot be written, so they are compiled at every start"


def _offered(level: str) -> str:
    why = levels.missing(level)
    return f"no, {why}" if why else "yes"
