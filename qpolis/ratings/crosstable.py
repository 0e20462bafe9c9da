"""Who did how well against whom, with intervals from the spread between blocks.

A pair of bots is compared in every game that both are in. If a bot sits at several seats there, every pair of
seats with the two bots is one comparison, and the comparisons of a game share its weight: `games` counts games,
and wins and draws may be in parts. A bot is not compared with itself.

Shares have the interval of Agresti and Coull, on blocks instead of games: 1.92 virtual blocks with share 0 and as
many with share 1 join the real ones, and the usual interval follows from the spread of all. So there is a width
even where all blocks agree: after n blocks won throughout, the share may be about 4.6 / n less than 1. Margins
have no bounds to say such a thing from; theirs is Student's interval over the blocks, unknown for a single block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.engine.results import Results
from qpolis.kernel import kernel
from qpolis.ratings.choices import block_starts
from qpolis.ratings.standing import Crosstable, Estimate

# Rows of sums over the blocks: their number; size n and n * n; share s, margin m, their squares and products with
# n.
_BLOCKS, _N, _NN, _S, _SS, _SN, _M, _MM, _MN = range(9)
_SUMS = 9
_WINS, _DRAWS = 0, 1
VIRTUAL = 1.96**2  # blocks of Agresti and Coull, half of share 0, half of share 1


class Totals(NamedTuple):
    """What a pass over the games adds up."""

    games: np.ndarray  # by bot: games it was in
    wins: np.ndarray  # first places of all its copies
    place: np.ndarray  # mean over its seats
    points: np.ndarray
    pairs: np.ndarray  # sums x bots x bots, rows below columns empty
    results: np.ndarray  # wins, draws: 2 x bots x bots
    seats: np.ndarray  # sums x seats; the share is that of first places


def tally(results: Results) -> Totals:
    """Add up all games."""
    bots = len(results.bots)
    by_bot = np.zeros((5, bots))
    pairs, outcomes = np.zeros((_SUMS, bots, bots)), np.zeros((2, bots, bots))
    seats = np.zeros((_SUMS, results.seats))
    _tally(results.who, results.ranks, results.points, block_starts(results), by_bot, pairs, outcomes, seats)
    games, seatings, wins, places, points = by_bot
    known = np.where(seatings > 0, seatings, np.nan)
    return Totals(games.astype(np.int64), wins, places / known, points / known, pairs, outcomes, seats)


def crosstable(totals: Totals) -> Crosstable:
    """The comparisons of all pairs of bots."""
    upper, (wins, draws) = totals.pairs, totals.results
    losses = upper[_N] - wins - draws
    both = np.triu(np.ones(upper.shape[1:], bool), 1)
    games = upper[_N] + upper[_N].T
    share, margin = share_estimate(upper), _margin_estimate(upper)
    return Crosstable(
        np.rint(games).astype(np.int64),
        np.where(both, wins, losses.T),
        draws + draws.T,
        _mirror(share, both, 1.0),
        _mirror(margin, both, 0.0),
    )


def seat_wins(totals: Totals) -> Estimate:
    """The share of first places by seat."""
    return share_estimate(totals.seats)


def share_estimate(sums: np.ndarray, wrong: float = 0.05) -> Estimate:
    """Shares with intervals that are wrong with this probability."""
    from scipy import special  # type: ignore[import-untyped]  # slow to import

    blocks = sums[_BLOCKS]
    size = np.where(blocks > 0, sums[_N], np.nan)
    value = sums[_S] / size
    block = size / blocks.clip(1)
    total = size + VIRTUAL * block
    centre = (sums[_S] + VIRTUAL / 2 * block) / total
    spread = sums[_SS] - 2 * centre * sums[_SN] + centre**2 * sums[_NN]
    spread = spread.clip(0) + VIRTUAL / 2 * block**2 * (centre**2 + (1 - centre) ** 2)
    degrees = blocks + VIRTUAL - 1
    error = np.sqrt(spread * (degrees + 1) / degrees) / total
    reach = special.stdtrit(degrees, 1 - wrong / 2) * error
    low, high = (centre - reach).clip(0), (centre + reach).clip(None, 1)
    return Estimate(value, np.minimum(low, value), np.maximum(high, value))


def _margin_estimate(sums: np.ndarray) -> Estimate:
    """Mean margins with Student's interval."""
    from scipy import special

    blocks = sums[_BLOCKS]
    size = np.where(blocks > 0, sums[_N], np.nan)
    value = sums[_M] / size
    spread = sums[_MM] - 2 * value * sums[_MN] + value**2 * sums[_NN]
    spread = np.where(spread > 1e-12 * sums[_MM], spread, 0)  # the rest is rounding
    degrees = np.where(blocks > 1, blocks - 1, np.nan)
    reach = special.stdtrit(degrees, 0.975) * np.sqrt(spread * blocks / degrees) / size
    return Estimate(value, value - reach, value + reach)


