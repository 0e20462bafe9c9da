"""How sure the strengths are: a Bayesian bootstrap of whole blocks.

The games of a block share a deal, so they are not independent; blocks are. Each replicate gives every block (or
cell of blocks, see `choices`) a random weight, exponential with mean 1, and fits the model anew. This is the
smooth kin of drawing blocks with replacement (Rubin 1981) and has nearly the same spread.

Where every block says the same, as when one bot wins all games, weights alone would show no spread. Therefore the
virtual games of the prior vary too: each of their halves, a win and a loss of weight a, becomes a random weight of
the gamma distribution with shape a. Between two bots with w wins and l losses the share of wins then has the Beta
distribution (w + 1/2, l + 1/2), the posterior of Jeffreys, whose intervals are honest even if l is 0. Games that
go together within their block are worth less than independent ones; so virtual games weigh `scale` times as much,
the number of games that are worth one (variance of the scores of blocks by that of single games).

Percentiles of few replicated blocks are too narrow. The remedy is Hesterberg's (2015): with n blocks take them not
at 2.5% but where the normal distribution has sqrt(n / (n - 1)) times the quantile of Student's t, n - 1 degrees.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from qpolis.engine.results import Results
from qpolis.kernel import kernel
from qpolis.ratings.choices import Choices, block_starts, result_code, stages
from qpolis.ratings.standing import Estimate
from qpolis.ratings.strength import ELO, climb, fit, virtual_games
from qpolis.rng import SMALL, WORDS, U, name_stream, next64

REPLICATES = 1000
_PART = 7001  # names the streams of the ratings
_FINE = 1e-4  # the last step of a replicate: its error is some hundredths of this
_LEAST = 1e-4  # of the mean weight of a virtual game; less would only be a number further out


class Sample(NamedTuple):
    """The fit and its replicates, in log-strengths; bots first, then seats."""

    fit: np.ndarray
    replicates: np.ndarray  # a row each
    units: np.ndarray  # by parameter: cells that it is in


def sample(results: Results, choices: Choices, seed: int, replicates: int = REPLICATES) -> Sample:
    """Fit the games and replicates of them. Every bot must have played."""
    bots, seats = len(results.bots), results.seats
    at = fit(choices)
    virtual = virtual_games(bots, seats)
    scale = scales(results, at)
    rows = np.empty((replicates, len(at)))
    _replicate(np.uint64(seed % SMALL), choices, at, virtual, np.maximum.outer(scale, scale), rows)
    units = np.zeros(len(at), np.int64)
    units[bots:] = len(choices.cell_chosen)
    units[:bots] = _cells_of_bots(choices, bots)
    return Sample(at, rows, units)


def scales(results: Results, at: np.ndarray) -> np.ndarray:
    """By parameter: how many of its games are worth an independent one, from 1 to the games of a block."""
    square_of_blocks, squares_of_games, games, blocks = _spread(
        results.who, results.ranks, stages(results.seats), block_starts(results), at
    )
    size = games / np.maximum(blocks, 1)
    unknown = (squares_of_games < 1e-20 * games) | (blocks < 2)
    ratio = square_of_blocks / np.where(unknown, 1, squares_of_games) * blocks / np.maximum(blocks - 1, 1)
    return np.where(unknown, size, np.clip(ratio, 1, np.maximum(size, 1)))


def levels(units: np.ndarray) -> np.ndarray:
    """The percentile at which a 95% interval begins, for numbers that rest on so many blocks."""
    from scipy import special  # type: ignore[import-untyped]  # slow to import

    n = np.maximum(np.asarray(units, float), 2)
    return special.ndtr(-np.sqrt(n / (n - 1)) * -special.stdtrit(n - 1, 0.025))


def interval(value: np.ndarray, replicates: np.ndarray, units: np.ndarray) -> Estimate:
    """Percentiles of replicates (a row each), on the scale of Elo; values are never outside."""
    ordered = np.sort(replicates, axis=0)
    places = levels(units) * (len(ordered) - 1)
    low = _between(ordered, places)
    high = _between(ordered, len(ordered) - 1 - places)
    return Estimate(ELO * value, ELO * np.minimum(low, value), ELO * np.maximum(high, value))


def _between(ordered: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The values at fractional places of sorted columns."""
    below = np.minimum(places.astype(np.int64), len(ordered) - 1)
    above = np.minimum(below + 1, len(ordered) - 1)
    columns = np.arange(ordered.shape[1])
    part = places - below
    return (1 - part) * ordered[below, columns] + part * ordered[above, columns]


def compare(drawn: Sample, bots: int) -> tuple[Estimate, np.ndarray]:
    """Differences of all pairs of bots, and the probability that the row is the stronger one."""
    value, low, high, better = (np.zeros((bots, bots)) for _ in range(4))
    for bot in range(bots):
        lead = drawn.replicates[:, bot : bot + 1] - drawn.replicates[:, :bots]
        row = interval(drawn.fit[bot] - drawn.fit[:bots], lead, np.minimum(drawn.units[bot], drawn.units[:bots]))
        value[bot], low[bot], high[bot] = row.value, row.low, row.high
        ahead = (lead > 0).sum(0) + (lead == 0).sum(0) / 2
        better[bot] = (ahead + 0.5) / (len(lead) + 1)
    return Estimate(value, low, high), better


