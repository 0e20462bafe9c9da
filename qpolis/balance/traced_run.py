"""The games of a run with what happened in them: what measures are made from."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qpolis.balance.duels import by_block
from qpolis.balance.measure import Measure, ratio
from qpolis.balance.trace import Trace
from qpolis.engine.results import FINISHED, Results
from qpolis.game import Game
from qpolis.tourney.plan import Plan


@dataclass(frozen=True)
class TracedRun:
    """The games of a run, with their traces. What did not end regularly says nothing about a mix: it weighs 0."""

    game: Game
    plan: Plan
    results: Results
    trace: Trace

    @cached_property
    def weight(self) -> np.ndarray:
        return (self.results.ends == FINISHED).all(axis=1).astype(float)

    @cached_property
    def first(self) -> np.ndarray:
        """By game and seat: its part of the win."""
        best = self.results.ranks == 0
        part: np.ndarray = best / np.maximum(best.sum(axis=1, keepdims=True), 1)
        return part

    @cached_property
    def margin(self) -> np.ndarray:
        """By game: points of the winner above the next."""
        points = np.sort(self.results.points, axis=1)
        difference: np.ndarray = points[:, -1] - points[:, -2]
        return difference

    def blocks(self, values: np.ndarray) -> np.ndarray:
        """Values of games added up by block."""
        return by_block(self.plan, values)

    def mean(
        self, group: str, name: str, unit: str, values: np.ndarray, weights: np.ndarray | None = None
    ) -> Measure:
        """The mean of a value of games, or the sum of values by that of weights. NaN where there is none."""
        weights = self.weight * (1.0 if weights is None else weights)
        known = np.isfinite(values)
        return ratio(
            group,
            name,
            unit,
            self.blocks(np.where(known, values, 0) * self.weight),
            self.blocks(weights * known),
            int((known & (weights > 0)).sum()),
        )
