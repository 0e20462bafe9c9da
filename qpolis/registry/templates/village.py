"""Village: a small game for 2 to 4 players.

A village has 3 x 3 or 4 x 4 lots. A lake covers one of them, drawn at random. In turn everybody builds a house on
a free lot, until there is none left. A row of three own houses, upright, level or slanting, is a point. Among
equals who came later in turn order is better placed, because building first is an advantage.
"""

import numpy as np

from qpolis import Game, InvalidText, verbs
from qpolis.game import Option
from qpolis.kernel import kernel, record
from qpolis.rng import below
from qpolis.space import Plane

# --- 1: what there is: the rules, which stay the same during a game, and the state, which does not ------------

SEATS, LOTS = 4, 16  # at most
FREE, LAKE = -1, -2
RULES = record([("actions", "i8"), ("players", "i8"), ("side", "i8")])
STATE = record([("lots", "i1", (LOTS,)), ("houses", "i8")])

# --- 2: the verbs: kernels, which are compiled -----------------------------------------------------------------


@kernel
def set_up(rules, state, rng):
    state.lots[:] = FREE
    state.lots[below(rng, rules.side * rules.side)] = LAKE
    state.houses = 0


@kernel
def player(rules, state):
    over = state.houses == rules.side * rules.side - 1
    return np.int64(-1) if over else np.int64(state.houses % rules.players)


@kernel
def legal(rules, state, out):
    count = 0
    for lot in range(rules.side * rules.side):
        if state.lots[lot] == FREE:
            out[count] = lot
            count += 1
    return count


@kernel
def apply(rules, state, action, rng):
    state.lots[action] = state.houses % rules.players
    state.houses += 1


@kernel
def scores(rules, state, points, keys):
    points[:] = 0
    side = rules.side
    for row in range(side):
        for column in range(side):
            owner = state.lots[row * side + column]
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                last_row, last_column = row + 2 * down, column + 2 * right
                if owner >= 0 and last_row < side and 0 <= last_column < side:
                    middle = state.lots[(row + down) * side + column + right]
                    last = state.lots[last_row * side + last_column]
                    points[owner] += owner == middle and owner == last
    for seat in range(rules.players):
        keys[seat] = points[seat] * SEATS + seat


@kernel
def encode(rules, state, seat, out):
    """What is free, then the houses of each seat, beginning with the one that looks."""
    lots = rules.side * rules.side
    out[:] = 0
    for lot in range(lots):
        owner = state.lots[lot]
        if owner == FREE:
            out[lot] = 1
        elif owner >= 0:
            later = (owner - seat) % rules.players
            out[(1 + later) * lots + lot] = 1


verbs.register(STATE, set_up=set_up, player=player, legal=legal, apply=apply, scores=scores, encode=encode)

# --- 3: the game: what it is called, its options, and what people and programs read ----------------------------


class Village(Game):
    """Village as told at the top of this file."""

    name = "village"
    title = "Village"
    options = {"players": Option(2, "number of players", (2, 3, 4)),
               "size": Option(3, "lots along each side of the village", (3, 4))}
    chance = True  # the lake
    hidden = False
    state_dtype = STATE
    legend = "0-3: houses of the seats; ~: the lake; .: free lots. Columns are a, b, ..., rows 1, 2, ..."

    def build(self, players, size):
        self.players = players
        self.rules = np.zeros(1, RULES)
        self.rules[0].actions = size * size - 1
        self.rules[0].players = players
        self.rules[0].side = size
        self.action_count = size * size
        self.most_decisions = size * size - 1
        self.planes = (
            Plane("free", (size, size), "lots that are free"),
            Plane("houses", (players, size, size), "houses: one's own, then those of who plays next, and so on"),
        )

    def action_text(self, action):
        row, column = divmod(action, int(self.rules[0].side))
        return f"{'abcd'[column]}{row + 1}"

    def action_of(self, text):
        side = int(self.rules[0].side)
        texts = [self.action_text(lot) for lot in range(side * side)]
        if text not in texts:
            raise InvalidText(f"{text!r} is not a lot: lots are {texts[0]} to {texts[-1]}")
        return texts.index(text)

    def describe(self, record):
        side = int(self.rules[0].side)
        lots = [{FREE: None, LAKE: "lake"}.get(lot, lot) for lot in record.lots[: side * side].tolist()]
        player = int(verbs.player(self.rules[0], record))
        return {"lots": lots, "player": None if player < 0 else player}

    def fill(self, record, data):
        record.lots[:] = FREE
        for lot, what in enumerate(data["lots"]):
            record.lots[lot] = {None: FREE, "lake": LAKE}.get(what, what)
        record.houses = int((record.lots >= 0).sum())

    def view(self, record, seat):
        return self.describe(record)  # everything is open

    def draw(self, state):
        side = int(self.rules[0].side)
        signs = "".join({FREE: ".", LAKE: "~"}.get(lot, str(lot)) for lot in state.record.lots.tolist())
        rows = [f"{row + 1} {' '.join(signs[row * side : (row + 1) * side])}" for row in range(side)]
        return "\n".join([f"  {' '.join('abcd'[:side])}", *rows])


GAME = Village
