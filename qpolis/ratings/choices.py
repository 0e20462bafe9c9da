"""Games as choices: what the Plackett-Luce likelihood needs to know of them, added up.

In this model a ranking comes about from the top: the first is chosen among all players, the second among the
others, and so on; everybody is chosen in proportion to e^(strength of the bot + advantage of the seat). So

    log-likelihood = sum of the log-strengths of those chosen
                     - sum over sets of players to choose from: weight * log(sum of e^log-strength in the set).

A tie stands for all orders of the tied players, with the mean of their log-likelihoods: if g players tie, a set
with k of them (and all who are behind) is there in 1 / (g over k) of these orders, which is its weight. For two
players a draw is half a win for each.

Only few different sets occur in many games. Weights are added up by cell, the unit that the bootstrap draws: a
block or, where there are very many, several consecutive blocks.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from qpolis.engine.results import Results
from qpolis.kernel import kernel
from qpolis.verbs import MAX_SEATS

CELLS = 1000  # at most; more would only cost time


class Choices(NamedTuple):
    """Parameters are numbered: first the bots, then the seats."""

    members: np.ndarray  # int32, sets x seats: the bot at each seat of the set, or -1
    weight: np.ndarray  # by set, of all games
    chosen: np.ndarray  # by parameter: how often chosen from two or more, of all games
    first: np.ndarray  # by cell: where its entries begin, and at last where they end
    entry_set: np.ndarray  # by entry: its set
    entry_weight: np.ndarray
    cell_chosen: np.ndarray  # cells x parameters: `chosen` of the games of the cell


@functools.cache
def stages(seats: int) -> np.ndarray:
    """The weight of every set of seats (a bit mask) for every result (ranks as digits to the base
    MAX_SEATS)."""
    table = np.zeros((MAX_SEATS**seats, 1 << seats))
    for code in range(len(table)):
        ranks = [code // MAX_SEATS**seat % MAX_SEATS for seat in range(seats)]
        for mask in range(1, 1 << seats):
            inside = [ranks[seat] for seat in range(seats) if mask >> seat & 1]
            behind = sum(rank > min(inside) for rank in ranks)
            level = inside.count(min(inside))
            if len(inside) == behind + level:  # else somebody behind is missing
                table[code, mask] = 1 / math.comb(ranks.count(min(inside)), level)
    return table


def block_starts(results: Results) -> np.ndarray:
    """The first game of every block, and at last the number of games."""
    new = np.flatnonzero(results.deals[1:] != results.deals[:-1]) + 1
    return np.concatenate([[0], new, [results.games]]) if results.games else np.zeros(1, np.int64)


def collect(results: Results, most: int = CELLS) -> Choices:
    """The choices in all games, in at most so many cells."""
    starts = block_starts(results)
    blocks = len(starts) - 1
    cells = min(blocks, most)
    bounds = starts[np.arange(cells + 1) * blocks // max(cells, 1)]
    bots, seats = len(results.bots), results.seats
    table = stages(seats)

    sizes = _count(results.ranks, table)
    keys = np.empty(sizes.sum(), np.int64)
    weights = np.empty(len(keys))
    _list(results.who, results.ranks, table, bots, keys, weights)
    numbers, examples = _number(keys)
    members = np.array([keys[examples] // (bots + 1) ** seat % (bots + 1) - 1 for seat in range(seats)], np.int32)

    ends = np.concatenate([[0], np.cumsum(sizes)])
    first, entry_set, entry_weight = _add_up(numbers, weights, ends[bounds], len(examples))
    chosen = np.zeros((cells, bots + seats))
    _count_chosen(results.who, results.ranks, table, bounds, chosen)
    total = np.bincount(entry_set, entry_weight, len(examples))
    return Choices(np.ascontiguousarray(members.T), total, chosen.sum(0), first, entry_set, entry_weight, chosen)


@kernel
def result_code(ranks):
    """A result as an index of the table of stages."""
    code = np.int64(0)
    for seat in range(ranks.shape[0]):
        code += np.int64(ranks[seat]) * MAX_SEATS**seat
    return code


@kernel
def _is_choice(table, code, mask):
    """Whether a result has this set in it, and two or more to choose from."""
    return mask & (mask - 1) != 0 and table[code, mask] > 0


@kernel
def _count(ranks, table):
    """How many sets there are in each game."""
    sizes = np.zeros(ranks.shape[0], np.int64)
    for game in range(ranks.shape[0]):
        code = result_code(ranks[game])
        for mask in range(3, table.shape[1]):
            if _is_choice(table, code, mask):
                sizes[game] += 1
    return sizes


@kernel
def _list(who, ranks, table, bots, keys, weights):
    """The sets of all games with their weights. A set is known by its key, one digit a seat: bot + 1, or 0."""
    entry = 0
    for game in range(who.shape[0]):
        code = result_code(ranks[game])
        for mask in range(3, table.shape[1]):
            if _is_choice(table, code, mask):
                key = 0
                for seat in range(who.shape[1] - 1, -1, -1):
                    key = key * (bots + 1) + (np.int64(who[game, seat]) + 1 if mask >> seat & 1 else 0)
                keys[entry] = key
                weights[entry] = table[code, mask]
                entry += 1


@kernel
def _number(keys):
    """Number different keys in the order in which they come: the number of each, and where each came first."""
    size = 16
    while size < 2 * keys.shape[0]:
        size *= 2
    slots = np.full(size, -1, np.int32)  # a hash table of positions in `examples`
    numbers = np.empty(keys.shape[0], np.int32)
    examples = np.empty(keys.shape[0], np.int64)
    count = 0
    for i in range(keys.shape[0]):
        slot = (keys[i] ^ keys[i] >> 7) * 40503 & (size - 1)
        while slots[slot] >= 0 and keys[examples[slots[slot]]] != keys[i]:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot] = count
            examples[count] = i
            count += 1
        numbers[i] = slots[slot]
    return numbers, examples[:count].copy()


@kernel
def _add_up(numbers, weights, bounds, sets):
    """Equal sets of a cell become one entry. The cells' bounds are given in `numbers` and returned in entries."""
    first = np.zeros(bounds.shape[0], np.int64)
    entry_set = np.empty(numbers.shape[0], np.int32)
    entry_weight = np.empty(numbers.shape[0])
    where = np.full(sets, -1, np.int64)  # the last entry of each set
    entries = 0
    for cell in range(bounds.shape[0] - 1):
        first[cell] = entries
        for i in range(bounds[cell], bounds[cell + 1]):
            at = where[numbers[i]]
            if at < first[cell]:
                at = entries
                where[numbers[i]] = at
                entry_set[at] = numbers[i]
                entry_weight[at] = 0
                entries += 1
            entry_weight[at] += weights[i]
    first[-1] = entries
    return first, entry_set[:entries].copy(), entry_weight[:entries].copy()


@kernel
def _count_chosen(who, ranks, table, bounds, chosen):
    """How often each bot and each seat was chosen in each cell. The last one left of a game is not chosen."""
    seats = who.shape[1]
    bots = chosen.shape[1] - seats
    for cell in range(bounds.shape[0] - 1):
        for game in range(bounds[cell], bounds[cell + 1]):
            code = result_code(ranks[game])
            for seat in range(seats):
                part = 1 - table[code, 1 << seat]
                chosen[cell, who[game, seat]] += part
                chosen[cell, bots + seat] += part
