"""Where houses may be placed, and where they may be slid to: bit-board kernels.

All walls of an occupied place are filled. So a free slot beside one of its squares is inside of it, and a house
may go there as long as it does not divide the place. It can only divide if it touches two crossings that have
walls; then a flood fill tells.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import highest, lowest
from qpolis.games.quadrilatere.geometry import SIDES
from qpolis.games.quadrilatere.layout import (
    FIRST,
    GROOVES,
    LAST,
    LYING,
    NOT_LAST,
    NOT_LAST_TWO,
    ONE,
    SLOTS,
    STANDING,
)
from qpolis.games.quadrilatere.walls import beside, covered, openings, spread, transposed, with_house
from qpolis.kernel import kernel


@kernel
def fitting(free, crossed, length):
    """First slots at which a house of a length fits into free slots without covering a crossed crossing."""
    if length == 1:
        return free
    two = free & (free >> 1) & ~crossed & NOT_LAST
    return two if length == 2 else two & (two >> 1) & NOT_LAST_TWO


@kernel
def reaching(slots, length):
    """First slots from which a house of a length, where it fits, fills one of these."""
    if length > 1:
        slots |= slots >> 1
    return slots | (slots >> 1) if length > 2 else slots


@kernel
def rooms(board, taken, bank, length):
    """First slots in a bank at which a house of a length may be placed. The squares `taken` are in occupied
    places."""
    free = GROOVES[bank] & ~board.slots[bank]
    found = fitting(free, covered(board.joints, bank), length)
    if taken:
        inside = found & reaching(free & beside(taken, bank), length)
        if inside:
            found &= ~_dividing(board, taken, bank, length, inside & joining_walls(board, bank, length))
    return found


@kernel
def joining_walls(board, bank, length):
    """First slots in a bank of inner grooves from which a house of a length touches two crossings with walls, or
    at the edge of the board."""
    along = board.slots[bank]
    across = transposed(board.slots[STANDING if bank == LYING else LYING])
    ends = along | (along >> 1) | across | (across >> 8) | LAST  # the crossing behind each slot
    some = (ends << 1) | 1  # the crossing before it
    two = some & ends
    for further in range(1, length):
        some |= ends >> (further - 1)
        two |= some & (ends >> further)
    return two


@kernel
def _dividing(board, taken, bank, length, houses):
    """Those of the houses of a length, by their first slots, that would divide an occupied place."""
    found = np.int64(0)
    if houses:
        gaps = openings(board.slots)
        while houses:
            bit = lowest(houses)
            houses &= houses - 1
            if divides((length - 1) * SLOTS + FIRST[bank] + bit, gaps, taken):
                found |= ONE << bit
    return found


@kernel
def divides(house, gaps, taken):
    """Would a house in free slots divide an occupied place?"""
    gaps = with_house(gaps, house)
    first = house % SLOTS
    for slot in range(first, first + house // SLOTS + 1):
        if SIDES[slot, 0] & taken and spread(SIDES[slot, 0], gaps) & SIDES[slot, 1] == 0:
            return True
    return False


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
def within_reach(board, bank, bit, length, crossed):
    """Where the house whose first slot is `bit` gets to along its groove, as a mask of 8: new places of its first
    slot. It goes on until it meets a house, a crossed crossing or the edge."""
    shift = bit & ~7
    at = bit & 7
    groove = (board.slots[bank] >> shift) & 0xFF
    across = (crossed >> shift) & 0x7F
    ahead = (groove | (across << 1) | 0x100) >> (at + length)
    last = at + lowest(ahead)  # of its first slot
    behind = (groove | across) & ((ONE << at) - 1)
    first = highest(behind) + 1 if behind else np.int64(0)
    return ((ONE << (last + 1)) - 1) & ~((ONE << first) - 1) & ~(ONE << at)


@kernel
def outside(found, bit, length, near):
    """Those places in the groove of `bit` at which a house of a length is at no slot `near` an occupied place."""
    closed = (near >> (bit & ~7)) & 0xFF
    return found & ~reaching(closed, length) if closed else found


@kernel
def targets(board, taken, bank, bit, length, crossed, near):
    """Where a house may be slid to: everywhere within reach, but it may not divide an occupied place."""
    found = within_reach(board, bank, bit, length, crossed)
    inside = found & ~outside(found, bit, length, near)
    if inside:
        shift = bit & ~7
        found &= ~(_dividing(board, taken, bank, length, inside << shift) >> shift)
    return found
