"""Upper bounds for the search, which decides the offices first and then factories, or shops and harbors.

What two buildings are worth to each other is split: half is counted with either, so an item stands for itself.
Parks are made linear: with at most N homes beside it a park brings at most n * points(N) / N for n homes,
because each further home brings more than the one before. Then the best that searched buildings d, d+1, ... and
all others can add with given inhabitants and energy is a knapsack, filled in from the last building to the first.

While offices are decided, all factories are kept out of the knapsack: their best k are counted at every node, with
what the offices decided so far bring them. When all offices are decided, the knapsack of the rest is made anew.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import V, insert
from qpolis.games.quadropolis.layout import FACTORY, HARBOR, OFFICE, PARK, SERVICE, SHOP, TOWER
from qpolis.games.quadropolis.tables import (
    MINUS,
    add_factories,
    factory_table,
    harbor_limit,
    join,
    merge,
    office_worth,
    shop_table,
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
def office_alone(rules, work, built, square):
    """The most an office is worth by itself and to parks."""
    homes = np.int64(built[TOWER] | built[OFFICE])
    return work.own[square] + park_share(rules, np.int64(built[PARK]), homes, square)


@kernel
def office_item(rules, work, built, tall, square):
    """The most an undecided office can add: with all offices active, and half of every factory beside it."""
    offices = np.int64(built[OFFICE])
    group = office_worth(rules, tall, np.int64(1) << square, offices, 5)
    halves = popcount(rules.beside[square] & built[FACTORY]) * rules.factory_points[OFFICE] * (V // 2)
    return office_alone(rules, work, built, square) + group + halves


@kernel
def partner_halves(rules, built, square, others):
    """Half of what a factory, shop or harbor and each of the `others` beside it are worth to each other."""
    near = rules.beside[square] & others
    points = np.int64(0)
    for kind in (SHOP, HARBOR):
        if (built[FACTORY] >> square) & 1:
            points += rules.factory_points[kind] * popcount(near & built[kind])
        elif (built[kind] >> square) & 1:
            points = rules.factory_points[kind] * popcount(near & built[FACTORY])
    return points * (V // 2)


@kernel
def later_items(rules, work, built, first, hard, offices):
    """The most each building searched after the offices can add, given the active offices."""
    for d in range(first, hard):
        square = work.hard[d]
        item = work.own[square] + partner_halves(rules, built, square, np.int64(rules.city))
        if (built[FACTORY] >> square) & 1:
            item += rules.factory_points[OFFICE] * V * popcount(rules.beside[square] & offices)
        work.item[d] = item


@kernel
def office_bounds(rules, work, built, offices, people, power, spare, bounds):
    """bounds[d, i, e]: the most that offices d.. and everything but factories can add with i inhabitants and e
    energy, of which the city has `spare` more that nothing can use."""
    staff, shops = _linear_staff(rules, work, built, np.int64(built[HARBOR]), np.int64(built[SHOP]))
    _knapsack(rules, work, built, 0, offices, staff, shops, 0, people, power, spare, bounds)


@kernel
def later_bounds(rules, work, built, searched, first, hard, offices, people, power, spare, bounds):
    """bounds[d, i, e] for d >= first: what is searched after the offices and all that is not searched."""
    staff, shops = _linear_staff(rules, work, built, built[HARBOR] & ~searched, built[SHOP] & ~searched)
    loose = factory_table(rules, work, built[FACTORY] & ~searched, offices, np.int64(0), np.int64(built[HARBOR]),
                          np.int64(built[SHOP]), 1)
    staff = merge(work.staff, staff, work.factories, loose, work.counted)
    opened = popcount(built[SHOP] & searched)
    _knapsack(rules, work, built, first, hard, staff, shops, opened, people, power, spare, bounds)


@kernel
def _knapsack(rules, work, built, first, hard, staff, shops, opened, people, power, spare, bounds):
    towers = _linear_towers(rules, work, built)
    held = popcount(built[PARK]) * rules.park_energy - spare
    for i in range(people + 1):
        for e in range(power + 1):
            bounds[hard, i, e] = join(rules, work, staff, towers, shops, opened, held, i, e)
    for d in range(hard - 1, first - 1, -1):
        item = work.item[d]
        person = work.cost[d, 0]
        unit = work.cost[d, 1]
        for i in range(people + 1):
            for e in range(power + 1):
                best = bounds[d + 1, i, e]
                if i >= person and e >= unit:
                    best = max(best, item + bounds[d + 1, i - person, e - unit])
                bounds[d, i, e] = best


@kernel
def with_factories(rules, work, built, bounds, d, people, power, active, rejected):
    """bounds[d] with the best factories added, given what is decided of the offices."""
    open_offices = built[OFFICE] & ~(active | rejected)
    total = factory_table(rules, work, np.int64(built[FACTORY]), active, open_offices, np.int64(built[HARBOR]),
                          np.int64(built[SHOP]), 1)
    best = np.int64(MINUS)
    for k in range(min(total, people) + 1):
        best = max(best, work.factories[k] + bounds[d, people - k, power])
    return best


@kernel
def promising(rules, work, built, tall, bounds, offices, people, power):
    """A good set of offices to start the search with: of all, drop the least missed until the rest can be paid;
    then exchange one for another while that looks better."""
    every = np.int64(built[OFFICE])
    chosen = every
    while popcount(chosen) > min(people, power):
        chosen = _best_exchange(rules, work, built, tall, bounds, offices, people, power, chosen, np.int64(0))
    worth = _set_worth(rules, work, built, tall, bounds, offices, people, power, chosen)
    while popcount(chosen) > 0:
        other = _best_exchange(rules, work, built, tall, bounds, offices, people, power, chosen, every & ~chosen)
        better = _set_worth(rules, work, built, tall, bounds, offices, people, power, other)
        if better <= worth:
            break
        chosen = other
        worth = better
    return chosen


@kernel
def _best_exchange(rules, work, built, tall, bounds, offices, people, power, chosen, spare):
    """The best set with one office of `chosen` given up, for one of `spare` if there are any."""
    best = np.int64(MINUS)
    found = chosen
    out = chosen
    while out:
        without = chosen & ~(np.int64(1) << lowest(out))
        out &= out - 1
        into = spare
        while True:
            candidate = without | (np.int64(1) << lowest(into) if into else np.int64(0))
            worth = _set_worth(rules, work, built, tall, bounds, offices, people, power, candidate)
            if worth > best:
                best = worth
                found = candidate
            into &= into - 1 if into else 0
            if not into:
                break
    return found


@kernel
def _set_worth(rules, work, built, tall, bounds, offices, people, power, chosen):
    """The most a set of offices can be worth with everything else."""
    count = popcount(chosen)
    worth = office_worth(rules, tall, chosen, chosen, 0)
    left = chosen
    while left:
        worth += office_alone(rules, work, built, lowest(left))
        left &= left - 1
    rejected = built[OFFICE] & ~chosen
    return worth + with_factories(rules, work, built, bounds, offices, max(people - count, 0),
                                  max(power - count, 0), chosen, rejected)


@kernel
def _linear_staff(rules, work, built, harbors, shops):
    """work.staff of services and harbors, and work.shops, with halves of pairs; returns both sizes."""
    for kind in (SHOP, HARBOR):
        half = rules.factory_points[kind] * (V // 2)
        add_factories(rules, work, np.int64(built[kind]), np.int64(built[FACTORY]), half)
    services = popcount(built[SERVICE])
    for k in range(services + 1):
        work.staff[k] = work.services[k]
    staff = merge(work.staff, services, work.harbors, harbor_limit(work, harbors), work.counted)
    return staff, shop_table(rules, work, shops)


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
