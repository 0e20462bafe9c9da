"""Arkadia, for 2 to 4 players."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from qpolis import verbs
from qpolis.game import Game, Option, Plain, State
from qpolis.games.arkadia import bot_template, cards, codec, legal, turns
from qpolis.games.arkadia.board import RECONSTRUCTED
from qpolis.games.arkadia.board_file import BASE, digest, load_board
from qpolis.games.arkadia.draw import LEGEND, draw
from qpolis.games.arkadia.encode import encode, planes_of
from qpolis.games.arkadia.heuristic import suggest
from qpolis.games.arkadia.layout import ACT_STAGE, LAY, STATE, TYPES
from qpolis.games.arkadia.length import most_decisions
from qpolis.games.arkadia.notation import Notation, square_text
from qpolis.games.arkadia.rate import rate
from qpolis.games.arkadia.sketch import TOUCHES, sketch, sketch_size, touches
from qpolis.games.arkadia.tables import make_rules
from qpolis.games.arkadia.value import evaluate, horizon, lookahead

verbs.register(
    STATE,
    set_up=turns.set_up,
    player=turns.player,
    legal=legal.legal,
    is_legal=legal.is_legal,
    pick=legal.pick,
    apply=turns.apply,
    scores=turns.scores,
    determinize=cards.determinize,
    conceal=cards.conceal,
    evaluate=evaluate,
    lookahead=lookahead,
    horizon=horizon,
    rate=rate,
    suggest=suggest,
    encode=encode,
    sketch=sketch,
    touches=touches,
)


class Arkadia(Game):
    """Arkadia as in `RULES.md`."""

    name = "arkadia"
    title = "Arkadia"
    options: ClassVar = {
        "players": Option(2, "number of players", (2, 3, 4)),
        "setup": Option("standard", "an empty board, or the introductory set-up", ("standard", "intro")),
        "flip": Option(False, "may buildings be turned over?", (False, True)),
        "board": Option(BASE, "board, forms and cards: base (reconstructed), or the path of a TOML file"),
    }
    chance = True
    hidden = True
    state_dtype = STATE
    behaviour = 3  # 1: cards were drawn after the castle. 2: other ids of actions
    legend = LEGEND
    bot_template = bot_template.VALUE

    def build(self, **settings: Any) -> None:
        self.players = settings["players"]
        self.flip: bool = settings["flip"]
        self.board = load_board(settings["board"])
        self.rules = make_rules(self.board, self.players, settings["setup"] == "intro", self.flip)
        self.sketch_size, self.touch_count = sketch_size(self.players), TOUCHES
        self.action_count = LAY + int(self.rules[0].starts[-1])
        self.planes = planes_of(self.players)
        self.most_decisions = most_decisions(self.rules[0])
        self.notation = Notation(self.rules[0])
        self.fixed = {"flip": self.flip} | ({"board": other} if (other := digest(self.board)) else {})

    def action_text(self, action: int) -> str:
        return self.notation.action_text(action)

    def action_of(self, text: str) -> int:
        return self.notation.action_of(text)

    def describe(self, record: np.record) -> Plain:
        return codec.describe(self.notation, record, self.fixed)

    def fill(self, record: np.record, data: Plain) -> None:
        codec.fill(self.notation, record, data)

    def view(self, record: np.record, seat: int) -> Plain:
        return codec.view(self.notation, record, self.fixed, seat)

    def complete(self, view: Plain, seat: int, chance: np.ndarray) -> Plain:
        return codec.complete(self.rules[0], view, seat, chance)

    def draw(self, state: State) -> str:
        return draw(state.to_dict(), self.board.camps)

    def shows(self, state: State) -> bool:
        """At the start of a turn."""
        return bool(state.record.stage == ACT_STAGE)

    def chapter(self, state: State) -> str:
        """The turn of one player, however many steps it has."""
        return "final count" if state.over else f"turn {int(state.record.turn) + 1}"

    def details(self, state: State) -> Plain:
        """What the board file says of camps and buildings: the same in every position."""
        return {
            "camps": [square_text(square) for square in self.board.camps],
            "forms": {
                name: [[column, row] for row, column in form] for name, form in zip(TYPES, self.board.forms)
            },
        }

    def notes(self) -> tuple[str, ...]:
        return () if digest(self.board) else (RECONSTRUCTED,)


GAME = Arkadia
