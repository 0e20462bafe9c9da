"""Pictures of the site and the mats: what is where, what an architect takes, and where it may build."""

from __future__ import annotations

from typing import Any

import numpy as np

from making import svg
from making.quadropolis import art
from making.quadropolis.art import CELL, EDGE, SITE_SIZE
from making.quadropolis.examples import Example, facts, game
from making.svg import Part
from qpolis.games.quadropolis import rules
from qpolis.games.quadropolis.assignment import City
from qpolis.games.quadropolis.codec import POSITION_NAMES
from qpolis.games.quadropolis.layout import OPEN, POINTED, SIDE, STATE
from qpolis.games.quadropolis.moves import places_of

MARGIN = 14
TAKES = ((3, "N2"), (2, "E4"))  # the architects of the example
URBANIST = (3, 2)  # line and column in the example


def site() -> str:
    """Positions, and which tile an architect takes."""
    targets = {int(POINTED[number - 1, POSITION_NAMES.index(name)]): number for number, name in TAKES}
    standing = {name: number for number, name in TAKES}

    def square(place: int) -> Part:
        return [art.plot(svg.CARD), art.ring() if place in targets else None]

    def position(name: str, x: float, y: float) -> Part:
        return art.pawn(x, y, standing[name], svg.ACCENT) if name in standing else art.position_name(name, x, y)

    def steps(number: int, name: str) -> Part:
        passed = [int(POINTED[n, POSITION_NAMES.index(name)]) for n in range(number)]
        middles = [(EDGE + CELL * (place % SIDE + 0.5), EDGE + CELL * (place // SIDE + 0.5)) for place in passed]
        return [svg.text(x, y + 6, n, size=18, font_weight=700) for n, (x, y) in enumerate(middles, 1)]

    title = "The construction site: five positions on each side; " + ", ".join(
        f"architect {number} at {name} takes from the square marked {number} in its line" for number, name in TAKES
    )
    return svg.picture(SITE_SIZE, SITE_SIZE, title, art.site(square, position), [steps(*take) for take in TAKES])


def blocked() -> str:
    """The four positions that the urbanist blocks."""
    place = (URBANIST[0] - 1) * SIDE + URBANIST[1] - 1
    closed = [name for i, name in enumerate(POSITION_NAMES) if not (int(OPEN[place]) >> i) & 1]

    def square(here: int) -> Part:
        seen = here // SIDE == place // SIDE or here % SIDE == place % SIDE
        drawn = art.plot(svg.mixed(svg.ACCENT, 0.12) if seen else svg.CARD)
        return [drawn, art.pawn(CELL / 2, CELL / 2, "U") if here == place else None]

    def position(name: str, x: float, y: float) -> Part:
        if name not in closed:
            return art.position_name(name, x, y)
        return [
            svg.text(x, y + 5, name, fill=svg.LINE),
            svg.path(f"M{x - 11} {y - 11}l22 22m0 -22l-22 22", stroke=svg.ACCENT, stroke_width=2.5),
        ]

    title = f"The urbanist in line {URBANIST[0]}, column {URBANIST[1]} blocks {', '.join(closed)}"
    return svg.picture(SITE_SIZE, SITE_SIZE, title, art.site(square, position))


def printed(mode: str, square: int, share: float = 0.3) -> Part:
    """An empty square of a mat: its district as a tint and a number on a disc; in expert its own number, too."""
    mat = rules.mat(mode)
    district = mat["districts"][square]
    tint = art.district_tint(mode, square, share)
    disc = [
        svg.circle(CELL - 13, CELL - 13, 9, fill=svg.INK),
        svg.text(CELL - 13, CELL - 9, district, size=11, fill=svg.PAPER, font_weight=700),
    ]
    number = svg.text(24, 36, mat["numbers"][square], size=26, font_weight=700) if mat["numbers"] else None
    return [art.plot(tint), number, disc]


def mat(mode: str) -> str:
    """The empty mat."""
    width, height = art.mat_size(mode)
    said = {
        "classic": "The classic mat: lines 1 to 4, columns a to d, and on dark discs the districts 1 to 4",
        "expert": "The expert mat: on each square its own number, and on a dark disc the number of its district",
    }
    drawn = art.mat(mode, lambda square: printed(mode, square))
    return svg.picture(width + MARGIN + 6, height + MARGIN + 6, said[mode], svg.group(6, 6, drawn))


def _squares(mask: int) -> set[int]:
    return {square for square in range(20) if (mask >> square) & 1}


def places(mode: str, number: int, city: Example | None = None, kind: str = "park") -> set[int]:
    """Where architect `number` may put a tile, as the engine says."""
    state: Any = np.zeros(1, STATE)[0]
    record = game(mode).rules[0]
    if city:
        filled = City(record, city.squares, 0, 0)
        state.built[0], state.tall[0] = filled.built, filled.tall
    tile = next(i for i, one in enumerate(game(mode).tiles) if one.type == kind)
    return _squares(int(places_of(record, state, number - 1, tile)))


def place(mode: str, number: int) -> str:
    """Where an architect may build in an empty city."""
    allowed = places(mode, number)
    width, height = art.mat_size(mode)

    def square(here: int) -> Part:
        return [printed(mode, here, 0.35 if here in allowed else 0.08), art.ring() if here in allowed else None]

    title = f"{mode.capitalize()}: architect {number} may build on the framed squares"
    drawn = [svg.group(6, 6, art.mat(mode, square))]
    return svg.picture(width + MARGIN + 6, height + MARGIN + 6, title, drawn)


STACKS = Example(
    "classic", {"a1": "tower 2", "c2": "tower 2", "d2": "tower 1", "c3": "tower 4", "b4": "park"}, 0, 0
)
FLOOR = 3  # architect and floor of the example


def floors() -> str:
    """Where an architect may put a tower block when there are stacks."""
    mode, index = STACKS.mode, FLOOR - 1
    allowed = places(mode, FLOOR, STACKS, "tower")
    names = {STACKS.name(square) for square in allowed}
    assert names >= {"a1", "c2"}
    assert not names & {"d2", "c3", "b4"}

    def square(here: int) -> Part:
        built, mine = STACKS.squares[here], index in divmod(here, STACKS.columns)
        ground = art.plot(svg.mixed(svg.ACCENT, 0.15) if mine else svg.CARD)
        return [ground, art.building(built) if built else None, art.ring() if here in allowed else None]

    said = [
        f"Tinted: line {FLOOR} and column {'abcd'[index]}. Framed: where it may go.",
        f"a1 is in neither, but there it becomes floor {FLOOR}.",
        "c2 is in the column: it may grow anyway.",
        f"d2 would get floor 2: not with architect {FLOOR}.",
        f"c3 has {facts(mode)['floors']} floors, the most there may be.",
    ]
    width, height = art.mat_size(mode)
    head = svg.text(width + 22, 56, f"Architect {FLOOR} places a tower block", anchor="start", font_weight=700)
    lines = [svg.text(width + 22, 86 + 26 * i, words, anchor="start") for i, words in enumerate(said)]
    title = (
        f"Where architect {FLOOR} may put a tower block: its line and column, and where it becomes floor {FLOOR}"
    )
    drawn = svg.group(6, 6, art.mat(mode, square))
    return svg.picture(width + 450, height + MARGIN + 6, title, drawn, head, lines)


PICTURES = {
    "site": site,
    "blocked": blocked,
    "mat-classic": lambda: mat("classic"),
    "mat-expert": lambda: mat("expert"),
    "place-classic": lambda: place("classic", 2),
    "place-expert": lambda: place("expert", 2),
    "floors": floors,
}
