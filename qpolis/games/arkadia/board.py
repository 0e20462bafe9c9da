"""What Arkadia is played with: the board, where the castle lot can lie, the buildings and their cards."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from qpolis.games.arkadia.forms import Cells
from qpolis.games.arkadia.layout import COLUMNS, ROWS
from qpolis.games.arkadia.notation import square_text

RECONSTRUCTED = (
    "the positions of the camps, the places of the castle lot, the forms of the buildings, the cards of each "
    "family and the introductory set-up are reconstructed: no source states them, all results for Arkadia rest "
    "on them, and -o board=FILE replaces them"
)
LOT_SIDES = ((3, 4), (4, 3))  # rows and columns


@dataclass(frozen=True)
class Lot:
    """Where the castle lot can lie."""

    corner: int
    rows: int
    columns: int

    @property
    def squares(self) -> list[int]:
        return [self.corner + row * COLUMNS + column for row in range(self.rows) for column in range(self.columns)]

    def __str__(self) -> str:
        squares = self.squares
        return f"{square_text(squares[0])}-{square_text(squares[-1])}"


@dataclass(frozen=True)
class Board:
    """What a board file says."""

    camps: tuple[int, ...]  # ascending
    lots: tuple[Lot, ...]
    castle: tuple[int, ...]  # families, or BLANK
    blocks: tuple[int, ...]  # of each family, by level
    forms: tuple[Cells, ...]  # by type
    cards: tuple[int, ...]  # of each kind
    intro_lot: Lot
    helpers: tuple[int, ...]  # of each of 2, 3 or 4 players
    intro: tuple[tuple[int, tuple[int, ...]], ...]  # the kind and the squares of each building


def lots_without(camps: Collection[int]) -> tuple[Lot, ...]:
    """All places of the lot that cover no camp."""
    lots = (
        Lot(row * COLUMNS + column, rows, columns)
        for rows, columns in LOT_SIDES
        for row in range(ROWS - rows + 1)
        for column in range(COLUMNS - columns + 1)
    )
    return tuple(lot for lot in lots if not set(camps).intersection(lot.squares))
