"""What a worker does: play some blocks of a plan. Only the plan's text and the numbers of blocks reach it."""

from __future__ import annotations

import functools
import os
import platform
import time
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from qpolis.clock import BINS
from qpolis.engine.policy_loop import Loop
from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.registry.spec import Entrant, resolve
from qpolis.tourney.chunk import Piece, hashed, join
from qpolis.tourney.definition import define
from qpolis.tourney.match import play_deals
from qpolis.tourney.plan import Plan, changed, make_plan
from qpolis.tourney.schema import MADE, PLAN_KEYS, without


@dataclass(frozen=True)
class Hall:
    """Where a plan is played: its game and its bots, ready to sit down."""

    plan: Plan
    game: Game
    entrants: tuple[Entrant, ...]

    @classmethod
    def open(cls, plan: Plan) -> Hall:
        """With everything compiled that is not a user's."""
        hall = cls(plan, plan.load_game(), tuple(resolve(spec) for spec in plan.bots))
        for seated in filter(None, (entrant.seated for entrant in hall.entrants)):
            Loop(hall.game, [seated] * hall.game.players)
        return hall

    @property
    def trusted(self) -> bool:
        """Are all bots shipped policies? Then playing is nothing but kernels."""
        return all(entrant.seated for entrant in self.entrants)

    def play(self, blocks: np.ndarray) -> Piece:
        """Play some blocks: lineup by lineup, seating by seating, all deals of each together."""
        begun = time.perf_counter()
        plan = self.plan
        pieces = [Piece.empty(len(plan.bots), self.game.players)]
        for lineup in np.unique(blocks % len(plan.lineups)).tolist():
            deals = np.sort(blocks[blocks % len(plan.lineups) == lineup])
            for number in range(plan.games_per_block):
                pieces += [self._play(lineup, number, run) for run in runs(deals, len(plan.lineups))]
        return replace(join(pieces), seconds=time.perf_counter() - begun)

    def _play(self, lineup: int, number: int, deals: range) -> Piece:
        """All of some deals in one seating."""
        plan = self.plan
        seating = plan.lineups[lineup][number]
        batch = play_deals(self.game, [self.entrants[bot] for bot in seating], plan.definition.seed, deals.start,
                           len(deals), plan.limits, deals.step, record=True)
        games = np.array(deals, np.int64) * plan.games_per_block + number
        times = np.zeros((len(plan.bots), BINS), np.int64)
        np.add.at(times, list(seating), batch.times)
        hashes = hashed(self.game, np.array(deals, np.int64), batch.lengths, batch.actions, batch.points,
                        batch.ranks)
        reasons = tuple((int(games[row]), seat, text) for (row, seat), text in sorted(batch.reasons.items()))
        piece = Piece(games, batch.points, batch.ranks, batch.decisions, batch.ends, batch.lengths, hashes,
                      batch.actions, times, reasons, 0.0)
        return piece if plan.definition.moves else piece.without_moves()


def runs(numbers: np.ndarray, step: int) -> Iterator[range]:
    """Ascending numbers as ranges of this step: one, unless some are missing."""
    for part in np.split(numbers, np.flatnonzero(np.diff(numbers) != step) + 1):
        yield range(int(part[0]), int(part[-1]) + 1, step)


@functools.lru_cache(maxsize=2)
def hall(text: str) -> Hall:
    """The hall for a plan's text, on this machine."""
    table = tomllib.loads(text)
    plan = make_plan(define(without(table, PLAN_KEYS)))
    for what, then, now in changed(table[MADE], plan.made):
        raise QpolisError(f"a worker has another {what} than the run was planned with ({now}, not {then})")
    return Hall.open(plan)


def work(folder: str, text: str, blocks: list[int]) -> bytes:
    """A piece, in a process of a pool. Paths of bots are meant from `folder`."""
    try:
        os.chdir(folder)
    except OSError as error:
        raise QpolisError(f"a worker on {platform.node()} has no folder {folder}: {error.strerror}") from None
    return hall(text).play(np.array(blocks, np.int64)).encode()
