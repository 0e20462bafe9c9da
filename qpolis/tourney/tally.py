"""How a run stands while it is played: how many games, who wins, and the sequential test if there is one."""

from __future__ import annotations

import numpy as np

from qpolis.engine.results import Results
from qpolis.ratings.sprt import Test, block_scores
from qpolis.tourney.chunk import check_possible
from qpolis.tourney.plan import Plan
from qpolis.tourney.records import with_bots
from qpolis.tourney.times import total

UNKNOWN = -1
FED = 1 << 16  # blocks that a test is fed at a time


class Tally:
    """Counts chunks as they come, in any order."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.done = np.zeros(plan.blocks, bool)
        self.games = 0
        self.seconds = 0.0  # of work, over all workers
        self._first = np.zeros(len(plan.bots))  # places, shared ones in parts
        self._played = np.zeros(len(plan.bots), np.int64)
        self.test: Test | None = None
        self._scores = np.zeros(0, np.int64)
        if plan.hypotheses:
            self._scores = np.full(plan.blocks, UNKNOWN, np.int16)  # of the first bot, by block

    def decided(self) -> bool:
        """Has a sequential test come to its end?"""
        return self.test is not None and self.test.verdict is not None

    def complete(self) -> bool:
        """Is nothing left to play?"""
        return self.decided() or bool(self.done.all())

    @property
    def counted(self) -> int:
        """The blocks that count: all of the plan, or those up to the decision of a test."""
        return self.test.blocks if self.test is not None and self.decided() else self.plan.blocks

    def add(self, chunk: Results) -> None:
        plan = self.plan
        check_possible(chunk, plan.games, len(plan.bots), plan.seatings.shape[2])
        blocks = np.unique(chunk.numbers // plan.games_per_block)
        self.done[blocks] = True
        self.games += chunk.games
        self.seconds += chunk.seconds
        best = chunk.ranks == 0
        who = plan.who(chunk.numbers)
        np.add.at(self._first, who, best / np.maximum(best.sum(axis=1, keepdims=True), 1))
        np.add.at(self._played, who, 1)
        if plan.hypotheses:
            self._feed(chunk, blocks)

    def _feed(self, chunk: Results, blocks: np.ndarray) -> None:
        """Take the scores of some blocks, and give the test all that follow on what it has."""
        scores, denominator = block_scores(with_bots(self.plan, chunk.in_plan_order()))
        self._scores[blocks] = scores
        if self.test is None:
            assert self.plan.hypotheses is not None
            self.test = Test(self.plan.hypotheses, denominator, self.plan.games_per_block)
        while not self.decided():
            rest = self._scores[self.test.blocks : self.test.blocks + FED]
            gaps = np.flatnonzero(rest == UNKNOWN)
            known = rest[: gaps[0]] if len(gaps) else rest
            self.test.feed(known)
            if len(known) < FED:
                return

    def shares(self) -> np.ndarray:
        """By bot: its share of first places in the games it played; NaN before the first."""
        with np.errstate(invalid="ignore"):
            return self._first / self._played


def thinking_seconds(chunk: Results) -> float:
    """About how long the bots of a chunk thought: not all decisions are timed."""
    timed = chunk.times.sum()
    return float(total(chunk.times) / 1000 * chunk.decisions.sum() / timed) if timed else 0.0
