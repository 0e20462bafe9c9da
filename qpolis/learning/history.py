"""The generations of a training, a row each: what was learned from, how well, and how it plays."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError
from qpolis.files import read_text, write_file

HISTORY = "history.csv"
LARGEST = 1 << 24


@dataclass(frozen=True)
class Generation:
    """A generation. Elo are differences to bots that never change, with the ends of their 95% intervals."""

    number: int
    minutes: float  # of work since the training began, whoever else used the machine
    games: int  # against itself, in all generations so far
    examples: int  # that it learned from
    win: float
    choice: float
    points: float
    calibration: float
    promoted: bool  # is it the champion from now on?
    gate: float  # share of wins against the champion before it
    gate_games: int
    elo_search: float  # above the search without a model, with as many simulations
    elo_search_low: float
    elo_search_high: float
    elo_instinct: float  # of the network alone, above `greedy`
    elo_instinct_low: float
    elo_instinct_high: float
    digest: str  # of its numbers


def write_history(folder: Path, rows: list[Generation]) -> None:
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(field.name for field in fields(Generation))
    for row in rows:
        table.writerow(f"{value:.5g}" if isinstance(value, float) else value for value in vars(row).values())
    write_file(folder / HISTORY, out.getvalue().encode())


def read_history(folder: Path) -> list[Generation]:
    """The generations so far; none before the first is complete."""
    path = folder / HISTORY
    if not path.exists():
        return []
    kinds: dict[str, Any] = {"int": int, "float": float, "str": str, "bool": lambda text: text == "True"}
    try:
        rows = csv.DictReader(io.StringIO(read_text(path, str(path), LARGEST, "a history")))
        return [
            Generation(**{field.name: kinds[str(field.type)](row[field.name]) for field in fields(Generation)})
            for row in rows
        ]
    except (KeyError, ValueError, TypeError) as error:
        raise QpolisError(f"{path}: is damaged ({error})") from None
