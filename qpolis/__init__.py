"""qpolis: tournaments, bots and balance analysis for city-building board games."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

from qpolis.errors import IllegalAction, InvalidText, QpolisError
from qpolis.version import __version__

if TYPE_CHECKING:
    from qpolis.api.balances import Balance, balance
    from qpolis.api.bots import LoadedBot, bot
    from qpolis.api.checks import Check, check
    from qpolis.api.matches import match
    from qpolis.api.played_game import PlayedGame
    from qpolis.api.runs import load_run
    from qpolis.api.tournaments import Tournament, tournament
    from qpolis.bot import Bot, GameInfo, Parameter
    from qpolis.environments.pettingzoo_env import env
    from qpolis.environments.vector import vector
    from qpolis.game import Game, State
    from qpolis.games import load_game
    from qpolis.report.pages.embedded import state_html  # noqa: F401 (how notebooks show a state)

__all__ = [
    "Balance",
    "Bot",
    "Check",
    "Game",
    "GameInfo",
    "IllegalAction",
    "InvalidText",
    "LoadedBot",
    "Parameter",
    "PlayedGame",
    "QpolisError",
    "State",
    "Tournament",
    "__version__",
    "balance",
    "bot",
    "check",
    "env",
    "load_game",
    "load_run",
    "match",
    "tournament",
    "vector",
]

# Loaded when first used, so that `qpolis --help` does not wait for the compiler.
_LAZY = {
    "Balance": "qpolis.api.balances",
    "Bot": "qpolis.bot",
    "Check": "qpolis.api.checks",
    "Game": "qpolis.game",
    "GameInfo": "qpolis.bot",
    "LoadedBot": "qpolis.api.bots",
    "Parameter": "qpolis.bot",
    "PlayedGame": "qpolis.api.played_game",
    "State": "qpolis.game",
    "Tournament": "qpolis.api.tournaments",
    "balance": "qpolis.api.balances",
    "bot": "qpolis.api.bots",
    "check": "qpolis.api.checks",
    "env": "qpolis.environments.pettingzoo_env",
    "load_game": "qpolis.games",
    "load_run": "qpolis.api.runs",
    "match": "qpolis.api.matches",
    "state_html": "qpolis.report.pages.embedded",
    "tournament": "qpolis.api.tournaments",
    "vector": "qpolis.environments.vector",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'qpolis' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """`qpolis.bot` and `qpolis.balance` are functions, though there are modules of these names, which the import
    system would put in their places: `from qpolis.bot import Bot` finds those all the same."""

    @property
    def bot(self) -> Any:
        return __getattr__("bot")

    @bot.setter
    def bot(self, module: ModuleType) -> None: ...

    @property
    def balance(self) -> Any:
        return __getattr__("balance")

    @balance.setter
    def balance(self, module: ModuleType) -> None: ...


sys.modules[__name__].__class__ = _Package
