"""Liar: a game for 2 seats with chance and hidden information, small enough to be solved.

A coin is thrown, and only seat 0 sees it. It says head or tail, what it likes. Seat 1 guesses what the coin shows,
and wins if it is right. What seat 0 says helps nobody if it plays well.
"""

import numpy as np

from qpolis import Game, InvalidText, verbs
from qpolis.kernel import kernel, record
from qpolis.rng import below
from qpolis.space import Plane

RULES = record([("actions", "i8"), ("players", "i8")])
STATE = record([("coin", "i8"), ("said", "i8"), ("guess", "i8")])
NOTHING = -1
TEXTS = ("head", "tail")


@kernel
def set_up(rules, state, rng):
    state.coin = below(rng, 2)
    state.said = NOTHING
    state.guess = NOTHING


@kernel
def player(rules, state):
    if state.guess != NOTHING:
        return np.int64(-1)
    return np.int64(0 if state.said == NOTHING else 1)


@kernel
def legal(rules, state, out):
    if state.guess != NOTHING:
        return 0
    out[0] = 0
    out[1] = 1
    return 2


@kernel
def apply(rules, state, action, rng):
    if state.said == NOTHING:
        state.said = action
    else:
        state.guess = action


@kernel
def scores(rules, state, points, keys):
    points[0] = state.guess != NOTHING and state.guess != state.coin
    points[1] = state.guess != NOTHING and state.guess == state.coin
    keys[:] = points


@kernel
def determinize(rules, state, seat, rng):
    if seat == 1 and state.guess == NOTHING:
        state.coin = below(rng, 2)


@kernel
def conceal(rules, state, seat):
    if seat == 1 and state.guess == NOTHING:
        state.coin = NOTHING


@kernel
def encode(rules, state, seat, out):
    out[0] = state.coin if seat == 0 or state.guess != NOTHING else NOTHING
    out[1] = state.said
    out[2] = state.guess


verbs.register(
    STATE,
    set_up=set_up,
    player=player,
    legal=legal,
    apply=apply,
    scores=scores,
    determinize=determinize,
    conceal=conceal,
    encode=encode,
)


class Liar(Game):
    name = "liar"
    title = "Liar"
    options = {}
    chance = True
    hidden = True
    state_dtype = STATE

    def build(self):
        self.players = 2
        self.rules = np.zeros(1, RULES)
        self.rules[0].actions = self.rules[0].players = self.action_count = self.most_decisions = 2
        self.planes = (Plane("coin", (1,), "the coin"), Plane("words", (2,), "what was said, and the guess"))

    def action_text(self, action):
        return TEXTS[action]

    def action_of(self, text):
        if text not in TEXTS:
            raise InvalidText(f"{text!r} is neither head nor tail")
        return TEXTS.index(text)

    def describe(self, record):
        return {field: int(record[field]) for field in STATE.names}

    def fill(self, record, data):
        for field in STATE.names:
            record[field] = data[field]

    def view(self, record, seat):
        shown = record.copy()
        conceal(self.rules[0], shown, seat)
        return self.describe(shown)

    def complete(self, view, seat, chance):
        return {**view, "coin": int(below(chance, 2))} if view["coin"] == NOTHING else view

    def draw(self, state):
        return str(self.describe(state.record))


GAME = Liar
