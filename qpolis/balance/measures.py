"""The measures of a mix: numbers about seats, scores, buildings, tiles, drama and choices, made from the games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from qpolis.balance.measure import COUNT, POINTS, SHARE, Measure, ratio
from qpolis.balance.regression import Takes, adjusted_effects
from qpolis.balance.trace import NEAR, Trace
from qpolis.game import Game
from qpolis.tourney.batch import FINISHED
from qpolis.tourney.plan import Plan
from qpolis.tourney.results import Results

PARTS = 20  # of a game, in the histogram of when it was decided
CLOSE = 5  # points of margin, at most, in a close game


@dataclass(frozen=True)
class Games:
    """The games of a run, with their traces. What did not end regularly says nothing about a mix: it weighs 0."""

    game: Game
    plan: Plan
    results: Results
    trace: Trace

    @cached_property
    def weight(self) -> np.ndarray:
        return (self.results.ends == FINISHED).all(axis=1).astype(float)

    @cached_property
    def first(self) -> np.ndarray:
        """By game and seat: its part of the win."""
        best = self.results.ranks == 0
        part: np.ndarray = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
        return part

    @cached_property
    def margin(self) -> np.ndarray:
        """By game: points of the winner above the next."""
        points = np.sort(self.results.points, axis=1)
        difference: np.ndarray = points[:, -1] - points[:, -2]
        return difference

    def blocks(self, values: np.ndarray) -> np.ndarray:
        """Values of games added up by block."""
        total: np.ndarray = values.reshape(-1, self.plan.games_per_block).sum(axis=1)
        return total

    def mean(self, group: str, name: str, unit: str, values: np.ndarray,
             weights: np.ndarray | None = None) -> Measure:
        """The mean of a value of games, or the sum of values by that of weights. NaN where there is none."""
        weights = self.weight * (1.0 if weights is None else weights)
        known = np.isfinite(values)
        return ratio(group, name, unit, self.blocks(np.where(known, values, 0) * self.weight),
                     self.blocks(weights * known), int((known & (weights > 0)).sum()))


def all_measures(games: Games, of_tiles: bool = True) -> list[Measure]:
    """Every measure of a mix at one level of play, with or without those of single tiles."""
    parts = (seats, scores, kinds, kind_effects, drama, choices)
    return [measure for part in (*parts, *[tiles] * of_tiles) for measure in part(games)]


def seats(games: Games) -> Iterator[Measure]:
    for seat in range(games.results.seats):
        yield games.mean("seats", f"seat {seat} wins", SHARE, games.first[:, seat])
    for seat in range(games.results.seats):
        yield games.mean("seats", f"seat {seat} points", POINTS, games.results.points[:, seat].astype(float))


def scores(games: Games) -> Iterator[Measure]:
    points = games.results.points.astype(float)
    yield games.mean("scores", "points", POINTS, points.mean(axis=1))
    yield deviation(games, points)
    yield games.mean("scores", "winner's points", POINTS, points.max(axis=1))
    yield games.mean("scores", "winning margin", POINTS, games.margin.astype(float))
    yield games.mean("scores", f"won by {CLOSE} points or less", SHARE, (games.margin <= CLOSE).astype(float))
    yield games.mean("scores", "shared wins", SHARE, (games.first.max(axis=1) < 1).astype(float))


def deviation(games: Games, points: np.ndarray) -> Measure:
    """The standard deviation of the points of seats, with its influence by the delta method."""
    mean = games.mean("", "", POINTS, points.mean(axis=1)).value
    square = games.mean("scores", "spread of points", POINTS, ((points - mean) ** 2).mean(axis=1))
    root = float(np.sqrt(square.value))
    return replace(square, value=root, influence=square.influence / (2 * root or 1))


def kinds(games: Games) -> Iterator[Measure]:
    """What buildings bring: parts of the points (without penalties), to winners and to others; and how many."""
    if not games.game.kinds:
        return
    points, built = games.trace.points[:, :, :-1].astype(float), games.trace.built.astype(float)
    whole = points.sum(axis=2)
    won = (games.results.ranks == 0).astype(float)
    for number, kind in enumerate(games.game.kinds):
        for who, part in (("winners'", won), ("others'", 1 - won)):
            yield games.mean("kinds", f"{kind}: part of {who} points", SHARE,
                             (points[:, :, number] * part).sum(axis=1), (whole * part).sum(axis=1))
    for number, kind in enumerate(games.game.kinds):
        yield games.mean("kinds", f"{kind}: built", COUNT, built[:, :, number].mean(axis=1))
        yield games.mean("kinds", f"{kind}: points a building", POINTS, points[:, :, number].sum(axis=1),
                         built[:, :, number].sum(axis=1))
    yield games.mean("kinds", "penalties", POINTS, -games.trace.points[:, :, -1].mean(axis=1).astype(float))


def controls(games: Games) -> np.ndarray:
    """By game and seat: what else decides who wins, seats and bots, as differences from the first of each."""
    count, seats_ = games.results.who.shape
    seat = np.broadcast_to(np.eye(seats_)[:, 1:], (count, seats_, seats_ - 1))
    bots = np.unique(games.results.who)
    bot = (games.results.who[:, :, None] == bots[1:]).astype(float)
    return np.concatenate([seat, bot], axis=2)


def kind_effects(games: Games) -> list[Measure]:
    """The effect of a building of each kind on winning, against that of an average one."""
    built = games.trace.built * games.weight[:, None, None].astype(int)
    game, seat, kind = np.nonzero(built)
    times = built[game, seat, kind]
    takes = Takes(*(np.repeat(column, times) for column in (game, seat, kind)))
    return _effects(games, takes, "effects", list(games.game.kinds))


def _effects(games: Games, takes: Takes, group: str, names: list[str],
             compared: np.ndarray | None = None) -> list[Measure]:
    """Effects on winning; `compared` says by item with which others it is compared."""
    if not len(names) or not len(takes.item):
        return []
    block = np.arange(games.results.games) // games.plan.games_per_block
    effects = adjusted_effects(games.first * games.weight[:, None], takes, len(names),
                               controls(games) * games.weight[:, None, None], block, games.plan.blocks, compared)
    return effects.measures(group, names)


def histograms(games: Games) -> dict[str, np.ndarray]:
    """How often each number of points, each margin, and each part of the game after which it was decided: counts
    by points from 0 (lower ones are counted there), or by twentieths of the game."""
    regular = games.weight > 0
    decided = games.trace.decided[regular]
    return {"points": np.bincount(np.maximum(games.results.points[regular].ravel(), 0)),
            "winners' points": np.bincount(np.maximum(games.results.points[regular].max(axis=1), 0)),
            "margin": np.bincount(games.margin[regular]),
            "decided": np.histogram(decided[np.isfinite(decided)], PARTS, (0, 1))[0]}


def drama(games: Games) -> Iterator[Measure]:
    trace = games.trace
    yield games.mean("drama", "lead changes", COUNT, trace.changes.astype(float))
    yield games.mean("drama", "decided after part of the game", SHARE, trace.decided)
    behind = np.where(np.isnan(trace.behind), np.nan, trace.behind >= NEAR)
    yield games.mean("drama", "winner trailed at half-time", SHARE, behind)
    yield games.mean("drama", "turns", COUNT, trace.turns.astype(float))


def choices(games: Games) -> Iterator[Measure]:
    trace = games.trace
    yield games.mean("choices", "choices a decision", COUNT, trace.choices.astype(float), trace.decisions)
    yield games.mean("choices", "nearly equal to the best", COUNT, trace.equal.astype(float), trace.rated)
    yield games.mean("choices", "decisions with one best choice", SHARE, trace.clear.astype(float), trace.rated)


def tiles(games: Games) -> Iterator[Measure]:
    """Each tile: how often it is taken, how early in its round, and its effect on winning, against that of an
    average tile of its round (every seat takes as many tiles in a round)."""
    items = games.game.items()
    numbers = np.array(sorted(items), np.int64)
    game, seat, item, before = games.trace.taken.T
    column = np.searchsorted(numbers, item)
    block = game // games.plan.games_per_block
    weight = games.weight[game]
    played = games.blocks(games.weight)
    names = [f"round {items[number].stage + 1}: {items[number].name}" for number in numbers.tolist()]
    for place, (number, name) in enumerate(zip(numbers.tolist(), names)):
        chosen = column == place
        often = np.bincount(block[chosen], weight[chosen], minlength=games.plan.blocks)
        yield ratio("tiles", f"{name}: taken", SHARE, often, items[number].copies * played)
        early = np.bincount(block[chosen], weight[chosen] * (before[chosen] + 1), minlength=games.plan.blocks)
        yield ratio("tiles", f"{name}: place in the round", COUNT, early, often)
    valid = weight > 0
    yield from _effects(games, Takes(game[valid], seat[valid], column[valid]), "tiles",
                        [f"{name}: effect" for name in names],
                        np.array([items[number].stage for number in numbers.tolist()]))
