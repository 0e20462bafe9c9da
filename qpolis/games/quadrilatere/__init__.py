"""Quadrilatère (PlanQuadrat), for 2 players."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from qpolis import verbs
from qpolis.game import Game, Option, Plain, Retired, State
from qpolis.games.quadrilatere import bot_template, codec, moves, notation
from qpolis.games.quadrilatere.draw import LEGEND, draw
from qpolis.games.quadrilatere.encode import PLANES, encode
from qpolis.games.quadrilatere.heuristic import suggest
from qpolis.games.quadrilatere.layout import ACTIONS, MOST_ACTIONS, PLACE_STAGE, RULES, SEATS, STATE, SUPPLY
from qpolis.games.quadrilatere.value import evaluate, rate

verbs.register(
    STATE,
    set_up=moves.set_up,
    player=moves.player,
    legal=moves.legal,
    is_legal=moves.is_legal,
    pick=moves.pick,
    apply=moves.apply,
    scores=moves.scores,
    evaluate=evaluate,
    rate=rate,
    suggest=suggest,
    encode=encode,
)


class Quadrilatere(Game):
    """Quadrilatère as in `RULES.md`."""

    name = "quadrilatere"
    title = "Quadrilatère"
    options: ClassVar = {"slide": Option(True, "may houses be slid?", (True, False))}
    retired: ClassVar = {"border": Retired("groove", "by the rulebook the edge of the board is no wall")}
    chance = False
    hidden = False
    state_dtype = STATE
    # 1: no house inside an occupied place, no passing, and merged places could be claimed. 2: other ids of actions
    behaviour = 3
    legend = LEGEND
    bot_template = bot_template.VALUE

    def build(self, **settings: Any) -> None:
        self.players = SEATS
        houses = SEATS * sum(SUPPLY)  # a turn places, slides and claims, and who passes is followed by who places
        self.most_decisions = 4 * houses
        self.rules = np.zeros(1, RULES)
        rules: Any = self.rules[0]
        rules.actions = MOST_ACTIONS
        rules.players = SEATS
        rules.slide = settings["slide"]
        self.action_count = ACTIONS
        self.planes = PLANES
        self.rules.flags.writeable = False

    def action_text(self, action: int) -> str:
        return notation.action_text(action)

    def action_of(self, text: str) -> int:
        return notation.action_of(text)

    def describe(self, record: np.record) -> Plain:
        return codec.describe(self.rules[0], record)

    def fill(self, record: np.record, data: Plain) -> None:
        codec.fill(self.rules[0], record, data)

    def view(self, record: np.record, seat: int) -> Plain:
        """Everything is open, and nothing is drawn."""
        return self.describe(record)

    def draw(self, state: State) -> str:
        return draw(state.to_dict())

    def shows(self, state: State) -> bool:
        """Before a house is placed: the steps that follow change little."""
        return bool(state.record.stage == PLACE_STAGE)

    def chapter(self, state: State) -> str:
        """Each turn is one; the end, too, so that a reader can jump to it."""
        return "end" if state.over else f"turn {int(state.record.turn) + 1}"


GAME = Quadrilatere
