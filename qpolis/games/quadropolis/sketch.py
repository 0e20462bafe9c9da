"""What a learned evaluation looks at: the verbs `sketch` and `touches`.

Of each seat, from the one that looks on: the features of its city (`features.py`), what it has received, and its
architects. Of the table: what lies on the site and what is still to come, by type and by what it shows, the
time, and the tile between the steps of a turn. So it is told what it needs to know of the mix.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest
from qpolis.games.quadropolis.features import FEATURES
from qpolis.games.quadropolis.layout import (
    DISCARD,
    NONE,
    NUMBERS,
    PLACE,
    POINTED,
    POSITIONS,
    ROUNDS,
    SITE,
    TURNS,
    TYPES,
)
from qpolis.games.quadropolis.moves import open_positions
from qpolis.games.quadropolis.value import describe_seat, fancied, seen_turns, weigh
from qpolis.kernel import kernel

KIND = len(TYPES) + 4  # of some tiles: how many of each type, then inhabitants, energy, points and mayors on them
OF_SEAT = FEATURES + 2 + NUMBERS + 1  # features, inhabitants and energy, architects, is it first?
REACH = len(TYPES) + 3  # of takes a seat could make: tiles of each type, inhabitants, energy, points
HELD = KIND + NUMBERS
MOST_SHOWN = 4  # different numbers of inhabitants, or of energy, on a tile: 0, 1, 2, 3 and more
PLACES_BEFORE = 20  # touches: squares by type stand before the rest
SQUARES = PLACES_BEFORE * len(TYPES)
TYPE_TAKEN = SQUARES + 1
SHOWS_PEOPLE = TYPE_TAKEN + len(TYPES) + 1
SHOWS_ENERGY = SHOWS_PEOPLE + MOST_SHOWN
SENT = SHOWS_ENERGY + MOST_SHOWN
STANDS = SENT + NUMBERS
TOUCHES = STANDS + NUMBERS * POSITIONS


def sketch_size(players: int) -> int:
    return players * OF_SEAT + 2 * KIND + HELD + ROUNDS + TURNS + players + players * REACH


@kernel
def sketch(rules, state, seat, values, out):
    """The verb."""
    out[:] = 0
    features = np.empty(FEATURES)
    players = np.int64(rules.players)
    for i in range(players):
        of = (seat + i) % players
        start = np.int64(i) * OF_SEAT
        turns = seen_turns(rules, state, of)
        describe_seat(rules, state, of, turns, features)
        values[of] = weigh(rules.weights[turns], features)
        if rules.fancies:
            values[of] += fancied(rules, of, state.built[of], state.tall[of])
        for k in range(FEATURES):
            out[start + k] = features[k] / 4
        start += FEATURES
        out[start] = state.inhabitants[of] / 8
        out[start + 1] = state.energy[of] / 8
        start += 2
        if not rules.expert or i == 0:
            share = players if rules.expert else np.int64(1)
            for n in range(rules.numbers):
                out[start + n] = state.pool[0 if rules.expert else of, n] / share
        out[start + NUMBERS] = state.first == of
    start = players * OF_SEAT
    for square in range(SITE):
        if state.site[square] != NONE:
            _add(rules, np.int64(state.site[square]), 4, out, start)
    start += KIND
    for r in range(np.int64(state.round_no) + 1, rules.rounds):
        for slot in range(SITE):
            if rules.tiles[r, slot] != NONE:
                _add(rules, np.int64(rules.tiles[r, slot]), 16, out, start)
    start += KIND
    if state.held != NONE:
        _add(rules, np.int64(state.held), 1, out, start)
        out[start + KIND + np.int64(state.architect)] = 1
    start += HELD
    out[start + np.int64(state.round_no)] = 1
    start += ROUNDS
    if state.player != NONE:
        out[start + np.int64(state.plays) // players] = 1
    start += TURNS
    out[start + np.int64(state.plays) % players] = 1
    _reach(rules, state, seat, out, start + players)


@kernel
def _reach(rules, state, seat, out, start):
    """What each seat's architects could take from the site as it is."""
    players = np.int64(rules.players)
    for n in range(rules.numbers):
        left = open_positions(state)
        while left:
            tile = np.int64(state.site[POINTED[n, lowest(left)]])
            left &= left - 1
            if tile != NONE:
                for i in range(players):
                    of = (seat + i) % players
                    if state.pool[0 if rules.expert else of, n] > 0:
                        at = start + i * REACH
                        out[at + rules.type[tile]] += np.float32(0.125)
                        at += len(TYPES)
                        out[at] += np.float32(0.0625) * rules.inhabitants[tile]
                        out[at + 1] += np.float32(0.0625) * rules.energy[tile]
                        out[at + 2] += np.float32(0.0625) * rules.vp[tile]


@kernel
def _add(rules, tile, unit, out, start):
    """Count a tile among some others."""
    share = np.float32(1.0 / unit)
    out[start + rules.type[tile]] += share
    start += len(TYPES)
    out[start] += share * rules.inhabitants[tile]
    out[start + 1] += share * rules.energy[tile]
    out[start + 2] += share * rules.vp[tile]
    out[start + 3] += share * rules.mayor[tile]


@kernel
def touches(rules, state, action, out):
    """The verb: of a take the tile's type, what it shows, the architect and where it stands; of a place the square
    for this type."""
    if action == DISCARD:
        out[0] = SQUARES
        return np.int64(1)
    if action >= PLACE:
        out[0] = np.int64(rules.type[state.held]) * PLACES_BEFORE + action - PLACE
        return np.int64(1)
    n = action // POSITIONS
    out[0] = STANDS + action
    out[1] = SENT + n
    tile = np.int64(state.site[POINTED[n, action - n * POSITIONS]])
    if tile == NONE:
        out[2] = TYPE_TAKEN + len(TYPES)
        return np.int64(3)
    out[2] = TYPE_TAKEN + np.int64(rules.type[tile])
    out[3] = SHOWS_PEOPLE + _capped(np.int64(rules.inhabitants[tile]))
    out[4] = SHOWS_ENERGY + _capped(np.int64(rules.energy[tile]))
    return np.int64(5)


@kernel
def _capped(number):
    """The number, or the most that are told apart."""
    return number if number < MOST_SHOWN else np.int64(MOST_SHOWN - 1)
