"""The tables of scoring: for each kind of building the worth of its best k buildings, for every k."""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest, popcount
from qpolis.games.quadropolis.city import USE, V, group_of, grow, insert
from qpolis.games.quadropolis.layout import HARBOR, OFFICE, SHOP
from qpolis.kernel import kernel

MINUS = -(1 << 60)  # below every worth


@kernel
def service_table(rules, work, services):
    """work.services. To cover c districts take the best service of the c districts whose best are best, and
    fill up with the best of the rest; if that covers more districts, a larger c counts it."""
    total = popcount(services)
    firsts = work.sorted
    district_best = work.counted
    for c in range(5):
        district_best[c] = MINUS
    left = services
    while left:
        square = lowest(left)
        left &= left - 1
        district = rules.district[square]
        district_best[district] = max(district_best[district], work.own[square])
    covered = 0
    for c in range(5):
        if district_best[c] > MINUS:
            covered = insert(firsts, covered, district_best[c])
    for k in range(total + 1):
        work.services[k] = MINUS
    work.services[0] = 0
    for c in range(1, covered + 1):
        rest = _services_beyond(rules, work, services, firsts, c)
        worth = rules.service_points[c] * V
        for i in range(c):
            worth += firsts[i]
        work.services[c] = max(work.services[c], worth)
        for i in range(rest):
            worth += work.rest[i]
            work.services[c + 1 + i] = max(work.services[c + 1 + i], worth)
    return total


@kernel
def _services_beyond(rules, work, services, firsts, c):
    """Fill work.rest with the worth of all services but the first c of `firsts`."""
    rest = 0
    left = services
    while left:
        rest = insert(work.rest, rest, work.own[lowest(left)])
        left &= left - 1
    kept = 0
    skip = 0
    for i in range(rest):
        if skip < c and work.rest[i] == firsts[skip]:
            skip += 1  # equal worth is interchangeable here: the rest only counts worth
        else:
            work.rest[kept] = work.rest[i]
            kept += 1
    return kept


@kernel
def park_worth(rules, parks, homes):
    """All parks together, by the active tower and office buildings beside each."""
    points = np.int64(0)
    left = parks
    while left:
        points += rules.park_points[popcount(rules.beside[lowest(left)] & homes)]
        left &= left - 1
    return points * V


@kernel
def tower_table(rules, work, towers, parks, offices, fewest):
    """work.towers for k from `fewest` on, with all parks. A tower always pays, so k towers are exactly k."""
    total = popcount(towers)
    if fewest >= total:
        work.towers[total] = park_worth(rules, parks, towers | offices) + sum_of(work.own, towers)
        return total
    touching = towers & grow(rules, parks)
    many = popcount(touching)
    _best_touching(rules, work, touching, parks, offices)
    free = 0
    left = towers & ~touching
    while left:
        free = insert(work.sorted, free, work.own[lowest(left)])
        left &= left - 1
    for k in range(total + 1):
        work.towers[k] = MINUS
    worth = np.int64(0)
    for i in range(free + 1):
        for k in range(many + 1):
            work.towers[i + k] = max(work.towers[i + k], worth + work.counted[k])
        if i < free:
            worth += work.sorted[i]
    return total


@kernel
def _best_touching(rules, work, touching, parks, offices):
    """work.counted: the best k of the towers beside parks, with the parks, by trying all sets in Gray order."""
    many = popcount(touching)
    left = touching
    for i in range(many):
        work.rest[i] = lowest(left)
        left &= left - 1
    for k in range(many + 1):
        work.counted[k] = MINUS
    chosen = np.int64(0)
    worth = park_worth(rules, parks, offices)
    count = 0
    work.counted[0] = worth
    for step in range(1, 1 << many):
        square = work.rest[lowest(step)]
        bit = np.int64(1) << square
        near = parks & rules.beside[square]
        worth -= park_worth(rules, near, chosen | offices)
        chosen ^= bit
        worth += park_worth(rules, near, chosen | offices)
        if chosen & bit:
            count += 1
            worth += work.own[square]
        else:
            count -= 1
            worth -= work.own[square]
        work.counted[count] = max(work.counted[count], worth)


@kernel
def sum_of(values, squares):
    total = np.int64(0)
    left = squares
    while left:
        total += values[lowest(left)]
        left &= left - 1
    return total


