"""A seat where a Python bot plays in this process (`registry/local.py`): what it raises passes through."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from qpolis.bot import GameInfo
from qpolis.errors import IllegalAction
from qpolis.registry.local import LocalBot
from qpolis.sandbox.host import plain_choice

if TYPE_CHECKING:
    from qpolis.game import Game, State
    from qpolis.tourney.bot_loop import LiveGame


class LocalSeat:
    """As the process of such a bot (`sandbox/host.py`), without the process."""

    def __init__(self, live: LiveGame, seat: int, local: LocalBot) -> None:
        self._live = live
        self._seat = seat
        self._local = local
        self._bot: Any = None

    def launch(self) -> None:
        pass

    def start(self, seed: int) -> None:
        self._info, self._bot = seated(self._local, self._live.game, self._seat, seed)

    def choose(self, legal: list[int]) -> int:
        self._info.texts.update(zip(legal, self._live.texts(legal)))
        self._bot.observe(self._seen())
        return checked_choice(self._local, self._bot, legal)

    def _seen(self) -> Any:
        return json.loads(self._live.state.observe_text(self._seat))

    def end(self, points: list[int], ranks: list[int], end: int) -> None:
        if self._bot is not None:
            self._bot.observe(self._seen())

    def again(self, patience: float) -> None:
        pass

    def quit(self) -> None:
        pass

    def close(self) -> None:
        pass


def seated(local: LocalBot, game: Game, seat: int, seed: int) -> tuple[GameInfo, Any]:
    """A new bot, and what it was told of its game."""
    info = GameInfo(game.name, game.title, game.players, dict(game.settings))
    return info, local.made(info, seat, seed, dict(local.parameters))


def checked_choice(local: LocalBot, bot: Any, legal: list[int]) -> int:
    """What a bot that has seen the position chooses; IllegalAction if that is not legal."""
    answer = plain_choice(bot.choose(list(legal)), legal)
    if "message" in answer:
        raise IllegalAction(f"{local.made.__name__}: {answer['message']}")
    action: int = answer["action"]
    if action not in legal:
        raise IllegalAction(
            f"{local.made.__name__} chose {action}, which is not one of the legal actions: {legal}"
        )
    return action


def asked(local: LocalBot, state: State, seat: int, seed: int) -> int:
    """What a new bot chooses in a position."""
    info, bot = seated(local, state.game, seat, seed)
    legal = state.legal()
    info.texts.update({action: state.game.text(state, action) for action in legal})
    bot.observe(json.loads(state.observe_text(seat)))
    return checked_choice(local, bot, legal)
