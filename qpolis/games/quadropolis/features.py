"""What an unfinished city looks like, as a short list of counts.

The value of a city is a weighted sum of these; the weights depend on the turns that are left (`value.py`).
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import group_of
from qpolis.games.quadropolis.layout import (
    FACTORY,
    FEATURES,
    FLOORS,
    HARBOR,
    MONUMENT,
    OFFICE,
    PARK,
    SERVICE,
    SHOP,
    TOWER,
)
from qpolis.kernel import kernel

NAMES: list[str] = []  # of the features, in order


def _feature(name: str, many: int = 1) -> int:
    """The index of a new feature, or of the first of several."""
    first = len(NAMES)
    NAMES.extend(f"{name} {i + 1}" if many > 1 else name for i in range(many))
    return first


ONE = _feature("one")  # always 1
MAYOR = _feature("mayor")  # holds the mayor
TOWERS = _feature("towers", 5)  # by floors, 1 to 5
TOWER_ROOM = _feature("tower room")  # pairs of a tower and an empty square beside it; and so on below
PARKS = _feature("parks", 5)  # by homes beside them, 0 to 4
PARK_ROOM = _feature("park room")
SHOPS = _feature("shops", 4)  # is there a first, a second, ... a fourth?
DISTRICTS = _feature("districts", 5)  # the same for districts with a service
MORE_SERVICES = _feature("more services")  # services in districts that have another
POINTS = _feature("points")  # printed points
FACTORIES = _feature("factories")
FACTORY_SHOPS = _feature("factory shops")  # pairs of neighbours
FACTORY_HARBORS = _feature("factory harbors")
FACTORY_OFFICES = _feature("factory offices")
FACTORY_ROOM = _feature("factory room")
PARTNER_ROOM = _feature("partner room")  # of shops, harbors and offices
HARBORS = _feature("harbors")
LYING = _feature("lying", 4)  # has the longest horizontal line of harbors 2, 3, 4, 5 squares?
LYING_ROOM = _feature("lying room")  # can it grow?
STANDING = _feature("standing", 4)
STANDING_ROOM = _feature("standing room")
OFFICES = _feature("offices", 5)  # by floors
OFFICE_POINTS = _feature("office points")  # what they score as they stand
OFFICE_ROOM = _feature("office room")
MONUMENTS = _feature("monuments")
MONUMENT_POINTS = _feature("monument points")
MONUMENT_ROOM = _feature("monument room")
STAFF_SHORT = _feature("staff short", 3)  # inhabitants missing for activation: all, beyond 2, beyond 4
PEOPLE_LEFT = _feature("people left")  # inhabitants left after activation
PEOPLE_IDLE = _feature("people idle")  # of these, what shops cannot take
CUSTOMER_POINTS = _feature("customer points")  # what shops make of the others
POWER_SHORT = _feature("power short", 3)  # energy missing: all, beyond 2, beyond 4
POWER_LEFT = _feature("power left")
POWER_IDLE = _feature("power idle", 2)  # of it what parks cannot hold: all, beyond 3
EMPTY = _feature("empty")  # empty squares
NARROW = _feature("narrow")  # empty squares that only one architect reaches
FULL = _feature("full")  # turns left for which there is no empty square
assert FEATURES - 4 < len(NAMES) <= FEATURES  # filled up to a multiple of 4


@kernel
def pairs(rules, some, others):
    """How many neighbours there are with one in each set."""
    return (
        popcount(((some << 1) & rules.not_first) & others)
        + popcount(((some >> 1) & rules.not_last) & others)
        + popcount((some << rules.columns) & others)
        + popcount((some >> rules.columns) & others)
    )


@kernel
def describe_city(rules, built, tall, vp, inhabitants, energy, held, turns, mayor, out):
    """Fill `out` with the counts of one city. Its parks hold `held` energy; its owner has so many turns left."""
    out[:] = 0
    out[ONE] = 1
    out[MAYOR] = mayor
    empty = np.int64(rules.city & ~tall[0])
    towers = np.int64(built[TOWER])
    shops = np.int64(built[SHOP])
    services = np.int64(built[SERVICE])
    parks = np.int64(built[PARK])
    factories = np.int64(built[FACTORY])
    harbors = np.int64(built[HARBOR])
    offices = np.int64(built[OFFICE])
    spaces = popcount(empty)
    out[EMPTY] = spaces
    out[FULL] = max(0, turns - spaces)
    out[NARROW] = popcount(empty & rules.narrow)
    if towers:
        _stacks(tall, towers, out, TOWERS)
        out[TOWER_ROOM] = pairs(rules, towers, empty)
    if parks:
        homes = towers | offices
        left = parks
        while left:
            out[PARKS + popcount(rules.beside[lowest(left)] & homes)] += 1
            left &= left - 1
        out[PARK_ROOM] = pairs(rules, parks, empty)
    markets = popcount(shops)
    for i in range(min(markets, 4)):
        out[SHOPS + i] = 1
    if services:
        _services(rules, services, out)
    if factories:
        out[FACTORIES] = popcount(factories)
        out[FACTORY_SHOPS] = pairs(rules, factories, shops)
        out[FACTORY_HARBORS] = pairs(rules, factories, harbors)
        out[FACTORY_OFFICES] = pairs(rules, factories, offices)
        out[FACTORY_ROOM] = pairs(rules, factories, empty)
    out[PARTNER_ROOM] = pairs(rules, shops | harbors | offices, empty)
    if harbors:
        _harbors(rules, harbors, empty, out)
    if offices:
        _offices(rules, tall, offices, empty, out)
    if built[MONUMENT]:
        _monuments(rules, built, empty, out)
    left = np.int64(tall[0])
    while left:
        out[POINTS] += vp[lowest(left)]
        left &= left - 1
    staff = popcount(services | factories | harbors | offices)
    power = popcount(towers | shops | offices)
    _resources(rules, inhabitants - staff, energy - power, markets, held, out)


@kernel
def _stacks(tall, stacks, out, at):
    for floor in range(FLOORS - 1):
        out[at + floor] = popcount(stacks & tall[floor] & ~tall[floor + 1])
    out[at + FLOORS - 1] = popcount(stacks & tall[FLOORS - 1])


@kernel
def covered_districts(rules, services):
    """The districts with a service, as a mask."""
    covered = 0
    left = services
    while left:
        covered |= 1 << rules.district[lowest(left)]
        left &= left - 1
    return covered


@kernel
def _services(rules, services, out):
    districts = popcount(covered_districts(rules, services))
    for i in range(districts):
        out[DISTRICTS + i] = 1
    out[MORE_SERVICES] = popcount(services) - districts


@kernel
def longest_lying(rules, harbors):
    """The first squares of the longest horizontal lines, and their length."""
    starts = harbors
    length = 1
    while True:
        longer = starts & _ahead(rules, harbors, length)
        if longer == 0:
            return starts, length
        starts = longer
        length += 1


@kernel
def longest_standing(rules, harbors):
    """The first squares of the longest vertical lines, and their length."""
    starts = harbors
    length = 1
    while True:
        longer = starts & (harbors >> (rules.columns * length))
        if longer == 0:
            return starts, length
        starts = longer
        length += 1


@kernel
def _harbors(rules, harbors, empty, out):
    out[HARBORS] = popcount(harbors)
    starts, length = longest_lying(rules, harbors)
    for i in range(length - 1):
        out[LYING + i] = 1
    before = ((starts & rules.not_first) >> 1) & empty
    after = starts & _ahead(rules, empty, length)
    out[LYING_ROOM] = before != 0 or after != 0
    starts, length = longest_standing(rules, harbors)
    for i in range(length - 1):
        out[STANDING + i] = 1
    before = (starts >> rules.columns) & empty
    after = starts & (empty >> (rules.columns * length))
    out[STANDING_ROOM] = before != 0 or after != 0


@kernel
def _ahead(rules, squares, steps):
    """The squares from which a square of the set lies so many steps to the right in the same line."""
    for _ in range(steps):
        squares = (squares & rules.not_first) >> 1
    return squares


@kernel
def _offices(rules, tall, offices, empty, out):
    _stacks(tall, offices, out, OFFICES)
    out[OFFICE_ROOM] = pairs(rules, offices, empty)
    left = offices
    while left:
        group = group_of(rules, lowest(left), left)
        left &= ~group
        size = min(popcount(group), 5)
        while group:
            floors = 0
            for floor in range(FLOORS):
                floors += (tall[floor] >> lowest(group)) & 1
            out[OFFICE_POINTS] += rules.office_points[size, floors]
            group &= group - 1


@kernel
def _monuments(rules, built, empty, out):
    monuments = np.int64(built[MONUMENT])
    out[MONUMENTS] = popcount(monuments)
    out[MONUMENT_ROOM] = pairs(rules, monuments, empty)
    for kind in (SHOP, SERVICE, PARK, FACTORY, HARBOR):
        out[MONUMENT_POINTS] += rules.monument_points[kind] * pairs(rules, monuments, np.int64(built[kind]))


@kernel
def _resources(rules, people, power, shops, held, out):
    """Balances after everything is activated."""
    if people < 0:
        for i in range(3):
            out[STAFF_SHORT + i] = max(0, -people - 2 * i)
    else:
        served = min(people, shops * rules.customers)
        out[PEOPLE_LEFT] = people
        out[PEOPLE_IDLE] = people - served
        out[CUSTOMER_POINTS] = rules.packed[served]
    if power < 0:
        for i in range(3):
            out[POWER_SHORT + i] = max(0, -power - 2 * i)
    else:
        idle = max(0, power - held)
        out[POWER_LEFT] = power
        out[POWER_IDLE] = idle
        out[POWER_IDLE + 1] = max(0, idle - 3)
