"""What the viewer shows besides the position: the city mat, and what every city scores if the game ended here."""

from __future__ import annotations

from typing import Any

from qpolis.games.quadropolis.assignment import City, best_assignment
from qpolis.games.quadropolis.rules import COLUMNS, mat

Plain = dict[str, Any]
STAFFED = ("service", "factory", "harbor", "office")  # an inhabitant activates them
POWERED = ("tower", "shop", "office")  # energy does


def details(rules: Any, kinds: tuple[str, ...], position: Plain) -> Plain:
    """Of a position as plain data. Squares are numbered row by row from 0."""
    mode = position["mode"]
    seats = [
        settled(City(rules, *city), kinds, city[0])
        for city in zip(position["cities"], position["inhabitants"], position["energy"], strict=True)
    ]
    return {
        "columns": COLUMNS[mode],
        **mat(mode),
        "rounds": int(rules.rounds),
        "kinds": list(kinds),
        "seats": seats,
    }


def settled(city: City, kinds: tuple[str, ...], squares: list[Plain | None]) -> Plain:
    """The points of a best assignment by type of building, which squares are active, and where inhabitants and
    energy are: on squares, and those that are left and cost a point each."""
    best = best_assignment(city)
    types = {square: building["type"] for square in best["active"] if (building := squares[square])}
    people = {square: best["customers"].get(str(square), 0) + (kind in STAFFED) for square, kind in types.items()}
    power = {square: int(kind in POWERED) for square, kind in types.items()}
    left = city.energy - sum(power.values())
    for square, kind in types.items():
        if kind == "park":
            power[square] = min(left, int(city.rules.park_energy))
            left -= power[square]
    return {
        "points": {kind: best["points"][kind] for kind in kinds},
        "penalties": best["penalties"],
        "total": best["total"],
        "active": best["active"],
        "inhabitants": {str(square): count for square, count in people.items() if count},
        "energy": {str(square): count for square, count in power.items() if count},
        "idle": {"inhabitants": city.inhabitants - sum(people.values()), "energy": left},
    }
