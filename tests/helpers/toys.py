"""Games that supply only the verbs they must: what holds for them holds for every game of the framework."""

from __future__ import annotations

import numpy as np

from qpolis import verbs
from qpolis.errors import InvalidText
from qpolis.game import Game, Option
from qpolis.kernel import kernel, record
from qpolis.rng import below

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


# --- a game of chance: what an action is rated at depends on the dice ---------------------------------

DICE_RULES = record([("actions", "i8"), ("players", "i8"), ("throws", "i8")])
DICE_STATE = record([("thrown", "i8"), ("sums", "i8", (3,))])


@kernel
def lay_dice(rules, state, rng):
    state.thrown = 0
    state.sums[:] = 0


@kernel
def thrower(rules, state):
    return np.int64(-1) if state.thrown == rules.throws else np.int64(state.thrown % rules.players)


@kernel
def ways(rules, state, out):
    out[0] = 0
    out[1] = 1
    return 0 if state.thrown == rules.throws else 2


@kernel
def throw(rules, state, action, rng):
    seat = state.thrown % rules.players
    first = below(rng, 6) + 1
    second = below(rng, 6) + 1
    if not action:
        state.sums[seat] += first
    elif first != second:
        state.sums[seat] += first + second
    state.thrown += 1


@kernel
def sums(rules, state, points, keys):
    for seat in range(rules.players):
        points[seat] = state.sums[seat]
        keys[seat] = state.sums[seat]


verbs.register(DICE_STATE, set_up=lay_dice, player=thrower, legal=ways, apply=throw, scores=sums)


class Rolling(Counting):
    """Throw a die, or two that count nothing if they are equal; six times each."""

    name = "rolling"
    title = "Rolling"
    chance = True
    state_dtype = DICE_STATE

    def build(self, players):
        self.players = players
        self.rules = np.zeros(1, DICE_RULES)
        self.rules[0].actions = 2
        self.rules[0].players = players
        self.rules[0].throws = 6 * players
        self.rules.flags.writeable = False

    def describe(self, record):
        return {"thrown": int(record["thrown"]), "sums": record["sums"].tolist()}

    def fill(self, record, data):
        record["thrown"], record["sums"] = data["thrown"], data["sums"]

    def draw(self, state):
        return str(state.record["sums"])
