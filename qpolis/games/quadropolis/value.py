"""What an unfinished city is worth, and what each action makes of it.

The value of a city is the points its owner can expect to end with: a weighted sum of the city's features, with
weights for each number of turns that are left. `benchmarks/fit_value.py` makes the weights from games.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import park_energy
from qpolis.games.quadropolis.features import FEATURES, describe_city
from qpolis.games.quadropolis.layout import (
    CITY,
    DISCARD,
    FLOORS,
    KINDS,
    NONE,
    NUMBERS,
    PLACE,
    POINTED,
    POSITIONS,
    TURNS,
    TYPES,
)
from qpolis.games.quadropolis.moves import legal, places_of
from qpolis.kernel import kernel


@kernel
def turns_left(rules, state, seat):
    """Turns that a seat still has in the game, the present one included."""
    order = (np.int64(seat) - state.first + rules.players) % rules.players
    played = (state.plays + rules.players - 1 - order) // rules.players
    return TURNS * (rules.rounds - state.round_no) - played


@kernel
def weigh(weights, features):
    """The sum of weighted features, in four parts that the processor adds side by side."""
    a = 0.0
    b = 0.0
    c = 0.0
    d = 0.0
    for i in range(0, FEATURES, 4):
        a += weights[i] * features[i]
        b += weights[i + 1] * features[i + 1]
        c += weights[i + 2] * features[i + 2]
        d += weights[i + 3] * features[i + 3]
    return (a + b) + (c + d)


@kernel
def seen_turns(rules, state, seat):
    """Turns that a seat still has, also when the game is over."""
    return np.int64(0) if state.player == NONE else turns_left(rules, state, seat)


@kernel
def describe_seat(rules, state, seat, turns, features):
    """The features of a seat's city."""
    describe_city(
        rules,
        state.built[seat],
        state.tall[seat],
        state.vp[seat],
        np.int64(state.inhabitants[seat]),
        np.int64(state.energy[seat]),
        park_energy(state.holds[seat]),
        turns,
        state.mayor == seat,
        features,
    )


@kernel
def fancied(rules, seat, built, tall):
    """The points that a seat imagines for the buildings it likes, floor by floor."""
    points = np.int64(0)
    for kind in range(len(TYPES)):
        if rules.favor[seat, kind]:
            for floor in range(FLOORS):
                points += rules.favor[seat, kind] * popcount(np.int64(built[kind] & tall[floor]))
    return points


@kernel(apart=True)
def evaluate(rules, state, values):
    """The verb: the value of every seat's city."""
    features = np.empty(FEATURES)
    for seat in range(rules.players):
        turns = seen_turns(rules, state, seat)
        describe_seat(rules, state, seat, turns, features)
        values[seat] = weigh(rules.weights[turns], features)
        if rules.fancies:
            values[seat] += fancied(rules, seat, state.built[seat], state.tall[seat])


@kernel
def _placed(rules, state, city, square, kind, features):
    """The value of the player's city with a tile of this kind on a square. `city` is room to build it."""
    seat = np.int64(state.player)
    turns = turns_left(rules, state, seat) - 1
    built, tall, vp = city
    built[:] = state.built[seat]
    tall[:] = state.tall[seat]
    vp[:] = state.vp[seat]
    bit = np.int32(1 << square)
    floor = 0
    while tall[floor] & bit:
        floor += 1
    tall[floor] |= bit
    built[rules.type[kind]] |= bit
    vp[square] += rules.vp[kind]
    inhabitants = np.int64(state.inhabitants[seat] + rules.inhabitants[kind])
    energy = np.int64(state.energy[seat] + rules.energy[kind])
    held = park_energy(state.holds[seat]) + rules.holds[kind]
    mayor = state.mayor == seat or rules.mayor[kind] == 1
    describe_city(rules, built, tall, vp, inhabitants, energy, held, turns, mayor, features)
    value = weigh(rules.weights[turns], features)
    if rules.fancies:
        value += fancied(rules, seat, built, tall)
    return value


@kernel
def lookahead(rules, state):
    """Two turns: see docs/mcts.md."""
    return np.int64(4)


@kernel(apart=True)
def rate(rules, state, spare, actions, values, rng):
    """The verb: what the player's city is worth after each action and, for a take, after the best place for it."""
    city = (np.empty_like(state.built[0]), np.empty_like(state.tall[0]), np.empty_like(state.vp[0]))
    features = np.empty(FEATURES)
    count = legal(rules, state, actions)
    turns = turns_left(rules, state, state.player) - 1
    describe_seat(rules, state, np.int64(state.player), turns, features)
    without = weigh(rules.weights[turns], features)
    if rules.fancies:
        seat = np.int64(state.player)
        without += fancied(rules, seat, state.built[seat], state.tall[seat])
    if state.held != NONE:
        kind = np.int64(state.held)
        for i in range(count):
            values[i] = without
            if actions[i] != DISCARD:
                values[i] = _placed(rules, state, city, np.int64(actions[i] - PLACE), kind, features)
        return count
    known = np.full((NUMBERS, KINDS), np.nan)  # the same tile by the same architect is worth the same
    placed = np.empty((KINDS, CITY))  # and so is it on the same square, whoever places it
    seen = np.zeros(KINDS, np.int64)  # the squares for which that is known
    for i in range(count):
        n = np.int64(actions[i]) // POSITIONS
        kind = np.int64(state.site[POINTED[n, actions[i] - n * POSITIONS]])
        values[i] = without
        if kind == NONE:
            continue
        if np.isnan(known[n, kind]):
            best = without
            squares = places_of(rules, state, n, kind)
            left = squares & ~seen[kind]
            seen[kind] |= left
            while left:
                placed[kind, lowest(left)] = _placed(rules, state, city, lowest(left), kind, features)
                left &= left - 1
            while squares:
                best = max(best, placed[kind, lowest(squares)])
                squares &= squares - 1
            known[n, kind] = best
        values[i] = known[n, kind]
    return count
