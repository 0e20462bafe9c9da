"""Rules of thumb: what a good player sees in Quadropolis without calculating.

`wishes` notes for every type of building how much good it would do on each square; the rest compares tiles by
that. Worth is counted in half points.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import Integer, lowest, popcount
from qpolis.games.quadropolis.features import covered_districts, longest_lying, longest_standing
from qpolis.games.quadropolis.layout import (
    CITY,
    DISCARD,
    FACTORY,
    HARBOR,
    KINDS,
    MONUMENT,
    NONE,
    NUMBERS,
    OFFICE,
    PARK,
    PLACE,
    POINTED,
    POSITIONS,
    SERVICE,
    SHOP,
    TOWER,
    TYPES,
)
from qpolis.games.quadropolis.moves import open_positions, places, places_of, pool_row
from qpolis.games.quadropolis.value import turns_left
from qpolis.kernel import kernel
from qpolis.rng import below

NEVER = -1000  # worth of what is not to be done
HALF = 2  # half points in a point


@kernel
def _add(worth, squares, points):
    """So many points more for a building on any of these squares."""
    while squares:
        worth[lowest(squares)] += HALF * points
        squares &= squares - 1


@kernel
def _beside(rules, worth, empty, buildings, points):
    """So many points more for each of these buildings next to it."""
    _add(worth, (buildings << 1) & rules.not_first & empty, points)
    _add(worth, (buildings >> 1) & rules.not_last & empty, points)
    _add(worth, (buildings << rules.columns) & empty, points)
    _add(worth, (buildings >> rules.columns) & empty, points)


@kernel
def _wish_stack(rules, worth, tall, stacks, points):
    """Raise what stands: the next floor is worth more than the last one, and costs nothing to run."""
    for floors in range(1, rules.floors):
        height = stacks & tall[floors - 1] & ~np.int64(tall[floors])
        _add(worth, height, points[floors + 1] - points[floors] + 1)


@kernel
def wish(rules, state, seat, kind, worth):
    """How much good a building of this type would do on each square of a seat's city."""
    built = state.built[seat]
    tall = state.tall[seat]
    empty = np.int64(rules.city & ~tall[0])
    factories = np.int64(built[FACTORY])
    harbors = np.int64(built[HARBOR])
    monuments = np.int64(built[MONUMENT])
    worth[:] = 0
    if kind == TOWER:
        _add(worth, empty, 1)
        _wish_stack(rules, worth, tall, np.int64(built[TOWER]), rules.tower_points)
        _beside(rules, worth, empty, np.int64(built[PARK]), 2)
    elif kind == SHOP:
        _beside(rules, worth, empty, factories, rules.factory_points[SHOP])
    elif kind == SERVICE:
        _wish_service(rules, worth, np.int64(built[SERVICE]), empty)
    elif kind == PARK:
        _beside(rules, worth, empty, np.int64(built[TOWER] | built[OFFICE]), 2)
    elif kind == FACTORY:
        _beside(rules, worth, empty, np.int64(built[SHOP]), rules.factory_points[SHOP])
        _beside(rules, worth, empty, harbors, rules.factory_points[HARBOR])
        _beside(rules, worth, empty, np.int64(built[OFFICE]), rules.factory_points[OFFICE])
    elif kind == HARBOR:
        _wish_harbor(rules, worth, harbors, empty)
        _beside(rules, worth, empty, factories, rules.factory_points[HARBOR])
    elif kind == OFFICE:
        _wish_stack(rules, worth, tall, np.int64(built[OFFICE]), rules.office_points[2])
        _beside(rules, worth, empty, np.int64(built[OFFICE]), 2)
        _beside(rules, worth, empty, factories, rules.factory_points[OFFICE])
        _beside(rules, worth, empty, np.int64(built[PARK]), 2)
    else:
        for other in (SHOP, SERVICE, PARK, FACTORY, HARBOR):
            _beside(rules, worth, empty, np.int64(built[other]), rules.monument_points[other])
    if monuments and rules.monument_points[kind]:
        _beside(rules, worth, empty, monuments, rules.monument_points[kind])


@kernel
def _wish_service(rules, worth, services, empty):
    """A district that has none."""
    covered = covered_districts(rules, services)
    districts = popcount(covered)
    if districts + 1 == rules.service_points.shape[0]:
        return  # every district has one
    gain = rules.service_points[districts + 1] - rules.service_points[districts]
    left = empty
    while left:
        square = lowest(left)
        left &= left - 1
        if not (covered >> rules.district[square]) & 1:
            worth[square] += HALF * gain


@kernel
def _wish_harbor(rules, worth, harbors, empty):
    """Make the longest lines longer."""
    if harbors == 0:
        _add(worth, empty, 1)
        return
    starts, length = longest_lying(rules, harbors)
    gain = rules.line_points[length + 1] - rules.line_points[length] if length < 5 else 0
    ends = ((starts & rules.not_first) >> 1) | (((starts << (length - 1)) & rules.not_last) << 1)
    _add(worth, ends & empty, gain)
    starts, length = longest_standing(rules, harbors)
    gain = rules.line_points[length + 1] - rules.line_points[length] if length < 5 else 0
    _add(worth, ((starts >> rules.columns) | (starts << (rules.columns * length))) & empty, gain)


