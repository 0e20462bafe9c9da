"""The games, one folder each. A folder that defines `GAME` is a game; nothing else has to know of it."""

from __future__ import annotations

import importlib
import pkgutil
from typing import TYPE_CHECKING, Any

from qpolis.errors import unknown

if TYPE_CHECKING:
    from qpolis.game import Game

DEFAULT_GAME = "quadropolis"


def names() -> list[str]:
    """The names of all games, sorted."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg)


def game_class(name: str) -> type[Game]:
    """The class of the game called `name`."""
    if name not in names():
        raise unknown("game", name, names())
    game: type[Game] = importlib.import_module(f"qpolis.games.{name}").GAME
    return game


def load_game(name: str, /, **options: Any) -> Game:
    """A game with the given options; what is not given has the game's default.

    >>> load_game("quadropolis", players=2, mode="expert", mix="base")
    """
    return game_class(name)(**options)
