"""The turns of Quadrilatère: place, slide, claim; or to pass. Kernels on one state record."""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, nth, popcount
from qpolis.games.quadrilatere.actions import PLACED, PLACINGS, SLID, SLIDINGS
from qpolis.games.quadrilatere.layout import (
    BANKS,
    CLAIM,
    CLAIM_STAGE,
    FIRST,
    LEAVE,
    LENGTHS,
    MONUMENTS,
    NONE,
    ONE,
    PASS,
    PLACE_STAGE,
    SIDE,
    SLIDE,
    SLIDE_STAGE,
    SLOTS,
    STAY,
    SUPPLY,
)
from qpolis.games.quadrilatere.rooms import movable, rooms, targets
from qpolis.games.quadrilatere.walls import (
    around,
    bank_of,
    beside,
    covered,
    house_at,
    lift,
    occupied,
    openings,
    place_of,
    put,
    slots_of,
    spread,
    squares_at,
)
from qpolis.kernel import kernel
from qpolis.rng import below


@kernel
def set_up(rules, state, rng):
    """The start: an empty board, all houses and monuments in the supplies, seat 0 to place."""
    state.slots[:] = 0
    state.joints[:] = 0
    state.owned[:] = 0
    state.closed = 0
    state.turn = 0
    state.player = 0
    state.monuments[:] = MONUMENTS
    for length in range(LENGTHS):
        state.supply[:, length] = SUPPLY[length]
    _begin_turn(state)


@kernel
def _begin_turn(state):
    state.stage = PLACE_STAGE
    state.placed = NONE
    state.slid_from = NONE
    state.slid_to = NONE
    state.closed = 0


@kernel
def player(rules, state):
    return np.int64(state.player)


# -- what is legal -----------------------------------------------------------------------------------------


@kernel
def rooms_of(state, seat, bank, length):
    """First slots in a bank at which a seat may place a house of a length."""
    if state.supply[seat, length - 1] == 0:
        return np.int64(0)
    return rooms(state, occupied(state), bank, length)


@kernel
def can_place(state, seat):
    for length in range(1, LENGTHS + 1):
        for bank in range(BANKS):
            if rooms_of(state, seat, bank, length):
                return True
    return False


@kernel
def slidable(state, bank, length, near):
    """The first slots of the houses of a length in a bank that the player may slide: not the one just placed."""
    houses = movable(state, bank, length, near)
    slot = state.placed - (length - 1) * SLOTS
    if 0 <= slot < SLOTS and bank_of(slot) == bank:
        houses &= ~(ONE << (slot - FIRST[bank]))
    return houses


@kernel
def can_slide(state):
    taken = occupied(state)
    for bank in range(BANKS):
        near = beside(taken, bank)
        crossed = covered(state.joints, bank)
        for length in range(1, LENGTHS + 1):
            houses = slidable(state, bank, length, near)
            while houses:
                if targets(state, taken, bank, lowest(houses), length, crossed, near):
                    return True
                houses &= houses - 1
    return False


@kernel
def legal(rules, state, out):
    if state.player == NONE:
        return 0
    if state.stage == PLACE_STAGE:
        return _legal_places(state, out)
    if state.stage == SLIDE_STAGE:
        return _legal_slides(state, out)
    count = 0
    bits = state.closed
    while bits:
        out[count] = CLAIM + lowest(bits)
        count += 1
        bits &= bits - 1
    out[count] = LEAVE
    return count + 1


@kernel
def _write(bits, ids, first, out, count):
    """Append an action for each bit: its id, from the first one on."""
    while bits:
        out[count] = ids[first + lowest(bits)]
        count += 1
        bits &= bits - 1
    return count


@kernel
def _legal_places(state, out):
    """All houses that fit; without any, to pass."""
    seat = np.int64(state.player)
    count = 0
    for length in range(1, LENGTHS + 1):
        for bank in range(BANKS):
            first = (length - 1) * SLOTS + FIRST[bank]
            count = _write(rooms_of(state, seat, bank, length), PLACINGS, first, out, count)
    if count == 0:
        out[0] = PASS
        return 1
    return count


@kernel
def _legal_slides(state, out):
    taken = occupied(state)
    count = 0
    for length in range(1, LENGTHS + 1):
        for bank in range(BANKS):
            near = beside(taken, bank)
            crossed = covered(state.joints, bank)
            houses = slidable(state, bank, length, near)
            while houses:
                bit = lowest(houses)
                first = ((length - 1) * SLOTS + FIRST[bank] + bit) * SIDE
                found = targets(state, taken, bank, bit, length, crossed, near)
                count = _write(found, SLIDINGS, first, out, count)
                houses &= houses - 1
    out[count] = STAY
    return count + 1


