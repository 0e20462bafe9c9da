"""The recorded games of a run in plan order, a part at a time.

A journal has its chunks in the order they were finished. They are read once to see which games are where; then
those that follow in the plan are read again, and no more of them are kept than overlap. So memory does not depend
on the length of a run, and what is made of it not on the workers that played it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qpolis import interrupts
from qpolis.engine.results import Results, join
from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.tourney import journal
from qpolis.tourney.chunk import decode
from qpolis.tourney.plan import Plan
from qpolis.tourney.run import JOURNAL, saved_plan
from qpolis.tourney.tally import Tally


class ChunkPlace(NamedTuple):
    """Where the games of a chunk are: the first of them by number, and the start of its record in the journal."""

    first: int
    start: int


@dataclass(frozen=True)
class RecordedRun:
    """A run with its moves, as far as it was played."""

    folder: Path
    plan: Plan
    game: Game
    places: list[ChunkPlace]  # by their first games
    played: np.ndarray  # of each game that counts: is it there?
    complete: bool

    @classmethod
    def open(cls, folder: Path) -> RecordedRun:
        plan = saved_plan(folder)
        if not plan.definition.moves:
            raise QpolisError(f"{folder}: the moves of this run were not recorded (--no-moves)")
        game = plan.load_game()
        tally, places, played = Tally(plan), [], np.zeros(plan.games, bool)
        for record in journal.whole_records(folder / JOURNAL):
            interrupts.check()
            chunk = decode(record.content, moves=False)
            tally.add(chunk)
            if chunk.games:
                places.append(ChunkPlace(int(chunk.numbers.min()), record.start))
                played[chunk.numbers] = True
        counted = played[: tally.counted * plan.games_per_block]
        return cls(folder, plan, game, sorted(places), counted, tally.complete())

    @property
    def games(self) -> int:
        """How many games are there."""
        return int(self.played.sum())

    def batches(self, chosen: np.ndarray, decisions: int) -> Iterator[Results]:
        """The chosen games in plan order, in parts of whole games that have so many decisions, or hardly more."""
        rest: list[Results] = []
        for window in self._windows(chosen):
            found = join([*rest, window])
            ends = found.lengths.astype(np.int64).cumsum()
            start = 0
            while len(ends) and ends[-1] - (ends[start - 1] if start else 0) >= decisions:
                before = ends[start - 1] if start else 0
                stop = int(np.searchsorted(ends, before + decisions)) + 1
                yield rows_of(found, np.arange(start, stop))
                start = stop
                if start == found.games:
                    break
            rest = [rows_of(found, np.arange(start, found.games))] if start < found.games else []
        yield from rest

    def _windows(self, chosen: np.ndarray) -> Iterator[Results]:
        """The chosen games in plan order, in parts as the chunks allow it."""
        held: list[tuple[int, Results]] = []  # with the start of their records
        for place, following in zip(self.places, [*self.places[1:], None]):
            interrupts.check()
            chunk = decode(journal.read_again(self.folder / JOURNAL, place.start))
            wanted = (chunk.numbers < len(chosen)) & chosen[np.minimum(chunk.numbers, len(chosen) - 1)]
            held.append((place.start, rows_of(chunk, np.flatnonzero(wanted))))
            end = following.first if following else len(chosen)
            if any((chunk.numbers < end).any() for _, chunk in held):
                yield in_order([(start, chunk.only(chunk.numbers < end)) for start, chunk in held])
                held = [(start, chunk.only(chunk.numbers >= end)) for start, chunk in held]
            held = [(start, chunk) for start, chunk in held if chunk.games]


def in_order(parts: list[tuple[int, Results]]) -> Results:
    """Parts of chunks, with the starts of their records, as one by number. Of a game that is there twice the later
    record counts, as everywhere."""
    whole = join([part for _, part in parts])
    starts = np.repeat([start for start, _ in parts], [part.games for _, part in parts])
    order = np.lexsort((starts, whole.numbers))
    numbers = whole.numbers[order]
    last = np.append(numbers[1:] != numbers[:-1], True)
    return rows_of(whole, order[last])


def rows_of(results: Results, rows: np.ndarray) -> Results:
    """Some games in this order, with their actions."""
    lengths = results.lengths.astype(np.int64)
    starts = (lengths.cumsum() - lengths)[rows]
    kept = lengths[rows]
    places = np.repeat(starts - (kept.cumsum() - kept), kept) + np.arange(kept.sum())
    numbers = set(results.numbers[rows].tolist()) if results.reasons else ()
    reasons = {key: reason for key, reason in results.reasons.items() if key[0] in numbers}
    columns = {
        name: getattr(results, name)[rows]
        for name in ("points", "ranks", "decisions", "ends", "numbers", "lengths", "hashes")
    }
    return replace(results, **columns, actions=results.actions[places], reasons=reasons, traces={})
