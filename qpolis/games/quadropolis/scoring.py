"""Exact final scoring: the best assignment of inhabitants and energy, as one number per city.

The number ("key", see `city.py`) orders assignments as the rules do: victory points, then inhabitants on
buildings, then buildings left standing. Which buildings depend on which decides the method:
- services depend on nothing else: the best choice of k services is a small table;
- towers depend on each other, and on offices, through parks: a table by k, given the offices;
- harbors form lines with each other and are worth more beside factories: a table by k, given the factories;
- shops are worth more beside factories, and all shops fill with customers alike: a table, given the factories;
- offices (groups, parks, factories) and factories are the *hard* buildings: their sets are searched.
Given the sets of offices and factories, the tables are joined over the inhabitants and energy that are left.
With many hard buildings the search is branch and bound with the bounds of `bounds.py`; no result is estimated.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.bounds import decided_bound, suffix_bounds
from qpolis.games.quadropolis.city import V, WORK, WORKING, own_values
from qpolis.games.quadropolis.layout import (
    FACTORY, HARBOR, MONUMENT, OFFICE, PARK, SERVICE, SHOP, TOWER,
)
from qpolis.games.quadropolis.tables import (
    MINUS, _sum, add_factories, find_lines, harbor_table, join, office_worth, service_table, shop_table,
    staff_table, tower_table,
)
from qpolis.kernel import kernel

FEW = 4  # with so many hard buildings trying all sets is faster than making bounds


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
    find_lines(rules, work, np.int64(built[HARBOR]))
    always = _sum(work.own, np.int64(built[PARK] | built[MONUMENT]))
    offices = popcount(built[OFFICE])
    hard = offices + popcount(built[FACTORY])
    # More than everything can use stays unused in any case: leave it out, so that the bounds stay small.
    people = min(inhabitants, services + hard + popcount(built[HARBOR]) + rules.customers * popcount(built[SHOP]))
    power = min(energy, popcount(built[TOWER]) + popcount(built[SHOP]) + offices)
    spare = energy - power
    d = 0
    for kind in (OFFICE, FACTORY):
        left = np.int64(built[kind])
        while left:
            work.hard[d] = lowest(left)
            left &= left - 1
            d += 1
    best = _search(rules, work, built, tall, offices, hard, people, power, spare)
    return always + best - inhabitants * V


@kernel
def _search(rules, work, built, tall, offices, hard, people, power, spare):
    """The best over all sets of active hard buildings, depth first, the active branch first."""
    bounded = hard > FEW
    if bounded:
        bounds = suffix_bounds(rules, work, built, tall, hard, people, power, spare)
    else:
        bounds = np.empty((0, 0, 0), np.int64)
    memory = np.full(3, -1, np.int64)
    best = np.int64(MINUS)
    decided = np.int64(0)
    d = 0
    work.active[0] = 0
    work.people[0] = people
    work.power[0] = power
    work.branch[0] = 0
    while d >= 0:
        if d == hard:
            worth = _leaf(rules, work, built, tall, memory, np.int64(work.active[d]), work.people[d],
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
            people -= 1
            power -= d < offices
            if people < 0 or power < 0:
                continue
        if bounded:
            most = decided_bound(rules, work, built, tall, active, decided & ~active)
            if most + bounds[d + 1, people, power] <= best:
                continue
        d += 1
        work.active[d] = active
        work.people[d] = people
        work.power[d] = power
        work.branch[d] = 0
    return best


@kernel
def _leaf(rules, work, built, tall, memory, active, people, power, spare):
    """The best with exactly these offices and factories. `memory` holds what the tables were made for."""
    offices = active & built[OFFICE]
    factories = active & built[FACTORY]
    parks = np.int64(built[PARK])
    worth = _sum(work.own, active) + office_worth(rules, tall, offices, offices)
    left = factories
    while left:
        worth += rules.factory_points[OFFICE] * V * popcount(rules.beside[lowest(left)] & offices)
        left &= left - 1
    shops = popcount(built[SHOP])
    services = popcount(built[SERVICE])
    harbors = popcount(built[HARBOR])
    towers = popcount(built[TOWER])
    if memory[0] != factories:
        memory[0] = factories
        for kind in (SHOP, HARBOR):
            add_factories(rules, work, np.int64(built[kind]), factories, rules.factory_points[kind] * V)
        shop_table(rules, work, np.int64(built[SHOP]))
        harbor_table(rules, work, np.int64(built[HARBOR]))
        staff_table(work, services, harbors)
    fewest = min(towers, power - shops)
    if memory[1] != offices or fewest < memory[2]:
        memory[1] = offices
        memory[2] = fewest
        tower_table(rules, work, np.int64(built[TOWER]), parks, offices, fewest)
    held = popcount(parks) * rules.park_energy - spare
    return worth + join(rules, work, services + harbors, towers, shops, held, people, power)
