"""Numbers about a mix of tiles, and how sure they are.

The games of a block share a deal, so they are not independent; blocks are. Every number therefore carries its
influence: what each block adds to its error. From this come its standard error, its interval, and the error of its
difference from the same number of another mix that was played on the same deals. See docs/balance-statistics.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

# Units. An effect is a difference of shares: it may be negative, and has the interval of any other mean.
SHARE, POINTS, COUNT, EFFECT = "share", "points", "count", "effect"
_ROUNDING = 1e-12  # of the numbers that went in: a difference below this is none


@dataclass(frozen=True)
class Measure:
    """A number about a mix, with what each block adds to its error."""

    group: str  # "seats", "scores", "types", ...
    name: str  # group and name together say which number it is
    unit: str
    value: float  # NaN if unknown
    influence: np.ndarray  # by block, about 0 on average: the error of the value is about its mean
    samples: int  # games, seats or decisions that it rests on
    measured: int | None = None  # blocks that had anything to say about it; all, if not given

    @property
    def blocks(self) -> int:
        return len(self.influence)

    @property
    def units(self) -> int:
        """Independent pieces of evidence. A block without any such game or decision is none."""
        return self.blocks if self.measured is None else self.measured

    @property
    def error(self) -> float:
        """The standard error; NaN if there are not two blocks to compare."""
        if self.units < 2 or math.isnan(self.value):
            return math.nan
        square = float(self.influence @ self.influence)
        return math.sqrt(square * self.units / (self.units - 1)) / self.blocks

    @property
    def worth(self) -> float:
        """Of a share: how many independent games would have this error."""
        if self.error == 0:
            return self.units  # all blocks agree, so how much their games add to each other is unknown
        return self.value * (1 - self.value) / self.error**2

    @property
    def degrees(self) -> float:
        """Degrees of freedom of the error: how well it is known.

        One less than the blocks; fewer if the error hangs on a few of them. With kurtosis k of n blocks it is as
        good as one of 2 n / (k - 1) blocks with normal numbers (Satterthwaite). Shares have Wilson's remedy.
        """
        if self.unit == SHARE or not self.error > 0:
            return self.units - 1.0
        squares = self.influence**2
        kurtosis = self.units * float(squares @ squares) / float(squares.sum()) ** 2
        return max(min(self.units - 1.0, 2 * self.units / max(kurtosis - 1, 1e-9)), 1.0)

    def error_at(self, truth: float) -> float:
        """The standard error if this were the true value: shares vary less near 0 and 1."""
        if self.unit != SHARE:
            return self.error
        return math.sqrt(max(truth * (1 - truth), 0.0) / self.worth)

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Where the true value is, with this probability: Wilson's interval for a share, else Student's."""
        if self.unit == SHARE and self.units < 2 and not math.isnan(self.value):
            return 0.0, 1.0
        quantile = self._quantile(level)
        if self.unit == SHARE:
            return _wilson(self.value, self.worth, quantile)
        if self.unit == EFFECT and self.error == 0:
            odd = 1 - ((1 - level) / 2) ** (1 / self.units)  # so many blocks may be different, by a whole win
            return self.value - odd * (1 + self.value), self.value + odd * (1 - self.value)
        if self.error == 0 and 2 * 0.5**self.units > 1 - level:  # so few blocks can agree by chance
            return math.nan, math.nan
        return self.value - quantile * self.error, self.value + quantile * self.error

    def _quantile(self, level: float) -> float:
        """How many standard errors an interval reaches: more, if the error is not known well."""
        from scipy import special  # type: ignore[import-untyped]  # slow to import

        return float(special.stdtrit(self.degrees, (1 + level) / 2))


def ratio(
    group: str, name: str, unit: str, numerators: np.ndarray, denominators: np.ndarray, samples: int | None = None
) -> Measure:
    """A mean or share: the sum of the blocks' numerators by that of their denominators (games, decisions, ...)."""
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    if above.shape != below.shape or above.ndim != 1:
        raise ValueError(f"a numerator and a denominator by block, not {above.shape} and {below.shape}")
    total = float(below.sum())
    samples = round(total) if samples is None else samples
    measured = int(np.count_nonzero(below))
    if total == 0:
        return Measure(group, name, unit, math.nan, np.zeros(len(above)), samples, measured)
    value = float(above.sum()) / total
    influence = len(above) / total * _less(above, value * below)
    return Measure(group, name, unit, value, influence, samples, measured)


def difference(old: Measure, new: Measure) -> Measure:
    """By how much the new number is above the old one, paired by block: luck that both mixes had cancels."""
    if (old.group, old.name, old.unit) != (new.group, new.name, new.unit):
        raise ValueError(f"{old.group}: {old.name} ({old.unit}) is not {new.group}: {new.name} ({new.unit})")
    if old.blocks != new.blocks:
        raise ValueError(f"mixes are compared on the same deals, not on {old.blocks} and {new.blocks}")
    value = float(_less(new.value, old.value))
    influence = _less(new.influence, old.influence)
    return Measure(
        old.group,
        old.name,
        EFFECT if old.unit == SHARE else old.unit,
        value,
        influence,
        min(old.samples, new.samples),
        min(old.units, new.units),
    )


def _less(a: np.ndarray | float, b: np.ndarray | float) -> np.ndarray:
    """a - b, and 0 where the rest is rounding. Blocks that agree are to agree exactly."""
    return np.where(np.abs(a - b) <= _ROUNDING * np.maximum(np.abs(a), np.abs(b)), 0.0, a - b)


def _wilson(share: float, games: float, quantile: float) -> tuple[float, float]:
    """The shares of which this one is not `quantile` standard errors away."""
    extra = quantile**2 / games
    centre = (share + extra / 2) / (1 + extra)
    reach = quantile / (1 + extra) * math.sqrt(max(share * (1 - share), 0.0) / games + extra / games / 4)
    return max(min(centre - reach, share), 0.0), min(max(centre + reach, share), 1.0)
