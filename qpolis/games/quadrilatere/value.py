"""What a position is worth to each seat, and what an action promises its mover.

Both look at one turn: who is to move has what it can claim this turn, at most. That is enough for a search, which
sees what the other can claim then; `greedy` does not.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import popcount
from qpolis.games.quadrilatere.actions import PLACED
from qpolis.games.quadrilatere.layout import CLAIM, HOUSES, NONE, ONE, PASS, PLACE_STAGE, SLIDE_STAGE
from qpolis.games.quadrilatere.moves import can_place, legal
from qpolis.games.quadrilatere.threats import (
    Board,
    closed_by,
    closed_by_slide,
    find_gains,
    find_groups,
    touching,
)
from qpolis.games.quadrilatere.walls import occupied, openings, spread
from qpolis.kernel import kernel
from qpolis.rng import below

AGAINST = 0.001  # squares that touching a wall costs a house
DRAWN = 1e-6  # squares: so little that it only decides between equals


@kernel
def threat(rules, state, seat, taken):
    """The most squares that a seat could claim if it were to place a house now."""
    gains = np.empty(HOUSES, np.int64)
    find_gains(rules, Board(state.slots, state.joints), taken, state.supply[seat], gains)
    return gains.max()


@kernel
def largest_closed(state):
    """The largest place that the mover can claim as things stand; 0 if there is none."""
    gaps = openings(state.slots)
    if state.stage == SLIDE_STAGE:
        return closed_by(np.int64(state.placed), gaps)
    left = np.int64(state.closed)
    best = np.int64(0)
    while left:
        place = spread(left & -left, gaps)
        left &= left - 1
        if popcount(place) > popcount(best):
            best = place
    return best


@kernel
def evaluate(rules, state, values):
    """The squares of each seat. Who is to place a house, if need be after the other's pass, also has what it can
    claim then; later in a turn the mover has what it has closed, and the other what it could claim next."""
    values[0] = popcount(state.owned[0])
    values[1] = popcount(state.owned[1])
    mover = np.int64(state.player)
    if mover == NONE:
        return
    taken = occupied(state)
    if state.stage == PLACE_STAGE:
        if not can_place(state, mover):
            mover = 1 - mover
        values[mover] += threat(rules, state, mover, taken)
    else:
        place = largest_closed(state)
        values[mover] += popcount(place)
        values[1 - mover] += threat(rules, state, 1 - mover, taken | place)


@kernel
def rate(rules, state, spare, actions, values, rng):
    """The squares that the mover will have after its turn, at most."""
    count = legal(rules, state, actions)
    if state.stage == PLACE_STAGE:
        _rate_places(rules, state, actions, values, count, rng)
    elif state.stage == SLIDE_STAGE:
        _rate_slides(state, actions, values, count, rng)
    else:
        _rate_claims(state, actions, values, count)
    points = popcount(state.owned[state.player])
    for i in range(count):
        values[i] += points
    return count


@kernel
def _rate_places(rules, state, actions, values, count, rng):
    """Houses that bring the same are better if they touch fewer walls: they help the other less. Beyond that the
    order is drawn, so that a search sees houses of all sizes from all over the board. To pass brings nothing."""
    if actions[0] == PASS:
        values[0] = 0.0
        return
    gains = np.empty(HOUSES, np.int64)
    board = Board(state.slots, state.joints)
    find_gains(rules, board, occupied(state), state.supply[state.player], gains)
    groups = find_groups(state.slots)
    for i in range(count):
        house = PLACED[actions[i]]
        values[i] = gains[house] - AGAINST * touching(groups, house) + DRAWN * below(rng, 1000)


@kernel
def _rate_slides(state, actions, values, count, rng):
    gaps = openings(state.slots)
    groups = find_groups(state.slots)
    placed = np.int64(state.placed)
    closed = popcount(closed_by(placed, gaps))
    for i in range(count - 1):
        squares = closed_by_slide(groups, gaps, placed, closed, np.int64(actions[i]))
        values[i] = squares + DRAWN * below(rng, 1000)
    values[count - 1] = closed + AGAINST


@kernel
def claims_in_vain(state, squares):
    """Would claiming so many squares end the game without winning it?"""
    mine, yours = popcount(state.owned[state.player]), popcount(state.owned[1 - state.player])
    return state.monuments[state.player] == 1 and mine + squares <= yours


@kernel
def _rate_claims(state, actions, values, count):
    gaps = openings(state.slots)
    for i in range(count - 1):
        squares = popcount(spread(ONE << (np.int64(actions[i]) - CLAIM), gaps))
        values[i] = -1.0 if claims_in_vain(state, squares) else squares
    values[count - 1] = 0.0
