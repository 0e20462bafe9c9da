"""Who plays whom: groups of bots, and the seatings in which a group plays a deal.

A seating is a tuple of bots (as numbers), seat by seat. A lineup is all the seatings of one block: every bot of it
sits equally often at every seat, unless the seats are fixed.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from qpolis.errors import QpolisError

Group = tuple[int, ...]
Lineup = tuple[Group, ...]

MOST_GROUPS = 2000  # of a selection, or that are put in order one by one
MOST_CANDIDATES = 20_000  # groups from which the selection is made


def rotations(group: Group) -> Lineup:
    return tuple(group[turn:] + group[:turn] for turn in range(len(group)))


def permutations(group: Group) -> Lineup:
    return tuple(dict.fromkeys(itertools.permutations(group)))


def head_to_head(seats: int) -> list[Group]:
    """Two bots at any number of seats: as many of one as of the other, in one group or over two."""
    half = seats // 2
    return [(0,) * first + (1,) * (seats - first) for first in ([half] if seats % 2 == 0 else [half + 1, half])]


def mirrors(bots: int, seats: int) -> list[Lineup]:
    """Every bot against itself: a game a deal."""
    return [((bot,) * seats,) for bot in range(bots)]


def fixed(seats: Sequence[object]) -> list[Lineup]:
    """One order for all deals. Whoever sits at several seats is one bot."""
    numbers = {bot: number for number, bot in enumerate(dict.fromkeys(seats))}
    return [(tuple(numbers[bot] for bot in seats),)]


def listed(seatings: Sequence[str], bots: int, seats: int) -> list[Lineup]:
    """An order for each deal, such as "0 2": the numbers of the bots, seat by seat."""
    lineups: list[Lineup] = []
    for text in seatings:
        words = text.split()
        if len(words) != seats or not all(
            word.isascii() and word.isdigit() and len(word) < 5 and int(word) < bots for word in words
        ):
            raise QpolisError(f"listed: {text!r} is not {seats} numbers of bots from 0 to {bots - 1}, as in '0 1'")
        lineups.append((tuple(map(int, words)),))
    return lineups


def duels(bots: int, seats: int, with_first: bool) -> list[Lineup]:
    """Every pair of bots, or all pairs with the first, alone at the table: copies of both fill the seats."""
    pairs = [pair for pair in itertools.combinations(range(bots), 2) if not with_first or pair[0] == 0]
    return [
        tuple(
            tuple(pair[side] for side in seating) for group in head_to_head(seats) for seating in rotations(group)
        )
        for pair in pairs
    ]


def choose_groups(bots: int, seats: int, most: int, with_first: bool, seed: int) -> list[Group]:
    """The groups that play, in an order in which all bots and all pairs come up evenly (or at random, if they are
    very many): every group if there are at most `most` of them, or else a selection. `with_first`: the first bot
    is in all of them."""
    field = range(1, bots) if with_first else range(bots)
    free = seats - 1 if with_first else seats
    count = math.comb(len(field), free)
    listed = list(itertools.combinations(field, free)) if count <= MOST_CANDIDATES else _sample(field, free, seed)
    groups = np.array(listed, np.int64).reshape(-1, free)
    if MOST_GROUPS < count <= min(most, MOST_CANDIDATES):
        order = np.random.Generator(np.random.PCG64(seed)).permutation(count)
        return [((0,) if with_first else ()) + tuple(groups[number].tolist()) for number in order]
    chosen = [tuple(groups[number].tolist()) for number in _evenly(groups, bots, min(most, MOST_GROUPS, count))]
    return [((0,) if with_first else ()) + group for group in _levelled(chosen, field)]


def _sample(field: Sequence[int], size: int, seed: int) -> list[Group]:
    """Many different groups at random."""
    rng = np.random.Generator(np.random.PCG64(seed))
    drawn: dict[Group, None] = {}
    while len(drawn) < MOST_CANDIDATES:
        drawn[tuple(sorted(rng.choice(field, size, replace=False).tolist()))] = None
    return list(drawn)


def _evenly(groups: np.ndarray, bots: int, count: int) -> list[int]:
    """So many different groups, one after the other: each time one whose bots, and then whose pairs of bots, have
    played least so far."""
    played = np.zeros(bots, np.int64)
    met = np.zeros((bots, bots), np.int64)
    left = np.ones(len(groups), bool)
    pairs = list(itertools.combinations(range(groups.shape[1]), 2))
    chosen = []
    for _ in range(count):
        often = (played[groups] ** 2).sum(axis=1)
        company = sum((met[groups[:, one], groups[:, two]] for one, two in pairs), np.zeros(len(groups), np.int64))
        cost = np.where(left, often * (len(pairs) * count + 1) + company, np.iinfo(np.int64).max)
        number = int(cost.argmin())
        chosen.append(number)
        left[number] = False
        played[groups[number]] += 1
        for one, two in pairs:
            met[groups[number, one], groups[number, two]] += 1
    return chosen


def _levelled(groups: list[Group], field: Sequence[int]) -> list[Group]:
    """The same with some bots exchanged, so that none plays in two more groups than another. There is always such
    an exchange: of the groups with the one and without the other, at least two have no counterpart."""
    groups = list(groups)
    while True:
        played = Counter(itertools.chain.from_iterable(groups))
        most, least = max(field, key=lambda bot: played[bot]), min(field, key=lambda bot: played[bot])
        if played[most] - played[least] <= 1:
            return groups
        taken = set(groups)
        for number, group in enumerate(groups):
            if most in group and least not in group:
                other = tuple(sorted({*group, least} - {most}))
                if other not in taken:
                    groups[number] = other
                    break
