"""The pieces of Quadropolis as drawings: tiles, buildings, the city, the construction site."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from making import svg
from making.svg import Element, Part
from qpolis.games import quadropolis
from qpolis.games.quadropolis.layout import LINES, SIDE, SIDES
from qpolis.games.quadropolis.rules import COLUMNS

Building = dict[str, Any]

COLOURS = {
    "tower": "#d55e00",
    "shop": "#e69f00",
    "service": "#b0508a",
    "park": "#009e73",
    "factory": "#555555",
    "harbor": "#3d9bd6",
    "office": "#4b3f9e",
    "monument": "#661100",
}
NAMES = {
    "tower": "tower block",
    "shop": "shop",
    "service": "public service",
    "park": "park",
    "factory": "factory",
    "harbor": "harbor",
    "office": "office tower",
    "monument": "monument",
}
# As tints, under the squares of the districts 1 to 5.
DISTRICTS = ("#e69f00", "#56b4e9", "#009e73", "#cc79a7", "#a8a13a")
CELL = 64  # side of a square
HEAD = 26  # room for what stands beside a city or the site


def _outlines(name: str) -> dict[str, str]:
    """The outlines that the viewer in the browser draws with, so that a building looks the same in both."""
    code = (Path(quadropolis.__file__).parent / "viewer_art.js").read_text(encoding="utf-8")
    block = re.search(rf"const {name} = \{{(.*?)\n  \}};", code, re.DOTALL)
    assert block
    entries = re.findall(r'(\w+): \[?((?:"[A-Z][^"]*"[\s+]*)+)', block[1])
    return {key: "".join(re.findall(r'"([^"]*)"', texts)) for key, texts in entries}


PICTURES, SIGNS = _outlines("PICTURES"), _outlines("SIGNS")
SIGN_COLOURS = {"inhabitants": svg.INK, "energy": "#e69f00", "vp": "#d55e00", "mayor": svg.INK}


def _outline(d: str, x: float, y: float, scale: float, fill: str, width: float) -> Element:
    return svg.path(
        d,
        transform=f"translate({x:g} {y:g}) scale({scale:.3g})",
        fill=fill,
        stroke=svg.INK,
        stroke_width=width,
        stroke_linejoin="round",
        fill_rule="evenodd",
    )


def icon(kind: str, x: float, y: float, size: float) -> Element:
    return _outline(PICTURES[kind], x, y, size / 24, COLOURS[kind], 1)


def sign(name: str, x: float, y: float, size: float = 12) -> Element:
    """An inhabitant, a unit of energy, a point, or the mayor."""
    return _outline(SIGNS[name], x, y, size / 10, SIGN_COLOURS[name], 0.5)


def pawn(x: float, y: float, letter: Any, fill: str = svg.INK) -> Element:
    """An architect with its number, or the urbanist; x, y is its middle."""
    outline = "M0 -12A5 5 0 0 1 3.2 -3.2L9 11H-9L-3.2 -3.2A5 5 0 0 1 0 -12Z"
    return svg.group(
        x,
        y,
        svg.path(outline, fill=fill, stroke=svg.PAPER),
        svg.text(0, 9, letter, size=11, fill=svg.PAPER, font_weight=700),
    )


def _stack(kind: str, floors: int) -> list[Element]:
    """Floors on one another, in a square."""
    wide, high, ground = 24 if kind == "office" else 36, 7.8, 45.0
    left = (CELL - wide) / 2 - 2
    windows = [3, 10, 17] if kind == "office" else [4, 12, 20, 28]
    made = []
    for floor in range(floors):
        top = ground - high * (floor + 1)
        made.append(svg.rect(left, top, wide, high, fill=COLOURS[kind], stroke=svg.INK, stroke_width=0.8))
        made += [svg.rect(left + x, top + 2, 4, high - 4, fill=svg.PAPER) for x in windows]
    return made


def building(built: Building, active: bool = True, tokens: Iterable[str] = ()) -> list[Part]:
    """What stands on a square, with what was put there at the end."""
    kind = built["type"]
    high = kind in ("tower", "office")
    tint = svg.mixed(COLOURS[kind], 0.2 if active else 0.06)
    content = [
        svg.rect(3, 3, CELL - 6, CELL - 6, rx=5, fill=tint, stroke=COLOURS[kind], stroke_width=1.5),
        _stack(kind, built["floors"]) if high else icon(kind, 9, 17, 28) if built["vp"] else icon(kind, 9, 12, 31),
        svg.text(CELL / 2, CELL - 7, f"{kind} {built['floors']}" if high else kind, size=10),
    ]
    if built["vp"]:
        points = svg.text(20, 16.5, built["vp"], size=11, anchor="start", font_weight=700)
        content += [sign("vp", 7, 7, 11), points]
    if active:
        places = ((CELL - 17 - 11 * (i // 4), 8 + 10.5 * (i % 4)) for i in range(12))
        return [content, [sign(name, *place, 9) for name, place in zip(tokens, places)]]
    crossed = svg.path(
        f"M8 {CELL - 8}L{CELL - 8} 8M8 8L{CELL - 8} {CELL - 8}", stroke=svg.INK, stroke_width=1.6, opacity=0.6
    )
    paper = svg.rect(3, 3, CELL - 6, CELL - 6, rx=5, fill=svg.PAPER)
    return [paper, svg.element("g", {"opacity": 0.45}, content), crossed]


def tile(shown: dict[str, Any]) -> list[Part]:
    """A tile as it lies on the site."""
    kind = shown["type"]
    gains = [name for name in ("inhabitants", "energy", "vp") if shown.get(name)]
    return [
        svg.rect(3, 3, CELL - 6, CELL - 6, rx=5, fill=svg.mixed(COLOURS[kind], 0.2), stroke=COLOURS[kind]),
        icon(kind, 7, 12, 30),
        svg.text(CELL / 2, CELL - 7, kind, size=10),
        [
            [sign(name, 39, 9 + 14 * i, 11), svg.text(52, 18.5 + 14 * i, shown[name], size=11, anchor="start")]
            for i, name in enumerate(gains)
        ],
        sign("mayor", 39, 37, 12) if shown.get("mayor") else None,
    ]


def district_tint(mode: str, square: int, share: float = 0.25) -> str:
    line, column = divmod(square, COLUMNS[mode])
    return svg.mixed(DISTRICTS[quadropolis.rules.DISTRICTS[mode][line][column] - 1], share)


def plot(fill: str = svg.PAPER, **style: Any) -> Element:
    """An empty square."""
    return svg.rect(0, 0, CELL, CELL, **{"fill": fill, "stroke": svg.GREY, **style})


def ring(colour: str = svg.ACCENT) -> Element:
    return svg.rect(3.5, 3.5, CELL - 7, CELL - 7, rx=5, fill="none", stroke=colour, stroke_width=3)


def grid(columns: int, lines: int, draw: Callable[[int], Part]) -> list[Element]:
    """Squares side by side; draw(square) draws one at 0, 0."""
    return [
        svg.group(CELL * (square % columns), CELL * (square // columns), draw(square))
        for square in range(columns * lines)
    ]


def mat_size(mode: str) -> tuple[float, float]:
    """Of a city with its letters and numbers."""
    return HEAD + CELL * COLUMNS[mode], HEAD + CELL * LINES


def mat(mode: str, draw: Callable[[int], Part]) -> Element:
    """A city, with the letters of its columns and the numbers of its lines; draw(square) draws a square."""
    columns = COLUMNS[mode]
    letters = [svg.text(HEAD + CELL * (i + 0.5), 16, "abcde"[i], fill=svg.GREY) for i in range(columns)]
    numbers = [svg.text(12, HEAD + CELL * (i + 0.5) + 5, i + 1, fill=svg.GREY) for i in range(LINES)]
    return svg.group(0, 0, letters, numbers, svg.group(HEAD, HEAD, grid(columns, LINES, draw)))


EDGE = 52  # room for the positions around the site
SITE_SIZE = CELL * SIDE + 2 * EDGE


def position_at(name: str) -> tuple[float, float]:
    """The middle of an architect's position, in the drawing of the site."""
    side, i = SIDES.index(name[0]), int(name[1]) - 1
    along, near = EDGE + CELL * (i + 0.5), EDGE / 2 + 8
    far = SITE_SIZE - near
    return [(along, near), (far, along), (along, far), (near, along)][side]


def site(draw: Callable[[int], Part], position: Callable[[str, float, float], Part]) -> list[Part]:
    """The construction site with its positions; position(name, x, y) draws one."""
    names = [f"{side}{i + 1}" for side in SIDES for i in range(SIDE)]
    return [svg.group(EDGE, EDGE, grid(SIDE, SIDE, draw)), [position(name, *position_at(name)) for name in names]]


def position_name(name: str, x: float, y: float) -> Element:
    return svg.text(x, y + 5, name, size=14, fill=svg.GREY)
