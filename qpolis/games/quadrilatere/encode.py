"""What a program that learns sees of Quadrilatère: planes of 9 x 9 crossings, and a few numbers.

A cell of a plane stands for a crossing, the slots that begin there, to the right and down, and the square to its
lower right. So all planes of the board can be put on top of each other.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest
from qpolis.games.quadrilatere.geometry import POINTS, slot_at
from qpolis.games.quadrilatere.layout import (
    BANKS,
    FIRST,
    LENGTHS,
    MONUMENTS,
    NONE,
    SEATS,
    SIDE,
    SLOTS,
    STAGES,
    SUPPLY,
)
from qpolis.games.quadrilatere.walls import openings, spread
from qpolis.kernel import kernel
from qpolis.space import Plane, places

BOARD = (POINTS, POINTS)
CELLS = POINTS * POINTS
MOST_TURNS = 2 * SEATS * sum(SUPPLY)  # somebody passes at most once for each house that the other has placed

PLANES = (
    Plane("walls", (2, *BOARD), "slots that hold a house: lying ones, and standing ones"),
    Plane("joints", (2, *BOARD), "crossings that a house covers: a lying one, or a standing one"),
    Plane("places", (SEATS, *BOARD), "squares in occupied places: one's own, and the other's"),
    Plane("placed", (2, *BOARD), "slots of the house placed this turn: lying ones, and standing ones"),
    Plane("slid from", (2, *BOARD), "where the house slid this turn was: lying slots, and standing ones"),
    Plane("slid to", (2, *BOARD), "where it is now"),
    Plane("claimable", BOARD, "squares of the places that can be claimed"),
    Plane("claims", BOARD, "the first square of each of them, which names the action"),
    Plane("stage", (len(STAGES),), f"the step of the turn: {', '.join(STAGES)}; all 0 when the game is over"),
    Plane("mover", (SEATS,), "who is to decide: oneself, or the other; both 0 when the game is over"),
    Plane("supply", (SEATS, LENGTHS), "small, medium and large houses left, one's own first, as shares of all"),
    Plane("monuments", (SEATS,), f"monuments left, one's own first, as shares of {MONUMENTS}"),
    Plane("turn", (1,), f"turns completed, as a share of {MOST_TURNS}, which are the most there can be"),
)
_AT = {name: where.start for name, where in places(PLANES).items()}
WALLS, JOINTS, PLACES, PLACED = _AT["walls"], _AT["joints"], _AT["places"], _AT["placed"]
SLID_FROM, SLID_TO, CLAIMABLE, CLAIMS = _AT["slid from"], _AT["slid to"], _AT["claimable"], _AT["claims"]
STAGE, MOVER, HOUSES_LEFT, MONUMENTS_LEFT = _AT["stage"], _AT["mover"], _AT["supply"], _AT["monuments"]
TURN = _AT["turn"]


def _cells() -> tuple[np.ndarray, np.ndarray]:
    """The cell of each slot in planes of lying and of standing ones, and from there to the crossing at its end."""
    slots = [slot_at(slot) for slot in range(SLOTS)]
    cells = [
        CELLS + slot.at * POINTS + slot.groove if slot.stands else slot.groove * POINTS + slot.at for slot in slots
    ]
    return np.array(cells), np.array([POINTS if slot.stands else 1 for slot in slots])


CELL, TO_END = _cells()


@kernel
def encode(rules, state, seat, out):
    """The verb."""
    out[:] = 0
    for bank in range(BANKS):
        _write_slots(state.slots[bank], bank, out)
        _write_joints(state.joints[bank], bank, out)
    other = 1 - seat
    _write_squares(state.owned[seat], PLACES, out)
    _write_squares(state.owned[other], PLACES + CELLS, out)
    _write_house(state.placed, PLACED, out)
    _write_house(state.slid_from, SLID_FROM, out)
    _write_house(state.slid_to, SLID_TO, out)
    if state.closed:
        _write_squares(state.closed, CLAIMS, out)
        _write_squares(spread(np.int64(state.closed), openings(state.slots)), CLAIMABLE, out)
    if state.player != NONE:
        out[STAGE + np.int64(state.stage)] = 1
        out[MOVER + (state.player != seat)] = 1
    for length in range(LENGTHS):
        out[HOUSES_LEFT + length] = state.supply[seat, length] / SUPPLY[length]
        out[HOUSES_LEFT + LENGTHS + length] = state.supply[other, length] / SUPPLY[length]
    out[MONUMENTS_LEFT] = state.monuments[seat] / MONUMENTS
    out[MONUMENTS_LEFT + 1] = state.monuments[other] / MONUMENTS
    out[TURN] = state.turn / MOST_TURNS


@kernel
def _write_slots(slots, bank, out):
    while slots:
        out[WALLS + CELL[FIRST[bank] + lowest(slots)]] = 1
        slots &= slots - 1


@kernel
def _write_joints(joints, bank, out):
    """A joint covers the crossing behind its slot."""
    while joints:
        slot = FIRST[bank] + lowest(joints)
        out[JOINTS + CELL[slot] + TO_END[slot]] = 1
        joints &= joints - 1


@kernel
def _write_squares(squares, start, out):
    while squares:
        square = lowest(squares)
        out[start + square + square // SIDE] = 1  # a cell more in each line
        squares &= squares - 1


@kernel
def _write_house(house, start, out):
    """The slots of a house, if there is one."""
    if house != NONE:
        first = house % SLOTS
        for slot in range(first, first + house // SLOTS + 1):
            out[start + CELL[slot]] = 1
