"""Cities that the page shows, scored by the engine, and how each of their points comes about."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import qpolis
from making.quadropolis.art import NAMES, Building
from qpolis.games.quadropolis.assignment import City
from qpolis.games.quadropolis.details import settled
from qpolis.games.quadropolis.layout import LINES, TYPES
from qpolis.games.quadropolis.notation import square_text

MODES = ("classic", "expert")


@functools.cache
def game(mode: str) -> Any:
    return qpolis.load_game("quadropolis", mode=mode, players=4)


@functools.cache
def facts(mode: str) -> dict[str, Any]:
    found: dict[str, Any] = game(mode).facts()
    return found


def points_for(mode: str, kind: str, count: int) -> int:
    """The points of a table of the rules: floors, customers, districts, neighbours, or the length of a line."""
    first = 2 if kind == "harbor" else 1
    return int(facts(mode)["points"][kind][count - first]) if count >= first else 0


@dataclass
class Example:
    """A city at the end of a game. Squares are written as in `{"b2": "tower 3", "c2": "service *2"}`."""

    mode: str
    built: dict[str, str]
    inhabitants: int
    energy: int

    @property
    def columns(self) -> int:
        return int(game(self.mode).rules[0].columns)

    @functools.cached_property
    def squares(self) -> list[Building | None]:
        return [_building(self.built.get(square_text(i, self.columns))) for i in range(LINES * self.columns)]

    @functools.cached_property
    def score(self) -> dict[str, Any]:
        """What the engine says: points by type, what is active, where inhabitants and energy are."""
        city = City(game(self.mode).rules[0], self.squares, self.inhabitants, self.energy)
        return settled(city, TYPES, self.squares)

    def kind(self, square: int) -> str | None:
        """What counts on a square: nothing where a building is inactive."""
        built = self.squares[square] if square in self.score["active"] else None
        return built["type"] if built else None

    def of_kind(self, kind: str) -> list[int]:
        return [square for square in range(len(self.squares)) if self.kind(square) == kind]

    def beside(self, square: int) -> list[str]:
        """The types of the active buildings beside a square."""
        mask = int(game(self.mode).rules[0].beside[square])
        around = [self.kind(other) for other in range(len(self.squares)) if (mask >> other) & 1]
        return [kind for kind in around if kind]

    def customers(self, square: int) -> int:
        return int(self.score["inhabitants"].get(str(square), 0))

    def explained(self, kind: str) -> list[tuple[str, int]]:
        """What the points of a type are for, part by part; together they are what the engine counts."""
        printed = sum(self.squares[square]["vp"] for square in self.of_kind(kind))  # type: ignore[index]
        parts = [*PARTS[kind](self), *([("printed points", printed)] if printed else [])]
        assert sum(points for _, points in parts) == self.score["points"][kind], (kind, parts)
        return parts

    def name(self, square: int) -> str:
        return square_text(square, self.columns)

    def floors(self, square: int) -> int:
        built = self.squares[square]
        return int(built["floors"]) if built else 0


def _building(text: str | None) -> Building | None:
    if text is None:
        return None
    kind, _, more = text.partition(" ")
    vp = int(more[1:]) if more.startswith("*") else 0
    return {"type": kind, "floors": int(more) if more and not vp else 1, "vp": vp}


def count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


Parts = Iterator[tuple[str, int]]


def _towers(city: Example) -> Parts:
    for square in city.of_kind("tower"):
        floors = city.floors(square)
        yield f"{city.name(square)}, {count(floors, 'floor')}", points_for(city.mode, "tower", floors)


def _shops(city: Example) -> Parts:
    for square in city.of_kind("shop"):
        customers = city.customers(square)
        yield f"{city.name(square)}, {count(customers, 'customer')}", points_for(city.mode, "shop", customers)


def _services(city: Example) -> Parts:
    districts = game(city.mode).rules[0].district
    found = len({int(districts[square]) for square in city.of_kind("service")})
    yield f"in {count(found, 'district')}", points_for(city.mode, "service", found)


def _parks(city: Example) -> Parts:
    for square in city.of_kind("park"):
        towers = sum(kind in ("tower", "office") for kind in city.beside(square))
        yield f"{city.name(square)}, {count(towers, 'tower')} beside it", points_for(city.mode, "park", towers)


def _each_beside(kind: str, city: Example) -> Parts:
    points = facts(city.mode)["points"][kind]
    for square in city.of_kind(kind):
        worth = [other for other in city.beside(square) if other in points]
        said = ", ".join(NAMES[other] for other in worth) or "nothing that counts"
        yield f"{city.name(square)}, beside it {said}", sum(points[other] for other in worth)


def _harbors(city: Example) -> Parts:
    harbors = {divmod(square, city.columns) for square in city.of_kind("harbor")}
    for word, step in (("across", (0, 1)), ("down", (1, 0))):
        longest = max((_run(harbors, start, step) for start in harbors), default=0)
        yield f"longest line {word}, {longest}", points_for(city.mode, "harbor", longest)


def _run(harbors: set[tuple[int, int]], start: tuple[int, int], step: tuple[int, int]) -> int:
    length = 0
    while (start[0] + length * step[0], start[1] + length * step[1]) in harbors:
        length += 1
    return length


def _offices(city: Example) -> Parts:
    left = set(city.of_kind("office"))
    while left:
        group, edge = set(), {min(left)}
        while edge:
            group |= edge
            near = {s for s in left for e in edge if (int(game(city.mode).rules[0].beside[e]) >> s) & 1}
            edge = near - group
        left -= group
        row = facts(city.mode)["points"]["office"][min(len(group), 5) - 1]
        for square in sorted(group):
            floors = city.floors(square)
            yield f"{city.name(square)}, {count(floors, 'floor')}, in a group of {len(group)}", row[floors - 1]


PARTS = {
    "tower": _towers,
    "shop": _shops,
    "service": _services,
    "park": _parks,
    "factory": functools.partial(_each_beside, "factory"),
    "harbor": _harbors,
    "office": _offices,
    "monument": functools.partial(_each_beside, "monument"),
}

# One for each type of building, and a whole city.
SERVICES = Example("classic", {"a1": "service", "b2": "service *1", "d1": "service", "c4": "service *2"}, 4, 0)
PARK = Example("classic", {"b2": "park", "a2": "tower 1", "b1": "tower 3", "c2": "tower 2", "b3": "shop"}, 0, 4)
FACTORY = Example(
    "expert", {"b2": "factory", "a2": "shop", "b1": "harbor", "c2": "office 2", "b3": "harbor"}, 4, 2
)
HARBORS = Example(
    "expert",
    {"a2": "harbor", "b2": "harbor", "c2": "harbor *2", "d2": "harbor", "c1": "harbor", "c3": "harbor"},
    6,
    0,
)
OFFICES = Example("expert", {"a1": "office 2", "b1": "office 2", "b2": "office 3"}, 3, 3)
MONUMENT = Example("expert", {"b2": "monument", "a2": "park", "b1": "shop", "c2": "service", "b3": "harbor"}, 2, 1)
WHOLE = Example(
    "expert",
    {
        **{"a1": "tower 4", "b1": "park", "c1": "office 3", "d1": "office 2", "e1": "factory"},
        **{"a2": "service *2", "b2": "tower 2", "c2": "office 1", "d2": "factory", "e2": "harbor"},
        **{"a3": "shop", "b3": "monument", "c3": "park", "d3": "shop", "e3": "harbor"},
        **{"a4": "service", "b4": "harbor", "d4": "service *1", "e4": "harbor *2"},
    },
    18,
    10,
)
