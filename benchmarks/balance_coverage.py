"""How often the intervals and tests of balance are right, on made-up blocks, as Markdown tables.

python benchmarks/balance_coverage.py [--runs 4000]
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence

import numpy as np

from qpolis.balance.inference import p_equivalent, p_value
from qpolis.balance.measure import POINTS, SHARE, Measure, difference, ratio
from qpolis.balance.regression import Takes, adjusted_effects


def share(wins: np.ndarray, games: int) -> Measure:
    return ratio("seats", "wins", SHARE, wins, np.full(len(wins), games))


def inside(measures: Sequence[Measure], truth: float) -> float:
    ends = np.array([measure.interval() for measure in measures])
    return float(np.mean((ends[:, 0] <= truth) & (truth <= ends[:, 1])))


def width(measures: Sequence[Measure]) -> float:
    return float(np.mean([np.ptp(measure.interval()) for measure in measures]))


def shares(rng: np.random.Generator, runs: int) -> None:
    """Shares of wins, where two games of a block have some correlation; and the same as if means."""
    print("| share | blocks | games a block | correlation | inside | width, times the least | Student's: inside |")
    print("|---|---|---|---|---|---|---|")
    for truth in (0.5, 0.25, 0.05, 0.02):
        for blocks, games, rho in (
            (5, 4, 0.2),
            (30, 4, 0.2),
            (30, 24, 0.3),
            (100, 4, 0.2),
            (100, 24, 0.3),
            (1000, 4, 0.2),
        ):
            chance = rng.beta(truth * (1 - rho) / rho, (1 - truth) * (1 - rho) / rho, (runs, blocks))
            wins = rng.binomial(games, chance)
            found = [share(row, games) for row in wins]
            mean = [ratio("seats", "wins", POINTS, row, np.full(blocks, games)) for row in wins]
            least = 2 * 1.96 * math.sqrt(truth * (1 - truth) * (1 + (games - 1) * rho) / (blocks * games))
            print(
                f"| {truth} | {blocks} | {games} | {rho} | {inside(found, truth):.1%} "
                f"| {width(found) / least:.2f} | {inside(mean, truth):.1%} |"
            )


def differences(rng: np.random.Generator, runs: int) -> None:
    """Two mixes on the same deals with the same dice, of which the second wins `gain` more often."""
    print("| blocks | true difference | inside | width | width if not paired | said to be equivalent |")
    print("|---|---|---|---|---|---|")
    for blocks, gain in ((10, 0.05), (100, 0.05), (100, 0.01), (1000, 0.01)):
        found, apart = [], []
        for _ in range(runs):
            deal = rng.uniform(0.1, 0.8, (blocks, 1))
            dice = rng.random((blocks, 4))
            old, new = share((dice < deal).sum(1), 4), share((dice < deal + gain).sum(1), 4)
            found.append(difference(old, new))
            apart.append(2 * 1.96 * math.hypot(old.error, new.error))
        wrong = np.mean([p_equivalent(measure, gain) <= 0.05 for measure in found])
        print(
            f"| {blocks} | {gain} | {inside(found, gain):.1%} | {width(found):.3f} | {np.mean(apart):.3f} "
            f"| {wrong:.1%} |"
        )


def dealt(
    rng: np.random.Generator, true: np.ndarray, blocks: int, size: int, seats: int, each: int
) -> tuple[np.ndarray, Takes]:
    """Games won as the linear model says. Two of three items are the same in all games of a block, and seats are
    lucky or not throughout a block."""
    games = blocks * size
    item = rng.integers(len(true), size=(games, seats, each))
    common = 2 * each // 3
    item[:, :, :common] = np.repeat(rng.integers(len(true), size=(blocks, seats, common)), size, axis=0)
    chance = true[item].sum(2) + np.repeat(rng.uniform(-0.1, 0.1, (blocks, seats)), size, axis=0)
    chance = (chance - chance.mean(1, keepdims=True) + 1 / seats).clip(0, 1)
    winner = (rng.random((games, 1)) > np.cumsum(chance, 1)).sum(1).clip(0, seats - 1)
    game, seat, _ = np.indices(item.shape)
    return np.eye(seats)[winner], Takes(game.ravel(), seat.ravel(), item.ravel())


def effects(rng: np.random.Generator, runs: int) -> None:
    """Effects of items, with tests of each of them against its true value."""
    print("| seats | items | blocks | games a block | inside | rejected at 5% | mean error, times the true one |")
    print("|---|---|---|---|---|---|---|")
    for seats, items, blocks, size in ((2, 5, 20, 2), (4, 10, 50, 4), (2, 30, 60, 4), (4, 30, 400, 4)):
        true = np.linspace(-0.01, 0.01, items)
        right, rejected, missed, errors = [], [], [], []
        for _ in range(max(runs // 10, 20)):
            win, takes = dealt(rng, true, blocks, size, seats, 6)
            found = adjusted_effects(win, takes, items, None, np.repeat(np.arange(blocks), size), blocks)
            known = np.where(np.isnan(found.value), 0, found.takes)
            truth = true - true @ known / known.sum()
            measures = found.measures("tiles", [""] * items)
            right.append([inside([measure], at) for measure, at in zip(measures, truth)])
            rejected.append([p_value(measure, at) <= 0.05 for measure, at in zip(measures, truth)])
            missed.append(found.value - truth)
            errors.append([measure.error for measure in measures])
        ratio_of_errors = np.nanmean(np.square(errors)) ** 0.5 / np.nanmean(np.square(missed)) ** 0.5
        print(
            f"| {seats} | {items} | {blocks} | {size} | {np.mean(right):.1%} | {np.mean(rejected):.1%} "
            f"| {ratio_of_errors:.2f} |"
        )


def speed(rng: np.random.Generator) -> None:
    """What effects cost."""
    print("| games | seats | items | seconds |")
    print("|---|---|---|---|")
    for games, seats in ((20_000, 2), (10_000, 4), (100_000, 4)):
        win, takes = dealt(rng, np.zeros(130), games // 4, 4, seats, 16)
        start = time.perf_counter()
        adjusted_effects(win, takes, 130, None, np.arange(games) // 4, games // 4)
        print(f"| {games:,} | {seats} | 130 | {time.perf_counter() - start:.1f} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="How often the intervals and tests of balance are right.")
    parser.add_argument("--runs", type=int, default=4000, help="made-up runs of each kind (items: a tenth)")
    given = parser.parse_args()
    for table in (shares, differences, effects):
        table(np.random.default_rng(1), given.runs)
        print()
    speed(np.random.default_rng(1))
