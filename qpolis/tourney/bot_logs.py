"""What the bots of a run print, in a file for each: `logs/BOT.log` in the folder of the run.

Several processes may write into one file: each line is one write at its end. What is in it depends on who played
which games when, so nothing is made of it.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from pathlib import Path

LOGS = "logs"  # the folder in that of a run
MOST_BYTES = 1_000_000  # of a log
LONGEST_NAME = 80  # characters


class BotLogs:
    """The logs of a run."""

    def __init__(self, run: Path) -> None:
        self._run = run
        self._full: set[str] = set()  # bots whose logs are

    def write(self, bot: str, where: str, line: str) -> None:
        """Add a line that a bot printed `where`. A log that cannot be written stops no tournament."""
        if bot in self._full:
            return
        with contextlib.suppress(OSError):
            self._full.add(bot)  # unless this works
            if _append(self._run / LOGS / log_name(bot), f"{where}: {line}\n".encode("utf-8", "replace")):
                self._full.remove(bot)


def log_name(bot: str) -> str:
    """The name of the log of a bot: its spec, as far as that can be the name of a file."""
    name = re.sub(r"[^A-Za-z0-9_=.-]+", "-", bot).strip("-.")[:LONGEST_NAME] or "bot"
    mark = "" if name == bot else f"-{hashlib.sha256(os.fsencode(bot)).hexdigest()[:8]}"
    return f"{name}{mark}.log"


def _append(path: Path, line: bytes) -> bool:
    """Add a line to a log, or say at its end that it is full; is there room for more? Never through a link: the
    folder may be somebody else's. Where the run has no folder, as on another machine, nothing is kept."""
    if path.parent.is_symlink():
        return False
    if path.parent.parent.is_dir():
        path.parent.mkdir(exist_ok=True)
    opened = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    try:
        size = os.fstat(opened).st_size
        room = size + len(line) <= MOST_BYTES
        if room or size < MOST_BYTES:
            os.write(opened, line if room else f"no more is kept: this is {MOST_BYTES:,} bytes\n".encode())
        return room
    finally:
        os.close(opened)