def _cells_of_bots(choices: Choices, bots: int) -> np.ndarray:
    """In how many cells each bot is."""
    cell = np.repeat(np.arange(len(choices.cell_chosen)), np.diff(choices.first))
    present = np.zeros((len(choices.cell_chosen), bots + 1), bool)
    for column in choices.members.T:
        present[cell, column[choices.entry_set]] = True  # -1, nobody, is the last column
    return present[:, :bots].sum(0)


@kernel
def _replicate(seed, choices, fitted, virtual, scale, rows):
    """Fit each row to random weights, starting from the fit to all games."""
    rng = np.empty(WORDS, np.uint64)
    weight = np.empty(choices.weight.shape[0])
    chosen = np.empty(fitted.shape[0])
    wins = np.zeros(virtual.shape)
    for row in range(rows.shape[0]):
        name_stream(rng, seed, row, _PART)
        draw_cells(rng, choices, weight, chosen)
        draw_virtual(rng, virtual, scale, wins)
        for i in range(fitted.shape[0]):
            rows[row, i] = fitted[i]
        climb(rows[row], choices.members, weight, chosen, wins, _FINE)


@kernel
def draw_cells(rng, choices, weight, chosen):
    """Random weights for the cells, added up by set and by parameter."""
    for i in range(weight.shape[0]):
        weight[i] = 0
    for i in range(chosen.shape[0]):
        chosen[i] = 0
    for cell in range(choices.cell_chosen.shape[0]):
        times = -math.log(uniform(rng))
        for entry in range(choices.first[cell], choices.first[cell + 1]):
            weight[choices.entry_set[entry]] += times * choices.entry_weight[entry]
        for i in range(chosen.shape[0]):
            chosen[i] += times * choices.cell_chosen[cell, i]


@kernel
def draw_virtual(rng, virtual, scale, wins):
    """Random weights for the virtual wins."""
    for i in range(wins.shape[0]):
        for j in range(wins.shape[0]):
            if virtual[i, j] > 0:
                wins[i, j] = scale[i, j] * max(gamma(rng, virtual[i, j]), _LEAST * virtual[i, j])


@kernel
def uniform(rng):
    """A number between 0 and 1, never one of them."""
    return (np.float64(next64(rng) >> U(12)) + 0.5) * 2.0**-52


@kernel
def gamma(rng, shape):
    """A number of the gamma distribution with a shape up to 1, by rejection (Ahrens and Dieter 1974)."""
    split = 1 + shape / math.e
    while True:
        part = split * uniform(rng)
        if part <= 1:
            x = part ** (1 / shape)
            if uniform(rng) <= math.exp(-x):
                return x
        else:
            x = -math.log((split - part) / shape)
            if uniform(rng) <= x ** (shape - 1):
                return x


@kernel
def _spread(who, ranks, table, starts, at):
    """By parameter: the squared scores (slopes of the log-likelihood) of blocks, and of games, added up; how many
    games and blocks there are."""
    seats = who.shape[1]
    count = at.shape[0]
    bots = count - seats
    strength = np.empty((bots, seats))
    for bot in range(bots):
        for seat in range(seats):
            strength[bot, seat] = math.exp(at[bot] + at[bots + seat])
    square_of_blocks, squares_of_games = np.zeros(count), np.zeros(count)
    games, blocks = np.zeros(count), np.zeros(count)
    block_score, game_score = np.zeros(count), np.zeros(count)
    last_game = np.full(count, -1)
    for block in range(starts.shape[0] - 1):
        for game in range(starts[block], starts[block + 1]):
            _score(who[game], table[result_code(ranks[game])], strength, game_score)
            for column in range(2 * seats):
                i = np.int64(who[game, column]) if column < seats else bots + column - seats
                if last_game[i] != game:  # else a copy at another seat, whose score is in the sum
                    last_game[i] = game
                    games[i] += 1
                    squares_of_games[i] += game_score[i] ** 2
                    block_score[i] += game_score[i]
                    game_score[i] = 0
        for i in range(count):
            if last_game[i] >= starts[block]:
                blocks[i] += 1
                square_of_blocks[i] += block_score[i] ** 2
                block_score[i] = 0
    return square_of_blocks, squares_of_games, games, blocks


@kernel
def _score(who, weights, strength, score):
    """Add to the scores of the bots and seats of one game: how often chosen, less how often that was expected."""
    bots, seats = strength.shape
    for seat in range(seats):
        score[who[seat]] += 1
        score[bots + seat] += 1
    for mask in range(1, weights.shape[0]):
        if weights[mask] > 0:
            total = 0.0
            for seat in range(seats):
                if mask >> seat & 1:
                    total += strength[who[seat], seat]
            for seat in range(seats):
                if mask >> seat & 1:
                    expected = weights[mask] * strength[who[seat], seat] / total
                    score[who[seat]] -= expected
                    score[bots + seat] -= expected
