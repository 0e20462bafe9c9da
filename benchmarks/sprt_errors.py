"""How often the sequential test errs, and how many games it takes: simulated tests with a known truth.

    python benchmarks/sprt_errors.py            # 3000 tests for every number, seven minutes on one core
    python benchmarks/sprt_errors.py --quick    # 300 tests

A game gives each seat points: the strength of its bot, the luck of the seat in this deal, which is the same in all
rotations, and luck of the game alone, all normal. Points are rounded down to whole units, so a large unit means
many draws. The strength is set so that the expected score is exactly that of the Elo asked for. Prints a table in
markdown: how often the wrong hypothesis was accepted, the mean number of games, and what tests of a bot at elo1
said of its Elo.
"""

from __future__ import annotations

import argparse
import math
from dataclasses import dataclass

import numpy as np
from scipy import integrate, optimize, stats

from qpolis.kernel import kernel
from qpolis.ratings.sprt import Hypotheses, Test, Verdict, elo_of, expected_score
from qpolis.rng import WORDS, name_stream, next64

SEATINGS = {2: [(0, 1)], 3: [(0, 0, 1), (0, 1, 1)], 4: [(0, 0, 1, 1)]}  # of a block, each in all its rotations
NOISE = 1.0  # of the game alone, the measure of all other luck
CHUNK = 128  # blocks simulated at a time


@dataclass(frozen=True)
class Setting:
    seats: int
    luck: float  # of a seat in a deal
    unit: float  # of points
    elo0: float
    elo1: float

    @property
    def block(self) -> np.ndarray:
        """The bots at the seats, a row a game."""
        return np.array([np.roll(seating, turn) for seating in SEATINGS[self.seats] for turn in range(self.seats)])


SETTINGS = [
    *(Setting(2, 1.0, 0.1, *bounds) for bounds in ((0, 5), (-5, 0), (0, 10), (0, 20), (0, 50), (0, 200))),
    *(Setting(2, 3.0, 0.1, *bounds) for bounds in ((0, 10), (0, 20), (0, 50))),
    *(Setting(2, 1.0, 3.0, *bounds) for bounds in ((0, 5), (0, 10), (0, 50))),
    *(Setting(seats, 1.0, 0.1, *bounds) for seats in (3, 4) for bounds in ((0, 5), (0, 10), (0, 50))),
    Setting(3, 1.0, 3.0, 0, 10),
    Setting(4, 3.0, 0.1, 0, 10),
]


@kernel
def normal(rng):
    """A normal random number (Box and Muller; the second one is not kept)."""
    first = (np.float64(next64(rng) >> np.uint64(11)) + 1.0) * 2.0**-53
    second = np.float64(next64(rng) >> np.uint64(11)) * 2.0**-53
    return math.sqrt(-2.0 * math.log(first)) * math.cos(2.0 * math.pi * second)


@kernel
def simulate(rng, block, strength, luck, unit, scores):
    """Play blocks; the score of each is what bot 0 won against bot 1, in half comparisons."""
    seats = block.shape[1]
    deal = np.empty(seats)
    points = np.empty(seats)
    for row in range(scores.shape[0]):
        scores[row] = 0
        for seat in range(seats):
            deal[seat] = luck * normal(rng)
        for game in range(block.shape[0]):
            offset = np.float64(next64(rng) >> np.uint64(11)) * 2.0**-53  # where units begin, see `mean_score`
            for seat in range(seats):
                worth = deal[seat] + normal(rng) + (strength if block[game, seat] == 0 else 0.0)
                points[seat] = math.floor(worth / unit + offset)
            for new in range(seats):
                for old in range(seats):
                    if block[game, new] == 0 and block[game, old] == 1:
                        scores[row] += 1 + (points[new] > points[old]) - (points[new] < points[old])


