"""The command line of qpolis, from outside."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-c", "from qpolis.cli.main import main; main()"]
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


def marked(mark: str) -> list[int]:
    """Processes that have this text in their environment."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and mark.encode() in Path("/proc", name, "environ").read_bytes():
                found.append(int(name))
        except OSError:  # it is gone, or somebody else's
            pass
    return found
