"""The jail that a bot plays in: what it needs to see of itself, of the game, and of compiled code."""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path

from qpolis.game import Game
from qpolis.kernel import LENT, kernel_folder
from qpolis.sandbox import host
from qpolis.sandbox.bot_cache import BotCache
from qpolis.sandbox.jail import Jail, always_readable, own_files
from qpolis.sandbox.loading import is_path

PASSED_ON = ("NUMBA_",)  # how the names of variables begin that say how kernels are compiled


def cache_of(command: Sequence[str], game: Game) -> BotCache | None:
    """Where the bot that a command starts keeps what it compiled for a game; None if it is no Python bot."""
    if not _hosted(command):
        return None
    return BotCache.of(tuple(_files(command)) or (command[3],), game)


def bot_jail(
    level: str,
    command: Sequence[str],
    game: Game | None = None,
    cache: Path | None = None,
    writable: bool = False,
) -> Jail:
    """For the bot that is started by a command, and plays a game: with a `cache` that is `writable` or not."""
    readable = _files(command)
    environment = {name: value for name, value in os.environ.items() if name.startswith(PASSED_ON)}
    packages = [command[3]] if _hosted(command) and not is_path(command[3]) else []
    if game:
        readable += _game_files(game)
        if not game.path:
            packages.append(type(game).__module__)
    around = [folder for package in packages if (folder := _package(package, readable))]
    if around:
        environment["PYTHONPATH"] = os.pathsep.join(dict.fromkeys(around))
    if cache:
        environment["QPOLIS_CACHE_DIR"] = str(cache)
        readable.append(str(cache))
    if lent := kernel_folder():
        environment[LENT] = str(lent)
        readable.append(str(lent))
    return Jail(
        level,
        tuple(dict.fromkeys(readable)),
        writable=(str(cache),) if cache and writable else (),
        environment=environment,
    )


def _hosted(command: Sequence[str]) -> bool:
    """Is it a Python bot, which our host runs?"""
    return tuple(command[:3]) == host.COMMAND


def _files(command: Sequence[str]) -> list[str]:
    """The bot's own files: those that the command names, and what belongs to them."""
    system = tuple(f"{path}{os.sep}" for path in always_readable())
    named = [os.path.abspath(word) for word in command if os.path.isfile(word)]
    return [file for path in named if not path.startswith(system) for file in own_files(path)]


def _game_files(game: Game) -> list[str]:
    """The files of a game that was given by its path, and those that its options name."""
    found = [game.path] if os.path.isdir(game.path) else [*own_files(game.path)] if game.path else []
    texts = [text for text in game.settings.values() if isinstance(text, str)]
    parts = [part for text in texts for part in (text, *text.split(":"))]
    return found + [os.path.abspath(part) for part in parts if part and os.path.isfile(part)]


def _package(module: str, readable: list[str]) -> str:
    """Let the package of a module be read; the folder where it is found. Empty if it is seen anyway."""
    top = module.partition(".")[0]
    spec = importlib.util.find_spec(top)
    if spec is None or top == "qpolis":
        return ""
    places = list(spec.submodule_search_locations or []) or [spec.origin or ""]
    readable += filter(None, places)
    return os.path.dirname(places[0])
