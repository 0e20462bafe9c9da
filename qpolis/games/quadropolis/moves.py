"""The turns of Quadropolis: take, urbanist, place, receive. Kernels on one state record."""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, nth, popcount
from qpolis.games.quadropolis.layout import (
    DIGITS,
    DISCARD,
    KINDS,
    NONE,
    OFFICE,
    OPEN,
    PARK,
    PLACE,
    POINTED,
    POSITIONS,
    SITE,
    TOWER,
    TURNS,
)
from qpolis.kernel import kernel
from qpolis.rng import below, shuffle


@kernel
def set_up(rules, state, rng):
    """The start: empty cities, nothing received, seat 0 holds the mayor, the first site is laid."""
    state.built[:] = 0
    state.tall[:] = 0
    state.vp[:] = 0
    state.holds[:] = 0
    state.inhabitants[:] = 0
    state.energy[:] = 0
    state.mayor = 0
    state.architect = NONE
    state.held = NONE
    _begin_round(rules, state, 0, rng)


@kernel
def _begin_round(rules, state, round, rng):
    """Lay the tiles of a round. Tile i goes to the i-th square of a random order of all 25, whatever the
    tiles are, so that mixes and player counts that share a seed share the layout of what they share."""
    _clear_round(state)
    state.round_no = round
    state.plays = 0
    state.first = state.mayor
    state.player = state.mayor
    squares = np.arange(SITE)
    shuffle(rng, squares)
    for i in range(SITE):
        state.site[squares[i]] = rules.tiles[round, i]
    if rules.expert:
        state.pool[0, :] = rules.players
    else:
        state.pool[: rules.players, : rules.numbers] = 1


@kernel
def _clear_round(state):
    """Everything on and around the site goes back to the box."""
    state.urbanist = NONE
    state.posts = 0
    state.pool[:] = 0
    state.site[:] = NONE


@kernel
def player(rules, state):
    return np.int64(state.player)


@kernel
def pool_row(rules, state):
    """The row of the pool the player takes architects from."""
    return np.int64(0) if rules.expert else np.int64(state.player)


@kernel
def open_positions(state):
    """Positions without an architect and not blocked by the urbanist."""
    urbanist = np.int64(state.urbanist)
    return OPEN[SITE if urbanist == NONE else urbanist] & ~np.int64(state.posts)


@kernel
def places(rules, state):
    """The squares of the player's city on which the held tile may be placed."""
    return places_of(rules, state, np.int64(state.architect), np.int64(state.held))


@kernel
def places_of(rules, state, n, tile):
    """The squares of the player's city on which architect n may place a tile."""
    seat = np.int64(state.player)
    kind = np.int64(rules.type[tile])
    if (rules.forbidden[seat] >> kind) & 1:
        return np.int64(0)
    eligible = np.int64(rules.eligible[n])
    allowed = eligible & ~np.int64(state.tall[seat, 0])
    if kind in (TOWER, OFFICE):
        # Architect n builds floor n on any stack that has n-1 floors; a stack has at most rules.floors.
        if n >= 1:
            eligible |= np.int64(state.tall[seat, n - 1]) & ~np.int64(state.tall[seat, n])
        full = np.int64(state.tall[seat, rules.floors - 1])
        allowed |= np.int64(state.built[seat, kind]) & eligible & ~full
    return allowed


@kernel
def legal(rules, state, out):
    if state.player == NONE:
        return 0
    count = 0
    if state.held == NONE:
        row = pool_row(rules, state)
        free = open_positions(state)
        for n in range(rules.numbers):
            if state.pool[row, n] > 0:
                left = free
                while left:
                    out[count] = n * POSITIONS + lowest(left)
                    count += 1
                    left &= left - 1
        return count
    left = places(rules, state)
    while left:
        out[count] = PLACE + lowest(left)
        count += 1
        left &= left - 1
    out[count] = DISCARD
    return count + 1


@kernel
def is_legal(rules, state, action):
    if state.player == NONE or action < 0 or action > DISCARD:
        return False
    if state.held != NONE:
        return action == DISCARD or (action >= PLACE and (places(rules, state) >> (action - PLACE)) & 1 == 1)
    n = action // POSITIONS
    if n >= rules.numbers or state.pool[pool_row(rules, state), n] == 0:
        return False
    return (open_positions(state) >> (action - n * POSITIONS)) & 1 == 1


@kernel
def pick(rules, state, rng):
    """The same choice as from the list of `legal`, without making the list."""
    if state.held == NONE:
        row = pool_row(rules, state)
        free = open_positions(state)
        per_number = popcount(free)
        numbers = 0
        for n in range(rules.numbers):
            if state.pool[row, n] > 0:
                numbers |= 1 << n
        choice = below(rng, popcount(numbers) * per_number)
        n = choice // per_number
        return nth(numbers, n) * POSITIONS + nth(free, choice - n * per_number)
    squares = places(rules, state)
    count = popcount(squares)
    choice = below(rng, count + 1)
    return np.int64(DISCARD) if choice == count else PLACE + nth(squares, choice)


@kernel
def takes(rules, state, action):
    """Equal tiles of one round are one item."""
    if action >= PLACE:
        return np.int64(NONE)
    n = action // POSITIONS
    tile = np.int64(state.site[POINTED[n, action - n * POSITIONS]])
    return tile if tile == NONE else stage(rules, state) * KINDS + tile


@kernel
def builds(rules, state, action):
    if action < PLACE or action == DISCARD:
        return np.int64(NONE)
    return np.int64(rules.type[state.held])


@kernel
def stage(rules, state):
    return np.int64(state.round_no)


@kernel
def apply(rules, state, action, rng):
    if action < PLACE:
        _take(rules, state, action)
        if state.held != NONE:
            return
    else:
        if action != DISCARD:
            _place(rules, state, action - PLACE)
        state.held = NONE
        state.architect = NONE
    _end_turn(rules, state, rng)


@kernel
def _take(rules, state, action):
    """Play the architect; the urbanist moves to where it points; take the tile if there is one."""
    n = action // POSITIONS
    position = action - n * POSITIONS
    square = POINTED[n, position]
    state.posts |= 1 << position
    state.pool[pool_row(rules, state), n] -= 1
    state.urbanist = square
    if state.site[square] != NONE:
        state.held = state.site[square]
        state.architect = n
        state.site[square] = NONE


@kernel
def _place(rules, state, square):
    """Build the held tile, receive what it shows, and the mayor with it."""
    seat = np.int64(state.player)
    tile = np.int64(state.held)
    bit = 1 << square
    floor = 0
    while state.tall[seat, floor] & bit:
        floor += 1
    state.tall[seat, floor] |= bit
    state.built[seat, rules.type[tile]] |= bit
    state.vp[seat, square] += rules.vp[tile]
    state.inhabitants[seat] += rules.inhabitants[tile]
    state.energy[seat] += rules.energy[tile]
    if rules.mayor[tile]:
        state.mayor = seat
    if rules.type[tile] == PARK:
        for digit in range(DIGITS):
            state.holds[seat, digit] |= ((np.int64(rules.holds[tile]) >> digit) & 1) << square


@kernel
def _end_turn(rules, state, rng):
    state.plays += 1
    if state.plays < TURNS * rules.players:
        following = state.player + 1
        state.player = 0 if following == rules.players else following
    elif state.round_no + 1 < rules.rounds:
        _begin_round(rules, state, state.round_no + 1, rng)
    else:
        _clear_round(state)
        state.player = NONE
