"""Games by the texts of their moves, as JSON lines: what `qpolis import` reads. docs/data.md has the format.

The first line of an export has the plan of the run; then comes a line for each game.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.dataset.export import Count, OnGames, Written
from qpolis.dataset.recorded_run import RecordedRun
from qpolis.engine.results import ENDS, FINISHED, Results
from qpolis.errors import QpolisError
from qpolis.files import whole_file
from qpolis.tourney.verify import check_chunk

KIND, FORMAT = "games of qpolis", 1
AT_A_TIME = 1 << 16  # decisions


def export_moves(
    run: RecordedRun, path: Path, chosen: np.ndarray, on_games: OnGames = lambda games: None
) -> Written:
    """Write the chosen games of a run by their moves."""
    counted = Count(on_games)
    with whole_file(path) as file:
        file.write(_line(_head(run)))
        for games in run.batches(chosen, AT_A_TIME):
            for difference in check_chunk(run.game, run.plan, games):
                raise QpolisError(f"{difference}: `qpolis verify` says what is wrong with this run")
            file.writelines(map(_line, _records(run, games)))
            counted.add(games)
    return Written(path, counted.games, counted.decisions, path.stat().st_size)


def _head(run: RecordedRun) -> dict[str, Any]:
    definition = run.plan.definition
    return {
        "kind": KIND,
        "format": FORMAT,
        "game": definition.game,
        "options": dict(definition.options),
        "seed": definition.seed,
        "plan": run.plan.text(),
    }


def _records(run: RecordedRun, games: Results) -> Iterator[dict[str, Any]]:
    """Games as plain data."""
    plan = run.plan
    text = cache(run.game.action_text)
    ends = games.lengths.astype(np.int64).cumsum().tolist()
    actions, starts = games.actions.tolist(), [0, *ends]
    for row, number in enumerate(games.numbers.tolist()):
        record: dict[str, Any] = {
            "number": number,
            "deal": number // plan.games_per_block,
            "bots": [plan.bots[bot] for bot in plan.who(games.numbers[row : row + 1])[0].tolist()],
            "moves": [text(action) for action in actions[starts[row] : starts[row + 1]]],
            "scores": games.points[row].tolist(),
            "ranks": games.ranks[row].tolist(),
            "decisions": games.decisions[row].tolist(),
        }
        if (games.ends[row] != FINISHED).any():
            record["ends"] = [ENDS[end] for end in games.ends[row].tolist()]
            reasons = {str(seat): games.reasons.get((number, seat)) for seat in range(games.seats)}
            record["reasons"] = {seat: reason for seat, reason in reasons.items() if reason is not None}
        yield record


def _line(record: dict[str, Any]) -> bytes:
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
