"""Bit-board kernels about houses in grooves, and about the places that they wall in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.bits import Integer
from qpolis.games.quadrilatere.geometry import WALLS
from qpolis.games.quadrilatere.layout import (
    EDGE,
    FIRST,
    INNER,
    LYING,
    LYING_EDGE,
    ONE,
    SLOTS,
    STANDING,
    STANDING_EDGE,
)
from qpolis.kernel import kernel


@kernel
def transposed(board):
    """A board of 8 x 8 bits mirrored at its diagonal: blocks of 4, of 2 and of 1 change places."""
    swap = (board ^ (board >> 28)) & np.int64(0x00000000F0F0F0F0)
    board ^= swap ^ (swap << 28)
    swap = (board ^ (board >> 14)) & np.int64(0x0000CCCC0000CCCC)
    board ^= swap ^ (swap << 14)
    swap = (board ^ (board >> 7)) & np.int64(0x00AA00AA00AA00AA)
    return board ^ swap ^ (swap << 7)


@kernel
def bank_of(slot):
    """The bank a slot lies in."""
    if slot < FIRST[STANDING]:
        return LYING if slot < FIRST[LYING_EDGE] else LYING_EDGE
    return STANDING if slot < FIRST[STANDING_EDGE] else STANDING_EDGE


@kernel
def house_at(number):
    """The bank, the bit of the first slot, and the length of a house."""
    length = number // SLOTS + 1
    slot = number - (length - 1) * SLOTS
    bank = bank_of(slot)
    return bank, slot - FIRST[bank], length


@kernel
def covered(joints, bank):
    """Crossings of a bank's grooves that houses in grooves across them cover, as bits of the slot before each."""
    if bank == LYING:
        return transposed(joints[STANDING])
    if bank == STANDING:
        return transposed(joints[LYING])
    return np.int64(0)


@kernel
def beside(squares, bank):
    """The slots of a bank that have one of these squares at a side."""
    if bank >= STANDING:
        squares = transposed(squares)
    if bank in (LYING, STANDING):
        return (squares | (squares >> 8)) & INNER
    return (squares & 0xFF) | ((squares >> 48) & 0xFF00)


@kernel
def around(squares, bank):
    """The slots of a bank that have one of these squares at one side and none at the other: where walls around
    them are."""
    if bank in (LYING, STANDING):
        if bank == STANDING:
            squares = transposed(squares)
        return (squares ^ (squares >> 8)) & INNER
    return beside(squares, bank)


@kernel
def squares_at(bank, slots):
    """The inverse of `beside`: the squares that have one of these slots at a side."""
    if bank in (LYING, STANDING):
        squares = slots | (slots << 8)
    else:
        squares = (slots & 0xFF) | (slots >> 8 << 56)
    return transposed(squares) if bank >= STANDING else squares


@kernel
def slots_of(bit, length):
    """The slots of a house as a mask."""
    return ((ONE << length) - 1) << bit


@kernel
def put(board, bank, bit, length):
    """Put a house on the board."""
    board.slots[bank] |= slots_of(bit, length)
    board.joints[bank] |= slots_of(bit, length - 1)


@kernel
def lift(board, bank, bit, length):
    """Take a house off the board."""
    board.slots[bank] &= ~slots_of(bit, length)
    board.joints[bank] &= ~slots_of(bit, length - 1)


class Open(NamedTuple):
    """Where squares are not walled in, as sets of squares."""

    below: Integer  # open to the square below
    right: Integer  # open to the square to the right
    lines: Integer  # in the first or last line, and open to the outside there
    columns: Integer  # in the first or last column, and open to the outside there


@kernel
def openings(slots):
    """What a board leaves open."""
    below = ~slots[LYING] & INNER
    right = transposed(~slots[STANDING] & INNER)
    lines = ~slots[LYING_EDGE] & EDGE
    columns = ~slots[STANDING_EDGE] & EDGE
    return Open(
        below, right, (lines & 0xFF) | (lines >> 8 << 56), transposed((columns & 0xFF) | (columns >> 8 << 56))
    )


@kernel
def with_house(gaps, house):
    """What is left open if a house is put there."""
    return Open(
        gaps.below & ~WALLS[house, 0],
        gaps.right & ~WALLS[house, 1],
        gaps.lines & ~WALLS[house, 2],
        gaps.columns & ~WALLS[house, 3],
    )


@kernel
def without_house(gaps, house):
    """What is open if a house is taken away."""
    return Open(
        gaps.below | WALLS[house, 0],
        gaps.right | WALLS[house, 1],
        gaps.lines | WALLS[house, 2],
        gaps.columns | WALLS[house, 3],
    )


@kernel
def spread(squares, gaps):
    """All squares connected with some of these."""
    before = ~squares
    while squares != before:
        before = squares
        squares |= ((squares & gaps.below) << 8) | ((squares >> 8) & gaps.below)
        squares |= ((squares & gaps.right) << 1) | ((squares >> 1) & gaps.right)
    return squares


@kernel
def place_of(slots, square):
    """The squares connected with a square."""
    return spread(ONE << square, openings(slots))


@kernel
def occupied(state):
    """The squares in all occupied places."""
    return state.owned[0] | state.owned[1]
