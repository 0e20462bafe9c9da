"""What can be said about measures: tests, corrections for many tests, verdicts.

Tests count standard errors and compare them with Student's distribution. The error of a share is the one that it
would have if the hypothesis were true, so a test rejects a share exactly if it is outside the share's interval.
A p-value is NaN if nothing is known; such tests do not count among the many.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qpolis.balance.measure import EFFECT, SHARE, Measure

DIFFERENT, EQUIVALENT, SMALL, OPEN = "different", "equivalent", "small", "open"
SURE = 0.05  # the p-value up to which something is claimed
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Verdict:
    """What is known of one effect among several. The p-values are corrected for their number (Holm)."""

    measure: Measure
    bound: float  # effects below this do not matter
    different: float  # p-value of no effect
    equivalent: float  # p-value of an effect as large as the bound
    word: str  # different; equivalent; small: there is an effect, but within the bound; open: cannot say


def p_value(measure: Measure, null: float = 0.0) -> float:
    """Two-sided: how probable so large a distance from `null` is, if that is the truth."""
    p = min(p_at_most(measure, null), p_at_least(measure, null))
    return min(2 * p, 1.0)


def p_at_most(measure: Measure, bound: float) -> float:
    """One-sided: small if the truth is below the bound."""
    return _p_beyond(measure, bound, measure.value - bound)


def p_at_least(measure: Measure, bound: float) -> float:
    """One-sided: small if the truth is above the bound."""
    return _p_beyond(measure, bound, bound - measure.value)


def p_equivalent(measure: Measure, bound: float, null: float = 0.0) -> float:
    """Small if the truth is less than `bound` away from `null`: the weaker of two one-sided tests (TOST)."""
    return max(p_at_most(measure, null + bound), p_at_least(measure, null - bound))


def p_beyond(measure: Measure, bound: float) -> float:
    """Small if the truth is more than `bound` away from 0: how probable is a value as far away, on either side, if
    the truth is at the bound?"""
    sides = (test(measure, bound) + test(measure, -bound) for test in (p_at_least, p_at_most))
    return min(*sides, 1.0)


def holm(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """p-values corrected so that the chance of any wrong claim is that of a single test (Holm 1979)."""

    def corrected(ordered: np.ndarray) -> np.ndarray:
        return np.maximum.accumulate(ordered * np.arange(len(ordered), 0, -1))

    return _in_order(p, corrected)


def benjamini_hochberg(p: Sequence[float] | np.ndarray) -> np.ndarray:
    """p-values corrected so that of all claims the expected share of wrong ones is that of a single test."""

    def corrected(ordered: np.ndarray) -> np.ndarray:
        each = ordered * (len(ordered) / np.arange(1, len(ordered) + 1))
        return np.minimum.accumulate(each[::-1])[::-1]

    return _in_order(p, corrected)


def judge(measures: Sequence[Measure], bounds: Sequence[float], level: float = SURE) -> list[Verdict]:
    """Verdicts on a family of effects. Each kind of claim, effects and their absence, is wrong at this level."""
    if len(measures) != len(bounds):
        raise ValueError(f"{len(measures)} measures, but {len(bounds)} bounds")
    different = holm([p_value(measure) for measure in measures])
    equivalent = holm([p_equivalent(measure, bound) for measure, bound in zip(measures, bounds)])
    return [
        Verdict(measure, bound, float(p), float(q), _word(p <= level, q <= level))
        for measure, bound, p, q in zip(measures, bounds, different, equivalent)
    ]


def _word(different: bool, equivalent: bool) -> str:
    if equivalent:
        return SMALL if different else EQUIVALENT
    return DIFFERENT if different else OPEN


def _p_beyond(measure: Measure, truth: float, gap: float) -> float:
    """The probability of this gap or a lower one, if so is the truth."""
    from scipy import special  # type: ignore[import-untyped]  # slow to import

    error = measure.error_at(truth)
    if math.isnan(error):
        return math.nan
    if abs(gap) <= _ROUNDING * max(abs(measure.value), abs(truth)):
        return 0.5
    if error > 0:
        return float(special.stdtr(measure.degrees, gap / error))
    if gap > 0:
        return 1.0
    return _p_agreement(measure, truth)


def _p_agreement(measure: Measure, truth: float) -> float:
    """How probable it is at most that all blocks have the same value, if another one is the truth.

    Other blocks must be possible then. Of an effect each of them is at most a whole win away from its fellows, so
    they are not too rare to be expected among many blocks. Points and counts have no such bound: a block is as
    likely on either side of the truth, so many of them are not all on one. A share would have an error.
    """
    if measure.unit == SHARE:
        return 0.0
    if measure.unit != EFFECT:
        return 0.5**measure.units
    furthest = 1 - measure.value if truth > measure.value else 1 + measure.value
    return max(1 - abs(truth - measure.value) / furthest, 0.0) ** measure.units if furthest > 0 else 0.0


def _in_order(p, corrected) -> np.ndarray:
    """Correct the known p-values from the smallest to the largest, each at most 1."""
    p = np.asarray(p, float)
    known = np.flatnonzero(~np.isnan(p))
    order = known[np.argsort(p[known], kind="stable")]
    out = np.full(len(p), np.nan)
    out[order] = np.minimum(corrected(p[order]), 1)
    return out
