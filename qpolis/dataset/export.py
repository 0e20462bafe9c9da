"""Recorded decisions as a file for others: read, played again and written a part at a time."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qpolis.dataset.columns import SEARCHED, Table, chosen_columns
from qpolis.dataset.decisions import DecisionTables
from qpolis.dataset.file_facts import facts_of
from qpolis.dataset.jsonl import write_jsonl
from qpolis.dataset.parquet import write_parquet
from qpolis.dataset.recorded_run import RecordedRun
from qpolis.dataset.thoughts import Thinkers
from qpolis.engine.results import Results
from qpolis.errors import QpolisError
from qpolis.tourney.games_parquet import pyarrow

PARQUET, JSONL = FORMATS = ("parquet", "jsonl")
PART_BYTES = 1 << 24  # of observations that are held at a time
MOST_ROWS = 1 << 16  # of a part
THOUGHT_ROWS = 1 << 10  # of a part for which bots think again: progress is seen, and a signal heard, in between

OnGames = Callable[[int], None]  # told how many games were written so far


@dataclass(frozen=True)
class Written:
    """What was written."""

    path: Path
    games: int
    decisions: int
    bytes: int


def choose_games(run: RecordedRun, ranges: Sequence[range] | None, sample: int | None) -> np.ndarray:
    """Which games are exported: those that are there, of these numbers, or so many of them at random, the same
    ones each time."""
    chosen = run.played.copy()
    if ranges is not None:
        asked = np.zeros(len(chosen), bool)
        for numbers in ranges:
            if numbers.stop > run.plan.games:
                raise QpolisError(
                    f"no game {numbers.stop - 1}: the games of this run are 0 to {run.plan.games - 1}"
                )
            missing = np.flatnonzero(~run.played[numbers.start : numbers.stop])
            if len(missing) or numbers.stop > len(chosen):
                first = numbers.start + int(missing[0]) if len(missing) else max(numbers.start, len(chosen))
                raise QpolisError(f"game {first} was not played, or does not count")
            asked[numbers.start : numbers.stop] = True
        chosen &= asked
    if sample is not None and sample < chosen.sum():
        dice = np.random.default_rng(run.plan.definition.seed)
        kept = dice.choice(np.flatnonzero(chosen), sample, replace=False)
        chosen[:] = False
        chosen[kept] = True
    return chosen


def export_decisions(
    run: RecordedRun,
    path: Path,
    form: str,
    chosen: np.ndarray,
    columns: Sequence[str] | None = None,
    visits: bool = False,
    on_games: OnGames = lambda games: None,
) -> Written:
    """Write the decisions of the chosen games of a run. The file is there at the end, whole, or not at all."""
    if form == PARQUET:
        pyarrow()
    names = chosen_columns(run.game, columns, visits)
    thinking = any(name in SEARCHED for name in names)
    tables = DecisionTables(run, names, Thinkers.of(run) if thinking else None)
    size = run.game.observation_size if "observation" in names else 0
    rows = THOUGHT_ROWS if thinking else min(MOST_ROWS, PART_BYTES // (4 * size) if size else MOST_ROWS)
    facts = {**facts_of(run, names), "games": int(chosen.sum())}
    counted = Count(on_games)
    parts = counted.each(one_ahead(run.batches(chosen, max(1, rows)), tables.of))
    if form == PARQUET:
        write_parquet(path, facts, parts, size)
    else:
        write_jsonl(path, facts, parts)
    return Written(path, counted.games, counted.decisions, path.stat().st_size)


class Count:
    """Counts what is written."""

    def __init__(self, on_games: OnGames) -> None:
        self.games = self.decisions = 0
        self._on_games = on_games

    def add(self, games: Results) -> None:
        self.games += games.games
        self.decisions += len(games.actions)
        self._on_games(self.games)

    def each(self, parts: Iterable[tuple[Results, Table]]) -> Iterator[Table]:
        """The tables, counted when the next is asked for."""
        for games, table in parts:
            yield table
            self.add(games)


def one_ahead(batches: Iterator[Results], make: Callable[[Results], Table]) -> Iterator[tuple[Results, Table]]:
    """The tables of batches; while one is written the next is made in another thread."""
    with ThreadPoolExecutor(1) as pool:
        before = None
        for batch in itertools.chain(batches, [None]):
            made = (batch, pool.submit(make, batch)) if batch is not None else None
            if before is not None:
                yield before[0], before[1].result()
            before = made
