"""Tables and pictures of Quadropolis."""

from __future__ import annotations

from collections.abc import Callable

from making import svg
from making.markdown import table
from qpolis.games.quadropolis.rules import DISTRICTS, EXPERT_NUMBERS, TOWER_POINTS


def towers() -> str:
    floors = range(1, len(TOWER_POINTS))
    return table(["floors", *floors], [["points", *TOWER_POINTS[1:]]])


def expert_mat() -> str:
    side = 60
    squares = [
        svg.group(
            20 + side * column,
            20 + side * line,
            svg.rect(0, 0, side, side, fill=svg.mixed(svg.COLOURS[district - 1], 0.3), stroke=svg.INK),
            svg.text(side / 2, side / 2 + 8, EXPERT_NUMBERS[line][column], size=24),
        )
        for line, row in enumerate(DISTRICTS["expert"])
        for column, district in enumerate(row)
    ]
    return svg.picture(340, 280, "The expert mat", squares)


TABLES: dict[str, Callable[[], str]] = {"towers": towers}
PICTURES: dict[str, Callable[[], str]] = {"mat-expert": expert_mat}
