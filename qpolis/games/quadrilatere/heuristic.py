"""Rules of thumb: close what one house can close, keep away from other walls, claim the most."""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadrilatere.actions import PLACED, PLACINGS
from qpolis.games.quadrilatere.layout import CLAIM, HOUSES, LEAVE, PASS, PLACE_STAGE, SLIDE_STAGE, STAY
from qpolis.games.quadrilatere.moves import can_place, legal, pick
from qpolis.games.quadrilatere.threats import (
    Board,
    closed_by,
    closed_by_slide,
    find_groups,
    find_place_gains,
    touching,
)
from qpolis.games.quadrilatere.value import claims_in_vain, largest_closed
from qpolis.games.quadrilatere.walls import occupied, openings
from qpolis.kernel import kernel
from qpolis.verbs import ACTION

LOOKS = 6  # houses to compare where nothing can be closed


@kernel
def suggest(rules, state, rng):
    if state.stage == PLACE_STAGE:
        return _house(rules, state, rng)
    if state.stage == SLIDE_STAGE:
        return _slide(rules, state)
    place = largest_closed(state)
    if claims_in_vain(state, popcount(place)):
        return np.int64(LEAVE)
    return CLAIM + lowest(place)


@kernel
def _house(rules, state, rng):
    """The house that closes the largest place; without any, one of a few drawn that touches the fewest walls."""
    if not can_place(state, np.int64(state.player)):
        return np.int64(PASS)
    groups = find_groups(state.slots)
    gains = np.empty(HOUSES, np.int64)
    board = Board(state.slots, state.joints)
    find_place_gains(board, occupied(state), state.supply[state.player], groups, gains)
    best = np.argmax(gains)
    if gains[best] == 0:
        best = PLACED[pick(rules, state, rng)]
        for _ in range(LOOKS - 1):
            other = PLACED[pick(rules, state, rng)]
            if touching(groups, other) < touching(groups, best):
                best = other
    return PLACINGS[best]


@kernel
def _slide(rules, state):
    """The slide that closes more than is closed already, and most; otherwise stay."""
    actions = np.empty(rules.actions, ACTION)
    gaps = openings(state.slots)
    groups = find_groups(state.slots)
    placed = np.int64(state.placed)
    closed = popcount(closed_by(placed, gaps))
    best = np.int64(STAY)
    most = closed
    for i in range(legal(rules, state, actions) - 1):
        squares = closed_by_slide(groups, gaps, placed, closed, np.int64(actions[i]))
        if squares > most:
            most = squares
            best = np.int64(actions[i])
    return best
