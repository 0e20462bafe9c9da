"""What a jailed bot compiled, kept from start to start: without it every start would compile.

It is the only thing of a bot that outlives its process, so it must not carry what the bot saw in a game. It is
written in a preparation only: the first time that a bot meets a game and its options it is started once by itself,
told these and nothing of any deal, with its cache writable. In games it can be read only.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import filelock

import qpolis
from qpolis import interrupts
from qpolis.engine.results import CRASH
from qpolis.errors import one_line
from qpolis.game import Game
from qpolis.kernel import kernel_folder, kernels_below, settings_digest, sources, user_cache
from qpolis.sandbox.launch import Forfeit

KEPT = 32  # caches of bots
LARGEST = 512 << 20  # bytes of one
LOOK = 0.5  # seconds between two looks whether a signal came


@dataclass(frozen=True)
class BotCache:
    """The cache of one bot, for one game: its `folder`, and a `note` that it was prepared, which the
    bot cannot reach."""

    folder: Path
    note: Path

    @classmethod
    def of(cls, files: Sequence[str], game: Game) -> BotCache | None:
        """For the bot of these files, the first of which names it; None where nothing can be kept."""
        if kernel_folder() is None or not os.access(user_cache(), os.W_OK):
            return None
        name = hashlib.sha256(os.fsencode(files[0])).hexdigest()[:20]
        about = [_stamps(files), game.name, dict(game.settings), settings_digest(), _version()]
        note = hashlib.sha256(json.dumps(about, default=str).encode()).hexdigest()[:20]
        root = user_cache() / "bots" / name
        return cls(root / "cache", root / f"{note}.prepared")

    @contextlib.contextmanager
    def preparation(self) -> Iterator[bool]:
        """Is a preparation needed? It is, until one ended well; one process at a time finds out."""
        if self.note.exists():
            yield False
            return
        kernels_below(self.folder).mkdir(parents=True, exist_ok=True)  # it may miss kernels only in a game
        _drop_old(self.folder.parent.parent)
        with _locked(self.folder.parent / "lock"):
            needed = not self.note.exists()
            yield needed
            if needed:
                self._check_size()
                self.note.touch()

    def _check_size(self) -> None:
        size = sum(path.lstat().st_size for path in self.folder.rglob("*"))
        if size > LARGEST:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise Forfeit(CRASH, one_line(f"wrote {size >> 20} MB into its cache, more than {LARGEST >> 20}"))


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold a lock. Who waits for it can be interrupted: another process may be compiling for long."""
    lock = filelock.FileLock(path)
    while not lock.is_locked:
        interrupts.check()
        with contextlib.suppress(filelock.Timeout):
            lock.acquire(timeout=LOOK)
    try:
        yield
    finally:
        lock.release()


def _stamps(paths: Sequence[str]) -> list[tuple[str, int, int]]:
    """What changes when one of these files does, or one in a folder among them."""
    found = [Path(path) for path in paths]
    found += [file for path in found if path.is_dir() for file in sorted(path.rglob("*.py"))]
    stamps = []
    for path in found:
        with contextlib.suppress(OSError):  # gone
            status = path.stat()
            stamps.append((str(path), status.st_mtime_ns, status.st_size))
    return stamps


@functools.cache
def _version() -> list[object]:
    """What changes when qpolis does."""
    return [qpolis.__version__, *_stamps([str(path) for path in sources(())])]


def _drop_old(root: Path) -> None:
    """Keep the caches that were prepared last."""
    with contextlib.suppress(OSError):
        for folder in sorted(root.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)[KEPT:]:
            shutil.rmtree(folder, ignore_errors=True)
