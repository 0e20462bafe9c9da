"""A seat where a Python bot plays in this process (`registry/local.py`): what it raises passes through."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from qpolis.bot import GameInfo
from qpolis.errors import IllegalAction
from qpolis.registry.local import LocalBot
from qpolis.sandbox.host import plain_choice

if TYPE_CHECKING:
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
        game = self._live.game
        self._info = GameInfo(game.name, game.title, game.players, dict(game.settings))
        self._bot = self._local.made(self._info, self._seat, seed, dict(self._local.parameters))

    def choose(self, legal: list[int]) -> int:
        self._info.texts.update(zip(legal, self._live.texts(legal)))
        self._bot.observe(self._seen())
        answer = plain_choice(self._bot.choose(list(legal)), legal)
        if "message" in answer:
            raise IllegalAction(f"{self._local.made.__name__}: {answer['message']}")
        if answer["action"] not in legal:
            raise IllegalAction(
                f"{self._local.made.__name__} chose {answer['action']}, which is not legal: {legal}"
            )
        action: int = answer["action"]
        return action

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
