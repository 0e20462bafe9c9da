"""What steps of a turn bring: the change of the evaluation of the mover, less that of the others on average.

Changes are found from what a step touches, not by evaluating the position after it; the tests compare the two.
"""

from __future__ import annotations

import numpy as np

from qpolis.bits import lowest
from qpolis.games.arkadia.bit_boards import after, both, load, nth_square, shared, size, without
from qpolis.games.arkadia.castle import level_now, square_for
from qpolis.games.arkadia.layout import (
    BANNERS_LEFT,
    BESIDE_VALUE,
    BITS,
    BLANK,
    COLUMNS,
    FAMILIES,
    HELPERS,
    HIRED,
    LEVELS,
    LOT,
    NONE,
    OPENS,
    OWN_LEFT,
    ROWS,
    SEAL_VALUE,
    WORDS,
)
from qpolis.games.arkadia.legal import border_of, free_squares
from qpolis.games.arkadia.value import Survey, seal_price, worker_price
from qpolis.kernel import kernel


@kernel
def lead(rules, mover, seat):
    """How a gain of a seat counts for the mover."""
    return 1.0 if seat == mover else -1.0 / (rules.players - 1)


@kernel
def copy_survey(seen):
    return Survey(seen.weights, seen.values, seen.opens.copy(), seen.near.copy())


@kernel
def close_in(rules, state, seen, building, filled, mine, block):
    """The gain when `filled` of the open squares beside a building are filled, with `mine` own workers on them.
    `block`: what a block in the castle brings."""
    mover = np.int64(state.player)
    family = state.kind[building] % FAMILIES
    before = worker_price(seen, seen.opens[building], family)
    now = worker_price(seen, seen.opens[building] - filled, family)
    gain = mine * now
    for seat in range(rules.players):
        gain += lead(rules, mover, seat) * seen.near[building, seat] * (now - before)
    if seen.opens[building] == filled:
        gain += seal_price(seen, family) + block
    return gain


@kernel
def lay_gain(rules, state, seen, kind, placement, block):
    """The gain of laying a building."""
    cells = rules.cells[placement]
    border = rules.border[placement]
    gain = min(shared(cells, rules.camps), np.int64(state.camp)) * seen.weights[HELPERS]
    touched = np.int64(0)
    for word in range(WORDS):
        left = border[word] & state.filled[word]
        while left:
            building = np.int64(state.owner[word * BITS + lowest(left)])
            left &= left - 1
            if building not in (NONE, LOT) and seen.opens[building] and (touched >> building) & 1 == 0:
                touched |= np.int64(1) << building
                filled = shared(cells, rules.border[state.place[building]])
                gain += close_in(rules, state, seen, building, filled, 0, block)
    family = kind % FAMILIES
    opens = size(without(load(border), load(state.filled)))
    price = worker_price(seen, opens, family)
    for seat in range(rules.players):
        gain += lead(rules, np.int64(state.player), seat) * shared(state.men[seat], border) * price
    if opens == 0:
        gain += seal_price(seen, family) + block
    return gain


@kernel
def neighbour(square, side):
    """The square at one of four sides, or NONE at the edge."""
    if side == 0:
        return square - COLUMNS if square >= COLUMNS else NONE
    if side == 1:
        return square + COLUMNS if square < (ROWS - 1) * COLUMNS else NONE
    if side == 2:
        return square - 1 if square % COLUMNS > 0 else NONE
    return square + 1 if square % COLUMNS < COLUMNS - 1 else NONE


@kernel
def place_worker(rules, state, seen, square, own, block):
    """The gain of a worker, own or neutral; `seen` becomes what it leaves."""
    gain = -seen.weights[OWN_LEFT] if own else -seen.weights[HELPERS]
    touched = np.int64(0)
    for side in range(4):
        beside = neighbour(square, side)
        building = np.int64(state.owner[beside]) if beside != NONE else np.int64(NONE)
        if building not in (NONE, LOT) and seen.opens[building] and (touched >> building) & 1 == 0:
            touched |= np.int64(1) << building
            gain += close_in(rules, state, seen, building, 1, 1 if own else 0, block)
            seen.opens[building] -= 1
            seen.near[building, state.player] += own
    return gain


