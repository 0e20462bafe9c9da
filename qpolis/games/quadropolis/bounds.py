"""Upper bounds for the search.

What two buildings are worth to each other is split: half is counted with either, so an item stands for itself.
Parks are made linear: with at most N homes beside it a park brings at most n * points(N) / N for n homes,
because each further home brings more than the one before. Then the best that searched buildings d, d+1, ... and
all others can add with given inhabitants and energy is a knapsack, filled in from the last building to the first.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import V, insert
from qpolis.games.quadropolis.layout import FACTORY, HARBOR, OFFICE, PARK, SERVICE, SHOP, TOWER
from qpolis.games.quadropolis.tables import (
    add_factories, factory_table, harbor_table, join, line_worth, merge, office_worth, shop_table,
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
def pair_halves(rules, built, square, others):
    """Half of what a building and each of the active `others` beside it are worth to each other."""
    near = rules.beside[square] & others
    points = np.int64(0)
    if (built[FACTORY] >> square) & 1:
        for kind in (SHOP, HARBOR, OFFICE):
            points += rules.factory_points[kind] * popcount(near & built[kind])
    else:
        for kind in (SHOP, HARBOR, OFFICE):
            if (built[kind] >> square) & 1:
                points = rules.factory_points[kind] * popcount(near & built[FACTORY])
    return points * (V // 2)


@kernel
def item_worth(rules, work, built, square):
    """The most a searched building can add, but for what is counted over all: office groups and lines."""
    worth = work.own[square] + pair_halves(rules, built, square, np.int64(rules.city))
    if (built[OFFICE] >> square) & 1:
        worth += park_share(rules, np.int64(built[PARK]), np.int64(built[TOWER] | built[OFFICE]), square)
    return worth


@kernel
def common_worth(rules, built, tall, searched, active, rejected, more):
    """The most the offices active so far and all searched harbors can score in groups and lines, when at most
    `more` further offices can be activated."""
    offices = np.int64(built[OFFICE])
    worth = office_worth(rules, tall, offices & active, offices & ~rejected, more)
    return worth + line_worth(rules, searched & built[HARBOR] & ~rejected)


@kernel
def suffix_bounds(rules, work, built, searched, hard, people, power, spare):
    """bounds[d, i, e]: the most that searched buildings d.. and all that is not searched can add with i
    inhabitants and e energy, of which the city has `spare` more that nothing can use."""
    staff, towers, shops = _linear_tables(rules, work, built, searched)
    opened = popcount(built[SHOP] & searched)
    held = popcount(built[PARK]) * rules.park_energy - spare
    bounds = np.empty((hard + 1, people + 1, power + 1), np.int64)
    for i in range(people + 1):
        for e in range(power + 1):
            bounds[hard, i, e] = join(rules, work, staff, towers, shops, opened, held, i, e)
    for d in range(hard - 1, -1, -1):
        item = work.item[d]
        person = work.cost[d, 0]
        unit = work.cost[d, 1]
        for i in range(people + 1):
            for e in range(power + 1):
                best = bounds[d + 1, i, e]
                if i >= person and e >= unit:
                    best = max(best, item + bounds[d + 1, i - person, e - unit])
                bounds[d, i, e] = best
    return bounds


@kernel
def _linear_tables(rules, work, built, searched):
    """Tables of what is not searched, with halves of pairs: sizes of staff, towers and shops."""
    harbors = built[HARBOR] & ~searched
    shops = built[SHOP] & ~searched
    loose = built[FACTORY] & ~searched
    for kind in (SHOP, HARBOR):
        half = rules.factory_points[kind] * (V // 2)
        add_factories(rules, work, built[kind] & ~searched, np.int64(built[FACTORY]), half)
    services = popcount(built[SERVICE])
    for k in range(services + 1):
        work.staff[k] = work.services[k]
    staff = merge(work.staff, services, work.harbors, harbor_table(rules, work, harbors), work.counted)
    factories = factory_table(rules, work, loose, np.int64(built[OFFICE]), np.int64(built[HARBOR]),
                              np.int64(built[SHOP]), 1)
    staff = merge(work.staff, staff, work.factories, factories, work.counted)
    return staff, _linear_towers(rules, work, built), shop_table(rules, work, shops)


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
