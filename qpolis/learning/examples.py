"""Examples to learn from, as arrays and as files."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np

from qpolis.errors import QpolisError
from qpolis.files import open_file, write_file
from qpolis.search.network import MOST_TOUCHES

NO_TOUCH = -1
MOST_CHOICES = 48  # actions of an example; those that were considered first


class Examples(NamedTuple):
    """A row for each decision that was searched in full. Seats count from the one that decided."""

    inputs: np.ndarray  # of the network
    touches: np.ndarray  # of each action that was considered, NO_TOUCH behind the last
    ratings: np.ndarray  # of each action, less the best one
    visits: np.ndarray  # share of the simulations that began with it
    wins: np.ndarray  # share of the win at the end of the game, by seat
    points: np.ndarray  # at the end of the game, by seat
    hopes: np.ndarray  # share of a win that the search promised, by seat
    games: np.ndarray  # the number of the game

    @classmethod
    def empty(cls, rows: int, inputs: int, players: int) -> Examples:
        """Room for so many."""
        choices, seats = (rows, MOST_CHOICES), (rows, players)
        return cls(
            inputs=np.zeros((rows, inputs), np.float32),
            touches=np.full((*choices, MOST_TOUCHES), NO_TOUCH, np.int32),
            ratings=np.zeros(choices, np.float32),
            visits=np.zeros(choices, np.float32),
            wins=np.zeros(seats, np.float32),
            points=np.zeros(seats, np.float32),
            hopes=np.zeros(seats, np.float32),
            games=np.zeros(rows, np.int64),
        )

    @property
    def rows(self) -> int:
        return len(self.games)

    def first(self, rows: int) -> Examples:
        return Examples(*(column[:rows] for column in self))

    def packed(self) -> Examples:
        """The same in half the space: three digits are enough to learn from, and few touches have high numbers."""
        packed = [column.astype(np.float16) if column.dtype == np.float32 else column for column in self]
        if self.touches.size and self.touches.max() <= np.iinfo(np.int16).max:
            packed[self._fields.index("touches")] = self.touches.astype(np.int16)
        return Examples(*packed)


def join(parts: Sequence[Examples]) -> Examples:
    return Examples(*(np.concatenate(columns) for columns in zip(*parts)))


def to_bytes(examples: Examples) -> bytes:
    file = io.BytesIO()
    np.savez(file, **examples.packed()._asdict())
    return file.getvalue()


def save(path: Path, content: bytes) -> None:
    write_file(path, content)


def load(path: Path) -> Examples:
    """The examples in a file that this program wrote."""
    try:
        with open_file(path) as file, np.load(file, allow_pickle=False) as columns:
            return Examples(*(columns[name] for name in Examples._fields))
    except (OSError, ValueError, LookupError, EOFError, TypeError, BadZipFile) as error:
        raise QpolisError(
            f"{path}: is damaged: delete it, and its games are played again, or left out if they are old ({error})"
        ) from None
