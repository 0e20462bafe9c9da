"""One city being scored: the working record, and what each building is worth by itself.

Worth is counted in keys: V for a victory point, WORKING for an inhabitant on a building, 1 for a building left
standing. V > WORKING * (most inhabitants on buildings) and WORKING > CITY keep the three from mixing.
All inhabitants start out as penalties, so that using one is worth USE.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.layout import (
    CITY,
    FACTORY,
    HARBOR,
    MONUMENT,
    OFFICE,
    SERVICE,
    TOWER,
    TYPES,
)
from qpolis.kernel import kernel, record

V = 1 << 16
WORKING = 1 << 8
USE = V + WORKING

WORK = record(
    [
        ("own", "i8", CITY),  # what a building is worth, activated, whatever the others do
        ("weight", "i8", CITY),  # the same with what its neighbours add
        ("services", "i8", CITY + 1),  # best k services together
        ("towers", "i8", CITY + 1),  # best k towers together, with all parks
        ("harbors", "i8", CITY + 1),  # best k harbors together
        ("shops", "i8", CITY + 1),  # best k shops together, without customers
        ("factories", "i8", CITY + 1),  # best k factories together
        ("staff", "i8", CITY + 1),  # best k of all that inhabitants activate, but for what is searched
        ("sorted", "i8", CITY),
        ("rest", "i8", CITY),
        ("counted", "i8", CITY + 1),  # for making tables
        ("lines", "i8", CITY + 1),  # the most that lines of k harbors score
        ("lying", "i4", 40),
        ("lying_count", "i8"),  # lines of harbors in this city
        ("standing", "i4", 30),
        ("standing_count", "i8"),
        ("hard", "i8", CITY + 1),  # squares of what is searched, in order,
        ("gain", "i8", CITY + 1),  # the most each can add while it is not decided,
        ("alone", "i8", CITY + 1),  # and what it is worth by itself, given the offices
        ("cost", "i8", (CITY + 1, 2)),  # inhabitants and energy that activate it
        ("made_staff", "i8"),
        ("made_people", "i8"),  # for which active buildings and people work.staff was made,
        ("made_offices", "i8"),
        ("made_towers", "i8"),  # for which offices and from how many towers on work.towers
        ("branch", "i8", CITY + 1),  # next branch to try at each depth
        ("worth", "i8", CITY + 1),  # most worth of what is decided, but for what is counted over all
        ("active", "i4", CITY + 1),
        ("people", "i8", CITY + 1),
        ("power", "i8", CITY + 1),
    ]
)


@kernel
def park_energy(holds):
    """How much unused energy the parks of a city hold."""
    energy = np.int64(0)
    for digit in range(holds.shape[0]):
        energy += popcount(holds[digit]) << digit
    return energy


@kernel
def floors_of(tall, square):
    """How high the building on a square is."""
    floors = 0
    for floor in range(tall.shape[0]):
        floors += (tall[floor] >> square) & 1
    return floors


@kernel
def own_values(rules, work, built, tall, vp):
    """Fill work.own. Monuments cannot be deactivated, so what they add or take is part of a building."""
    monuments = np.int64(built[MONUMENT])
    for kind in range(len(TYPES)):
        left = np.int64(built[kind])
        while left:
            square = lowest(left)
            left &= left - 1
            points = np.int64(vp[square])
            if monuments:
                points += rules.monument_points[kind] * popcount(rules.beside[square] & monuments)
            if kind == TOWER:
                points += rules.tower_points[floors_of(tall, square)]
            worth = points * V + 1
            if kind in (SERVICE, FACTORY, HARBOR, OFFICE):
                worth += USE
            work.own[square] = worth


@kernel
def grow(rules, squares):
    """The squares of a set and all beside them."""
    return (
        squares
        | ((squares << 1) & rules.not_first)
        | ((squares >> 1) & rules.not_last)
        | (squares << rules.columns)
        | (squares >> rules.columns)
    ) & rules.city


@kernel
def group_of(rules, square, members):
    """The connected group of `members` that holds a square."""
    group = np.int64(1) << square
    while True:
        larger = grow(rules, group) & members
        if larger == group:
            return group
        group = larger


@kernel
def insert(values, count, value):
    """Insert into the first `count` values, which descend, and return the new count."""
    i = count
    while i > 0 and values[i - 1] < value:
        values[i] = values[i - 1]
        i -= 1
    values[i] = value
    return count + 1
