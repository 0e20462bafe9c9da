"""Forms of buildings as rows and columns: how they are turned, and what lies beside squares of the board."""

from __future__ import annotations

from collections.abc import Iterable

from qpolis.games.arkadia.layout import COLUMNS, ROWS

Cells = tuple[tuple[int, int], ...]  # rows and columns, ascending


def settle(cells: Iterable[tuple[int, int]]) -> Cells:
    """Cells moved so that they touch the first row and column, ascending."""
    cells = list(cells)
    top, left = (min((cell[i] for cell in cells), default=0) for i in (0, 1))
    return tuple(sorted((row - top, column - left) for row, column in cells))


def turned(form: Cells, flip: bool) -> list[Cells]:
    """All different ways to turn a form; turned over as well if it may be."""
    found: list[Cells] = []
    for start in (form, settle((row, -column) for row, column in form))[: 1 + flip]:
        cells = start
        for _ in range(4):
            if cells not in found:
                found.append(cells)
            cells = settle((column, -row) for row, column in cells)
    return found


def is_connected(form: Cells) -> bool:
    """Can one walk from any cell to any other over sides?"""
    reached = set(form[:1])
    for _ in form:
        reached |= {(r, c) for r, c in form for a, b in reached if abs(r - a) + abs(c - b) == 1}
    return len(reached) == len(form)


def border(squares: Iterable[int]) -> list[int]:
    """The squares that share a side with one of these, and are none of them."""
    squares = set(squares)
    found = set()
    for row, column in (divmod(square, COLUMNS) for square in squares):
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < ROWS and 0 <= c < COLUMNS:
                found.add(r * COLUMNS + c)
    return sorted(found - squares)
