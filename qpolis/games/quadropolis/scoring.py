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
from qpolis.games.quadropolis.bounds import (
    later_bounds,
    later_limit,
    later_rest,
    office_alone,
    office_bounds,
    office_item,
    office_limit,
    partner_halves,
    promising,
)
from qpolis.games.quadropolis.city import WORK, V, grow, own_values, park_energy
from qpolis.games.quadropolis.layout import (
    FACTORY,
    HARBOR,
    MONUMENT,
    OFFICE,
    PARK,
    SERVICE,
    SHOP,
    TOWER,
)
from qpolis.games.quadropolis.tables import (
    MINUS,
    add_factories,
    factory_table,
    find_lines,
    harbor_table,
    join,
    line_table,
    line_worth,
    merge,
    office_worth,
    service_table,
    shop_table,
    sum_of,
    tower_table,
)
from qpolis.kernel import kernel

FEW = 4  # with so many searched buildings trying all sets is faster than making bounds
MANY = 8  # with more offices it pays to look for a good set first


@kernel
def scores(rules, state, points, keys):
    """The verb: victory points, and the keys that settle ties."""
    works = np.empty(1, WORK)
    for seat in range(rules.players):
        key = best_key(
            rules,
            works,
            state.built[seat],
            state.tall[seat],
            state.vp[seat],
            np.int64(state.inhabitants[seat]),
            np.int64(state.energy[seat]),
            park_energy(state.holds[seat]),
        )
        keys[seat] = key
        points[seat] = key >> 16


@kernel(apart=True)
def best_key(rules, works, built, tall, vp, inhabitants, energy, held):
    """The key of the best assignment of one city: points * V + inhabitants on buildings * WORKING + buildings.

    works: an array of one WORK record. (A record does not keep its array alive, so the caller holds it.)
    held: units of energy that the parks of the city hold.
    """
    work = works[0]
    own_values(rules, work, built, tall, vp)
    services = service_table(rules, work, np.int64(built[SERVICE]))
    always = sum_of(work.own, np.int64(built[PARK] | built[MONUMENT]))
    searched = _searched(rules, built)
    line_table(rules, work, np.int64(built[HARBOR]))
    find_lines(rules, work, built[HARBOR] & ~searched)
    # More than everything can use stays unused in any case: leave it out, so that the bounds stay small.
    shops = popcount(built[SHOP])
    offices = popcount(built[OFFICE])
    staff = services + offices + popcount(built[FACTORY]) + popcount(built[HARBOR])
    people = min(inhabitants, staff + rules.customers * shops)
    power = min(energy, popcount(built[TOWER]) + shops + offices)
    best = _search(rules, work, built, tall, searched, people, power, held - (energy - power))
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
    """List what is searched: offices along the lines, so that groups are cut off early; then the others, the most
    promising first, so that good sets are met early."""
    hard = 0
    left = np.int64(built[OFFICE])
    while left:
        work.hard[hard] = lowest(left)
        work.alone[hard] = office_alone(rules, work, built, lowest(left))
        work.gain[hard] = office_item(rules, work, built, tall, lowest(left))
        left &= left - 1
        hard += 1
    offices = hard
    left = searched & ~built[OFFICE]
    while left:
        square = lowest(left)
        left &= left - 1
        item = work.own[square] + partner_halves(rules, built, square, (SHOP, HARBOR))
        d = hard
        while d > offices and work.gain[d - 1] < item:
            work.gain[d] = work.gain[d - 1]
            work.alone[d] = work.alone[d - 1]
            work.hard[d] = work.hard[d - 1]
            d -= 1
        work.gain[d] = item
        work.alone[d] = work.own[square]
        work.hard[d] = square
        hard += 1
    for d in range(hard):
        shop = (built[SHOP] >> work.hard[d]) & 1
        work.cost[d, 0] = 1 - shop
        work.cost[d, 1] = shop or d < offices
    return hard


