"""Terrace: a small game for 2 to 4 players, without chance.

A street has 12 lots in a row. In turn everybody builds a house on a free lot, until there is none left. Two own
houses side by side are a point. Among equals who came later in turn order is better placed.
"""

import numpy as np

from qpolis import Game, InvalidText, verbs
from qpolis.game import Option
from qpolis.kernel import kernel, record

SEATS, LOTS, FREE = 4, 12, -1
RULES = record([("actions", "i8"), ("players", "i8")])
STATE = record([("lots", "i1", (LOTS,)), ("built", "i8")])


@kernel
def set_up(rules, state, rng):
    state.lots[:] = FREE
    state.built = 0


@kernel
def player(rules, state):
    return np.int64(-1) if state.built == LOTS else np.int64(state.built % rules.players)


@kernel
def legal(rules, state, out):
    count = 0
    for lot in range(LOTS):
        if state.lots[lot] == FREE:
            out[count] = lot
            count += 1
    return count


@kernel
def apply(rules, state, action, rng):
    state.lots[action] = state.built % rules.players
    state.built += 1


@kernel
def scores(rules, state, points, keys):
    points[:] = 0
    for lot in range(1, LOTS):
        if state.lots[lot] != FREE and state.lots[lot] == state.lots[lot - 1]:
            points[state.lots[lot]] += 1
    for seat in range(rules.players):
        keys[seat] = points[seat] * SEATS + seat


verbs.register(STATE, set_up=set_up, player=player, legal=legal, apply=apply, scores=scores)


class Terrace(Game):
    """Terrace as told at the top of this file."""

    name = "terrace"
    title = "Terrace"
    options = {"players": Option(2, "number of players", (2, 3, 4))}
    chance = False
    hidden = False
    state_dtype = STATE
    legend = "0-3: houses of the seats; .: free lots, from 1 to 12"

    def build(self, players):
        self.players = players
        self.action_count = LOTS
        self.rules = np.zeros(1, RULES)
        self.rules[0].actions = LOTS
        self.rules[0].players = players

    def action_text(self, action):
        return str(action + 1)

    def action_of(self, text):
        if text not in map(str, range(1, LOTS + 1)):
            raise InvalidText(f"{text!r} is not a lot: lots are 1 to {LOTS}")
        return int(text) - 1

    def describe(self, record):
        player = int(verbs.player(self.rules[0], record))
        return {
            "lots": [None if lot == FREE else lot for lot in record.lots.tolist()],
            "player": None if player < 0 else player,
        }

    def fill(self, record, data):
        record.lots[:] = [FREE if lot is None else lot for lot in data["lots"]]
        record.built = int((record.lots != FREE).sum())

    def view(self, record, seat):
        return self.describe(record)  # everything is open

    def draw(self, state):
        return " ".join("." if lot == FREE else str(lot) for lot in state.record.lots.tolist())