@kernel
def fill_gain(rules, state, seen, building, left, own, helpers, block):
    """The gain of filling all `left` squares beside a building with so many own workers and helpers, each with
    whom brings more; -inf if there are too few. `seen` becomes what that leaves."""
    count = size(left)
    if count > own + helpers:
        return -np.inf
    total = 0.0
    for i in range(count):
        square = nth_square(left, i)
        with_own = own > 0
        if own > 0 and helpers > 0:
            trial = copy_survey(seen)
            mine = place_worker(rules, state, trial, square, True, block)
            trial = copy_survey(seen)
            with_own = mine >= place_worker(rules, state, trial, square, False, block)
        total += place_worker(rules, state, seen, square, with_own, block)
        own -= with_own
        helpers -= not with_own
    return total


@kernel
def open_squares(rules, state, building):
    return both(border_of(rules, state, building), free_squares(state))


@kernel
def workers_gain(rules, state, seen, building, block):
    """The gain of the best that workers beside a building can do: one of them, or enough to complete it."""
    own = np.int64(state.own[state.player])
    helpers = np.int64(state.helpers[state.player])
    left = open_squares(rules, state, building)
    best = -np.inf
    for i in range(size(left)):
        square = nth_square(left, i)
        for mine in range(2):
            if (own if mine else helpers) > 0:
                best = max(best, place_worker(rules, state, copy_survey(seen), square, mine == 1, block))
    if building != LOT:
        best = max(best, fill_gain(rules, state, copy_survey(seen), building, left, own, helpers, block))
    return best


@kernel
def next_worker_gain(rules, state, seen, building, square, mine, block):
    """The gain of a worker in the workers stage, with all that complete the building after it if that pays."""
    trial = copy_survey(seen)
    gain = place_worker(rules, state, trial, square, mine, block)
    left = open_squares(rules, state, building)
    later = both(left, after(square))
    own = np.int64(state.own[state.player]) - mine
    helpers = np.int64(state.helpers[state.player]) - (not mine)
    if building != LOT and 0 < size(later) == size(left) - 1:
        gain += max(0.0, fill_gain(rules, state, trial, building, later, own, helpers, block))
    return gain


@kernel
def claims(rules, state, seen, out):
    """Write what a point of value of each family's seals is worth to the mover."""
    mover = np.int64(state.player)
    weight = seen.weights[SEAL_VALUE]
    for family in range(FAMILIES):
        out[family] = 0.0
        for seat in range(rules.players):
            out[family] += lead(rules, mover, seat) * weight * state.seals[seat, family]
    for building in range(state.buildings):
        if (state.complete >> building) & 1 == 0:
            family = state.kind[building] % FAMILIES
            step = value_step(seen, seen.opens[building])
            for seat in range(rules.players):
                out[family] += lead(rules, mover, seat) * step * seen.near[building, seat]
            if seen.opens[building] == 0:
                out[family] += step


@kernel
def value_step(seen, opens):
    """What a worker beside a building gains if its seals are worth one more; with nothing open it has one."""
    if opens == 0:
        return seen.weights[SEAL_VALUE]
    return seen.weights[BESIDE_VALUE + min(opens, OPENS) - 1]


@kernel
def block_gain(claim, family, covered):
    """The gain of a block, given what a point of each family is worth."""
    gain = claim[family]
    if covered != BLANK:
        gain -= claim[covered]
    return gain


@kernel
def best_block(rules, state, seen):
    """The gain of the best block; 0 if none can be laid."""
    level = level_now(state)
    best = -np.inf
    if level < LEVELS:
        claim = np.empty(FAMILIES)
        claims(rules, state, seen, claim)
        for family in range(FAMILIES):
            if state.stock[level, family] > 0:
                for covered in range(BLANK + 1):
                    if square_for(state, level, covered) != NONE:
                        best = max(best, block_gain(claim, family, covered))
    return best if best > -np.inf else 0.0


@kernel
def sale_gain(seen, family):
    """The gain of exchanging a seal today."""
    return seen.values[family] - seal_price(seen, family)


@kernel
def banner_gain(state, seen):
    """The gain of giving up a banner: workers, and exchanging what is better exchanged today."""
    gain = HIRED * seen.weights[OWN_LEFT] - seen.weights[BANNERS_LEFT]
    for family in range(FAMILIES):
        gain += max(0.0, sale_gain(seen, family)) * state.seals[state.player, family]
    return gain
