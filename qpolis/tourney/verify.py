"""Does what a run wrote agree with what was played? Its games are played again from their recorded actions."""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from qpolis import verbs
from qpolis.engine.policy_loop import NOBODY, begin, settle
from qpolis.engine.results import ILLEGAL, STOPPED, Results
from qpolis.game import Game
from qpolis.kernel import kernel
from qpolis.rng import WORDS, chance_stream, keys
from qpolis.tourney import games_parquet
from qpolis.tourney.chunk import game_hashes
from qpolis.tourney.journal import open_to_read
from qpolis.tourney.plan import Plan
from qpolis.tourney.records import COLUMNS, games_csv

NO_FAULT, NOT_LEGAL, NOT_OVER = range(3)
FAULTS = {NOT_LEGAL: "an action in it is not legal", NOT_OVER: "its actions do not lead to its end"}


@dataclass(frozen=True)
class Difference:
    """Something that does not agree."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}"


class Recording(NamedTuple):
    """Games as they were recorded."""

    deals: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    losers: np.ndarray  # the seat that forfeited, or NOBODY


class ReplayOutcome(NamedTuple):
    """What comes out of them now."""

    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray
    faults: np.ndarray  # of each game: what cannot be


@kernel
def replay_games(rules, states, key, chance, recording, outcome):
    """Play recorded games again."""
    deals, lengths, actions, losers = recording
    points, ranks, decisions, faults = outcome
    rule = rules[0]
    state = states[0]
    streams = np.zeros((verbs.MAX_SEATS, WORDS), np.uint64)
    at = 0
    for row in range(deals.shape[0]):
        begin(rule, state, key, deals[row], streams, chance)
        faults[row] = NO_FAULT
        decisions[row] = 0
        for place in range(at, at + lengths[row]):
            seat = verbs.player(rule, state)
            if seat < 0 or not verbs.is_legal(rule, state, actions[place]):
                faults[row] = NOT_LEGAL
                break
            verbs.apply(rule, state, np.int64(actions[place]), chance)
            decisions[row, seat] += 1
        at += lengths[row]
        if faults[row] == NO_FAULT and losers[row] == NOBODY and verbs.player(rule, state) >= 0:
            faults[row] = NOT_OVER
        settle(rule, state, losers[row], points[row], ranks[row])


def replay(game: Game, plan: Plan, chunk: Results) -> tuple[Results, np.ndarray]:
    """The games of a chunk played again from their actions, and what was at fault with each."""
    deals = chunk.numbers // plan.games_per_block
    forfeits = chunk.ends > STOPPED
    losers = np.where(forfeits.any(axis=1), forfeits.argmax(axis=1), NOBODY)
    points, ranks, decisions = np.zeros((3, len(deals), game.players), np.int64)
    faults = np.zeros(len(deals), np.int64)
    key = keys(plan.definition.seed)
    lengths, actions = chunk.lengths.astype(np.int64), chunk.actions.astype(verbs.ACTION)
    replay_games(
        game.rules,
        np.zeros(1, game.state_dtype),
        key,
        chance_stream(key),
        Recording(deals, lengths, actions, losers),
        ReplayOutcome(points, ranks, decisions, faults),
    )
    hashes = game_hashes(game, deals, lengths, actions, points, ranks)
    asked = (chunk.decisions > 0) | (chunk.lengths[:, np.newaxis] > 0)  # or it failed before the first question
    decisions += (chunk.ends == ILLEGAL) & asked  # a wrong answer counts, and is not among the actions
    return replace(chunk, points=points, ranks=ranks, decisions=decisions, hashes=hashes), faults


def check_chunk(game: Game, plan: Plan, chunk: Results) -> Iterator[Difference]:
    """What does not agree between the recorded actions of games and their recorded results."""
    again, faults = replay(game, plan, chunk)
    for row in np.flatnonzero(faults):
        yield Difference(f"game {chunk.numbers[row]}", FAULTS[int(faults[row])])
    for name, column in (("points", "score"), ("ranks", "rank"), ("decisions", "decisions")):
        before, after = getattr(chunk, name), getattr(again, name)
        for row, seat in np.argwhere(before != after):
            if not faults[row]:
                problem = f"{column} is recorded as {before[row, seat]}, played again it is {after[row, seat]}"
                yield Difference(f"game {chunk.numbers[row]}, seat {seat}", problem)
    for row in np.flatnonzero((again.hashes != chunk.hashes) & (faults == NO_FAULT)):
        yield Difference(f"game {chunk.numbers[row]}", "its actions are not those of the hash that was recorded")


def check_rows(path: Path, results: Results) -> Iterator[Difference]:
    """What is different in `games.csv` from the recorded results."""
    with open_to_read(path) as file:
        for text in games_csv(results):
            wanted = text.splitlines(keepends=True)
            found = list(itertools.islice(file, len(wanted)))
            if found != wanted:
                for right, wrong in itertools.zip_longest(wanted, found):
                    if right != wrong:
                        yield row_difference(path.name, right, wrong)
        for line in file:
            yield row_difference(path.name, None, line)


def check_parquet(path: Path, results: Results) -> Iterator[Difference]:
    """What is different in `games.parquet` from the recorded results."""
    for what in games_parquet.differences(path, results):
        yield Difference(path.name, what)


def row_difference(name: str, right: bytes | None, wrong: bytes | None) -> Difference:
    """What is wrong with a row that should be another one."""
    shown = (wrong or b"").decode("utf-8", "replace").rstrip("\r\n")
    if right is None:
        return Difference(name, f"a row that should not be there: {shown}")
    cells = next(csv.reader([right.decode()]))
    if cells == list(COLUMNS):
        return Difference(name, f"the heading is {shown}, not {','.join(COLUMNS)}")
    where = f"{name}, game {cells[0]}, seat {cells[2]}"
    if wrong is None:
        return Difference(where, "the row is missing")
    try:
        found = next(csv.reader([shown]), [])
    except csv.Error:  # such as a cell that is far too long
        found = []
    if len(found) == len(cells):
        for column, cell, other in zip(COLUMNS, cells, found):
            if cell != other:
                return Difference(where, f"{column} is {other}, not {cell}")
    return Difference(where, f"the row is {shown}")
