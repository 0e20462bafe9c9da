"""How a run stands while it is played: how many games, who wins, and the sequential test if there is one."""

from __future__ import annotations

import numpy as np

from qpolis.engine.results import Results
from qpolis.ratings.sprt import Test, block_scores
from qpolis.tourney.chunk import Piece
from qpolis.tourney.plan import Plan
from qpolis.tourney.times import total

UNKNOWN = -1
FED = 1 << 16  # blocks that a test is fed at a time


class Tally:
    """Counts pieces as they come, in any order."""

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

    def add(self, piece: Piece) -> None:
        plan = self.plan
        piece.check(plan.games, len(plan.bots), plan.seatings.shape[2])
        blocks = np.unique(piece.games // plan.games_per_block)
        self.done[blocks] = True
        self.games += len(piece.games)
        self.seconds += piece.seconds
        best = piece.ranks == 0
        who = plan.who(piece.games)
        np.add.at(self._first, who, best / np.maximum(best.sum(axis=1, keepdims=True), 1))
        np.add.at(self._played, who, 1)
        if plan.hypotheses:
            self._feed(piece, blocks)

    def _feed(self, piece: Piece, blocks: np.ndarray) -> None:
        """Take the scores of some blocks, and give the test all that follow on what it has."""
        scores, denominator = block_scores(results_of(self.plan, piece.sorted()))
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


def results_of(plan: Plan, piece: Piece) -> Results:
    """The games of a piece that stands in plan order, for the statistics."""
    return Results(plan.bots, plan.who(piece.games), piece.games // plan.games_per_block, piece.points,
                   piece.ranks, piece.decisions, piece.ends)


def thinking_seconds(piece: Piece) -> float:
    """About how long the bots of a piece thought: not all decisions are timed."""
    timed = piece.times.sum()
    return float(total(piece.times) / 1000 * piece.decisions.sum() / timed) if timed else 0.0
