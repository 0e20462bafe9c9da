"""Bit-board kernels about houses in grooves, and about the places that they wall in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.bits import Integer, highest, lowest
from qpolis.games.quadrilatere.layout import (
    EDGE,
    FIRST,
    INNER,
    LYING,
    LYING_EDGE,
    NOT_LAST,
    NOT_LAST_TWO,
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
def squares_at(bank, slots):
    """The inverse of `beside`: the squares that have one of these slots at a side."""
    if bank in (LYING, STANDING):
        squares = slots | (slots << 8)
    else:
        squares = (slots & 0xFF) | (slots >> 8 << 56)
    return transposed(squares) if bank >= STANDING else squares


@kernel
def fitting(free, crossed, length):
    """First slots at which a house of a length fits into free slots without covering a crossed crossing."""
    if length == 1:
        return free
    two = free & (free >> 1) & ~crossed & NOT_LAST
    return two if length == 2 else two & (two >> 1) & NOT_LAST_TWO


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


@kernel
def movable(board, bank, length, near):
    """The first slots of the houses of a length in a bank that may be slid: those at no slot `near` an occupied
    place."""
    joints = board.joints[bank]
    slots = board.slots[bank]
    firsts = slots & ~(joints << 1)
    if length == 1:
        firsts &= ~joints
    elif length == 2:
        firsts &= joints & ~(joints >> 1)
    else:
        firsts &= joints & (joints >> 1)
    held = slots & near
    if held:  # the whole house is held, not only the slot
        held |= ((held & joints) << 1) | ((held >> 1) & joints)
        held |= ((held & joints) << 1) | ((held >> 1) & joints)
    return firsts & ~held


@kernel
def targets(board, bank, bit, length, crossed, near):
    """Where the house whose first slot is `bit` can be slid to, as a mask of 8: new places of its first slot in
    the groove. It goes on until it meets a house, a crossed crossing or the edge, and may not stand `near` an
    occupied place."""
    shift = bit & ~7
    at = bit & 7
    groove = (board.slots[bank] >> shift) & 0xFF
    across = (crossed >> shift) & 0x7F
    ahead = (groove | (across << 1) | 0x100) >> (at + length)
    last = at + lowest(ahead)  # of its first slot
    behind = (groove | across) & ((ONE << at) - 1)
    first = highest(behind) + 1 if behind else np.int64(0)
    reached = ((ONE << (last + 1)) - 1) & ~((ONE << first) - 1) & ~(ONE << at)
    closed = (near >> shift) & 0xFF
    if closed:
        for slot in range(length):
            reached &= ~(closed >> slot)
    return reached


class Open(NamedTuple):
    """Where squares are not walled in, as sets of squares."""

    below: Integer  # open to the square below
    right: Integer  # open to the square to the right
    lines: Integer  # in the first or last line, and open to the outside there
    columns: Integer  # in the first or last column, and open to the outside there


@kernel
def openings(slots, wall):
    """What a board leaves open."""
    below = ~slots[LYING] & INNER
    right = transposed(~slots[STANDING] & INNER)
    if wall:
        return Open(below, right, np.int64(0), np.int64(0))
    lines = ~slots[LYING_EDGE] & EDGE
    columns = ~slots[STANDING_EDGE] & EDGE
    return Open(
        below, right, (lines & 0xFF) | (lines >> 8 << 56), transposed((columns & 0xFF) | (columns >> 8 << 56))
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
def new_places(rules, slots, old, changed):
    """The first squares of the places that were none with the slots of `old`; only `changed` squares, those beside
    a slot that differs, can be in such a place."""
    gaps = openings(slots, rules.wall)
    left = changed & ~spread(gaps.lines | gaps.columns, gaps)
    found = np.int64(0)
    if left == 0:
        return found
    old_gaps = openings(old, rules.wall)
    while left:
        place = spread(left & -left, gaps)
        left &= ~place
        before = spread(place & -place, old_gaps)
        if before != place or before & (old_gaps.lines | old_gaps.columns):
            found |= place & -place
    return found


@kernel
def place_of(rules, slots, square):
    """The squares connected with a square."""
    return spread(ONE << square, openings(slots, rules.wall))


@kernel
def occupied(state):
    """The squares in all occupied places."""
    return state.owned[0] | state.owned[1]


@kernel
def free_slots(rules, state, bank):
    """Where a slot can be filled by placing."""
    free = rules.slots[bank] & ~state.slots[bank]
    taken = occupied(state)
    return free & ~beside(taken, bank) if taken else free
