"""The board of Arkadia as SVG: squares, camps, the castle lot, buildings and workers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from making.svg import CARD, COLOURS, GREY, INK, LINE, PAPER, Element, Part, circle, group, line, path, rect, text
from qpolis.games.arkadia.layout import BLANK, COLUMNS, FAMILY_NAMES
from qpolis.games.arkadia.notation import LETTERS, square_text

SIZE = 30  # of a square
EDGE = 24  # left of the board and above it, for the names of columns and rows
FAMILY_COLOURS = dict(zip(FAMILY_NAMES, ("#d4776b", "#a3b04e", "#7d7a76", "#d5d8dc")))
Squares = Iterable[tuple[int, int]]  # rows and columns


def place(square: tuple[int, int]) -> tuple[float, float]:
    """The upper left corner of a square, given by its row and column."""
    row, column = square
    return EDGE + SIZE * column, EDGE + SIZE * row


def ground(rows: int, columns: int) -> list[Part]:
    """Empty squares with their names at the edge."""
    wide, high = SIZE * columns, SIZE * rows
    return [
        rect(EDGE, EDGE, wide, high, fill=CARD, stroke=GREY),
        [line(EDGE + SIZE * i, EDGE, EDGE + SIZE * i, EDGE + high, LINE) for i in range(1, columns)],
        [line(EDGE, EDGE + SIZE * i, EDGE + wide, EDGE + SIZE * i, LINE) for i in range(1, rows)],
        [text(EDGE + SIZE * (i + 0.5), EDGE - 7, LETTERS[i], 12, fill=GREY) for i in range(columns)],
        [text(EDGE - 6, EDGE + SIZE * (i + 0.5) + 4, i + 1, 12, "end", fill=GREY) for i in range(rows)],
    ]


def camp(square: tuple[int, int]) -> Part:
    x, y = place(square)
    return path(f"M{x + 6} {y + 23}L{x + 15} {y + 7}L{x + 24} {y + 23}Z", fill="#e3c98f", stroke="#8a6d2f")


def outline(squares: Squares, inset: float = 2) -> str:
    """A path over some squares: each of them, with what joins it to those at its right and below."""
    there = set(squares)
    parts = []
    for row, column in sorted(there):
        x, y = place((row, column))
        wide = SIZE - 2 * inset + (2 * inset if (row, column + 1) in there else 0)
        high = SIZE - 2 * inset + (2 * inset if (row + 1, column) in there else 0)
        parts.append(f"M{x + inset} {y + inset}h{wide}v{SIZE - 2 * inset}h{-wide}z")
        parts.append(f"M{x + inset} {y + inset}h{SIZE - 2 * inset}v{high}h{-(SIZE - 2 * inset)}z")
    return "".join(parts)


def seams(squares: Squares) -> list[Part]:
    """Thin lines around each square."""
    return [
        rect(x + 2.5, y + 2.5, SIZE - 5, SIZE - 5, fill="none", stroke=INK, opacity=0.15)
        for x, y in map(place, squares)
    ]


def building(squares: Sequence[tuple[int, int]], family: str, mark: str) -> list[Part]:
    """A building with the letter of its family, and a mark of its type on its first square."""
    x, y = place(min(squares))
    return [
        path(outline(squares, 1), fill=INK),
        path(outline(squares, 2.5), fill=FAMILY_COLOURS[family]),
        seams(squares),
        text(x + SIZE / 2, y + SIZE / 2 + 5, mark, 14, font_weight="bold"),
    ]


def worker(square: tuple[int, int], mark: str, colour: str) -> list[Part]:
    x, y = place(square)
    return [
        circle(x + SIZE / 2, y + SIZE / 2, 10.5, fill=colour, stroke=INK),
        text(x + SIZE / 2, y + SIZE / 2 + 5, mark, 14, font_weight="bold"),
    ]


def ring(corner: tuple[int, int], rows: int, columns: int) -> list[tuple[int, int]]:
    """The castle squares, around the lot from its first one."""
    top, left = corner
    bottom, right = top + rows - 1, left + columns - 1
    return [
        *((top, column) for column in range(left, right)),
        *((row, right) for row in range(top, bottom)),
        *((bottom, column) for column in range(right, left, -1)),
        *((row, left) for row in range(bottom, top, -1)),
    ]


def castle(corner: tuple[int, int], rows: int, columns: int, shown: Sequence[int]) -> list[Part]:
    """The lot with its castle squares, and what they show."""
    y, x = corner
    parts: list[Part] = [
        rect(*place(corner), SIZE * columns, SIZE * rows, fill="#8c8478", stroke=INK, stroke_width=2)
    ]
    for (row, column), symbol in zip(ring((y, x), rows, columns), shown):
        left, top = place((row, column))
        name = None if symbol == BLANK else FAMILY_NAMES[symbol]
        colour = FAMILY_COLOURS[name] if name else PAPER
        parts.append(rect(left + 2, top + 2, SIZE - 4, SIZE - 4, rx=3, fill=colour, stroke=INK))
        parts.append(text(left + SIZE / 2, top + SIZE / 2 + 5, name[0].upper(), 14) if name else None)
    return parts


def cells(squares: Iterable[int]) -> list[tuple[int, int]]:
    """Rows and columns of squares of the board."""
    return [divmod(square, COLUMNS) for square in squares]


def named(squares: Iterable[int]) -> str:
    return "+".join(map(square_text, squares))


def at(x: float, y: float, parts: Part) -> Element:
    return group(x, y, parts)


SEAT_COLOURS = (COLOURS[6], COLOURS[0], COLOURS[3], COLOURS[2])  # violet, orange, yellow, green
NEUTRAL = PAPER