@kernel
def is_legal(rules, state, action):
    if state.player == NONE or action < 0 or action > PASS:
        return False
    if state.stage == PLACE_STAGE:
        seat = np.int64(state.player)
        if action >= SLIDE:
            return action == PASS and not can_place(state, seat)
        bank, bit, length = house_at(PLACED[action])
        return (rooms_of(state, seat, bank, length) >> bit) & 1 == 1
    if state.stage == SLIDE_STAGE:
        return action == STAY or (
            SLIDE <= action < STAY and is_slide(state, SLID[action - SLIDE, 0], SLID[action - SLIDE, 1])
        )
    return action == LEAVE or (CLAIM <= action < LEAVE and (state.closed >> (action - CLAIM)) & 1 == 1)


@kernel
def is_slide(state, start, end):
    """May a house be slid, so that it becomes another one of its groove?"""
    bank, bit, length = house_at(start)
    taken = occupied(state)
    near = beside(taken, bank)
    if (slidable(state, bank, length, near) >> bit) & 1 == 0:
        return False
    found = targets(state, taken, bank, bit, length, covered(state.joints, bank), near)
    return (found >> (end % SIDE)) & 1 == 1


@kernel
def pick(rules, state, rng):
    """The same choice as from the list of `legal`; for places without making the list."""
    if state.stage != PLACE_STAGE:
        out = np.empty(rules.actions, np.int32)
        return np.int64(out[below(rng, legal(rules, state, out))])
    seat = np.int64(state.player)
    starts = np.empty((LENGTHS, BANKS), np.int64)
    count = 0
    for length in range(LENGTHS):
        for bank in range(BANKS):
            starts[length, bank] = rooms_of(state, seat, bank, length + 1)
            count += popcount(starts[length, bank])
    left = below(rng, max(count, 1))
    for length in range(LENGTHS):
        for bank in range(BANKS):
            here = popcount(starts[length, bank])
            if left < here:
                return PLACINGS[length * SLOTS + FIRST[bank] + nth(starts[length, bank], left)]
            left -= here
    return np.int64(PASS)


# -- what happens ------------------------------------------------------------------------------------------


@kernel
def apply(rules, state, action, rng):
    if action < SLIDE:
        _place(state, PLACED[action])
        if rules.slide and can_slide(state):
            state.stage = SLIDE_STAGE
        else:
            _look_for_places(state)
    elif action < CLAIM:
        if action != STAY:
            _slide(state, SLID[action - SLIDE, 0], SLID[action - SLIDE, 1])
        _look_for_places(state)
    else:
        if action < LEAVE:
            state.owned[state.player] |= place_of(state.slots, action - CLAIM)
            state.monuments[state.player] -= 1
        _end_turn(state)


@kernel
def _place(state, number):
    bank, bit, length = house_at(number)
    put(state, bank, bit, length)
    state.supply[state.player, length - 1] -= 1
    state.placed = number


@kernel
def _slide(state, start, end):
    bank, bit, length = house_at(start)
    lift(state, bank, bit, length)
    put(state, bank, bit + end - start, length)
    state.slid_from = start
    state.slid_to = end


@kernel
def _look_for_places(state):
    """The turn goes on if a place was closed, and ends otherwise."""
    state.closed = closed_this_turn(state)
    if state.closed:
        state.stage = CLAIM_STAGE
    else:
        _end_turn(state)


@kernel
def closed_this_turn(state):
    """The first squares of the places that were none when the turn began, and have a wall that was placed or slid
    there since."""
    old = state.slots.copy()
    bank, bit, length = house_at(np.int64(state.placed))
    walls = slots_of(bit, length)
    old[bank] &= ~walls
    slid_bank, slid_walls = bank, np.int64(0)
    if state.slid_to != NONE:
        slid_bank, bit, length = house_at(np.int64(state.slid_to))
        slid_walls = slots_of(bit, length)
        origin = slots_of(bit + state.slid_from - state.slid_to, length)
        old[slid_bank] = (old[slid_bank] & ~slid_walls) | origin
    gaps = openings(state.slots)
    left = squares_at(bank, walls) | squares_at(slid_bank, slid_walls)
    left &= ~spread(gaps.lines | gaps.columns, gaps)
    found = np.int64(0)
    while left:
        place = spread(left & -left, gaps)
        left &= ~place
        bounded = (around(place, bank) & walls) | (around(place, slid_bank) & slid_walls)
        if bounded and not _is_place(old, place):
            found |= place & -place
    return found


@kernel
def _is_place(slots, squares):
    """Are these squares a place?"""
    gaps = openings(slots)
    return spread(squares & -squares, gaps) == squares and squares & (gaps.lines | gaps.columns) == 0


@kernel
def _end_turn(state):
    """The other player is next, who may have to pass; without room for anybody the game is over."""
    seat = np.int64(state.player)
    state.turn += 1
    _begin_turn(state)
    left = 0
    for length in range(LENGTHS):
        left += state.supply[seat, length]
    state.player = 1 - seat
    if left == 0 or state.monuments[seat] == 0 or not (can_place(state, 1 - seat) or can_place(state, seat)):
        state.player = NONE


@kernel
def scores(rules, state, points, keys):
    for seat in range(rules.players):
        points[seat] = popcount(state.owned[seat])
        keys[seat] = points[seat]
