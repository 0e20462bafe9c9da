"""qpolis: tournaments, bots and balance analysis for city-building board games."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from qpolis.errors import IllegalAction, InvalidText, QpolisError
from qpolis.version import __version__

if TYPE_CHECKING:
    from qpolis.bot import Bot, GameInfo, Parameter
    from qpolis.environments.pettingzoo_env import env
    from qpolis.environments.vector import vector
    from qpolis.game import Game, State
    from qpolis.games import load_game

__all__ = [
    "Bot",
    "Game",
    "GameInfo",
    "IllegalAction",
    "InvalidText",
    "Parameter",
    "QpolisError",
    "State",
    "__version__",
    "env",
    "load_game",
    "vector",
]

# Loaded when first used, so that `qpolis --help` does not wait for the compiler.
_LAZY = {
    "Bot": "qpolis.bot",
    "GameInfo": "qpolis.bot",
    "Parameter": "qpolis.bot",
    "Game": "qpolis.game",
    "State": "qpolis.game",
    "env": "qpolis.environments.pettingzoo_env",
    "load_game": "qpolis.games",
    "vector": "qpolis.environments.vector",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'qpolis' has no attribute {name!r}")
