"""Outcomes of runs that nobody played, for plots and tables."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from qpolis.engine.results import COLUMNS, Results
from qpolis.ratings.standing import Crosstable, Estimate, History, Ratings

Run = tuple[Results, Ratings, History, np.ndarray]


NAMES = (
    "mcts",
    "heuristic",
    "greedy",
    "random",
    "mcts:iterations=400,exploration=0.7",
    "./bots/my_bot.py",
    "./bots/very_long_name.py:Class:alpha=0.5,beta=0.25,gamma=0.125",
    "greedy:depth=2",
    "/home/someone/projects/quadropolis/bots/experimental/neural.py:Network:weights=new,device=cpu",
    "/home/someone/projects/quadropolis/bots/experimental/neural.py:Network:weights=old,device=cpu",
    "heuristic:weights=classic",
    "process:./a.out",
)


def names(count: int) -> tuple[str, ...]:
    """Short and long specs, as many as wanted."""
    return tuple(NAMES[index] if index < len(NAMES) else f"mcts:seed={index}" for index in range(count))


def made_up(bots: tuple[str, ...], seats: int, games: int, seed: int = 1, gap: float = 80) -> Run:
    """A plausible run without playing: what `RatedRun` takes after the title."""
    random = np.random.default_rng(seed)
    many = len(bots)
    elo = np.sort(random.normal(0, gap * np.sqrt(many), many))[::-1]
    elo -= elo.mean()
    who = (
        np.argsort(random.random((games, many)), axis=1)[:, :seats].astype(np.int16)
        if many >= seats
        else (random.integers(0, many, (games, seats)).astype(np.int16))
    )
    points = np.round(random.normal(55 + elo[who] / 30, 9)).astype(np.int32)
    ranks = (points[:, :, np.newaxis] < points[:, np.newaxis, :]).sum(axis=2).astype(np.int8)
    results = Results(
        bots=bots,
        who=who,
        deals=np.arange(games, dtype=np.int64) // seats,
        points=points,
        ranks=ranks,
        decisions=np.full((games, seats), 16, np.int32),
        ends=np.zeros((games, seats), np.int8),
    )
    return results, ratings_of(results, elo), history_of(elo, games, random), times_of(many, games, random)


def around(value: np.ndarray, half: np.ndarray | float) -> Estimate:
    return Estimate(value, value - half, value + half)


def ratings_of(results: Results, elo: np.ndarray) -> Ratings:
    """Shares and margins as Elo would have them, with noise by the number of games."""
    random = np.random.default_rng(2)
    many, seats = len(elo), results.seats
    games = np.bincount(results.who.ravel(), minlength=many)
    met = np.full((many, many), games.min() * (seats - 1) / max(many - 1, 1))
    difference = elo[:, np.newaxis] - elo
    with np.errstate(divide="ignore", invalid="ignore"):
        noise = 1 / np.sqrt(games)
        meeting = 1 / np.sqrt(met)
        share = np.clip(1 / (1 + 10 ** (-difference / 400)) + random.normal(0, 0.3, met.shape) * meeting, 0, 1)
    share = np.where(met > 0, np.triu(share, 1) + np.tril(1 - share.T, -1), np.nan)
    np.fill_diagonal(share, np.nan)
    equal = np.full(seats, 1 / seats)
    half = 1 / np.sqrt(max(results.games, 1))
    tilt = np.linspace(-0.02, 0.02, seats)
    cross = Crosstable(
        met,
        met * np.nan_to_num(share),
        met * 0,
        around(share, meeting),
        around(np.where(np.isnan(share), np.nan, difference / 30), 9 * meeting),
    )
    return Ratings(
        results.bots,
        games,
        games / seats,
        games * 0 + (seats + 1) / 2,
        games * 0.0 + 55,
        25 + elo / 60,
        np.full(many, 0.8),
        around(elo, 350 * noise),
        around(300 * tilt, 300 * half),
        around(equal + tilt, half),
        around(difference, 500 * meeting),
        (difference > 0) * 1.0,
        cross,
        (),
    )


def history_of(elo: np.ndarray, games: int, random: np.random.Generator, times: int = 150) -> History:
    played = np.unique(np.linspace(0, games, times).round().astype(np.int64))
    learnt = (1 - np.exp(-played / (3 * len(elo))))[:, np.newaxis]
    noise = np.cumsum(random.normal(0, 0.12, (len(played), len(elo))), axis=0) * 0.5
    return History(played, 25 + learnt * (elo / 60 + noise), 8.33 * (1 - learnt) + 0.8)


def times_of(many: int, games: int, random: np.random.Generator) -> np.ndarray:
    middle = random.uniform(8, 50, (many, 1))
    shape = np.exp(-0.5 * ((np.arange(64) - middle) / random.uniform(1, 4, (many, 1))) ** 2)
    counts = np.round(shape * games).astype(np.int64)
    counts[many // 2] = 0
    return counts


def broken() -> Run:
    """A bot without games, pairs that never met, intervals without end, nothing timed."""
    results, ratings, history, times = made_up(names(5), 3, 40)
    results = replace(results, who=np.where(results.who == 2, 4, results.who))
    elo = np.array([(120, -np.inf, 200), (100, 40, np.inf), (np.nan,) * 3, (20, -60, 9e6), (-240, -300, -200)]).T
    share = ratings.cross.share.value.copy()
    share[[0, 3], [3, 0]] = share[2] = share[:, 2] = np.nan
    cross = replace(ratings.cross, share=replace(ratings.cross.share, value=share))
    mu = history.mu.copy()
    mu[:, 2] = np.nan
    games = np.bincount(results.who.ravel(), minlength=5)
    ratings = replace(ratings, elo=Estimate(*elo), cross=cross, games=games)
    return results, ratings, replace(history, mu=mu), times * 0


def far_away() -> Run:
    """One bot far below all others, one infinitely above, a few absurd scores."""
    results, ratings, history, times = made_up(names(6), 2, 300)
    results.points[:3, 0] = -(2**31), 2**31 - 1, -100_000
    return results, replace(ratings, elo=around(np.array([np.inf, 30.0, 10, 0, -50, -1500]), 20.0)), history, times


def unplayed() -> Run:
    """Not one game."""
    results, ratings, history, times = made_up(names(3), 3, 1)
    cross = replace(ratings.cross, share=nothing(3, 3), margin=nothing(3, 3))
    ratings = replace(
        ratings,
        games=ratings.games * 0,
        mu=ratings.mu * np.nan,
        elo=nothing(3),
        seat_elo=nothing(3),
        seat_wins=nothing(3),
        cross=cross,
    )
    empty = replace(results, **{name: getattr(results, name)[:0] for name in COLUMNS})
    return empty, ratings, History(history.games[:0], history.mu[:0], history.sigma[:0]), times * 0


def nothing(*shape: int) -> Estimate:
    return Estimate(*np.full((3, *shape), np.nan))


AWKWARD = ("a$b_c$", "<b>&amp;", "日本語", "müller/straße", "a\nb\tc", "--->", r"$\frac{1}{2}$", "", "\udc80")


CASES = {
    "two": lambda: made_up(names(2), 2, 10_000),
    "four": lambda: made_up(names(4), 3, 1000),
    "twelve": lambda: made_up(names(12), 4, 2000),
    "thirty": lambda: made_up(names(30), 3, 3000),
    "one game": lambda: made_up(names(2), 2, 1),
    "broken": broken,
    "far away": far_away,
    "unplayed": unplayed,
    "awkward names": lambda: made_up(AWKWARD, 4, 200),
}
