"""Quadrilatère in a terminal: the board with its crossings, houses as walls, and whose the places are."""

from __future__ import annotations

from typing import Any

from qpolis.games.quadrilatere.layout import SIDE

Plain = dict[str, Any]
COLUMNS = "abcdefghi"
WIDE = 4  # characters from one crossing to the next

LEGEND = """Houses are lines that end at a +; a crossing without a house is a dot. Square c3 has crossing c3 at its
upper left corner. A place shows the seat that owns it; the house placed this turn is drawn with = or #."""


def draw(told: Plain) -> str:
    """The position that `to_dict` told, as text."""
    canvas = [[" "] * (WIDE * SIDE + 1) for _ in range(2 * SIDE + 1)]
    for line in range(SIDE + 1):
        for column in range(SIDE + 1):
            canvas[2 * line][WIDE * column] = "."
    for house in told["houses"]:
        for column, line in _ends(house):
            canvas[2 * line][WIDE * column] = "+"
    for house in told["houses"]:
        _wall(canvas, house, "=#" if house == told["placed"] else "-|")
    for place in told["places"]:
        for square in place["squares"]:
            column, line = COLUMNS.index(square[0]), int(square[1]) - 1
            canvas[2 * line + 1][WIDE * column + 2] = str(place["owner"])
    lines = ["   " + "   ".join(COLUMNS)]
    for row, cells in enumerate(canvas):
        lines.append(f"{row // 2 + 1 if row % 2 == 0 else ' '}  {''.join(cells)}".rstrip())
    return "\n".join([*lines, *_players(told)])


def _ends(house: str) -> list[tuple[int, int]]:
    """The column and the line of both ends."""
    return [(COLUMNS.index(end[0]), int(end[1]) - 1) for end in house.split("-")]


def _wall(canvas: list[list[str]], house: str, strokes: str) -> None:
    """Draw a house between its ends, over what ends at it."""
    (left, top), (right, bottom) = _ends(house)
    if left == right:
        for row in range(2 * top + 1, 2 * bottom):
            canvas[row][WIDE * left] = strokes[1]
    else:
        for cell in range(WIDE * left + 1, WIDE * right):
            canvas[2 * top][cell] = strokes[0]


def _players(told: Plain) -> list[str]:
    lines = []
    for seat, supply in enumerate(told["supply"]):
        squares = sum(len(place["squares"]) for place in told["places"] if place["owner"] == seat)
        houses = ", ".join(f"{count} {size}" for size, count in supply.items())
        mark = ">" if seat == told["player"] else " "
        lines.append(
            f"{mark} seat {seat}: {squares} squares; monuments left: {told['monuments'][seat]}; "
            f"houses left: {houses}"
        )
    if told["closed"]:
        lines.append(f"  closed this turn: the places at {' '.join(told['closed'])}")
    return lines
