"""What can be closed in one turn: by placing a house, by sliding one, or by both together.

A house closes something exactly if two of the crossings it touches are connected by walls already: then it makes
a circle of walls. So crossings are put into groups of connected ones, and only houses are tried that make a circle
within a group, or within the groups that a slid house connects. A circle that needs the slid house where it was is
none: filling the place tells.

Three things are left out, because they are rare and would take long to find: two places that become one when the
wall between them slides away, and of which the slid house is still a wall, in a slot that it filled before; what a
house that closes something by itself brings with a slide that closes nothing by itself; and slides that end inside
an occupied place.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadrilatere.actions import SLID
from qpolis.games.quadrilatere.geometry import ACROSS, CROSSINGS, ENDS, SIDES, TOUCHED
from qpolis.games.quadrilatere.layout import (
    BANKS,
    FIRST,
    INNER,
    LENGTHS,
    LYING,
    NOT_LAST,
    NOT_LAST_TWO,
    SLIDE,
    SLOTS,
    STANDING,
)
from qpolis.games.quadrilatere.rooms import movable, outside, rooms, within_reach
from qpolis.games.quadrilatere.walls import (
    beside,
    covered,
    house_at,
    openings,
    slots_of,
    transposed,
    with_house,
    without_house,
)
from qpolis.kernel import kernel


class Board(NamedTuple):
    """Houses on a board, which need not be a state's."""

    slots: np.ndarray
    joints: np.ndarray


class Room(NamedTuple):
    """Working space to try slides in."""

    swept: np.ndarray  # slots that a slide passes, by bank
    inside: np.ndarray  # slots inside a place, by bank
    wanted: np.ndarray  # circles, like those of groups
    ends: np.ndarray  # of groups that a slid house connects


class Groups(NamedTuple):
    """Crossings connected by walls."""

    label: np.ndarray  # of each crossing: its group
    size: np.ndarray  # crossings in each group
    ends: np.ndarray  # of each group: the slots that begin and that end at its crossings, by bank
    circles: np.ndarray  # slots from which a house of a length - 1 touches two crossings of one group, by bank


@kernel
def _root(label, crossing):
    while label[crossing] != crossing:
        crossing = np.int64(label[crossing])
    return crossing


@kernel
def find_groups(slots):
    label = np.arange(CROSSINGS)
    for bank in range(BANKS):
        left = slots[bank]
        while left:
            house = FIRST[bank] + lowest(left)
            left &= left - 1
            one, other = _root(label, TOUCHED[house, 0]), _root(label, TOUCHED[house, 1])
            label[max(one, other)] = min(one, other)
    size = np.zeros(CROSSINGS, np.int64)
    ends = np.zeros((CROSSINGS, BANKS, 2), np.int64)
    for crossing in range(CROSSINGS):
        label[crossing] = label[label[crossing]]
        size[label[crossing]] += 1
        for bank in range(BANKS):
            ends[label[crossing], bank, 0] |= ENDS[crossing, bank, 0]
            ends[label[crossing], bank, 1] |= ENDS[crossing, bank, 1]
    circles = np.zeros((LENGTHS, BANKS), np.int64)
    for group in range(CROSSINGS):
        if size[group] > 1:
            for bank in range(BANKS):
                add_circles(ends[group], bank, circles)
    return Groups(label, size, ends, circles)


@kernel
def add_circles(ends, bank, circles):
    """Add the slots from which a house of a length - 1 touches two of the crossings that have these ends."""
    for length in range(LENGTHS):
        circles[length, bank] |= joining(ends, bank, length + 1)
        if length:
            shorter = circles[length - 1, bank]
            circles[length, bank] |= shorter | (shorter >> 1)


@kernel
def joining(ends, bank, length):
    """Slots from which a house of a length joins two crossings, given where their slots begin and end."""
    if length == 1:
        return ends[bank, 0] & ends[bank, 1]
    if length == 2:
        return ends[bank, 0] & (ends[bank, 1] >> 1) & NOT_LAST
    return ends[bank, 0] & (ends[bank, 1] >> 2) & NOT_LAST_TWO


@kernel
def closed_from(square, gaps):
    """The place around a square; 0 if it is open, or if there is no square."""
    out = gaps.lines | gaps.columns
    before = np.int64(0)
    place = square
    while place != before:
        if place & out:
            return np.int64(0)
        before = place
        place |= ((place & gaps.below) << 8) | ((place >> 8) & gaps.below)
        place |= ((place & gaps.right) << 1) | ((place >> 1) & gaps.right)
    return place