def mean_score(strength: float, luck: float, unit: float) -> float:
    """The expected score: a lead of x units, rounded down from a random place, is a whole unit with chance x."""
    spread = math.sqrt(2 * (luck**2 + NOISE**2)) / unit
    lead = stats.norm(strength / unit, spread)
    within, _ = integrate.quad(lambda x: x * lead.pdf(x), -1, 1)
    return float(0.5 + 0.5 * (within + lead.sf(1) - lead.cdf(-1)))


def strength_for(elo: float, luck: float, unit: float) -> float:
    """The strength with the expected score of this Elo."""
    return float(
        optimize.brentq(
            lambda strength: mean_score(strength, luck, unit) - expected_score(elo), -20, 20, xtol=1e-12
        )
    )


@dataclass
class Outcome:
    """Of many tests: how many accepted H1, and sums of what else is said of them."""

    tests: int
    accepted: int = 0
    games: int = 0
    score: float = 0.0
    covered: int = 0  # tests whose interval of the Elo held the truth


def run(setting: Setting, elo: float, tests: int, seed: int, part: int) -> Outcome:
    """Many tests of a bot that is `elo` stronger; seed and part name their random numbers."""
    block = setting.block
    denominator = 2 * int(((block == 0).sum(axis=1) * (block == 1).sum(axis=1)).sum())
    strength = strength_for(elo, setting.luck, setting.unit)
    rng, scores = np.zeros(WORDS, np.uint64), np.empty(CHUNK, np.int64)
    outcome = Outcome(tests)
    for number in range(tests):
        name_stream(rng, seed, number, part)
        test = Test(Hypotheses(setting.elo0, setting.elo1), denominator, len(block))
        decided = False
        while not decided:
            simulate(rng, block, strength, setting.luck, setting.unit, scores)
            decided = test.feed(scores)
        found = test.elo()
        outcome.accepted += test.verdict is Verdict.H1
        outcome.games += test.games
        outcome.score += expected_score(float(found.value))
        outcome.covered += bool(found.low <= elo <= found.high)
    return outcome


def facts(setting: Setting) -> tuple[float, float]:
    """For equal bots: the share of draws among comparisons of two seats, and by how much blocks reduce variance:
    games needed with independent deals, for one game needed in blocks."""
    rng, scores = np.zeros(WORDS, np.uint64), np.empty(100_000, np.int64)
    name_stream(rng, 1, 2, 3)
    simulate(rng, np.array([[0, 1]]), 0.0, setting.luck, setting.unit, scores)
    draws = float((scores == 1).mean())
    block = setting.block
    single = np.mean([_variance(rng, block[game : game + 1], setting, scores) for game in range(len(block))])
    return draws, float(single / len(block) / _variance(rng, block, setting, scores))


def _variance(rng: np.ndarray, block: np.ndarray, setting: Setting, scores: np.ndarray) -> float:
    simulate(rng, block, 0.0, setting.luck, setting.unit, scores)
    comparisons = ((block == 0).sum(axis=1) * (block == 1).sum(axis=1)).sum()
    return float((scores / (2 * comparisons)).var())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="300 tests for every number instead of 3000")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    tests = 300 if given.quick else 3000
    print(
        "| seats | draws | gain | elo0, elo1 | wrong at elo0 | at elo1 | games at elo0 | halfway | at elo1 "
        "| beyond | Elo said at elo1 | interval right |"
    )
    print("|" + "---|" * 12)
    for row, setting in enumerate(SETTINGS):
        gap = setting.elo1 - setting.elo0
        found = [
            run(setting, setting.elo0 + place * gap, tests, given.seed, 4 * row + part)
            for part, place in enumerate((0, 0.5, 1, 2))
        ]
        draws, gain = facts(setting)
        games = " | ".join(f"{outcome.games / tests:,.0f}" for outcome in found)
        print(
            f"| {setting.seats} | {draws:.0%} | {gain:.1f} | {setting.elo0:g}, {setting.elo1:g} | "
            f"{found[0].accepted / tests:.1%} | {1 - found[2].accepted / tests:.1%} | {games} | "
            f"{elo_of(found[2].score / tests):.1f} | {found[2].covered / tests:.0%} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
