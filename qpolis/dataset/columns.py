"""The columns of exported decisions: a row for every decision of every game. docs/data.md has this table."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qpolis.errors import QpolisError, unknown
from qpolis.game import Game

FORMAT = 1  # raised when a column comes to mean something else


@dataclass(frozen=True)
class Column:
    """A column: its type in Parquet, and what it says."""

    type: str
    help: str


COLUMNS = {
    "game": Column("int64", "number of the game, as in games.csv"),
    "deal": Column("int64", "number of its deal"),
    "seat": Column("int8", "the seat that decides, from 0"),
    "bot": Column("string", "who sits there"),
    "decision": Column("int32", "number of the decision in its game, from 0"),
    "observation": Column("list<float32>", "what the seat sees, as the verb `encode` writes it; always as long"),
    "legal": Column("list<int32>", "ids of the legal actions, ascending: the mask"),
    "action": Column("int32", "id of the action that was chosen"),
    "text": Column("string", "its text"),
    "visits": Column("list<int32>", "of each legal action: simulations that began with it; null without a search"),
    "values": Column("list<float32>", "of each legal action: the share of a win they promise"),
    "score": Column("int32", "points of the seat at the end of the game"),
    "rank": Column("int8", "its place, from 0; equals share the better one"),
    "reward": Column("float32", "what the place pays: 1 for the best, -1 for the last, equal steps between"),
    "end": Column("string", "how the game ended for the seat, as in games.csv"),
}
SEARCHED = ("visits", "values")  # columns for which bots have to think again


@dataclass(frozen=True)
class Words:
    """A column of texts: of each row the index of one."""

    codes: np.ndarray
    words: Sequence[str]

    def tolist(self) -> list[str]:
        return [self.words[code] for code in self.codes.tolist()]


@dataclass(frozen=True)
class Lists:
    """A column of lists: where each begins in `items`, and at last their length; null where it is not known."""

    starts: np.ndarray
    items: np.ndarray
    known: np.ndarray | None = None

    def tolist(self) -> list[list[Any] | None]:
        items = self.items.tolist()
        ends = itertools.pairwise(self.starts.tolist())
        known = itertools.repeat(True) if self.known is None else self.known.tolist()
        return [items[start:end] if there else None for (start, end), there in zip(ends, known)]


# Columns by name: numbers, a row of numbers each (observations), texts, or lists.
Table = Mapping[str, np.ndarray | Words | Lists]


def chosen_columns(game: Game, asked: Sequence[str] | None, visits: bool) -> tuple[str, ...]:
    """The columns that are exported, in their order: those asked for, or all that the game has. `visits`: also
    those that only a search brings."""
    for name in asked or ():
        if name not in COLUMNS:
            raise unknown("column", name, COLUMNS)
    if asked is not None and "observation" in asked:
        game.check_encodes()
    if asked is not None and not asked:
        raise QpolisError("--columns names no column")
    usual = [name for name in COLUMNS if name not in SEARCHED and (name != "observation" or game.planes)]
    wanted = {*(usual if asked is None else asked), *(SEARCHED if visits else ())}
    return tuple(name for name in COLUMNS if name in wanted)
