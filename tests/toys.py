"""A game that supplies only the verbs it must: what holds for it holds for every game of the framework."""

from __future__ import annotations

import numpy as np

from qpolis import verbs
from qpolis.errors import InvalidText
from qpolis.game import Game, Option
from qpolis.kernel import kernel, record

RULES = record([("actions", "i8"), ("players", "i8"), ("goal", "i8")])
STATE = record([("count", "i8"), ("turn", "i8"), ("last", "i8")])


@kernel
def set_up(rules, state, rng):
    state.count = 0
    state.turn = 0
    state.last = -1


@kernel
def player(rules, state):
    return np.int64(-1) if state.count >= rules.goal else np.int64(state.turn)


@kernel
def legal(rules, state, out):
    most = min(3, rules.goal - state.count)
    for step in range(most):
        out[step] = step
    return most


@kernel
def apply(rules, state, action, rng):
    state.count += action + 1
    state.last = state.turn
    state.turn = (state.turn + 1) % rules.players


@kernel
def scores(rules, state, points, keys):
    for seat in range(rules.players):
        points[seat] = state.last == seat and state.count == rules.goal
        keys[seat] = points[seat]


verbs.register(STATE, set_up=set_up, player=player, legal=legal, apply=apply, scores=scores)


class Counting(Game):
    """Count on by 1, 2 or 3; who says 21 wins."""

    name = "counting"
    title = "Counting"
    options = {"players": Option(2, "number of players", (2, 3))}
    chance = False
    hidden = False
    state_dtype = STATE

    def build(self, players):
        self.players = players
        self.rules = np.zeros(1, RULES)
        self.rules[0].actions = 3
        self.rules[0].players = players
        self.rules[0].goal = 21
        self.rules.flags.writeable = False

    def action_text(self, action):
        return f"+{action + 1}"

    def action_of(self, text):
        if text not in ("+1", "+2", "+3"):
            raise InvalidText(text)
        return int(text) - 1

    def describe(self, record):
        return {name: int(record[name]) for name in STATE.names}

    def fill(self, record, data):
        for name in STATE.names:
            record[name] = data[name]

    def view(self, record, seat):
        return self.describe(record)

    def draw(self, state):
        return str(state.record["count"])
