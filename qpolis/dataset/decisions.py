"""The decisions of some recorded games as a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qpolis.dataset.columns import SEARCHED, Lists, Table, Words
from qpolis.dataset.positions import Positions, observations_of, positions_of
from qpolis.dataset.recorded_run import RecordedRun
from qpolis.dataset.thoughts import Thinkers
from qpolis.engine.results import ENDS, Results
from qpolis.environments.rewards import REWARD, rewards_of


@dataclass(frozen=True)
class DecisionTables:
    """Makes tables with these columns of games of a run."""

    run: RecordedRun
    columns: Sequence[str]
    thinkers: Thinkers | None = None

    def of(self, games: Results) -> Table:
        positions = positions_of(self.run.game, self.run.plan, games)
        makers: dict[str, Callable[[], Any]] = {
            **_facts(self.run, games, positions),
            "observation": lambda: observations_of(self.run.game, positions),
            "legal": lambda: Lists(positions.starts, positions.legal),
        }
        if self.thinkers and any(name in SEARCHED for name in self.columns):
            visits, values = self.thinkers.ask(games, positions)
            makers |= {"visits": lambda: visits, "values": lambda: values}
        return {name: makers[name]() for name in self.columns}


def _facts(run: RecordedRun, games: Results, positions: Positions) -> dict[str, Callable[[], Any]]:
    """What a row says that needs nothing but the record: of each column, what makes it."""
    plan, seats = run.plan, positions.seats
    rows = np.repeat(np.arange(games.games), games.lengths)  # the game of each decision
    first = games.lengths.astype(np.int64).cumsum() - games.lengths
    return {
        "game": lambda: games.numbers[rows],
        "deal": lambda: (games.numbers // plan.games_per_block)[rows],
        "seat": lambda: seats.astype(np.int8),
        "bot": lambda: Words(plan.who(games.numbers)[rows, seats], plan.bots),
        "decision": lambda: (np.arange(len(rows)) - first[rows]).astype(np.int32),
        "action": lambda: games.actions.astype(np.int32),
        "text": lambda: _texts(run, games.actions),
        "score": lambda: games.points[rows, seats].astype(np.int32),
        "rank": lambda: games.ranks[rows, seats].astype(np.int8),
        "reward": lambda: rewards(games.ranks)[rows, seats],
        "end": lambda: Words(games.ends[rows, seats], ENDS),
    }


def _texts(run: RecordedRun, actions: np.ndarray) -> Words:
    different, codes = np.unique(actions, return_inverse=True)
    return Words(codes, [run.game.action_text(action) for action in different.tolist()])


def rewards(ranks: np.ndarray) -> np.ndarray:
    """What the places pay: games x seats. There are few different ways to share the places."""
    ways, which = np.unique(ranks, axis=0, return_inverse=True)
    paid = np.array([rewards_of(way) for way in ways.tolist()], REWARD).reshape(ways.shape)
    return paid[which.reshape(-1)]
