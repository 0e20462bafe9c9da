"""What a seat sees of Quadropolis as numbers: the verb `encode`, and the planes it writes.

Seats come in the order they play in, beginning with the one that looks. Everything on the table is open: all seats
see the same, from different places.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import Integer, lowest
from qpolis.games.quadropolis.layout import DIGITS, LINES, NONE, PARK, ROUNDS, SIDE, SIDES, SITE, TURNS
from qpolis.games.quadropolis.tiles import TYPES_OF
from qpolis.kernel import kernel
from qpolis.space import Plane

CLASSIC_TYPES, EXPERT_TYPES = len(TYPES_OF["classic"]), len(TYPES_OF["expert"])
SHOWN = 5  # numbers a tile or a building has besides its type
PRINTED = 4.0  # what a tile shows is divided by this, and cut off at 1; published tiles show 3 at most
AMOUNT = 32.0  # what a seat has received is divided by this, and cut off at 1
ABOUT_SEATS = ("to move", "first player of the round", "mayor")


def planes_of(rules: np.record, types: tuple[str, ...]) -> tuple[Plane, ...]:
    """The planes of a game with these rules, in the order `encode` writes them."""
    players, numbers, columns = int(rules.players), int(rules.numbers), int(rules.columns)
    kinds, shown = ", ".join(types), f"divided by {PRINTED:g}, at most 1"
    pools = (1 if rules.expert else players, numbers)
    return (
        Plane("site types", (len(types), SIDE, SIDE), f"tiles on the site by type: {kinds}"),
        Plane("site inhabitants", (SIDE, SIDE), f"inhabitants that the tiles show, {shown}"),
        Plane("site energy", (SIDE, SIDE), f"energy that the tiles show, {shown}"),
        Plane("site points", (SIDE, SIDE), f"points that the tiles show, {shown}"),
        Plane("site mayor", (SIDE, SIDE), "tiles that show the mayor"),
        Plane("site holds", (SIDE, SIDE), f"what parks on the site hold, {shown}"),
        Plane("urbanist", (SIDE, SIDE), "where the urbanist is"),
        Plane("architects", (len(SIDES), SIDE), f"positions that hold an architect, by side: {', '.join(SIDES)}"),
        Plane(
            "pool",
            pools,
            "architects left by number: of the pool, divided by the number of players"
            if rules.expert
            else "architects left by number, of each seat",
        ),
        Plane("held type", (len(types),), "the type of the tile that is held"),
        Plane("held shows", (SHOWN,), f"its inhabitants, energy, points, mayor, and what it holds, {shown}"),
        Plane("held architect", (numbers,), "the number of the architect that took it"),
        Plane("city types", (players, len(types), LINES, columns), f"buildings of each seat by type: {kinds}"),
        Plane("city floors", (players, LINES, columns), f"floors, divided by {rules.floors}"),
        Plane("city points", (players, LINES, columns), f"points printed on buildings, {shown}"),
        Plane("city holds", (players, LINES, columns), f"what parks hold, {shown}"),
        Plane("received", (players, 2), f"inhabitants and energy of each seat, divided by {AMOUNT:g}, at most 1"),
        Plane("seats", (len(ABOUT_SEATS), players), f"which seat it is: {', '.join(ABOUT_SEATS)}"),
        Plane("round", (ROUNDS,), "the round that is played"),
        Plane("turn", (TURNS,), "the turn of the round, while the game is not over"),
    )


@kernel
def encode(rules, state, seat, out):
    """The verb."""
    out[:] = 0
    kinds = EXPERT_TYPES if rules.expert else CLASSIC_TYPES
    start = _site(rules, state, kinds, out)
    start = _architects(rules, state, seat, out, start)
    start = _held(rules, state, kinds, out, start)
    start = _cities(rules, state, seat, kinds, out, start)
    for i in range(rules.players):
        of = (seat + i) % rules.players
        out[start + 2 * i] = min(1.0, np.int64(state.inhabitants[of]) / AMOUNT)
        out[start + 2 * i + 1] = min(1.0, np.int64(state.energy[of]) / AMOUNT)
    start += 2 * rules.players
    if state.player != NONE:
        out[start + (np.int64(state.player) - seat) % rules.players] = 1
        out[start + rules.players + (np.int64(state.first) - seat) % rules.players] = 1
    out[start + 2 * rules.players + (np.int64(state.mayor) - seat) % rules.players] = 1
    start += 3 * rules.players
    out[start + np.int64(state.round_no)] = 1
    if state.player != NONE:
        out[start + ROUNDS + np.int64(state.plays) // rules.players] = 1


@kernel
def _site(rules, state, kinds, out):
    """What lies on the site. Returns where what follows begins."""
    start = kinds * SITE
    for square in range(SITE):
        tile = np.int64(state.site[square])
        if tile != NONE:
            out[np.int64(rules.type[tile]) * SITE + square] = 1
            out[start + square] = min(1.0, np.int64(rules.inhabitants[tile]) / PRINTED)
            out[start + SITE + square] = min(1.0, np.int64(rules.energy[tile]) / PRINTED)
            out[start + 2 * SITE + square] = min(1.0, np.int64(rules.vp[tile]) / PRINTED)
            out[start + 3 * SITE + square] = rules.mayor[tile]
            out[start + 4 * SITE + square] = min(1.0, np.int64(rules.holds[tile]) / PRINTED)
    start += SHOWN * SITE
    if state.urbanist != NONE:
        out[start + np.int64(state.urbanist)] = 1
    return start + SITE


@kernel
def _architects(rules, state, seat, out, start):
    """Where architects stand, and those that are left."""
    left = np.int64(state.posts)
    while left:
        out[start + lowest(left)] = 1
        left &= left - 1
    start += len(SIDES) * SIDE
    pools = 1 if rules.expert else rules.players
    share = 1.0 / rules.players if rules.expert else 1.0
    for i in range(pools):
        row = 0 if rules.expert else (seat + i) % rules.players
        for n in range(rules.numbers):
            out[start + n] = np.int64(state.pool[row, n]) * share
        start += rules.numbers
    return start


@kernel
def _held(rules, state, kinds, out, start):
    """The tile between the steps of a turn."""
    tile = np.int64(state.held)
    if tile != NONE:
        out[start + np.int64(rules.type[tile])] = 1
        out[start + kinds] = min(1.0, np.int64(rules.inhabitants[tile]) / PRINTED)
        out[start + kinds + 1] = min(1.0, np.int64(rules.energy[tile]) / PRINTED)
        out[start + kinds + 2] = min(1.0, np.int64(rules.vp[tile]) / PRINTED)
        out[start + kinds + 3] = rules.mayor[tile]
        out[start + kinds + 4] = min(1.0, np.int64(rules.holds[tile]) / PRINTED)
        out[start + kinds + SHOWN + np.int64(state.architect)] = 1
    return start + kinds + SHOWN + rules.numbers


@kernel
def _cities(rules, state, seat, kinds, out, start):
    """What is built: types, then floors, printed points and what parks hold, each of all seats."""
    squares = rules.squares
    floors = start + rules.players * kinds * squares
    points = floors + rules.players * squares
    holds = points + rules.players * squares
    for i in range(rules.players):
        of = (seat + i) % rules.players
        for kind in range(kinds):
            left = np.int64(state.built[of, kind])
            while left:
                out[start + (i * kinds + kind) * squares + lowest(left)] = 1
                left &= left - 1
        for floor in range(rules.floors):
            left = np.int64(state.tall[of, floor])
            while left:
                out[floors + i * squares + lowest(left)] = (floor + 1) / rules.floors
                left &= left - 1
        left = np.int64(state.tall[of, 0])
        while left:
            square = lowest(left)
            out[points + i * squares + square] = min(1.0, np.int64(state.vp[of, square]) / PRINTED)
            left &= left - 1
        left = np.int64(state.built[of, PARK])
        while left:
            square = lowest(left)
            held: Integer = 0
            for digit in range(DIGITS):
                held |= ((np.int64(state.holds[of, digit]) >> square) & 1) << digit
            out[holds + i * squares + square] = min(1.0, held / PRINTED)
            left &= left - 1
    return holds + rules.players * squares
