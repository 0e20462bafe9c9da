"""Mixes compared: paired differences on shared deals, with corrections for looking at many measures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qpolis.balance.experiment import Entry
from qpolis.balance.inference import DIFFERENT, SURE, Verdict, holm, judge, p_beyond
from qpolis.balance.measure import EFFECT, POINTS, SHARE, Measure, difference
from qpolis.balance.question import FIELD, LEVEL
from qpolis.balance.targets import advantage

TILES = ("tiles", "seat tiles")  # groups of measures of single tiles
POINTS_BOUND, POINTS_PART = 1.0, 0.1  # points that do not matter, and the part of a smaller number of them
COUNT_BOUND = 0.05  # part of a count that does not matter
UNEVEN = "uneven"  # seats that are different, but perhaps by less than matters


@dataclass(frozen=True)
class Comparison:
    """A measure of a mix against the same of the first mix."""

    old: Entry
    new: Entry
    change: Measure
    bound: float  # a smaller change does not matter
    verdict: Verdict

    @property
    def gain(self) -> float:
        """How many times as many deals it would have taken without sharing them."""
        if not self.change.error:
            return np.nan
        return (self.old.measure.error**2 + self.new.measure.error**2) / self.change.error**2


def bound_of(measure: Measure, within: float) -> float:
    """What does not matter: some percentage points, a point (or a tenth of few), or a twentieth of a count."""
    if measure.unit in (SHARE, EFFECT):
        return within / 100
    size = max(abs(measure.value), 1e-9)
    return min(POINTS_BOUND, POINTS_PART * size) if measure.unit == POINTS else COUNT_BOUND * size


def family_of(entry: Entry) -> str:
    if entry.measure.group in TILES:
        return "tiles"
    return "levels" if entry.part in (LEVEL, FIELD) else "duels"


def compare(entries: Sequence[Entry], mix: int, within: float) -> list[Comparison]:
    """A mix against the first one, measure by measure, at every level of play. Errors are corrected over families
    of measures: those of levels and the field, of duels between strategies or budgets, and of tiles."""
    old = {entry.key: entry for entry in entries if entry.mix == 0}
    pairs = [(old[entry.key], entry) for entry in entries if entry.mix == mix and entry.key in old]
    comparisons = []
    for name in ("levels", "duels", "tiles"):
        family = [pair for pair in pairs if family_of(pair[0]) == name]
        changes = [difference(before.measure, after.measure) for before, after in family]
        bounds = [bound_of(before.measure, within) for before, _ in family]
        comparisons += [
            Comparison(*pair, change, bound, verdict)
            for pair, change, bound, verdict in zip(family, changes, bounds, judge(changes, bounds))
        ]
    return comparisons


@dataclass(frozen=True)
class Fairness:
    """Whether the seats of a mix are equal at one level of play."""

    entry: Entry
    advantage: Measure  # of a seat, above an equal share of the wins
    bound: float
    verdict: Verdict
    beyond: float  # p-value of an advantage within the bound, corrected like those of the verdict

    @property
    def word(self) -> str:
        """The word of the verdict; but what is called different is beyond the bound."""
        uneven = self.verdict.word == DIFFERENT and not self.beyond <= SURE
        return UNEVEN if uneven else self.verdict.word


def fairness(entries: Sequence[Entry], mix: int, within: float) -> list[Fairness]:
    """The advantage of every seat at every level, tested together."""
    found = [
        entry
        for entry in entries
        if entry.mix == mix and entry.measure.group == "seats" and entry.measure.unit == SHARE
    ]
    seats = Counter((entry.part, entry.level) for entry in found)
    advantages = [advantage(entry.measure, seats[entry.part, entry.level]) for entry in found]
    bounds = [within / 100] * len(found)
    beyond = holm([p_beyond(*pair) for pair in zip(advantages, bounds)]).tolist()
    return [Fairness(*parts) for parts in zip(found, advantages, bounds, judge(advantages, bounds), beyond)]
