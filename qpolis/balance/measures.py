"""The measures of a mix: numbers about seats, scores, buildings, tiles, drama and choices, made from the games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from qpolis.balance.effects import kind_effects, tiles
from qpolis.balance.measure import COUNT, POINTS, SHARE, Measure
from qpolis.balance.trace import NEAR
from qpolis.balance.traced_run import TracedRun

PARTS = 20  # of a game, in the histogram of when it was decided
CLOSE = 5  # points of margin, at most, in a close game


def all_measures(games: TracedRun, of_tiles: bool = True) -> list[Measure]:
    """Every measure of a mix at one level of play, with or without those of single tiles."""
    parts = (seats, scores, kinds, kind_effects, drama, choices)
    return [measure for part in (*parts, *[tiles] * of_tiles) for measure in part(games)]


def seats(games: TracedRun) -> Iterator[Measure]:
    for seat in range(games.results.seats):
        yield games.mean("seats", f"seat {seat} wins", SHARE, games.first[:, seat])
    for seat in range(games.results.seats):
        yield games.mean("seats", f"seat {seat} points", POINTS, games.results.points[:, seat].astype(float))


def scores(games: TracedRun) -> Iterator[Measure]:
    points = games.results.points.astype(float)
    yield games.mean("scores", "points", POINTS, points.mean(axis=1))
    yield deviation(games, points)
    yield games.mean("scores", "winner's points", POINTS, points.max(axis=1))
    yield games.mean("scores", "winning margin", POINTS, games.margin.astype(float))
    yield games.mean("scores", f"won by {CLOSE} points or less", SHARE, (games.margin <= CLOSE).astype(float))
    yield games.mean("scores", "shared wins", SHARE, (games.first.max(axis=1) < 1).astype(float))


def deviation(games: TracedRun, points: np.ndarray) -> Measure:
    """The standard deviation of the points of seats, with its influence by the delta method."""
    mean = games.mean("", "", POINTS, points.mean(axis=1)).value
    square = games.mean("scores", "spread of points", POINTS, ((points - mean) ** 2).mean(axis=1))
    root = float(np.sqrt(square.value))
    return replace(square, value=root, influence=square.influence / (2 * root or 1))


def kinds(games: TracedRun) -> Iterator[Measure]:
    """What buildings bring: parts of the points (without penalties), to winners and to others; and how many."""
    if not games.game.categories:
        return
    points, built = games.trace.points[:, :, :-1].astype(float), games.trace.built.astype(float)
    whole = points.sum(axis=2)
    won = (games.results.ranks == 0).astype(float)
    for number, kind in enumerate(games.game.categories):
        for who, part in (("winners'", won), ("others'", 1 - won)):
            yield games.mean(
                "kinds",
                f"{kind}: part of {who} points",
                SHARE,
                (points[:, :, number] * part).sum(axis=1),
                (whole * part).sum(axis=1),
            )
    for number, kind in enumerate(games.game.categories):
        yield games.mean("kinds", f"{kind}: built", COUNT, built[:, :, number].mean(axis=1))
        yield games.mean(
            "kinds",
            f"{kind}: points a building",
            POINTS,
            points[:, :, number].sum(axis=1),
            built[:, :, number].sum(axis=1),
        )
    yield games.mean("kinds", "penalties", POINTS, -games.trace.points[:, :, -1].mean(axis=1).astype(float))


def histograms(games: TracedRun) -> dict[str, np.ndarray]:
    """How often each number of points, each margin, and each part of the game after which it was decided: counts
    by points from 0 (lower ones are counted there), or by twentieths of the game."""
    regular = games.weight > 0
    decided = games.trace.decided[regular]
    return {
        "points": np.bincount(np.maximum(games.results.points[regular].ravel(), 0)),
        "winners' points": np.bincount(np.maximum(games.results.points[regular].max(axis=1), 0)),
        "margin": np.bincount(games.margin[regular]),
        "decided": np.histogram(decided[np.isfinite(decided)], PARTS, (0, 1))[0],
    }


def drama(games: TracedRun) -> Iterator[Measure]:
    trace = games.trace
    yield games.mean("drama", "lead changes", COUNT, trace.changes.astype(float))
    yield games.mean("drama", "decided after part of the game", SHARE, trace.decided)
    behind = np.where(np.isnan(trace.behind), np.nan, trace.behind >= NEAR)
    yield games.mean("drama", "winner trailed at half-time", SHARE, behind)
    yield games.mean("drama", "turns", COUNT, trace.turns.astype(float))


def choices(games: TracedRun) -> Iterator[Measure]:
    trace = games.trace
    yield games.mean("choices", "choices a decision", COUNT, trace.choices.astype(float), trace.decisions)
    yield games.mean("choices", "nearly equal to the best", COUNT, trace.equal.astype(float), trace.rated)
    yield games.mean("choices", "decisions with one best choice", SHARE, trace.clear.astype(float), trace.rated)
