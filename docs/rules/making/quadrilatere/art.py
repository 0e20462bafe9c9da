"""How things of Quadrilatère look: the board or a part of it, houses, places, monuments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from making import svg
from making.svg import Part
from qpolis.game import State
from qpolis.games.quadrilatere.layout import SIDE

CELL = 44  # from crossing to crossing
EDGE = 32  # around the squares: names, and houses at the edge
GROOVE, HOUSE, FREE = 5, 12, 6  # how wide, and what a house leaves free of a crossing at its ends
LETTERS = "abcdefghi"
WOOD, YES, NO = "#8a6a4b", svg.COLOURS[2], svg.ACCENT
SEATS = (svg.COLOURS[4], svg.COLOURS[0])


class View(NamedTuple):
    """The part of the board that is shown: the crossing at its upper left, and how many squares."""

    corner: str = "a1"
    columns: int = SIDE
    lines: int = SIDE

    @property
    def width(self) -> float:
        return self.columns * CELL + 2 * EDGE

    @property
    def height(self) -> float:
        return self.lines * CELL + 2 * EDGE

    def point(self, crossing: str) -> tuple[float, float]:
        """Where a crossing is, which is the upper left corner of the square of that name."""
        column = LETTERS.index(crossing[0]) - LETTERS.index(self.corner[0])
        return EDGE + CELL * column, EDGE + CELL * (int(crossing[1]) - int(self.corner[1]))

    def middle(self, square: str) -> tuple[float, float]:
        x, y = self.point(square)
        return x + CELL / 2, y + CELL / 2

    def shows(self, house: str) -> bool:
        """Is all of it in this part?"""
        points = [self.point(end) for end in house.split("-")]
        return all(0 <= x - EDGE <= self.columns * CELL and 0 <= y - EDGE <= self.lines * CELL for x, y in points)


def grooves(view: View) -> Part:
    """The empty board, with the names of grooves, which make those of crossings."""
    right, bottom = EDGE + CELL * view.columns, EDGE + CELL * view.lines
    first = LETTERS.index(view.corner[0]), int(view.corner[1])
    drawn: list[Part] = [svg.rect(EDGE, EDGE, right - EDGE, bottom - EDGE, fill=svg.CARD)]
    for column in range(view.columns + 1):
        x = EDGE + CELL * column
        drawn.append(svg.line(x, EDGE, x, bottom, svg.LINE, stroke_width=GROOVE))
        drawn.append(svg.text(x, EDGE - 14, LETTERS[first[0] + column], size=13, fill=svg.GREY))
    for line in range(view.lines + 1):
        y = EDGE + CELL * line
        drawn.append(svg.line(EDGE, y, right, y, svg.LINE, stroke_width=GROOVE))
        drawn.append(svg.text(EDGE - 18, y + 4, first[1] + line, size=13, fill=svg.GREY))
    return drawn


def bar(view: View, house: str, **style: Any) -> Part:
    """A house, as a bar of some style."""
    (left, top), (right, bottom) = (view.point(end) for end in house.split("-"))
    if top == bottom:
        return svg.rect(left + FREE, top - HOUSE / 2, right - left - 2 * FREE, HOUSE, rx=3, **style)
    return svg.rect(left - HOUSE / 2, top + FREE, HOUSE, bottom - top - 2 * FREE, rx=3, **style)


def house(view: View, text: str, new: bool = False) -> Part:
    return bar(view, text, fill=svg.INK if new else WOOD)


def judged(view: View, text: str, allowed: bool) -> Part:
    """A house that may be there, or may not: then it is dashed and crossed out."""
    colour = YES if allowed else NO
    drawn = bar(
        view,
        text,
        fill=svg.mixed(colour, 0.3),
        stroke=colour,
        stroke_width=2,
        stroke_dasharray=None if allowed else "5 3",
    )
    if allowed:
        return drawn
    ends = [view.point(end) for end in text.split("-")]
    x, y = (sum(end[i] for end in ends) / 2 for i in (0, 1))
    return [drawn, [svg.line(x - 7, y - turn * 7, x + 7, y + turn * 7, NO, stroke_width=3) for turn in (1, -1)]]


def slide(view: View, start: str, there: str) -> Part:
    """An arrow beside a house that slides."""
    (x, y), (to_x, to_y) = (_middle(view, text) for text in (start, there))
    return svg.arrow(x, y + 13, to_x, to_y + 13) if y == to_y else svg.arrow(x + 13, y, to_x + 13, to_y)


def _middle(view: View, text: str) -> tuple[float, float]:
    ends = [view.point(end) for end in text.split("-")]
    return (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2


def ground(view: View, squares: Iterable[str], colour: str, share: float = 0.4) -> Part:
    """The squares of a place; its grooves stay visible."""
    edge, fill = GROOVE / 2, svg.mixed(colour, share)
    corners = map(view.point, squares)
    return [svg.rect(x + edge, y + edge, CELL - GROOVE, CELL - GROOVE, fill=fill) for x, y in corners]


def monument(view: View, square: str, seat: int) -> Part:
    x, y = view.middle(square)
    outline = [(x - 11, y + 14), (x + 11, y + 14), (x + 6, y - 10), (x, y - 16), (x - 6, y - 10)]
    return [
        svg.polygon(outline, fill=SEATS[seat], stroke=svg.INK, stroke_width=1.5),
        svg.text(x, y + 9, seat, size=13, fill="#fff", font_weight=700),
    ]


def board(view: View, state: State, *parts: Part) -> Part:
    """A position: places and their monuments, houses, and what else there is. The house placed this turn is dark;
    places that can be claimed have a ring."""
    told = state.to_dict()
    return [
        grooves(view),
        [ground(view, place["squares"], SEATS[place["owner"]]) for place in told["places"]],
        [_ring(view, square) for square in told["closed"]],
        [house(view, text, text == told["placed"]) for text in told["houses"] if view.shows(text)],
        [monument(view, place["squares"][0], place["owner"]) for place in told["places"]],
        parts,
    ]


def _ring(view: View, square: str) -> Part:
    """The sign of a place that can be claimed, on the square that names it."""
    x, y = view.middle(square)
    return svg.circle(x, y, 9, fill="none", stroke=YES, stroke_width=3)


class Panel(NamedTuple):
    """One of several drawings beside each other, with lines of text below."""

    view: View
    drawn: Part
    words: tuple[str, ...]


def panels(title: str, *shown: Panel) -> str:
    """A picture of drawings beside each other."""
    rows = max(len(panel.words) for panel in shown)
    height = max(panel.view.height for panel in shown)
    parts: list[Part] = []
    x = 0.0
    for panel in shown:
        wide = max(panel.view.width, *(7.6 * len(words) + 16 for words in panel.words))
        parts.append(svg.group(x + (wide - panel.view.width) / 2, 0, panel.drawn))
        for row, words in enumerate(panel.words):
            parts.append(svg.text(x + wide / 2, height - 2 + 18 * row, words, size=13))
        x += wide
    return svg.picture(x, height + 18 * rows, title, parts)
