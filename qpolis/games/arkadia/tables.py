"""The rules record of Arkadia, made from a board: where buildings can lie, as bit boards."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.games.arkadia.board import Board
from qpolis.games.arkadia.forms import Cells, border, turned
from qpolis.games.arkadia.layout import (
    BITS,
    BUILDINGS,
    COLUMNS,
    FAMILIES,
    FORMS,
    KINDS,
    ROWS,
    RULES,
    SQUARES,
    WORDS,
)

WEIGHTS = Path(__file__).parent / "weights"  # of the evaluation, by the number of players


def mask(squares: Iterable[int]) -> list[int]:
    """The words of a bit board."""
    words = [0] * WORDS
    for square in squares:
        words[square // BITS] |= 1 << (square % BITS)
    return words


@functools.lru_cache(maxsize=64)
def make_rules(board: Board, players: int, intro: bool, flip: bool) -> np.ndarray:
    """The rules record of a game, in an array of one; making it takes a while."""
    array = np.zeros(1, RULES)
    rules: Any = array[0]
    rules.players = players
    rules.intro = intro
    rules.helpers = board.helpers[players - 2] if intro else 0
    rules.camps = mask(board.camps)
    rules.lot_count = len(board.lots)
    for i, lot in enumerate(board.lots):
        rules.lot_first[i] = lot.corner
        rules.lot_cells[i] = mask(lot.squares)
        rules.lot_border[i] = mask(border(lot.squares))
    rules.deck = board.cards
    rules.ring = board.castle
    rules.blocks = board.blocks
    most = 0
    for form in range(FORMS):
        most = max(most, _add_form(rules, form, turned(board.forms[form], flip)))
    rules.actions = max(most, KINDS + BUILDINGS + 2)
    if intro:
        rules.intro_lot = board.lots.index(board.intro_lot)
        rules.intro_count = len(board.intro)
        for i, (kind, squares) in enumerate(board.intro):
            rules.intro_kind[i] = kind
            rules.intro_place[i] = placement_at(rules, kind // FAMILIES, squares)
            rules.deck[kind] -= 1
    rules.weights = np.loadtxt(WEIGHTS / f"{players}.csv", delimiter=",", skiprows=1)
    array.flags.writeable = False
    return array


def _add_form(rules: Any, form: int, ways: list[Cells]) -> int:
    """Write the placements of a form, after those of the forms before; returns how many there are."""
    placement = int(rules.starts[form])
    rules.turns[form] = len(ways)
    rules.squares[form] = len(ways[0])
    for turn, cells in enumerate(ways):
        corners = []
        rules.start[form, turn] = placement
        rules.margin[form, turn] = max(column for _, column in cells)
        rules.reach[form, turn, : len(cells)] = [row * COLUMNS + column for row, column in cells]
        for corner in range(SQUARES):
            row, column = divmod(corner, COLUMNS)
            if row + max(r for r, _ in cells) < ROWS and column + max(c for _, c in cells) < COLUMNS:
                squares = [(row + r) * COLUMNS + column + c for r, c in cells]
                rules.first[placement] = min(squares)
                rules.cells[placement] = mask(squares)
                rules.border[placement] = mask(border(squares))
                corners.append(corner)
                placement += 1
        rules.room[form, turn] = mask(corners)
    rules.starts[form + 1] = placement
    return placement - int(rules.starts[form])


def placement_at(rules: Any, form: int, squares: Iterable[int]) -> int:
    """The placement of a form on these squares."""
    first, end = rules.starts[form : form + 2]
    there = rules.cells[first:end] == mask(squares)
    return int(first + np.flatnonzero(there.all(axis=1))[0])