@kernel
def closed_by(house, gaps):
    """The larger one of the places that a house walls in, given the openings with it; 0 if there is none."""
    best = np.int64(0)
    first = house % SLOTS
    for slot in range(first, first + house // SLOTS + 1):
        place = closed_from(SIDES[slot, 0], gaps)
        if place & SIDES[slot, 1] == 0:
            if popcount(place) > popcount(best):
                best = place
            place = closed_from(SIDES[slot, 1], gaps)
            if popcount(place) > popcount(best):
                best = place
    return best


@kernel
def newly_filled(origin, house):
    """The part of a slid house that is in slots which it did not fill before, as a house."""
    length = origin // SLOTS + 1
    part = min(abs(house - origin), length)
    return house + (length - part if house > origin else 0) - (length - part) * SLOTS


@kernel
def try_houses(wanted, fits, room, across, gaps, gains):
    """Place each house that fits and makes a wanted circle (by length - 1 and bank), and note how many squares it
    closes. Houses that would lie in the slots or crossings that a slide sweeps are left out."""
    for bank in range(BANKS):
        for length in range(LENGTHS):
            found = wanted[length, bank] & fits[length, bank]
            while found:
                bit = lowest(found)
                found &= found - 1
                house = length * SLOTS + FIRST[bank] + bit
                if slots_of(bit, length + 1) & room.swept[bank] == 0 and ACROSS[house] & across == 0:
                    gains[house] = max(gains[house], popcount(closed_by(house, with_house(gaps, house))))


@kernel
def find_place_gains(board, taken, supply, groups, gains):
    """Write for each house how many squares somebody with this supply closes by placing it, at most. Returns where
    houses fit, by length - 1 and bank."""
    fits = np.zeros((LENGTHS, BANKS), np.int64)
    for bank in range(BANKS):
        for length in range(LENGTHS):
            if supply[length]:
                fits[length, bank] = rooms(board, taken, bank, length + 1)
    gains[:] = 0
    gaps = openings(board.slots)
    try_houses(groups.circles, fits, working_room(), np.int64(0), gaps, gains)
    return fits


@kernel
def working_room():
    return Room(
        np.zeros(BANKS, np.int64),
        np.zeros(BANKS, np.int64),
        np.empty((LENGTHS, BANKS), np.int64),
        np.empty((BANKS, 2), np.int64),
    )


@kernel
def find_gains(rules, board, taken, supply, gains):
    """Write for each house how many squares somebody with this supply can claim this turn after placing it, at
    most, sliding another if that helps."""
    groups = find_groups(board.slots)
    fits = find_place_gains(board, taken, supply, groups, gains)
    if not rules.slide:
        return
    room = working_room()
    gaps = openings(board.slots)
    for bank in range(BANKS):
        near = beside(taken, bank)
        crossed = covered(board.joints, bank)
        for length in range(1, LENGTHS + 1):
            houses = movable(board, bank, length, near)
            while houses:
                bit = lowest(houses)
                houses &= houses - 1
                origin = (length - 1) * SLOTS + FIRST[bank] + bit
                gaps_without = without_house(gaps, origin)
                left = outside(within_reach(board, bank, bit, length, crossed), bit, length, near)
                while left:
                    house = origin - (bit & 7) + lowest(left)
                    left &= left - 1
                    _try_slide(groups, fits, origin, house, with_house(gaps_without, house), room, gains)


@kernel
def _try_slide(groups, fits, origin, house, gaps, room, gains):
    """Note what a slide closes with each house that leaves it room, and what houses close together with it."""
    part = newly_filled(origin, house)
    place = closed_by(part, gaps) if makes_circle(groups, part) else np.int64(0)
    connect(groups, part, room.ends)
    room.wanted[:] = 0
    some = np.int64(0)
    for bank in range(BANKS):
        add_circles(room.ends, bank, room.wanted)
        for length in range(LENGTHS):
            if place == 0:
                room.wanted[length, bank] &= ~groups.circles[length, bank]
            some |= room.wanted[length, bank] & fits[length, bank]
    if some == 0 and place == 0:
        return
    bank, bit, length = house_at(min(origin, house))
    span = length + abs(origin - house)
    room.swept[bank] = slots_of(bit, span)
    across = np.int64(0)
    if bank in (LYING, STANDING):
        across = slots_of(bit, span - 1)
    if bank == STANDING:
        across = transposed(across)
    if some:
        try_houses(room.wanted, fits, room, across, gaps, gains)
    if place:
        _note_slide(part, place, fits, across, gaps, room, gains)
    room.swept[bank] = 0


@kernel
def _note_slide(part, place, fits, across, gaps, room, gains):
    """Note the place that a slide closes for each house out of its way; houses inside the place may divide it."""
    squares = popcount(place)
    room.inside[LYING] = place & (place >> 8) & INNER
    mirrored = transposed(place)
    room.inside[STANDING] = mirrored & (mirrored >> 8) & INNER
    for bank in range(BANKS):
        for length in range(LENGTHS):
            found = fits[length, bank]
            while found:
                bit = lowest(found)
                found &= found - 1
                house = length * SLOTS + FIRST[bank] + bit
                walls = slots_of(bit, length + 1)
                if gains[house] >= squares or walls & room.swept[bank] or ACROSS[house] & across:
                    continue
                if walls & room.inside[bank]:
                    gains[house] = max(gains[house], popcount(closed_by(part, with_house(gaps, house))))
                else:
                    gains[house] = squares


@kernel
def connect(groups, house, ends):
    """Write the ends of all groups that a house connects, itself included."""
    ends[:] = 0
    for i in range(house // SLOTS + 2):
        group = groups.label[TOUCHED[house, i]]
        for bank in range(BANKS):
            ends[bank, 0] |= groups.ends[group, bank, 0]
            ends[bank, 1] |= groups.ends[group, bank, 1]


@kernel
def makes_circle(groups, house):
    """Does a house touch two crossings of one group?"""
    for i in range(1, house // SLOTS + 2):
        for j in range(i):
            if groups.label[TOUCHED[house, i]] == groups.label[TOUCHED[house, j]]:
                return True
    return False


@kernel
def touching(groups, house):
    """How many crossings of a house have walls."""
    count = 0
    for i in range(house // SLOTS + 2):
        count += groups.size[groups.label[TOUCHED[house, i]]] > 1
    return count


@kernel
def closed_by_slide(groups, gaps, placed, closed, action):
    """How many squares can be claimed after a slide, if the house placed before has `closed` so many. Of the slid
    house only slots are looked at that it did not fill before."""
    origin, house = SLID[action - SLIDE, 0], SLID[action - SLIDE, 1]
    part = newly_filled(origin, house)
    circle = makes_circle(groups, part)
    most = 0
    if closed or circle:
        after = with_house(without_house(gaps, origin), house)
        if closed:
            most = popcount(closed_by(placed, after))
        if circle:
            most = max(most, popcount(closed_by(part, after)))
    return most
