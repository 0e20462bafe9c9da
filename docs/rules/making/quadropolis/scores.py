"""Pictures of final scoring: a small city for each type of building, and a whole one, with the engine's points."""

from __future__ import annotations

from making import svg
from making.quadropolis import art
from making.quadropolis.art import CELL
from making.quadropolis.boards import MARGIN, printed
from making.quadropolis.examples import (
    FACTORY,
    HARBORS,
    MONUMENT,
    OFFICES,
    PARK,
    SERVICES,
    WHOLE,
    Example,
    count,
    facts,
)
from making.svg import Part
from qpolis.games.quadropolis.tiles import TYPES_OF


def tiles() -> str:
    """A tile of every type."""
    samples = [
        {"type": "tower", "inhabitants": 1, "mayor": True},
        {"type": "shop"},
        {"type": "service", "vp": 2},
        {"type": "park"},
        {"type": "factory", "energy": 3},
        {"type": "harbor", "inhabitants": 1, "energy": 1},
        {"type": "office"},
        {"type": "monument"},
    ]
    assert [sample["type"] for sample in samples] == list(TYPES_OF["expert"])
    drawn = [svg.group(MARGIN + 82 * i, MARGIN, art.tile(sample)) for i, sample in enumerate(samples)]
    key = [("inhabitants", "inhabitant"), ("energy", "energy"), ("vp", "printed points"), ("mayor", "the mayor")]
    names = [
        [art.sign(name, MARGIN + 6 + 130 * i, 96, 14), svg.text(MARGIN + 28 + 130 * i, 108, said, anchor="start")]
        for i, (name, said) in enumerate(key)
    ]
    title = f"A tile of every type: {', '.join(art.NAMES.values())}"
    return svg.picture(2 * MARGIN + 82 * 7 + CELL, 124, title, drawn, names)


def _points(points: int) -> str:
    return f"{points} point{'' if points == 1 else 's'}".replace("-", "\N{MINUS SIGN}")


def towers() -> str:
    """A stack of every height."""
    points = facts("expert")["points"]["tower"]
    drawn = [
        svg.group(
            MARGIN + 84 * i,
            MARGIN,
            art.building({"type": "tower", "floors": i + 1, "vp": 0}),
            svg.text(CELL / 2, CELL + 22, _points(won)),
        )
        for i, won in enumerate(points)
    ]
    return svg.picture(
        2 * MARGIN + 84 * 4 + CELL, CELL + 48, "Tower blocks with 1 to 5 floors, and their points", drawn
    )


def shops() -> str:
    """A shop with every number of customers."""
    points = [0, *facts("expert")["points"]["shop"]]
    drawn = []
    for customers, won in enumerate(points):
        tokens = ["energy", *["inhabitants"] * customers]
        shop = art.building({"type": "shop", "floors": 1, "vp": 0}, tokens=tokens)
        drawn.append(svg.group(MARGIN + 84 * customers, MARGIN, shop, svg.text(CELL / 2, CELL + 22, _points(won))))
    title = "Shops with 0 to 5 customers besides the energy that activates them, and their points"
    return svg.picture(2 * MARGIN + 84 * 5 + CELL, CELL + 48, title, drawn)


def _square(city: Example, square: int, ground: Part = None) -> Part:
    """A square of a city at the end, with what was put on the building."""
    built = city.squares[square]
    if not built:
        return ground or art.plot()
    tokens = [name for name in ("energy", "inhabitants") for _ in range(city.score[name].get(str(square), 0))]
    return [ground or art.plot(), art.building(built, square in city.score["active"], tokens)]


def _part(city: Example, first: str, last: str) -> tuple[float, float, list[Part]]:
    """The squares from one corner of a city to another, and how wide and high that is."""
    names = [city.name(square) for square in range(len(city.squares))]
    (top, left), (bottom, right) = (divmod(names.index(corner), city.columns) for corner in (first, last))
    drawn = [
        svg.group(CELL * (column - left), CELL * (line - top), _square(city, line * city.columns + column))
        for line in range(top, bottom + 1)
        for column in range(left, right + 1)
    ]
    return CELL * (right - left + 1), CELL * (bottom - top + 1), drawn


def _lines(city: Example, kind: str) -> list[str]:
    """What a type scores in a city, in words."""
    parts = city.explained(kind)
    total = [f"together {_points(sum(points for _, points in parts))}"] if len(parts) > 1 else []
    return [*(f"{said}: {_points(points)}" for said, points in parts), *total]


def _told(city: Example, kind: str, first: str, last: str, title: str, more: tuple[str, ...] = ()) -> str:
    """A part of a city with what a type scores there."""
    wide, high, drawn = _part(city, first, last)
    lines = _lines(city, kind)
    said = [
        svg.text(wide + 2 * MARGIN + 8, MARGIN + 20 + 24 * i, words, anchor="start", font_weight=weight)
        for i, (words, weight) in enumerate([*[(line, 700) for line in lines], *[(line, 400) for line in more]])
    ]
    longest = max(map(len, [*lines, *more]))
    return svg.picture(
        wide + 3 * MARGIN + 8 + 8.2 * longest, high + 2 * MARGIN, title, svg.group(MARGIN, MARGIN, drawn), said
    )


def services() -> str:
    """Services on the classic mat."""
    width, height = art.mat_size("classic")

    def square(here: int) -> Part:
        return _square(SERVICES, here, printed("classic", here))

    said = [
        svg.text(width + 26, 60 + 26 * i, words, anchor="start", font_weight=700)
        for i, words in enumerate(_lines(SERVICES, "service"))
    ]
    title = "Four public services in three of the four districts"
    return svg.picture(width + 230, height + MARGIN + 6, title, svg.group(6, 6, art.mat("classic", square)), said)


def whole() -> str:
    """The city of the worked example."""
    width, height = art.mat_size(WHOLE.mode)

    def square(here: int) -> Part:
        return _square(WHOLE, here, printed(WHOLE.mode, here))

    left = WHOLE.score["idle"]
    idle = " and ".join(f"{number} {name}" for name, number in left.items() if number) or "nothing"
    said = svg.text(art.HEAD + 6, height + 24, f"{idle} left over", anchor="start")
    active = len(WHOLE.score["active"])
    title = f"An expert city at the end with {count(active, 'active building')}; what is crossed out is inactive"
    return svg.picture(width + MARGIN + 6, height + 40, title, svg.group(6, 6, art.mat(WHOLE.mode, square)), said)


PICTURES = {
    "tiles": tiles,
    "towers": towers,
    "shops": shops,
    "services": services,
    "park": lambda: _told(PARK, "park", "a1", "c3", "A park beside three tower blocks and a shop"),
    "factory": lambda: _told(
        FACTORY, "factory", "a1", "c3", "A factory beside a shop, an office tower and two harbors"
    ),
    "harbors": lambda: _told(HARBORS, "harbor", "a1", "e3", "Harbors in a line across and in a line down"),
    "offices": lambda: _told(OFFICES, "office", "a1", "b2", "Three connected office towers"),
    "monument": lambda: _told(
        MONUMENT,
        "monument",
        "a1",
        "c3",
        "A monument beside a park, a shop, a public service and an inactive harbor",
        ("The harbor is left inactive,", "so that it is not beside it."),
    ),
    "city": whole,
}
