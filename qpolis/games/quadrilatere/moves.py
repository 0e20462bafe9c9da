"""The turns of Quadrilatère: place, slide, claim. Kernels on one state record."""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, nth, popcount
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
    PLACE_STAGE,
    SIDE,
    SLIDE,
    SLIDE_STAGE,
    SLOTS,
    STAY,
    SUPPLY,
)
from qpolis.games.quadrilatere.walls import (
    bank_of,
    beside,
    covered,
    fitting,
    free_slots,
    house_at,
    lift,
    movable,
    new_places,
    occupied,
    place_of,
    put,
    slots_of,
    squares_at,
    targets,
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
def rooms(rules, state, bank, length):
    """First slots in a bank at which the player may place a house of a length."""
    if state.supply[state.player, length - 1] == 0:
        return np.int64(0)
    return fitting(free_slots(rules, state, bank), covered(state.joints, bank), length)


@kernel
def can_place(rules, state):
    for length in range(1, LENGTHS + 1):
        for bank in range(BANKS):
            if rooms(rules, state, bank, length):
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
def can_slide(rules, state):
    taken = occupied(state)
    for bank in range(BANKS):
        near = beside(taken, bank)
        crossed = covered(state.joints, bank)
        for length in range(1, LENGTHS + 1):
            houses = slidable(state, bank, length, near)
            while houses:
                if targets(state, bank, lowest(houses), length, crossed, near):
                    return True
                houses &= houses - 1
    return False


@kernel
def legal(rules, state, out):
    if state.player == NONE:
        return 0
    if state.stage == PLACE_STAGE:
        return _legal_places(rules, state, out)
    if state.stage == SLIDE_STAGE:
        return _legal_slides(rules, state, out)
    count = _write(state.closed, CLAIM, out, 0)
    out[count] = LEAVE
    return count + 1


@kernel
def _write(bits, first, out, count):
    """Append an action for each bit."""
    while bits:
        out[count] = first + lowest(bits)
        count += 1
        bits &= bits - 1
    return count


@kernel
def _legal_places(rules, state, out):
    count = 0
    for length in range(1, LENGTHS + 1):
        for bank in range(BANKS):
            count = _write(rooms(rules, state, bank, length), (length - 1) * SLOTS + FIRST[bank], out, count)
    return count


@kernel
def _legal_slides(rules, state, out):
    taken = occupied(state)
    count = 0
    for length in range(1, LENGTHS + 1):
        for bank in range(BANKS):
            near = beside(taken, bank)
            crossed = covered(state.joints, bank)
            houses = slidable(state, bank, length, near)
            while houses:
                bit = lowest(houses)
                first = SLIDE + ((length - 1) * SLOTS + FIRST[bank] + bit) * SIDE
                count = _write(targets(state, bank, bit, length, crossed, near), first, out, count)
                houses &= houses - 1
    out[count] = STAY
    return count + 1


@kernel
def is_legal(rules, state, action):
    if state.player == NONE or action < 0 or action > LEAVE:
        return False
    if state.stage == PLACE_STAGE:
        bank, bit, length = house_at(action)
        return length <= LENGTHS and (rooms(rules, state, bank, length) >> bit) & 1 == 1
    if state.stage == SLIDE_STAGE:
        return action == STAY or (SLIDE <= action < STAY and _is_slide(rules, state, action - SLIDE))
    return action == LEAVE or (action >= CLAIM and (state.closed >> (action - CLAIM)) & 1 == 1)


@kernel
def _is_slide(rules, state, slide):
    bank, bit, length = house_at(slide // SIDE)
    near = beside(occupied(state), bank)
    if (slidable(state, bank, length, near) >> bit) & 1 == 0:
        return False
    return (targets(state, bank, bit, length, covered(state.joints, bank), near) >> (slide % SIDE)) & 1 == 1


@kernel
def pick(rules, state, rng):
    """The same choice as from the list of `legal`; for places without making the list."""
    if state.stage != PLACE_STAGE:
        out = np.empty(rules.actions, np.int32)
        return np.int64(out[below(rng, legal(rules, state, out))])
    starts = np.empty((LENGTHS, BANKS), np.int64)
    count = 0
    for length in range(LENGTHS):
        for bank in range(BANKS):
            starts[length, bank] = rooms(rules, state, bank, length + 1)
            count += popcount(starts[length, bank])
    left = below(rng, count)
    for length in range(LENGTHS):
        for bank in range(BANKS):
            here = popcount(starts[length, bank])
            if left < here:
                return length * SLOTS + FIRST[bank] + nth(starts[length, bank], left)
            left -= here
    return np.int64(NONE)  # never: somebody who cannot place does not decide


# -- what happens ------------------------------------------------------------------------------------------


@kernel
def apply(rules, state, action, rng):
    if action < SLIDE:
        _place(state, action)
        if rules.slide and can_slide(rules, state):
            state.stage = SLIDE_STAGE
        else:
            _look_for_places(rules, state)
    elif action < CLAIM:
        if action != STAY:
            _slide(state, action - SLIDE)
        _look_for_places(rules, state)
    else:
        if action != LEAVE:
            state.owned[state.player] |= place_of(rules, state.slots, action - CLAIM)
            state.monuments[state.player] -= 1
        _end_turn(rules, state)


@kernel
def _place(state, number):
    bank, bit, length = house_at(number)
    put(state, bank, bit, length)
    state.supply[state.player, length - 1] -= 1
    state.placed = number


@kernel
def _slide(state, slide):
    number = slide // SIDE
    bank, bit, length = house_at(number)
    target = slide % SIDE - (bit & 7)
    lift(state, bank, bit, length)
    put(state, bank, bit + target, length)
    state.slid_from = number
    state.slid_to = number + target


@kernel
def _look_for_places(rules, state):
    """The turn goes on if a place was closed, and ends otherwise."""
    state.closed = closed_this_turn(rules, state)
    if state.closed:
        state.stage = CLAIM_STAGE
    else:
        _end_turn(rules, state)


@kernel
def closed_this_turn(rules, state):
    """The first squares of the places that were none when the turn began."""
    old = state.slots.copy()
    bank, bit, length = house_at(np.int64(state.placed))
    walls = slots_of(bit, length)
    old[bank] &= ~walls
    changed = squares_at(bank, walls)
    if state.slid_to != NONE:
        bank, bit, length = house_at(np.int64(state.slid_to))
        walls = slots_of(bit, length)
        origin = slots_of(bit + state.slid_from - state.slid_to, length)
        old[bank] = (old[bank] & ~walls) | origin
        changed |= squares_at(bank, walls | origin)
    return new_places(rules, state.slots, old, changed)


@kernel
def _end_turn(rules, state):
    seat = np.int64(state.player)
    state.turn += 1
    _begin_turn(state)
    left = 0
    for length in range(LENGTHS):
        left += state.supply[seat, length]
    state.player = 1 - seat
    if left == 0 or state.monuments[seat] == 0 or not can_place(rules, state):
        state.player = NONE


@kernel
def scores(rules, state, points, keys):
    for seat in range(rules.players):
        points[seat] = popcount(state.owned[seat])
        keys[seat] = points[seat]
