"""What a mix should be like: targets of a search, how far a mix is from them, and whether it has reached them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from qpolis.balance.inference import p_at_least, p_at_most, p_beyond, p_equivalent
from qpolis.balance.measure import EFFECT, SHARE, Measure
from qpolis.errors import QpolisError, unknown

DOUBT = 2.0  # standard errors
WITHIN, AT_MOST, AT_LEAST = "within", "at most", "at least"


@dataclass(frozen=True)
class TargetKind:
    """A kind of target: the measures it is about, on which side of the bound they should be, what a step is worth,
    and words for people."""

    chosen: Callable[[Measure], bool]
    sense: str
    step: float  # of the measure: a distance of this counts 1
    percent: bool  # is the bound given in percent?
    help: str


TARGET_KINDS = {
    "seats": TargetKind(
        lambda m: m.group == "seats" and m.unit == SHARE,
        WITHIN,
        0.01,
        True,
        "no seat's share of the wins is further from an equal one than so many percentage points",
    ),
    "kinds": TargetKind(
        lambda m: m.group == "effects",
        WITHIN,
        0.02,
        True,
        "one building more of any kind changes the chance to win by so many percentage points at most",
    ),
    "margin": TargetKind(
        lambda m: m.name == "winning margin",
        AT_MOST,
        0.5,
        False,
        "winners are ahead by so many points at most, on average",
    ),
    "close": TargetKind(
        lambda m: m.name == "won by 5 points or less",
        AT_LEAST,
        0.02,
        True,
        "so many percent of the games, at least, are won by 5 points or less",
    ),
    "changes": TargetKind(
        lambda m: m.name == "lead changes",
        AT_LEAST,
        0.1,
        False,
        "the lead changes so many times at least, on average",
    ),
    "trailed": TargetKind(
        lambda m: m.name == "winner trailed at half-time",
        AT_LEAST,
        0.02,
        True,
        "in so many percent of the games, at least, the winner trailed at half-time",
    ),
}


@dataclass(frozen=True)
class Target:
    """A target such as seats=2."""

    name: str
    bound: float  # as it was given

    @classmethod
    def parse(cls, text: str) -> Target:
        name, equals, bound = text.partition("=")
        if name not in TARGET_KINDS:
            raise unknown("target", name, TARGET_KINDS)
        try:
            number = float(bound)
        except ValueError:
            number = math.nan
        if not equals or not 0 <= number <= 1000:
            raise QpolisError(f"target {text!r} is not of the form {name}=NUMBER, with a number from 0 to 1000")
        return cls(name, number)

    @property
    def kind(self) -> TargetKind:
        return TARGET_KINDS[self.name]

    @property
    def limit(self) -> float:
        """The bound in the unit of the measures."""
        return self.bound / 100 if self.kind.percent else self.bound

    def text(self) -> str:
        return f"{self.name}={self.bound:g}"

    def about(self, measures: Iterable[Measure]) -> list[Measure]:
        """The measures it is about; shares of seats as their distance from an equal share."""
        found = [measure for measure in measures if self.kind.chosen(measure) and not math.isnan(measure.value)]
        if self.name == "seats":
            return [advantage(measure, len(found)) for measure in found]
        return found

    def distance(self, measure: Measure) -> float:
        """How far a measure is from the target, in steps, if it is two standard errors worse than it looks; 0 if
        it is there even so."""
        value, limit = measure.value, self.limit
        beyond = {WITHIN: abs(value) - limit, AT_MOST: value - limit, AT_LEAST: limit - value}[self.kind.sense]
        return max(beyond + DOUBT * (0.0 if math.isnan(measure.error) else measure.error), 0.0) / self.kind.step

    def p_met(self, measure: Measure) -> float:
        """Small if the truth is on the right side."""
        test = {WITHIN: p_equivalent, AT_MOST: p_at_most, AT_LEAST: p_at_least}[self.kind.sense]
        return test(measure, self.limit)

    def p_missed(self, measure: Measure) -> float:
        """Small if the truth is on the wrong side."""
        if self.kind.sense == WITHIN:
            return p_beyond(measure, self.limit)
        return (p_at_least if self.kind.sense == AT_MOST else p_at_most)(measure, self.limit)


def advantage(measure: Measure, seats: int) -> Measure:
    """A seat's share of the wins as its distance from an equal share."""
    return Measure(
        measure.group,
        measure.name.replace("wins", "advantage"),
        EFFECT,
        measure.value - 1 / seats,
        measure.influence,
        measure.samples,
        measure.measured,
    )


def loss(targets: Sequence[Target], levels: Iterable[Sequence[Measure]]) -> float:
    """How far a mix is from all targets: for each the worst measure of all levels, added up."""
    all_levels = list(levels)
    return sum(
        max(
            (target.distance(measure) for measures in all_levels for measure in target.about(measures)),
            default=0.0,
        )
        for target in targets
    )