def _mirror(upper: Estimate, both: np.ndarray, total: float) -> Estimate:
    """Fill the lower triangle: there, values are `total` less those of the opponent."""

    def filled(above: np.ndarray, below: np.ndarray) -> np.ndarray:
        return np.where(both, above, total - below.T)

    return Estimate(filled(upper.value, upper.value), filled(upper.low, upper.high), filled(upper.high, upper.low))


@kernel
def _tally(who, ranks, points, starts, by_bot, pairs, outcomes, seats):
    """One pass over the games; the sums of a block are added when it is over."""
    count = by_bot.shape[1]
    block_pairs = np.zeros((3, count, count))  # games, shares, margins
    touched = np.empty((count * count, 2), np.int64)
    first_places = np.zeros(who.shape[1])
    for block in range(starts.shape[0] - 1):
        new = 0
        for game in range(starts[block], starts[block + 1]):
            _count_places(who[game], ranks[game], points[game], by_bot, first_places)
            new = _compare(who[game], ranks[game], points[game], block_pairs, outcomes, touched, new)
        for k in range(new):
            i = touched[k, 0]
            j = touched[k, 1]
            _add_block(pairs[:, i, j], block_pairs[0, i, j], block_pairs[1, i, j], block_pairs[2, i, j])
            for row in range(3):
                block_pairs[row, i, j] = 0
        for seat in range(who.shape[1]):
            _add_block(seats[:, seat], starts[block + 1] - starts[block], first_places[seat], 0.0)
            first_places[seat] = 0


@kernel
def _count_places(who, ranks, points, by_bot, first_places):
    """Places of one game. Equals share the mean of their places, and the first place in equal parts."""
    for seat in range(who.shape[0]):
        better = 0
        level = 0
        copy = False
        for other in range(who.shape[0]):
            better += ranks[other] < ranks[seat]
            level += ranks[other] == ranks[seat]
            copy |= other < seat and who[other] == who[seat]
        if better == 0:
            by_bot[2, who[seat]] += 1 / level
            first_places[seat] += 1 / level
        by_bot[0, who[seat]] += not copy
        by_bot[1, who[seat]] += 1
        by_bot[3, who[seat]] += 1 + better + (level - 1) / 2
        by_bot[4, who[seat]] += points[seat]


@kernel
def _compare(who, ranks, points, block_pairs, outcomes, touched, new):
    """Compare all pairs of seats of one game; `touched` lists the pairs of bots that the block has seen."""
    for a in range(who.shape[0]):
        for b in range(who.shape[0]):
            i = who[a]
            j = who[b]
            if i >= j:
                continue
            comparisons = 0
            for c in range(who.shape[0]):
                for d in range(who.shape[0]):
                    comparisons += who[c] == i and who[d] == j
            if block_pairs[0, i, j] == 0:
                touched[new, 0] = i
                touched[new, 1] = j
                new += 1
            part = 1 / comparisons
            block_pairs[0, i, j] += part
            block_pairs[2, i, j] += part * (points[a] - points[b])
            if ranks[a] < ranks[b]:
                block_pairs[1, i, j] += part
                outcomes[_WINS, i, j] += part
            elif ranks[a] == ranks[b]:
                block_pairs[1, i, j] += part / 2
                outcomes[_DRAWS, i, j] += part
    return new


@kernel
def _add_block(sums, size, share, margin):
    sums[_BLOCKS] += 1
    sums[_N] += size
    sums[_NN] += size * size
    sums[_S] += share
    sums[_SS] += share * share
    sums[_SN] += share * size
    sums[_M] += margin
    sums[_MM] += margin * margin
    sums[_MN] += margin * size