@kernel
def add_factories(rules, work, squares, full, half, points):
    """work.weight of harbors or shops: their own worth, `points` for every factory of `full` beside them, and half
    of that for every one of `half`."""
    left = squares
    while left:
        square = lowest(left)
        left &= left - 1
        beside = np.int64(rules.beside[square])
        halves = 2 * popcount(beside & full) + popcount(beside & half)
        work.weight[square] = work.own[square] + points * halves * (V // 2)


@kernel
def find_lines(rules, work, harbors):
    """The lines of two and more that harbors can form in this city."""
    work.lying_count = 0
    work.standing_count = 0
    if harbors & (harbors >> 1) & rules.not_last:
        for i in range(rules.lying_count):
            if rules.lying[i] & ~harbors == 0:
                work.lying[work.lying_count] = rules.lying[i]
                work.lying_count += 1
    if harbors & (harbors >> rules.columns):
        for i in range(rules.standing_count):
            if rules.standing[i] & ~harbors == 0:
                work.standing[work.standing_count] = rules.standing[i]
                work.standing_count += 1


@kernel
def harbor_table(rules, work, harbors, people):
    """work.harbors from work.weight, for k up to `people`. Try every pair of a lying and a standing line (or none)
    as the lines that count, and fill up with the best others; longer lines that arise count with another pair."""
    total = _sort_squares(work, harbors)
    for k in range(total + 1):
        work.harbors[k] = MINUS
    for i in range(-1, work.lying_count):
        lying = np.int64(work.lying[i]) if i >= 0 else np.int64(0)
        for j in range(-1, work.standing_count):
            standing = np.int64(work.standing[j]) if j >= 0 else np.int64(0)
            line = lying | standing
            if popcount(line) > people:
                continue
            worth = V * (rules.line_points[popcount(lying)] + rules.line_points[popcount(standing)])
            worth += sum_of(work.weight, line)
            k = popcount(line)
            work.harbors[k] = max(work.harbors[k], worth)
            for other in range(total):
                if k == people:
                    break
                square = work.rest[other]
                if not (line >> square) & 1:
                    worth += work.weight[square]
                    k += 1
                    work.harbors[k] = max(work.harbors[k], worth)
    return total


@kernel
def harbor_limit(work, harbors):
    """work.harbors from above, at little cost: the best weights and the best lines, each for itself."""
    total = _sort_squares(work, harbors)
    worth = np.int64(0)
    work.harbors[0] = 0
    for k in range(total):
        worth += work.weight[work.rest[k]]
        work.harbors[k + 1] = worth + work.lines[k + 1]
    return total


@kernel
def line_table(rules, work, harbors):
    """work.lines: the most that lines of k harbors score."""
    total = popcount(harbors)
    left = harbors
    while left:
        work.weight[lowest(left)] = 0
        left &= left - 1
    find_lines(rules, work, harbors)
    harbor_table(rules, work, harbors, total)
    for k in range(total + 1):
        work.lines[k] = work.harbors[k]


@kernel
def _sort_squares(work, squares):
    """work.rest: the squares of a set, the greatest weight first; returns how many."""
    count = 0
    left = squares
    while left:
        square = lowest(left)
        left &= left - 1
        i = count
        while i > 0 and work.weight[work.rest[i - 1]] < work.weight[square]:
            work.rest[i] = work.rest[i - 1]
            i -= 1
        work.rest[i] = square
        count += 1
    return count


@kernel
def shop_table(rules, work, shops):
    """work.shops from work.weight: an active shop always pays."""
    total = 0
    left = shops
    while left:
        total = insert(work.sorted, total, work.weight[lowest(left)])
        left &= left - 1
    return add_up(work.sorted, total, work.shops)


@kernel
def add_up(values, count, table):
    """table[k]: the first k values together; returns how many there are."""
    table[0] = 0
    for k in range(count):
        table[k + 1] = table[k] + values[k]
    return count


@kernel
def factory_table(rules, work, built, factories, full, half):
    """work.factories: the best k factories, with all that the partners `full` bring and half of what `half` do."""
    total = 0
    left = factories
    while left:
        square = lowest(left)
        left &= left - 1
        beside = np.int64(rules.beside[square])
        points = np.int64(0)
        for kind in (SHOP, HARBOR, OFFICE):
            near = beside & built[kind]
            points += rules.factory_points[kind] * (2 * popcount(near & full) + popcount(near & half))
        total = insert(work.sorted, total, work.own[square] + points * (V // 2))
    return add_up(work.sorted, total, work.factories)


@kernel
def merge(into, size, table, more, spare):
    """Let `into` hold the best k of both tables together; returns its new size. `spare` is working space."""
    if more == 0:
        for k in range(size + 1):
            into[k] += table[0]
        return size
    for k in range(size + 1):
        spare[k] = into[k]
    for k in range(size + more + 1):
        into[k] = MINUS
    for i in range(size + 1):
        for j in range(more + 1):
            into[i + j] = max(into[i + j], spare[i] + table[j])
    return size + more


@kernel
def longest(squares, step, within):
    """The length of the longest line of squares; the next square of a line is `step` further, if `within`."""
    length = 0
    while squares:
        length += 1
        squares &= (squares >> step) & within
    return length


@kernel
def line_worth(rules, harbors):
    """What the two longest lines of harbors score."""
    lying = longest(harbors, 1, np.int64(rules.not_last))
    standing = longest(harbors, rules.columns, np.int64(rules.city))
    return V * (rules.line_points[lying] + rules.line_points[standing])


@kernel
def office_worth(rules, tall, offices, connected, more):
    """The points of `offices`, each in the row of the size of its group among `connected`, of which at most
    `more` can be active besides."""
    points = np.int64(0)
    left = offices
    while left:
        group = group_of(rules, lowest(left), connected)
        counted = group & offices
        row = min(min(popcount(group), popcount(counted) + more), 5)
        for floor in range(rules.floors):
            step = rules.office_points[row, floor + 1] - rules.office_points[row, floor]
            points += step * popcount(counted & tall[floor])
        left &= ~group
    return points * V


@kernel
def join(rules, work, staff, towers, shops, opened, held, people, power):
    """The best of all tables together with `people` inhabitants and `power` energy. `opened` shops are active
    besides those of the table; `held` units of energy may stay unused without penalty."""
    best = np.int64(MINUS)
    for m in range(min(shops, power) + 1):
        lit = min(towers, power - m)
        unused = power - m - lit - held
        worth = work.shops[m] + work.towers[lit] - (V * unused if unused > 0 else 0)
        seats = (opened + m) * rules.customers
        manned = np.int64(MINUS)
        for k in range(min(staff, people) + 1):
            customers = min(people - k, seats)
            manned = max(manned, work.staff[k] + pack(rules, customers))
        best = max(best, worth + manned)
    return best


@kernel
def pack(rules, customers):
    """The worth of customers, packed into as few shops as possible: each is worth more than the one before."""
    return rules.packed[customers] * V + customers * USE
