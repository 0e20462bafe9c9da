"""What ratings cost, on made-up results, and how often their intervals are right.

python benchmarks/ratings.py [--coverage RUNS]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
import trueskill as package

from qpolis.engine.results import Results
from qpolis.ratings import trueskill
from qpolis.ratings.rating import ratings
from qpolis.ratings.strength import ELO


def made_up(rng: np.random.Generator, strength: np.ndarray, seats: int, blocks: int, size: int) -> Results:
    """Results of the Plackett-Luce model; the seatings of a block are rotations of one lineup."""
    bots = len(strength)
    lineups = np.argsort(rng.random((blocks, bots)), axis=1)[:, :seats]
    who = np.stack([np.roll(lineups, k, axis=1) for k in range(size)], axis=1).reshape(-1, seats)
    value = strength[who] + rng.gumbel(size=who.shape)
    ranks = np.argsort(np.argsort(-value, axis=1), axis=1)
    return Results(
        bots=tuple(f"bot{i}" for i in range(bots)),
        who=who.astype(np.int16),
        deals=np.repeat(np.arange(blocks), size),
        points=np.rint(50 + 4 * value).astype(np.int32),
        ranks=ranks.astype(np.int8),
        decisions=np.zeros(who.shape, np.int32),
        ends=np.zeros(len(who), np.int8),
    )


def seconds(work: Callable[[], object], times: int = 3) -> float:
    """The shortest of several measurements."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def speed() -> None:
    rng = np.random.default_rng(1)
    ratings(made_up(rng, np.zeros(3), 2, 10, 2), 1)  # compile outside the timing
    print("bots  seats      games  TrueSkill  all ratings  TrueSkill, times the package")
    for bots, seats, games, size in ((2, 2, 1_000_000, 2), (10, 4, 100_000, 4), (50, 4, 100_000, 4)):
        results = made_up(rng, np.linspace(0.5, -0.5, bots), seats, games // size, size)
        ours = seconds(lambda results=results: trueskill.rate(results))
        whole = seconds(lambda results=results: ratings(results, 1), 1 if bots > 10 else 3)
        theirs = seconds(lambda results=results: rate_by_package(results, 1000), 1) / 1000
        print(f"{bots:4} {seats:6} {games:10,} {ours:8.2f} s {whole:10.2f} s {theirs * games / ours:12.0f}")


def rate_by_package(results: Results, games: int) -> None:
    env = package.TrueSkill(tau=0)
    bots = [env.create_rating() for _ in results.bots]
    for who, ranks in zip(results.who[:games], results.ranks[:games].tolist()):
        for bot, (rating,) in zip(who, env.rate([(bots[i],) for i in who], ranks=ranks)):
            bots[bot] = rating


def coverage(runs: int) -> None:
    rng = np.random.default_rng(2)
    print("strengths (Elo)           seats  blocks  difference inside its 95% interval  mean width")
    for strength, seats, blocks in (
        ([0.3, -0.3], 2, 5),
        ([0.3, -0.3], 2, 10),
        ([0.3, -0.3], 2, 100),
        ([1.8, -1.8], 2, 40),
        ([0.8, 0.2, 0, -1.0], 4, 10),
        ([0.8, 0.2, 0, -1.0], 4, 100),
    ):
        true = np.array(strength)
        truth = np.subtract.outer(true, true) * ELO
        pairs = np.triu_indices(len(true), 1)
        inside, width = [], []
        for run in range(runs):
            found = ratings(made_up(rng, true, seats, blocks, seats), run).difference
            inside.append(((found.low <= truth) & (truth <= found.high))[pairs])
            width.append((found.high - found.low)[pairs])
        text = " ".join(f"{value * ELO:.0f}" for value in strength)
        print(f"{text:25} {seats:5} {blocks:7} {np.mean(inside):20.1%} {np.mean(width):27.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="What ratings cost, and how often their intervals are right.")
    parser.add_argument("--coverage", type=int, metavar="RUNS", help="check intervals in so many runs a case")
    if (given := parser.parse_args()).coverage:
        coverage(given.coverage)
    else:
        speed()
