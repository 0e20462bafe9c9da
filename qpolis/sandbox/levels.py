"""Which jail this machine has, found out by starting a program in it."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Sequence

from qpolis.errors import QpolisError, one_line
from qpolis.sandbox.jail import LEVELS, Jail

AUTO, ON, OFF = SETTINGS = ("auto", "on", "off")
TRIVIAL = (sys.executable, "-I", "-S", "-c", "")


@functools.cache
def missing(level: str) -> str:
    """Why a program cannot be started at this level; empty if it can."""
    jail = Jail(level, ())
    folder = jail.folder()
    try:
        command = jail.command(TRIVIAL, folder)
        ended = subprocess.run(command, env=jail.variables(folder), capture_output=True, start_new_session=True)
    except OSError as error:
        raise QpolisError(f"no more processes can be started: {error.strerror}") from None
    finally:
        if folder:
            shutil.rmtree(folder, ignore_errors=True)
    said = one_line(ended.stderr.decode(errors="replace"))
    return "" if ended.returncode == 0 else said or f"exit code {ended.returncode}"


def best() -> str | None:
    """The best level of this machine."""
    return next((level for level in LEVELS if not missing(level)), None)


def choose(setting: str) -> str | None:
    """The level for a setting `auto`, `on` or `off`; None: no jail."""
    if setting not in SETTINGS:
        raise QpolisError(f"unknown setting of the sandbox {setting!r} (known: {', '.join(SETTINGS)})")
    level = None if setting == OFF else best()
    if setting == ON and level is None:
        why = "; ".join(f"{level}: {missing(level)}" for level in LEVELS)
        raise QpolisError(
            f"no sandbox on this machine ({why}); allow user namespaces, or use a kernel with Landlock"
        )
    return level


def announcement(setting: str, bots: Sequence[str]) -> str:
    """What whoever lets these bots of others play should know, in one line."""
    names = ", ".join(bots)
    if level := choose(setting):
        return f"{names} {'plays' if len(bots) == 1 else 'play'} in a sandbox ({level})"
    why = "sandbox off" if setting == OFF else "no sandbox on this machine (`qpolis doctor` says why)"
    return f"warning: {why}: {names} can read your files and remember what a deal was when it comes back"
