"""Exact final scoring: the best assignment of inhabitants and energy, as one number per city.

The number ("key", see `city.py`) orders assignments as the rules do: victory points, then inhabitants on
buildings, then buildings left standing. Which buildings depend on which decides the method:
- services depend on nothing else: the best choice of k services is a small table (`tables.py`);
- towers depend on each other, and on offices, through parks: a table by k, given the offices;
- shops all fill with customers alike; they and harbors (which also form lines) are worth more beside factories:
  given the factories, tables by k; or the other way round: given shops and harbors, a table of factories;
- offices form groups and touch parks and factories: their sets are searched, together with the sets of either
  the factories or the shops and harbors, whichever are fewer.
Given what is searched, the tables are joined over the inhabitants and energy that are left. With many searched
buildings the search is branch and bound with the bounds of `bounds.py`; nothing is estimated or cut off.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.bounds import decided_bound, most_worth, suffix_bounds
from qpolis.games.quadropolis.city import V, WORK, grow, own_values
from qpolis.games.quadropolis.layout import (
    FACTORY, HARBOR, MONUMENT, OFFICE, PARK, SERVICE, SHOP, TOWER,
)
from qpolis.games.quadropolis.tables import (
    MINUS, add_factories, factory_table, find_lines, harbor_table, join, line_worth, merge, office_worth,
    service_table, shop_table, sum_of, tower_table,
)
from qpolis.kernel import kernel

FEW = 4  # with so many searched buildings trying all sets is faster than making bounds


@kernel
def scores(rules, state, points, keys):
    """The verb: victory points, and the keys that settle ties."""
    for seat in range(rules.players):
        key = best_key(rules, state.built[seat], state.tall[seat], state.vp[seat],
                       np.int64(state.inhabitants[seat]), np.int64(state.energy[seat]))
        keys[seat] = key
        points[seat] = key >> 16


@kernel
def best_key(rules, built, tall, vp, inhabitants, energy):
    """The key of the best assignment of one city: points * V + inhabitants on buildings * WORKING + buildings."""
    return _best_key(rules, np.empty(1, WORK), built, tall, vp, inhabitants, energy)


@kernel
def _best_key(rules, works, built, tall, vp, inhabitants, energy):
    work = works[0]  # a record does not keep its array alive: the caller does
    own_values(rules, work, built, tall, vp)
    services = service_table(rules, work, np.int64(built[SERVICE]))
    always = sum_of(work.own, np.int64(built[PARK] | built[MONUMENT]))
    searched = _searched(rules, built)
    find_lines(rules, work, built[HARBOR] & ~searched)
    # More than everything can use stays unused in any case: leave it out, so that the bounds stay small.
    shops = popcount(built[SHOP])
    offices = popcount(built[OFFICE])
    staff = services + offices + popcount(built[FACTORY]) + popcount(built[HARBOR])
    people = min(inhabitants, staff + rules.customers * shops)
    power = min(energy, popcount(built[TOWER]) + shops + offices)
    best = _search(rules, work, built, tall, searched, people, power, energy - power)
    return always + best - inhabitants * V


@kernel
def _searched(rules, built):
    """The buildings whose sets are searched."""
    partners = np.int64(built[HARBOR] | built[SHOP])
    factories = grow(rules, partners) & built[FACTORY]
    other = factories if popcount(factories) <= popcount(partners) else partners
    return built[OFFICE] | other


@kernel
def _order(rules, work, built, tall, searched):
    """List what is searched: offices first, the most promising first, so that good sets are met early."""
    hard = 0
    for first in (True, False):
        start = hard
        left = searched & built[OFFICE] if first else searched & ~built[OFFICE]
        while left:
            square = lowest(left)
            left &= left - 1
            item = most_worth(rules, work, built, tall, square, np.int64(0))
            d = hard
            while d > start and work.item[d - 1] < item:
                work.item[d] = work.item[d - 1]
                work.hard[d] = work.hard[d - 1]
                d -= 1
            work.item[d] = item
            work.hard[d] = square
            hard += 1
    for d in range(hard):
        shop = (built[SHOP] >> work.hard[d]) & 1
        work.cost[d, 0] = 1 - shop
        work.cost[d, 1] = shop | (built[OFFICE] >> work.hard[d]) & 1
    return hard


@kernel
def _search(rules, work, built, tall, searched, people, power, spare):
    """The best over all sets of the searched buildings, depth first, the active branch first."""
    hard = _order(rules, work, built, tall, searched)
    bounded = hard > FEW
    if bounded:
        bounds = suffix_bounds(rules, work, built, searched, hard, people, power, spare)
    else:
        bounds = np.empty((0, 0, 0), np.int64)
    made = np.full(3, -1, np.int64)
    best = np.int64(MINUS)
    decided = np.int64(0)
    d = 0
    work.active[0] = 0
    work.people[0] = people
    work.power[0] = power
    work.branch[0] = 0
    while d >= 0:
        if d == hard:
            worth = _leaf(rules, work, built, tall, made, searched, np.int64(work.active[d]), work.people[d],
                          work.power[d], spare)
            best = max(best, worth)
            d -= 1
            continue
        branch = work.branch[d]
        work.branch[d] += 1
        bit = np.int64(1) << work.hard[d]
        if branch == 2:
            decided &= ~bit
            d -= 1
            continue
        decided |= bit
        active = np.int64(work.active[d])
        people = work.people[d]
        power = work.power[d]
        if branch == 0:
            active |= bit
            people -= work.cost[d, 0]
            power -= work.cost[d, 1]
            if people < 0 or power < 0:
                continue
        if bounded:
            most = decided_bound(rules, work, built, tall, searched, active, decided & ~active)
            if most + bounds[d + 1, people, power] <= best:
                continue
        d += 1
        work.active[d] = active
        work.people[d] = people
        work.power[d] = power
        work.branch[d] = 0
    return best


@kernel
def _leaf(rules, work, built, tall, made, searched, active, people, power, spare):
    """The best with exactly these searched buildings active. `made` remembers what the tables stand for."""
    offices = active & built[OFFICE]
    factories = active & built[FACTORY]
    opened = active & built[SHOP]
    harbors = active & built[HARBOR]
    worth = sum_of(work.own, active) + office_worth(rules, tall, offices, offices)
    worth += line_worth(rules, harbors)
    left = factories
    while left:
        worth += rules.factory_points[OFFICE] * V * popcount(rules.beside[lowest(left)] & offices)
        left &= left - 1
    shops = popcount(built[SHOP] & ~searched)
    staff = popcount(built[SERVICE] | ((built[HARBOR] | built[FACTORY]) & ~searched))
    if made[0] != active:
        made[0] = active
        _make_staff(rules, work, built, searched, offices, factories, harbors, opened)
    towers = popcount(built[TOWER])
    parks = np.int64(built[PARK])
    fewest = min(towers, power - shops)
    if made[1] != offices or fewest < made[2]:
        made[1] = offices
        made[2] = fewest
        tower_table(rules, work, np.int64(built[TOWER]), parks, offices, fewest)
    held = popcount(parks) * rules.park_energy - spare
    return worth + join(rules, work, staff, towers, shops, popcount(opened), held, people, power)


@kernel
def _make_staff(rules, work, built, searched, offices, factories, harbors, shops):
    """The tables of shops and of staff, given what is active of what is searched."""
    for kind in (SHOP, HARBOR):
        add_factories(rules, work, built[kind] & ~searched, factories, rules.factory_points[kind] * V)
    shop_table(rules, work, built[SHOP] & ~searched)
    services = popcount(built[SERVICE])
    for k in range(services + 1):
        work.staff[k] = work.services[k]
    berths = harbor_table(rules, work, built[HARBOR] & ~searched)
    staff = merge(work.staff, services, work.harbors, berths, work.counted)
    loose = factory_table(rules, work, built[FACTORY] & ~searched, offices, harbors, shops, 2)
    merge(work.staff, staff, work.factories, loose, work.counted)