@kernel
def needs(rules, state, seat):
    """What one more inhabitant, one more energy, one more post to fill, one more building to power and one more
    shop are worth to a seat, in half points."""
    built = state.built[seat]
    staff = popcount(built[SERVICE] | built[FACTORY] | built[HARBOR] | built[OFFICE])
    power = popcount(built[TOWER] | built[SHOP] | built[OFFICE])
    customers = rules.customers * popcount(built[SHOP])
    people = np.int64(state.inhabitants[seat]) - staff
    energy = np.int64(state.energy[seat]) - power
    turns = turns_left(rules, state, seat)
    person = 3 if people < 0 else (2 if people < customers else (1 if people < turns // 3 else -2))
    unit = 3 if energy < 0 else (1 if energy < turns // 3 else -2)
    post = -3 if people <= 0 else -1
    socket = -3 if energy <= 0 else -1
    shop = HALF * 2 if people > customers else 0
    return person, unit, post, socket, shop


@kernel
def tile_worth(rules, kind, need):
    """What a tile brings besides its place: resources, printed points, the mayor, and the cost of running it."""
    person, unit, post, socket, shop = need
    type = np.int64(rules.type[kind])
    worth = rules.inhabitants[kind] * person + rules.energy[kind] * unit
    worth += HALF * rules.vp[kind] + rules.mayor[kind]
    if type in (SERVICE, FACTORY, HARBOR, OFFICE):
        worth += post
    if type in (TOWER, SHOP, OFFICE):
        worth += socket
    if type == SHOP:
        worth += shop
    return worth


@kernel(apart=True)
def suggest(rules, state, rng):
    """The verb: the tile that does the player most good, and the next one harm who wants it; equals are drawn."""
    if state.held != NONE:
        return _suggest_place(rules, state, rng)
    return _suggest_take(rules, state, rng)


@kernel
def _suggest_place(rules, state, rng):
    seat = np.int64(state.player)
    kind = np.int64(state.held)
    worth = np.empty(CITY, np.int64)
    wish(rules, state, seat, np.int64(rules.type[kind]), worth)
    best: Integer = np.int64(DISCARD)
    liked = HALF * rules.favor[seat, rules.type[kind]]
    most = -tile_worth(rules, kind, needs(rules, state, seat)) - liked - 1
    equal = 1
    left = places(rules, state)
    while left:
        square = lowest(left)
        left &= left - 1
        if worth[square] > most:
            most = worth[square]
            best = PLACE + square
            equal = 1
        elif worth[square] == most and best != DISCARD:
            equal += 1
            if below(rng, equal) == 0:
                best = PLACE + square
    return best


@kernel
def _suggest_take(rules, state, rng):
    seat = np.int64(state.player)
    rival = (seat + 1) % rules.players
    mine = np.empty((len(TYPES), CITY), np.int64)
    theirs = np.empty((len(TYPES), CITY), np.int64)
    for kind in range(len(TYPES) if rules.expert else OFFICE):
        wish(rules, state, seat, kind, mine[kind])
        wish(rules, state, rival, kind, theirs[kind])
    my_needs = needs(rules, state, seat)
    their_needs = needs(rules, state, rival)
    known = np.full((NUMBERS, KINDS), NEVER)
    row = pool_row(rules, state)
    free = open_positions(state)
    best: Integer = np.int64(NONE)
    most = np.int64(NEVER)
    equal = 1
    for n in range(rules.numbers):
        if state.pool[row, n] == 0:
            continue
        left = free
        while left:
            position = lowest(left)
            left &= left - 1
            tile = np.int64(state.site[POINTED[n, position]])
            worth = np.int64(0)
            if tile != NONE:
                if known[n, tile] == NEVER:
                    known[n, tile] = _take_worth(rules, state, n, tile, mine, my_needs, theirs, their_needs)
                worth = known[n, tile]
            if worth > most:
                most = worth
                best = n * POSITIONS + position
                equal = 1
            elif worth == most:
                equal += 1
                if below(rng, equal) == 0:
                    best = n * POSITIONS + position
    return best


@kernel
def _take_worth(rules, state, n, tile, mine, my_needs, theirs, their_needs):
    """The good a tile does to the player, and a quarter of the good it would do to the rival."""
    kind = np.int64(rules.type[tile])
    good = np.int64(NEVER)
    left = places_of(rules, state, n, tile)
    while left:
        good = max(good, mine[kind, lowest(left)])
        left &= left - 1
    liked = HALF * rules.favor[state.player, kind]
    good = max(4 * (good + tile_worth(rules, tile, my_needs) + liked), np.int64(0))
    loss = np.int64(0)
    for square in range(rules.squares):
        loss = max(loss, theirs[kind, square])
    return good + max(loss + tile_worth(rules, tile, their_needs), 0)
