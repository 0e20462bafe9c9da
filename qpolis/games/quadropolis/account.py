"""The points of a city by type of building, in a best assignment: for the verb `account` and for `qpolis score`.

Scoring gives the best key only. Which buildings are active follows from it: a building whose removal leaves the
best key as it is can stay inactive, and the key says how many buildings stand when no more can go.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import WORK, WORKING, V, floors_of, park_energy
from qpolis.games.quadropolis.features import covered_districts
from qpolis.games.quadropolis.layout import (
    CITY,
    FACTORY,
    HARBOR,
    MONUMENT,
    OFFICE,
    PARK,
    SERVICE,
    SHOP,
    TOWER,
    TYPES,
)
from qpolis.games.quadropolis.scoring import best_key
from qpolis.games.quadropolis.tables import line_worth, office_worth, park_worth
from qpolis.kernel import kernel


@kernel
def account(rules, state, seat, out):
    """The verb: points by type of building as far as the mode has them, then the penalties."""
    works = np.empty(1, WORK)
    active = np.empty(len(TYPES), np.int32)
    customers = np.empty(CITY, np.int64)
    tall = state.tall[seat]
    vp = state.vp[seat]
    inhabitants = np.int64(state.inhabitants[seat])
    energy = np.int64(state.energy[seat])
    held = park_energy(state.holds[seat])
    assign(rules, works, state.built[seat], tall, vp, inhabitants, energy, held, active, customers)
    count_points(rules, active, tall, vp, customers, inhabitants, energy, held, out)


@kernel
def assign(rules, works, built, tall, vp, inhabitants, energy, held, active, customers):
    """Write the active squares by type of building and the customers by square of a best assignment; returns its
    key. Of all best assignments it is the one that leaves the first squares inactive. `held`: what parks hold."""
    key = best_key(rules, works, built, tall, vp, inhabitants, energy, held)
    active[:] = built
    inactive = popcount(tall[0]) - (key & (WORKING - 1))
    left = tall[0] & ~np.int64(built[PARK] | built[MONUMENT])
    while inactive and left:
        square = lowest(left)
        left &= left - 1
        kind = type_at(built, square)
        bit = np.int64(1) << square
        active[kind] ^= bit
        if best_key(rules, works, active, tall, vp, inhabitants, energy, held) == key:
            inactive -= 1
        else:
            active[kind] ^= bit
    free = inhabitants - _staff(active)
    customers[:] = 0
    left = np.int64(active[SHOP])
    while left:
        square = lowest(left)
        left &= left - 1
        customers[square] = min(free, rules.customers)
        free -= customers[square]
    return key


@kernel
def _staff(built):
    """How many of these buildings an inhabitant activates."""
    return popcount(built[SERVICE] | built[FACTORY] | built[HARBOR] | built[OFFICE])


@kernel
def _powered(built):
    """How many of these buildings energy activates."""
    return popcount(built[TOWER] | built[SHOP] | built[OFFICE])


@kernel
def type_at(built, square):
    """The type of the building on a square, which must hold one."""
    kind = 0
    while not (built[kind] >> square) & 1:
        kind += 1
    return kind


@kernel
def count_points(rules, active, tall, vp, customers, inhabitants, energy, held, out):
    """Write the points of an assignment by type of building, and behind them its penalties."""
    for kind in range(out.shape[0] - 1):
        out[kind] = _each(rules, active, tall, vp, customers, kind)
    out[SERVICE] += rules.service_points[popcount(covered_districts(rules, np.int64(active[SERVICE])))]
    out[PARK] += park_worth(rules, np.int64(active[PARK]), np.int64(active[TOWER] | active[OFFICE])) // V
    out[HARBOR] += line_worth(rules, np.int64(active[HARBOR])) // V
    if active[OFFICE]:
        offices = np.int64(active[OFFICE])
        out[OFFICE] += office_worth(rules, tall, offices, offices, 0) // V
    idle = inhabitants - _staff(active) - customers.sum()
    out[-1] = -idle - max(energy - _powered(active) - held, 0)


@kernel
def _each(rules, active, tall, vp, customers, kind):
    """What the buildings of a type score one by one."""
    points = np.int64(0)
    left = np.int64(active[kind])
    while left:
        square = lowest(left)
        left &= left - 1
        points += vp[square]
        if kind == TOWER:
            points += rules.tower_points[floors_of(tall, square)]
        elif kind == SHOP:
            points += rules.shop_points[customers[square]]
        elif kind == FACTORY:
            points += _neighbours(rules, active, square, rules.factory_points)
        elif kind == MONUMENT:
            points += _neighbours(rules, active, square, rules.monument_points)
    return points


@kernel
def _neighbours(rules, active, square, worth):
    """What the active buildings beside a square are worth by their type."""
    points = np.int64(0)
    for kind in range(len(TYPES)):
        points += worth[kind] * popcount(rules.beside[square] & active[kind])
    return points
