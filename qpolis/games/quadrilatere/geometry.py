"""Tables about houses and crossings: true constants of the game, compiled into the kernels.

Crossings, the ends of grooves included, are numbered row by row from 0 to 80.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.games.quadrilatere.layout import BANKS, FIRST, HOUSES, LENGTHS, SIDE, SLOTS, STANDING

POINTS = SIDE + 1  # crossings on a line
CROSSINGS = POINTS * POINTS


class Slot(NamedTuple):
    """Where a slot is: the kind of groove, its number from the edge, the place in it."""

    stands: bool
    groove: int
    at: int


def slot_at(slot: int) -> Slot:
    bank = max(bank for bank in range(BANKS) if FIRST[bank] <= slot)
    row, at = divmod(slot - int(FIRST[bank]), SIDE)
    return Slot(bank >= STANDING, row * SIDE if bank % 2 else row + 1, at)


def _squares_of(slot: Slot) -> list[int]:
    """The square above or to the left of a slot, and the one below or to the right; -1 is off the board."""
    found = []
    for groove in (slot.groove - 1, slot.groove):
        line, column = (slot.at, groove) if slot.stands else (groove, slot.at)
        found.append(line * SIDE + column if 0 <= groove < SIDE else -1)
    return found


def _crossings_of(slot: Slot) -> list[int]:
    """The two crossings at the ends of a slot."""
    ends = (slot.at, slot.at + 1)
    return [end * POINTS + slot.groove if slot.stands else slot.groove * POINTS + end for end in ends]


def _bit(number: int) -> np.int64:
    return np.int64(0) if number < 0 else np.int64(1) << np.int64(number)


def _tables() -> tuple[np.ndarray, ...]:
    sides, touched = np.zeros((SLOTS, 2), np.int64), np.zeros((HOUSES, LENGTHS + 1), np.int64)
    walls, across = np.zeros((HOUSES, 4), np.int64), np.zeros(HOUSES, np.int64)
    slots = [slot_at(slot) for slot in range(SLOTS)]
    for number, slot in enumerate(slots):
        sides[number] = [_bit(square) for square in _squares_of(slot)]
    for house in range(HOUSES):
        length, first = house // SLOTS + 1, house % SLOTS
        covered = slots[first : first + length]
        if covered[-1].at - covered[0].at != length - 1:
            continue  # it would not fit into the groove
        touched[house] = _crossings_of(covered[-1])[1]
        for i, slot in enumerate(covered):
            touched[house, i] = _crossings_of(slot)[0]
            before, after = _squares_of(slot)
            edge = before < 0 or after < 0
            walls[house, 2 * edge + slot.stands] |= _bit(max(before, after) if edge else before)
        for crossing in touched[house, 1:length]:
            line, column = divmod(int(crossing), POINTS)
            if 0 < line < SIDE and 0 < column < SIDE:
                across[house] |= _bit((line - 1) * SIDE + column - 1)
    return sides, touched, walls, across


def _ends() -> np.ndarray:
    ends = np.zeros((CROSSINGS, BANKS, 2), np.int64)
    for number in range(SLOTS):
        bank = max(bank for bank in range(BANKS) if FIRST[bank] <= number)
        for end, crossing in enumerate(_crossings_of(slot_at(number))):
            ends[crossing, bank, end] |= _bit(number - int(FIRST[bank]))
    return ends


# SIDES: the squares before and behind a slot, as masks. TOUCHED: the crossings of a house; the last one fills the
# row. WALLS: what a house closes of the openings (`walls.Open`). ACROSS: the crossings between inner grooves that
# it covers, as bits of a bank of lying grooves. ENDS: the slots that begin and that end at a crossing, by bank.
SIDES, TOUCHED, WALLS, ACROSS = _tables()
ENDS = _ends()
