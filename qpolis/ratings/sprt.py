"""A sequential test of a new bot (0) against an old one (1): play until the games decide, and no longer.

The unit is the block, one deal in all rotations of a seating: games of a block share their luck, blocks do not.
The score of a block is the share of the comparisons between a seat of the new bot and a seat of the old one that
the new bot wins, an equal one counting half. Two values of its mean are tested against each other by the
generalised likelihood ratio: each gets the distribution of scores that suits it best. See docs/statistics.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum

import numpy as np

from qpolis.engine.results import Results
from qpolis.errors import QpolisError, unknown
from qpolis.kernel import kernel
from qpolis.parameters import Key, value_text
from qpolis.ratings.standing import Estimate

FURTHEST = 1000.0  # Elo; a bot that far ahead needs no test
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
UNSEEN = 1e-3  # blocks added at scores 0 and 1, so that a distribution with any mean in between exists
MOST_STEPS = 200  # of the root finder, which needs two or three from a good start
CLOSE = 1e-7  # a last step of Newton's is this small, and leaves an error of about its square
SURE = 1.920729  # a mean whose log-likelihood is this far below the best is outside the 95% interval
HALVINGS = 60  # of an interval of means, until its ends are neighbours
GUESSED_BLOCKS = 10  # how many blocks our guess of the variance is worth, while there are few


class Verdict(StrEnum):
    """Which hypothesis was accepted."""

    H0 = "H0"
    H1 = "H1"


ELO = Key(0.0, "difference", -FURTHEST, FURTHEST, words=f"from {-FURTHEST:g} to {FURTHEST:g}")
RISK = Key(
    0.05, "risk of a wrong decision", 0, 0.5, allows=lambda risk: 0 < risk < 0.5, words="above 0 and below 0.5"
)
KEYS = {"elo0": ELO, "elo1": ELO, "alpha": RISK, "beta": RISK}


@dataclass(frozen=True)
class Hypotheses:
    """H0: the new bot is `elo0` stronger than the old one; H1: it is `elo1` stronger. `alpha` is the accepted risk
    of deciding for H1 where H0 is right, `beta` that of the opposite."""

    elo0: float
    elo1: float
    alpha: float = RISK.default
    beta: float = RISK.default

    def __post_init__(self) -> None:
        for field in fields(self):
            number = float(getattr(self, field.name))
            if not math.isfinite(number):
                raise QpolisError(f"{field.name}={number}: must be a finite number")
            object.__setattr__(self, field.name, number + 0.0)  # no -0, so that equal hypotheses have one text
        for field in fields(self):
            number, key = getattr(self, field.name), KEYS[field.name]
            if not key.takes(number):
                raise QpolisError(f"{field.name}={value_text(number)}: must be {key.range_text()}")
        if self.elo0 >= self.elo1:
            raise QpolisError(f"elo0={value_text(self.elo0)} must be below elo1={value_text(self.elo1)}")

    @property
    def lower(self) -> float:
        """At this log-likelihood ratio or below, H0 is accepted."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """At this log-likelihood ratio or above, H1 is accepted."""
        return math.log((1 - self.beta) / self.alpha)

    @classmethod
    def parse(cls, text: str) -> Hypotheses:
        """The hypotheses of a text such as "elo0=0,elo1=10" or "elo0=0,elo1=10,alpha=0.05,beta=0.1"."""
        given: dict[str, float] = {}
        for part in text.split(","):
            key, equals, value = (word.strip() for word in part.partition("="))
            if not equals:
                raise QpolisError(
                    f"sequential test {text!r}: {part.strip()!r} is not of the form KEY=NUMBER, "
                    "as in elo0=0,elo1=10"
                )
            if key not in KEYS:
                raise unknown(f"setting of the sequential test {text!r}:", key, KEYS)
            if key in given:
                raise QpolisError(f"sequential test {text!r}: {key} is given twice")
            if not NUMBER.fullmatch(value):
                raise QpolisError(f"sequential test {text!r}: {key} is not a number: {value!r}")
            given[key] = float(value)
        for key in ("elo0", "elo1"):
            if key not in given:
                raise QpolisError(f"sequential test {text!r}: {key} is missing, as in elo0=0,elo1=10")
        try:
            return cls(**given)
        except QpolisError as error:
            raise QpolisError(f"sequential test {text!r}: {error}") from None

    def text(self) -> str:
        """The text that parses to these hypotheses; risks that are the usual ones are left out."""
        return ",".join(
            f"{field.name}={value_text(getattr(self, field.name))}"
            for field in fields(self)
            if getattr(self, field.name) != field.default
        )


def expected_score(elo: float) -> float:
    """The mean score of a bot that is this much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The inverse of `expected_score`; infinite for 0 and 1."""
    if not 0 < score < 1:
        return math.copysign(math.inf, score - 0.5)
    return 400 * math.log10(score / (1 - score))


@kernel
def compare(who, ranks, deals, wins, comparisons):
    """Add up by block what the new bot's seats won against the old one's, in half comparisons, and how many there
    were; returns the number of blocks. A block is a run of games of one deal."""
    block = -1
    for game in range(who.shape[0]):
        if game == 0 or deals[game] != deals[game - 1]:
            block += 1
        for new in range(who.shape[1]):
            for old in range(who.shape[1]):
                if who[game, new] == 0 and who[game, old] == 1:
                    comparisons[block] += 1
                    if ranks[game, new] < ranks[game, old]:
                        wins[block] += 2
                    elif ranks[game, new] == ranks[game, old]:
                        wins[block] += 1
    return block + 1


def block_scores(results: Results) -> tuple[np.ndarray, int]:
    """The scores of the new bot in all blocks, as numerators (int64), and their common denominator."""
    if len(results.bots) != 2:
        raise QpolisError(f"a sequential test is between two bots, not {len(results.bots)}")
    wins, comparisons = np.zeros((2, results.games), np.int64)
    table = (np.array(column, np.int64, order="C") for column in (results.who, results.ranks, results.deals))
    blocks = compare(*table, wins, comparisons)  # plain copies: one type of array, one compilation
    if blocks == 0:
        raise QpolisError("a sequential test needs at least one block of games")
    most = int(comparisons[:blocks].max())
    if most == 0 or (comparisons[:blocks] != most).any():
        raise QpolisError("a sequential test needs blocks with equally many comparisons of its two bots")
    return wins[:blocks], 2 * most


@kernel
def weigh(counts, place):
    """The weight of a score: how often it came, and a little more at both ends (see UNSEEN)."""
    if place == 0 or place == counts.shape[0] - 1:
        return counts[place] + UNSEEN
    return counts[place] + 0.0


@kernel
def tilt(weights, scores, mean, start):
    """The root of sum(w d / (1 + root d)), d = scores - mean: probabilities in proportion to w / (1 + root d) have
    this mean, and of all such they make the weights likeliest.

    The sum falls from infinity to minus infinity between the poles of its outer terms, whose weights are never 0.
    Newton's method, and bisection where it would leave what is known to enclose the root.
    """
    low = -1.0 / (scores[-1] - mean)
    high = -1.0 / (scores[0] - mean)
    left = low
    right = high
    root = start if low < start < high else 0.0
    for _ in range(MOST_STEPS):
        value = 0.0
        slope = 0.0
        for i in range(weights.shape[0]):
            if weights[i] > 0.0:
                term = (scores[i] - mean) / (1.0 + root * (scores[i] - mean))
                value += weights[i] * term
                slope -= weights[i] * term * term
        if value > 0.0:
            left = root
        else:
            right = root
        step = -value / slope
        if abs(step) <= CLOSE * min(root - low, high - root):
            return root + step
        if left < root + step < right:
            root += step
        elif right - left <= 1e-15 * (high - low):
            return root  # the root is as near a pole as numbers can be
        else:
            root = 0.5 * (left + right)
    return root


@kernel
def surprise(weights, scores, mean, roots, which):
    """How far the log-likelihood of this mean is below that of the best. `roots[which]` is where to begin to look
    for the tilt, and then what it is."""
    roots[which] = tilt(weights, scores, mean, roots[which])
    total = 0.0
    for i in range(weights.shape[0]):
        if weights[i] > 0.0:
            total += weights[i] * math.log(1.0 + roots[which] * (scores[i] - mean))
    return total


@kernel
def weights_of(counts):
    """The weights of all scores."""
    weights = np.empty(counts.shape[0])
    for i in range(counts.shape[0]):
        weights[i] = weigh(counts, i)
    return weights


@kernel
def llr(counts, scores, t0, t1):
    """The log-likelihood ratio of the mean t1 against t0, for scores (ascending, on both sides of t0 and t1) that
    came `counts` times."""
    weights = weights_of(counts)
    roots = np.zeros(2)
    return surprise(weights, scores, t0, roots, 0) - surprise(weights, scores, t1, roots, 1)


@kernel
def limit(counts, scores, inside, outside):
    """The end of the 95% interval of the mean, between a mean that is in it and one that is not."""
    weights = weights_of(counts)
    roots = np.zeros(1)
    for _ in range(HALVINGS):
        middle = 0.5 * (inside + outside)
        if surprise(weights, scores, middle, roots, 0) <= SURE:
            inside = middle
        else:
            outside = middle
    return inside


@kernel
def advance(fresh, counts, scores, t0, t1, lower, upper, roots):
    """Count fresh blocks one by one until the ratio reaches a bound: (blocks counted, ratio after the last)."""
    weights = weights_of(counts)
    now = 0.0
    for used in range(fresh.shape[0]):
        counts[fresh[used]] += 1
        weights[fresh[used]] = weigh(counts, fresh[used])
        now = surprise(weights, scores, t0, roots, 0) - surprise(weights, scores, t1, roots, 1)
        if now <= lower or now >= upper:
            return used + 1, now
    return fresh.shape[0], now


def exit_time(at: float, lower: float, upper: float, drift: float, variance: float) -> float:
    """When a Brownian motion that is at `at` will leave the bounds, on average."""
    behind = at - lower
    if drift < 0:  # the same in a mirror
        behind, drift = upper - at, -drift
    width = upper - lower
    pull = 2 * drift / variance
    if pull * width < 1e-4:
        return behind * (width - behind) / variance
    ahead = math.expm1(-pull * behind) / math.expm1(-pull * width)  # the chance to leave where the drift goes
    return (width * ahead - behind) / drift


class Test:
    """A running test. It is decided at the first block, in the order of the plan, whose ratio reaches a bound; how
    the blocks are cut into chunks changes nothing. To resume a test, feed it again from the first block."""

    def __init__(self, hypotheses: Hypotheses, denominator: int, games_per_block: int) -> None:
        self.hypotheses = hypotheses
        self.games_per_block = games_per_block
        self.blocks = 0
        self.counts = np.zeros(denominator + 1, np.int64)  # of blocks, by the numerator of their score
        self.llr = 0.0
        self.verdict: Verdict | None = None
        self._scores = np.arange(denominator + 1) / denominator
        self._t0, self._t1 = expected_score(hypotheses.elo0), expected_score(hypotheses.elo1)
        self._roots = np.zeros(2)

    @property
    def games(self) -> int:
        """Games in the blocks that were counted."""
        return self.blocks * self.games_per_block

    def feed(self, scores: np.ndarray | Sequence[int]) -> bool:
        """Count the next blocks, given as numerators of their scores, up to the one that decides; True when the
        test is decided. What comes after the decision is ignored."""
        fresh = np.array(scores)
        if fresh.size and (fresh.dtype.kind not in "iu" or fresh.min() < 0 or fresh.max() >= len(self.counts)):
            raise ValueError(f"block scores must be whole numbers from 0 to {len(self.counts) - 1}")
        if self.verdict is None and fresh.size:
            fresh = np.array(fresh, np.int64, order="C")
            lower, upper = self.hypotheses.lower, self.hypotheses.upper
            used, now = advance(fresh, self.counts, self._scores, self._t0, self._t1, lower, upper, self._roots)
            self.blocks += int(used)
            self.llr = float(now)
            if now >= upper:
                self.verdict = Verdict.H1
            elif now <= lower:
                self.verdict = Verdict.H0
        return self.verdict is not None

    def expected_blocks_left(self) -> float:
        """About how many blocks the test still needs.

        The ratio moves by about gap / variance * (score - middle) a block. While there are few blocks their mean
        says little: it is drawn to the middle of the hypotheses, as if we knew it within the gap; and their
        variance is drawn to that of a block whose comparisons are independent.
        """
        if self.verdict is not None:
            return 0.0
        gap, middle = self._t1 - self._t0, (self._t0 + self._t1) / 2
        total = float(self.counts @ self._scores)
        squares = float(self.counts @ (self._scores - total / max(self.blocks, 1)) ** 2)
        guess = 1 / (2 * (len(self.counts) - 1))
        variance = (squares + GUESSED_BLOCKS * guess) / (self.blocks + GUESSED_BLOCKS)
        drawn = variance / gap**2
        mean = (total + drawn * middle) / (self.blocks + drawn)
        lower, upper = self.hypotheses.lower, self.hypotheses.upper
        likely = exit_time(self.llr, lower, upper, gap / variance * (mean - middle), gap**2 / variance)
        # A block adds at most log(t1 / t0) and takes at most log((1 - t0) / (1 - t1)): see docs/statistics.md.
        least = min(
            (upper - self.llr) / math.log(self._t1 / self._t0),
            (self.llr - lower) / math.log((1 - self._t0) / (1 - self._t1)),
        )
        return max(likely, least, 1.0)

    def elo(self) -> Estimate:
        """The new bot's Elo above the old one's, with the 95% interval of the likelihood ratio. Stopping where the
        ratio is extreme makes it too extreme on average, which is not corrected here."""
        if self.blocks == 0:
            return Estimate(*(np.array(np.nan) for _ in range(3)))
        mean = float(self.counts @ self._scores) / self.blocks
        ends = [end if mean == end else limit(self.counts, self._scores, mean, end) for end in (0.0, 1.0)]
        return Estimate(*(np.array(elo_of(score)) for score in (mean, *ends)))

    def line(self) -> str:
        """How the test stands, in one line."""
        bounds = f"LLR {self.llr:z.2f} ({self.hypotheses.lower:.2f}, {self.hypotheses.upper:.2f})"
        if self.verdict is not None:
            elo = self.hypotheses.elo1 if self.verdict is Verdict.H1 else self.hypotheses.elo0
            return f"{bounds}, {self.verdict} accepted (elo {value_text(elo)}) after {self.games:,} games"
        left = math.ceil(self.expected_blocks_left()) * self.games_per_block
        unit = 10 ** max(len(str(left)) - 2, 0)  # two digits, more would be invented
        return f"{bounds}, about {round(left / unit) * unit:,} games left"