@kernel
def _search(rules, work, built, tall, searched, people, power, held):
    """The best over all sets of the searched buildings, depth first, the preferred branch first. `held` units of
    energy may stay unused without penalty."""
    # 1. What is searched, and the bounds that pay.
    hard = _order(rules, work, built, tall, searched)
    offices = popcount(built[OFFICE])
    early = offices > FEW  # are there bounds for the offices,
    costly = early or work.lying_count + work.standing_count > FEW  # are leaves many, or harbor tables large?
    late = hard - offices > (1 if costly else FEW)  # and for what follows?
    bounds = np.empty((offices + 1 if early else 0, people + 1, power + 1), np.int64)
    later = np.empty((hard + 1 if late else 0, people + 1, power + 1), np.int64)
    preferred = np.int64(rules.city)
    if early:
        office_bounds(rules, work, built, offices, people, power, held, bounds)
    if offices > MANY:
        preferred = promising(rules, work, built, tall, bounds, offices, people, power) | ~np.int64(built[OFFICE])
    loose = bool(searched & built[FACTORY] and built[FACTORY] & ~searched)  # does `later` depend on the offices?
    if late and not loose:
        later_rest(rules, work, built, searched, hard, np.int64(0), people, power, held, later)
    # 2. The root. Every depth keeps what is active and left there; `decided` holds all squares above.
    _forget(work)
    best = np.int64(MINUS)
    decided = np.int64(0)
    d = 0
    work.active[0] = 0
    work.worth[0] = 0
    work.people[0] = people
    work.power[0] = power
    work.branch[0] = 0
    while d >= 0:
        active = np.int64(work.active[d])
        people = work.people[d]
        power = work.power[d]
        # 3. A leaf: everything searched is decided.
        if d == hard:
            if early or late:
                work.made_staff = -1  # the limits were made in the space of that table
            worth = _leaf(rules, work, built, tall, searched, active, people, power, held)
            best = max(best, worth)
            d -= 1
            continue
        # 4. All offices are decided: bounds for the rest, given these offices.
        branch = work.branch[d]
        if late and d == offices and branch == 0:
            work.worth[d] += office_worth(rules, tall, active, active, 0)
            if loose:
                _forget(work)  # the bounds are made in the space of the tables
                later_rest(rules, work, built, searched, hard, active, people, power, held, later)
            later_bounds(rules, work, built, offices, hard, active, people, power, later)
        # 5. The next branch: activate or reject the building, or go back up.
        bit = np.int64(1) << work.hard[d]
        work.branch[d] += 1
        if branch == 2:
            decided &= ~bit
            d -= 1
            continue
        decided |= bit
        activate = (branch == 0) == (preferred & bit != 0)
        if activate:
            active |= bit
            people -= work.cost[d, 0]
            power -= work.cost[d, 1]
            if people < 0 or power < 0:
                continue
        # 6. Go on below only if that can be better than the best so far.
        rejected = decided & ~active
        worth = work.worth[d] + (work.alone[d] if activate else 0)
        if early and d < offices:
            most = office_limit(rules, work, built, tall, bounds, d + 1, people, power, active, rejected)
        elif late and d >= offices:
            most = later_limit(rules, work, built, searched, later, d + 1, people, power, active, rejected)
        else:
            most = np.int64(-MINUS)
        if (early or late) and worth + most <= best:
            continue
        d += 1
        work.active[d] = active
        work.worth[d] = worth
        work.people[d] = people
        work.power[d] = power
        work.branch[d] = 0
    return best


@kernel
def _forget(work):
    """No table stands for anything yet."""
    work.made_staff = -1
    work.made_offices = -1


@kernel
def _leaf(rules, work, built, tall, searched, active, people, power, held):
    """The best with exactly these searched buildings active. work.made_* remember what the tables stand for."""
    offices = active & built[OFFICE]
    factories = active & built[FACTORY]
    opened = active & built[SHOP]
    harbors = active & built[HARBOR]
    worth = sum_of(work.own, active) + office_worth(rules, tall, offices, offices, 0)
    worth += line_worth(rules, harbors)
    left = factories
    while left:
        worth += rules.factory_points[OFFICE] * V * popcount(rules.beside[lowest(left)] & offices)
        left &= left - 1
    towers = popcount(built[TOWER])
    shops = popcount(built[SHOP] & ~searched)
    parks = np.int64(built[PARK])
    fewest = min(towers, power - shops)
    near = offices & grow(rules, parks)
    if work.made_offices != near or fewest < work.made_towers:
        work.made_offices = near
        work.made_towers = fewest
        tower_table(rules, work, np.int64(built[TOWER]), parks, offices, fewest)
    loose = built[FACTORY] & ~searched
    matter = active & (~built[OFFICE] | grow(rules, loose)) if loose else active & ~built[OFFICE]
    staff = popcount(built[SERVICE] | ((built[HARBOR] | built[FACTORY]) & ~searched))
    if work.made_staff != matter or people > work.made_people:
        work.made_staff = matter
        work.made_people = people
        _make_tables(rules, work, built, searched, active, factories, people)
    return worth + join(rules, work, staff, towers, shops, popcount(opened), held, people, power)


@kernel
def _make_tables(rules, work, built, searched, active, factories, people):
    """The tables of shops and of staff for so many people, given what is active of what is searched."""
    none = np.int64(0)
    for kind in (SHOP, HARBOR):
        add_factories(rules, work, built[kind] & ~searched, factories, none, rules.factory_points[kind])
    shop_table(rules, work, built[SHOP] & ~searched)
    staff = popcount(built[SERVICE])
    for k in range(staff + 1):
        work.staff[k] = work.services[k]
    berths = harbor_table(rules, work, built[HARBOR] & ~searched, people)
    staff = merge(work.staff, staff, work.harbors, berths, work.counted)
    loose = factory_table(rules, work, built, built[FACTORY] & ~searched, active, none)
    merge(work.staff, staff, work.factories, loose, work.counted)
