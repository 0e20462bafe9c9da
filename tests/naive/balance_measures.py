"""The measures of a mix by plain loops over games: slow twins of `balance.measures` and `balance.rivals`.

A statistic is a function of a list of games. Its error is the jackknife's: blocks are left out one by one.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import partial

import numpy as np

from naive.balance import jackknife

FINISHED = 0
CLOSE = 5
NEAR = 1


@dataclass
class Row:
    """A game with all that is known about it, in lists."""

    number: int
    block: int
    lineup: int
    regular: bool
    who: list
    points: list
    ranks: list
    trace: dict
    taken: Counter  # by item: how often
    places: Counter  # by item: places in the round, added up
    first: Counter  # by item: how often by the first seat

    def part(self, seat):
        """Of the win."""
        return 1 / self.ranks.count(0) if self.ranks[seat] == 0 else 0


def rows_of(plan, results, trace=None):
    """All games of a run."""
    names = [name for name in vars(trace) if name != "taken"] if trace else []
    rows = []
    for game in range(results.games):
        block = game // plan.games_per_block
        told = {name: getattr(trace, name)[game].tolist() for name in names}
        rows.append(
            Row(
                game,
                block,
                block % len(plan.lineups),
                set(results.ends[game].tolist()) == {FINISHED},
                results.who[game].tolist(),
                results.points[game].tolist(),
                results.ranks[game].tolist(),
                told,
                Counter(),
                Counter(),
                Counter(),
            )
        )
    for game, seat, item, before in trace.taken.tolist() if trace else []:
        rows[game].taken[item] += 1
        rows[game].first[item] += seat == 0
        rows[game].places[item] += before + 1
    return rows


def mean(values):
    known = [value for value in values if not math.isnan(value)]
    return sum(known) / len(known) if known else math.nan


def quotient(above, below, rows):
    """Of two sums over games."""
    bottom = sum(map(below, rows))
    return sum(map(above, rows)) / bottom if bottom else math.nan


def jackknifed(statistic, rows):
    """The value of a statistic of regular games, and its standard error. A block that says nothing is no evidence:
    leaving it out changes nothing, so it is left out throughout."""
    rows = [row for row in rows if row.regular]
    blocks = {}
    for row in rows:
        blocks.setdefault(row.block, []).append(row)
    numbers = [number for number, games in blocks.items() if not math.isnan(statistic(games))]
    if len(numbers) < 2:
        return statistic(rows), math.nan

    def of(chosen):
        return statistic([row for place in chosen for row in blocks[numbers[place]]])

    return statistic(rows), float(jackknife(of, len(numbers))[1])


def is_plain(statistic, rows):
    """Is it the mean of as many numbers from each block? Then its error is known exactly."""
    if getattr(statistic, "func", None) is not _mean_of:
        return False
    (value,) = statistic.args
    counts = Counter({row.block: 0 for row in rows})
    for row in rows:
        counts[row.block] += row.regular and not math.isnan(value(row))
    return len(set(counts.values())) == 1


# --- measures -----------------------------------------------------------------------------------------


def seats(count):
    for seat in range(count):
        yield f"seat {seat} wins", partial(_mean_of, lambda row, seat=seat: row.part(seat))
    for seat in range(count):
        yield f"seat {seat} points", partial(_mean_of, lambda row, seat=seat: row.points[seat])


def _mean_of(value, rows):
    return mean(list(map(value, rows)))


def margin(row):
    best, second, *_ = sorted(row.points, reverse=True)
    return best - second


def deviation(rows):
    points = [points for row in rows for points in row.points]
    return math.sqrt(mean([(one - mean(points)) ** 2 for one in points]))


def scores():
    yield "points", partial(_mean_of, lambda row: mean(row.points))
    yield "spread of points", deviation
    yield "winner's points", partial(_mean_of, lambda row: max(row.points))
    yield "winning margin", partial(_mean_of, margin)
    yield f"won by {CLOSE} points or less", partial(_mean_of, lambda row: margin(row) <= CLOSE)
    yield "shared wins", partial(_mean_of, lambda row: row.ranks.count(0) > 1)


def _points_of(row, kind, winners):
    """The points for a kind (or all kinds: None) of the winners or the others."""
    table = [seat for seat, rank in zip(row.trace["points"], row.ranks) if (rank == 0) == winners]
    return sum(sum(seat[:-1]) if kind is None else seat[kind] for seat in table)


def _built(row, kind):
    return sum(seat[kind] for seat in row.trace["built"])


def kinds(names):
    for kind, name in enumerate(names):
        for who, winners in (("winners'", True), ("others'", False)):
            yield (
                f"{name}: part of {who} points",
                partial(
                    quotient,
                    partial(_points_of, kind=kind, winners=winners),
                    partial(_points_of, kind=None, winners=winners),
                ),
            )
        yield f"{name}: built", partial(_mean_of, lambda row, kind=kind: _built(row, kind) / len(row.points))
        yield (
            f"{name}: points a building",
            partial(
                quotient,
                lambda row, kind=kind: sum(seat[kind] for seat in row.trace["points"]),
                partial(_built, kind=kind),
            ),
        )
    yield "penalties", partial(_mean_of, lambda row: mean([-seat[-1] for seat in row.trace["points"]]))


def _trailed(row):
    behind = row.trace["behind"]
    return behind if math.isnan(behind) else float(behind >= NEAR)


def drama():
    yield "lead changes", partial(_mean_of, lambda row: row.trace["changes"])
    yield "decided after part of the game", partial(_mean_of, lambda row: row.trace["decided"])
    yield "winner trailed at half-time", partial(_mean_of, _trailed)
    yield "turns", partial(_mean_of, lambda row: row.trace["turns"])


def choices():
    for name, above, below in (
        ("choices a decision", "choices", "decisions"),
        ("nearly equal to the best", "equal", "rated"),
        ("decisions with one best choice", "clear", "rated"),
    ):
        yield (
            name,
            partial(
                quotient, lambda row, above=above: row.trace[above], lambda row, below=below: row.trace[below]
            ),
        )


def tiles(items):
    for number, item in items.items():
        name = f"round {item.stage + 1}: {item.name}"
        yield (
            f"{name}: taken",
            partial(quotient, lambda row, number=number: row.taken[number], lambda row, item=item: item.copies),
        )
        yield (
            f"{name}: place in the round",
            partial(
                quotient,
                lambda row, number=number: row.places[number],
                lambda row, number=number: row.taken[number],
            ),
        )
        yield (
            f"{name}: taken by the first player",
            partial(
                quotient,
                lambda row, number=number: row.first[number],
                lambda row, number=number: row.taken[number],
            ),
        )


# --- rivals -------------------------------------------------------------------------------------------


def ahead(row, one, two):
    """Over pairs of a seat of one bot and a seat of the other: how often the first is ahead, and how many."""
    pairs = [
        (mine, theirs)
        for mine, bot in zip(row.ranks, row.who)
        if bot == one
        for theirs, other in zip(row.ranks, row.who)
        if other == two
    ]
    return sum(1 if mine < theirs else 0.5 if mine == theirs else 0 for mine, theirs in pairs), len(pairs)


def pairs_of(bots):
    return [(one, two) for two in range(bots) for one in range(two)]


def duels(names):
    for one, two in pairs_of(len(names)):
        yield (
            f"{names[one]} ahead of {names[two]}",
            partial(
                quotient,
                lambda row, one=one, two=two: ahead(row, one, two)[0],
                lambda row, one=one, two=two: ahead(row, one, two)[1],
            ),
        )


def skill(bots, rows):
    """Which bot of a pair is the stronger is decided once, by all games."""
    stronger = []
    for one, two in pairs_of(bots):
        shares = [ahead(row, one, two) for row in rows if row.regular]
        first = sum(share for share, _ in shares) >= sum(pairs for _, pairs in shares) / 2
        stronger.append((one, two) if first else (two, one))

    def over(row, entry):
        return sum(ahead(row, one, two)[entry] for one, two in stronger)

    yield "the stronger bot is ahead", partial(quotient, partial(over, entry=0), partial(over, entry=1))


def explained(part, rows):
    """A part of the squares of margins, by projections on columns: +1 and -1 for the two ways that each lineup
    sits, a constant for the seats, and a constant a block. Blocks of which a game is missing say nothing."""
    counts = Counter(row.block for row in rows)
    rows = [row for row in rows if counts[row.block] == 2]
    if not rows:
        return math.nan
    y = np.array([row.points[0] - row.points[1] for row in rows], float)
    ways = np.array([1 - 2 * (row.number % 2) for row in rows])

    def dummies(marks):
        return np.array([[mark == other for other in sorted(set(marks))] for mark in marks], float)

    lineups = dummies([row.lineup for row in rows]) * ways[:, None]
    constant, blocks = np.ones((len(rows), 1)), dummies([row.block for row in rows])

    def told(columns):
        return float(((columns @ np.linalg.lstsq(columns, y, rcond=1e-10)[0]) ** 2).sum())

    who, seats_, deals = told(lineups), told(constant), told(blocks)
    parts = {"who plays": who, "the seats": seats_, "the deal": deals - seats_, "the rest": y @ y - who - deals}
    return parts[part] / float(y @ y) if y.any() else math.nan


def all_explained():
    for part in ("who plays", "the seats", "the deal", "the rest"):
        yield f"margin explained by {part}", partial(explained, part)
