"""Upper bounds for the search over offices and factories.

What two buildings are worth to each other is split: half is counted with either, so an item stands for itself.
Parks are made linear: with at most N homes beside it a park brings at most n * points(N) / N for n homes,
because each further home brings more than the one before. Then the best that hard buildings d, d+1, ... and all
others can add with given inhabitants and energy is a knapsack, filled in from the last building to the first.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import V, insert
from qpolis.games.quadropolis.layout import FACTORY, HARBOR, OFFICE, PARK, SERVICE, SHOP, TOWER
from qpolis.games.quadropolis.tables import (
    MINUS, add_factories, harbor_table, join, office_worth, shop_table, staff_table,
)
from qpolis.kernel import kernel


@kernel
def park_share(rules, parks, homes, square):
    """The most a home on `square` can bring to the parks beside it, in keys, rounded up."""
    worth = np.int64(0)
    left = parks & rules.beside[square]
    while left:
        most = popcount(rules.beside[lowest(left)] & homes)
        worth += (rules.park_points[most] * V + most - 1) // most
        left &= left - 1
    return worth


@kernel
def hard_item(rules, work, built, tall, square):
    """The most one office or factory can add, its half of every pair included."""
    beside = np.int64(rules.beside[square])
    worth = np.int64(work.own[square])
    if (built[OFFICE] >> square) & 1:
        homes = np.int64(built[TOWER] | built[OFFICE])
        worth += office_worth(rules, tall, np.int64(1) << square, np.int64(built[OFFICE]))
        worth += park_share(rules, np.int64(built[PARK]), homes, square)
        worth += popcount(beside & built[FACTORY]) * rules.factory_points[OFFICE] * V // 2
    else:
        for kind in (SHOP, HARBOR, OFFICE):
            worth += popcount(beside & built[kind]) * rules.factory_points[kind] * V // 2
    return worth


@kernel
def suffix_bounds(rules, work, built, tall, hard, people, power, spare):
    """bounds[d, i, e]: the most that hard buildings d.. and everything else can add with i inhabitants and e
    energy, of which the city has `spare` more that nothing can use."""
    factories = np.int64(built[FACTORY])
    for kind in (SHOP, HARBOR):
        add_factories(rules, work, np.int64(built[kind]), factories, rules.factory_points[kind] * V // 2)
    shops = shop_table(rules, work, np.int64(built[SHOP]))
    harbors = harbor_table(rules, work, np.int64(built[HARBOR]))
    staff = staff_table(work, popcount(built[SERVICE]), harbors)
    towers = _linear_towers(rules, work, built)
    held = popcount(built[PARK]) * rules.park_energy - spare
    bounds = np.empty((hard + 1, people + 1, power + 1), np.int64)
    for i in range(people + 1):
        for e in range(power + 1):
            bounds[hard, i, e] = join(rules, work, staff, towers, shops, held, i, e)
    for d in range(hard - 1, -1, -1):
        square = work.hard[d]
        item = hard_item(rules, work, built, tall, square)
        cost = (built[OFFICE] >> square) & 1
        for i in range(people + 1):
            for e in range(power + 1):
                best = bounds[d + 1, i, e]
                if i > 0 and e >= cost:
                    best = max(best, item + bounds[d + 1, i - 1, e - cost])
                bounds[d, i, e] = best
    return bounds


@kernel
def _linear_towers(rules, work, built):
    """work.towers with parks made linear."""
    homes = np.int64(built[TOWER] | built[OFFICE])
    total = 0
    left = np.int64(built[TOWER])
    while left:
        square = lowest(left)
        left &= left - 1
        worth = work.own[square] + park_share(rules, np.int64(built[PARK]), homes, square)
        total = insert(work.sorted, total, worth)
    worth = np.int64(0)
    work.towers[0] = 0
    for k in range(total):
        worth += work.sorted[k]
        work.towers[k + 1] = worth
    return total


@kernel
def decided_bound(rules, work, built, tall, active, rejected):
    """The most the hard buildings decided so far can be worth, their halves of open pairs included."""
    offices = np.int64(built[OFFICE])
    factories = np.int64(built[FACTORY])
    homes = np.int64(built[TOWER]) | (offices & ~rejected)
    parks = np.int64(built[PARK])
    worth = office_worth(rules, tall, offices & active, offices & ~rejected)
    pair = rules.factory_points[OFFICE] * V // 2
    left = active
    while left:
        square = lowest(left)
        left &= left - 1
        beside = np.int64(rules.beside[square])
        worth += work.own[square]
        if (offices >> square) & 1:
            worth += park_share(rules, parks, homes, square)
            worth += pair * popcount(beside & factories & ~rejected)
        else:
            worth += pair * popcount(beside & offices & ~rejected)
            for kind in (SHOP, HARBOR):
                worth += popcount(beside & built[kind]) * rules.factory_points[kind] * V // 2
    return worth
