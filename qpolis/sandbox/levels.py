"""Which jail this machine has, found out by starting a program in it."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys

from qpolis.errors import QpolisError, one_line
from qpolis.sandbox.jail import LEVELS, Jail

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
        return str(error.strerror)
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
    if setting not in ("auto", "on", "off"):
        raise QpolisError(f"unknown setting of the sandbox {setting!r} (known: auto, on, off)")
    level = None if setting == "off" else best()
    if setting == "on" and level is None:
        why = "; ".join(f"{level}: {missing(level)}" for level in LEVELS)
        raise QpolisError(
            f"no sandbox on this machine ({why}); allow user namespaces, or use a kernel with Landlock"
        )
    return level
