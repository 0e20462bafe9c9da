"""What comes out of playing games, whoever played them: the columns that loops fill, chunks carry, journals keep,
and ratings, reports and balance read."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from qpolis.clock import BINS

# How a game ended for a seat: it was played out; another seat forfeited; or this seat did, and why.
ENDS = ("finished", "stopped", "illegal", "crash", "timeout", "memory")
FINISHED, STOPPED, ILLEGAL, CRASH, TIMEOUT, MEMORY = range(len(ENDS))
COLUMNS = ("points", "ranks", "decisions", "ends", "numbers", "lengths", "hashes", "who", "deals")  # a row a game


def no_column() -> np.ndarray:
    return np.zeros(0, np.int64)


@dataclass(frozen=True, kw_only=True)
class Results:
    """Some games: one row a game, one column a seat. What is not known, or not needed, is empty: loops do not know
    the bots, statistics need no actions."""

    points: np.ndarray
    ranks: np.ndarray  # 0 is best, equals share; a seat that forfeited is last, the others as they stood
    decisions: np.ndarray
    ends: np.ndarray  # indexes of ENDS
    numbers: np.ndarray = field(default_factory=no_column)  # of the games: in the plan of a run, or counted from 0
    lengths: np.ndarray = field(default_factory=no_column)  # of each game, in actions
    hashes: np.ndarray = field(default_factory=no_column)  # uint64, of what was done and what came out
    who: np.ndarray = field(default_factory=no_column)  # the bot at each seat, as an index of `bots`
    # Of each game, ascending: equal within a block (one deal, all seatings of its bots).
    deals: np.ndarray = field(default_factory=no_column)
    actions: np.ndarray = field(default_factory=no_column)  # of all games, one after the other
    # By seat (of a loop) or by bot: how many decisions took how long; clock.py says which bins.
    times: np.ndarray = field(default_factory=no_column)
    reasons: Mapping[tuple[int, int], str] = field(default_factory=dict)  # of forfeits: (number, seat) -> one line
    traces: Mapping[tuple[int, int], str] = field(default_factory=dict)  # of some of them: tracebacks
    bots: tuple[str, ...] = ()  # specs
    seconds: float = 0.0  # that the games took

    @classmethod
    def nothing(cls, bots: int, seats: int) -> Results:
        """No games at all of so many bots."""
        table, hashes = np.zeros((0, seats), np.int64), np.zeros(0, np.uint64)
        return cls(
            points=table,
            ranks=table,
            decisions=table,
            ends=table,
            hashes=hashes,
            times=np.zeros((bots, BINS), np.int64),
        )

    @property
    def games(self) -> int:
        return len(self.points)

    @property
    def seats(self) -> int:
        return self.points.shape[1]

    @property
    def finished(self) -> np.ndarray:
        """By game: was it played to its end by all?"""
        whole: np.ndarray = (self.ends == FINISHED).all(axis=1)
        return whole

    def without_actions(self) -> Results:
        return replace(self, actions=self.actions[:0])

    def actions_of(self, row: int) -> np.ndarray:
        """The actions of the game in a row."""
        start = int(self.lengths[:row].sum())
        return self.actions[start : start + int(self.lengths[row])]

    def only(self, chosen: np.ndarray) -> Results:
        """Some of the games: those where `chosen` is true. Times and seconds are still those of all."""
        actions = self.actions[np.repeat(chosen, self.lengths)] if len(self.actions) else self.actions
        numbers = set(self.numbers[chosen].tolist()) if self.reasons else ()
        reasons = {key: reason for key, reason in self.reasons.items() if key[0] in numbers}
        traces = {key: trace for key, trace in self.traces.items() if key in reasons}
        return replace(self._at(chosen), actions=actions, reasons=reasons, traces=traces)

    def in_plan_order(self) -> Results:
        """The games by their numbers, without their actions."""
        return self.without_actions()._at(np.argsort(self.numbers))

    def _at(self, rows: np.ndarray) -> Results:
        """Rows of all columns that are there."""
        columns = {name: getattr(self, name) for name in COLUMNS}
        return replace(self, **{name: column[rows] for name, column in columns.items() if len(column)})


def join(parts: Sequence[Results]) -> Results:
    """Several results of the same bots as one. Those of no games may lack columns."""
    some = [part for part in parts if part.games] or parts[:1]
    columns: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in some]) for name in (*COLUMNS, "actions")
    }
    reasons = dict(itertools.chain.from_iterable(part.reasons.items() for part in parts))
    traces = dict(itertools.chain.from_iterable(part.traces.items() for part in parts))
    return replace(
        some[0],
        **columns,
        reasons=reasons,
        traces=traces,
        times=np.sum([part.times for part in parts], axis=0),
        seconds=sum(part.seconds for part in parts),
    )
