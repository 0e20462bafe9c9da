"""Upper bounds for the search, which decides the offices first and then factories, or shops and harbors.

What two buildings are worth to each other is split: half is counted with either, so an item stands for itself.
Parks are made linear: with at most N homes beside it a park brings at most n * points(N) / N for n homes,
because each further home brings more than the one before. Then the best that searched buildings d, d+1, ... and
all others can add with given inhabitants and energy is a knapsack, filled in from the last building to the first.

While offices are decided, all factories are kept out of the knapsack: their best k are counted at every node, with
what the offices decided so far bring them. When all offices are decided, the knapsack of the rest is made anew;
harbors (if factories are searched) or factories (if harbors and shops are) are kept out of it in the same way.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import V, insert
from qpolis.games.quadropolis.layout import FACTORY, HARBOR, OFFICE, PARK, SERVICE, SHOP, TOWER
from qpolis.games.quadropolis.tables import (
    MINUS,
    add_factories,
    add_up,
    factory_table,
    harbor_limit,
    join,
    line_worth,
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
def partner_halves(rules, built, square, kinds):
    """Half of what a factory, shop or harbor and its neighbours of some kinds are worth to each other."""
    points = np.int64(0)
    for kind in kinds:
        if (built[FACTORY] >> square) & 1:
            points += rules.factory_points[kind] * popcount(rules.beside[square] & built[kind])
        elif (built[kind] >> square) & 1:
            points += rules.factory_points[kind] * popcount(rules.beside[square] & built[FACTORY])
    return points * (V // 2)


@kernel
def office_bounds(rules, work, built, offices, people, power, held, bounds):
    """bounds[d, i, e]: the most that offices d.. and everything but factories can add with i inhabitants and e
    energy, of which `held` units may stay unused without penalty."""
    harbors = np.int64(built[HARBOR])
    add_factories(rules, work, harbors, np.int64(0), np.int64(built[FACTORY]), rules.factory_points[HARBOR])
    staff = _services(work, built)
    staff = merge(work.staff, staff, work.harbors, harbor_limit(work, harbors), work.counted)
    _rest(rules, work, built, np.int64(0), staff, people, power, held, bounds[offices])
    _knapsack(work, 0, offices, people, power, bounds)


@kernel
def later_rest(rules, work, built, searched, hard, offices, people, power, held, bounds):
    """bounds[hard] for what is searched after the offices: all that is not searched, but for the partners that
    `later_limit` adds. Only factories without other partners can depend on the offices."""
    staff = _services(work, built)
    if searched & built[FACTORY]:
        loose = factory_table(rules, work, built, built[FACTORY] & ~searched, offices, np.int64(0))
        staff = merge(work.staff, staff, work.factories, loose, work.counted)
    _rest(rules, work, built, searched, staff, people, power, held, bounds[hard])


@kernel
def later_bounds(rules, work, built, first, hard, offices, people, power, bounds):
    """bounds[d, i, e] for d >= first from bounds[hard], given the active offices: the gain of each building, and
    what it is worth alone."""
    for d in range(first, hard):
        square = work.hard[d]
        work.alone[d] = work.own[square]
        work.gain[d] = work.own[square] + partner_halves(rules, built, square, (SHOP, HARBOR))
        if (built[FACTORY] >> square) & 1:
            sure = rules.factory_points[OFFICE] * V * popcount(rules.beside[square] & offices)
            work.alone[d] += sure + partner_halves(rules, built, square, (SHOP,))
            work.gain[d] += sure
    _knapsack(work, first, hard, people, power, bounds)


@kernel
def office_limit(rules, work, built, tall, bounds, d, people, power, active, rejected):
    """The most a node can reach when offices before d are decided, besides what the active ones are worth alone:
    groups as large as they can still become, the best factories beside them, and the knapsack."""
    groups = office_worth(rules, tall, active, built[OFFICE] & ~rejected, min(people, power))
    half = (built[OFFICE] | built[HARBOR] | built[SHOP]) & ~(active | rejected)
    total = factory_table(rules, work, built, np.int64(built[FACTORY]), active, half)
    return groups + _add(work.factories, total, bounds, d, people, power)


@kernel
def later_limit(rules, work, built, searched, bounds, d, people, power, active, rejected):
    """The same after the offices: lines that searched harbors can still form, the knapsack, and the best harbors,
    or the best factories if the harbors are searched."""
    still_open = searched & ~(active | rejected)
    if searched & built[FACTORY]:
        harbors = np.int64(built[HARBOR])
        add_factories(
            rules,
            work,
            harbors,
            active & built[FACTORY],
            still_open & built[FACTORY],
            rules.factory_points[HARBOR],
        )
        return _add(work.harbors, harbor_limit(work, harbors), bounds, d, people, power)
    total = factory_table(rules, work, built, np.int64(built[FACTORY]), active, still_open)
    lines = line_worth(rules, built[HARBOR] & ~rejected)
    return lines + _add(work.factories, total, bounds, d, people, power)


@kernel
def _add(table, total, bounds, d, people, power):
    best = np.int64(MINUS)
    for k in range(min(total, people) + 1):
        best = max(best, table[k] + bounds[d, people - k, power])
    return best


@kernel
def _services(work, built):
    """Start work.staff with the services; returns its size."""
    services = popcount(built[SERVICE])
    for k in range(services + 1):
        work.staff[k] = work.services[k]
    return services


@kernel
def _rest(rules, work, built, searched, staff, people, power, held, rest):
    """rest[i, e]: the most that staff, towers, shops and customers can add."""
    towers = _linear_towers(rules, work, built)
    opened = popcount(built[SHOP] & searched)
    tabled = built[SHOP] & ~searched
    add_factories(rules, work, tabled, np.int64(0), np.int64(built[FACTORY]), rules.factory_points[SHOP])
    shops = shop_table(rules, work, tabled)
    for i in range(people + 1):
        for e in range(power + 1):
            rest[i, e] = join(rules, work, staff, towers, shops, opened, held, i, e)


@kernel
def _knapsack(work, first, hard, people, power, bounds):
    """Fill bounds[d] for first <= d < hard from bounds[hard]."""
    for d in range(hard - 1, first - 1, -1):
        gain = work.gain[d]
        person = work.cost[d, 0]
        unit = work.cost[d, 1]
        for i in range(people + 1):
            for e in range(power + 1):
                best = bounds[d + 1, i, e]
                if i >= person and e >= unit:
                    best = max(best, gain + bounds[d + 1, i - person, e - unit])
                bounds[d, i, e] = best


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
    worth = np.int64(0)
    left = chosen
    while left:
        worth += office_alone(rules, work, built, lowest(left))
        left &= left - 1
    return worth + office_limit(
        rules,
        work,
        built,
        tall,
        bounds,
        offices,
        max(people - count, 0),
        max(power - count, 0),
        chosen,
        built[OFFICE] & ~chosen,
    )


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
    return add_up(work.sorted, total, work.towers)
