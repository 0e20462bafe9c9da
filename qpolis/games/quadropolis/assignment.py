"""An assignment that reaches the best score of a city, with the points by building: what `qpolis score` shows.

The kernel gives the best key only. Which buildings are active follows from it: a building whose removal leaves
the best key as it is can stay inactive; what is left when no more can go must all be active.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qpolis.errors import QpolisError
from qpolis.games.quadropolis.city import WORK, V, floors_of
from qpolis.games.quadropolis.layout import (
    CITY,
    FACTORY,
    FLOORS,
    HARBOR,
    LINES,
    MONUMENT,
    OFFICE,
    PARK,
    SERVICE,
    SHOP,
    TOWER,
    TYPES,
)
from qpolis.games.quadropolis.mix import load_mix
from qpolis.games.quadropolis.notation import square_text
from qpolis.games.quadropolis.plain import fill_city
from qpolis.games.quadropolis.rules import COLUMNS, MODES, make_rules
from qpolis.games.quadropolis.scoring import best_key
from qpolis.games.quadropolis.tables import line_worth, office_worth, park_worth
from qpolis.games.quadropolis.tiles import EXPERT_ONLY

Plain = dict[str, Any]
INHABITANTS = {SERVICE: 1, FACTORY: 1, HARBOR: 1, OFFICE: 1}
ENERGY = {TOWER: 1, SHOP: 1, OFFICE: 1}
CITY_KEYS = ("mode", "squares", "inhabitants", "energy")
MOST = 999  # inhabitants or energy of a city in a file


class City:
    """A city in the form the kernels score."""

    def __init__(self, rules: np.record, squares: list[Plain | None], inhabitants: int, energy: int) -> None:
        self.rules = rules
        self.inhabitants = inhabitants
        self.energy = energy
        self.built = np.zeros(len(TYPES), np.int32)
        self.tall = np.zeros(FLOORS, np.int32)
        self.vp = np.zeros(CITY, np.int8)
        fill_city(self.built, self.tall, self.vp, squares)

    def key(self, removed: int = 0) -> int:
        """The best key without some squares."""
        return int(best_key(self.rules, np.empty(1, WORK), self.built & ~removed, self.tall & ~removed, self.vp,
                            self.inhabitants, self.energy))

    def kind(self, square: int) -> int:
        return next(kind for kind in range(len(TYPES)) if (int(self.built[kind]) >> square) & 1)


def read_city(data: Any) -> City:
    """The city of a score file, checked."""
    if not isinstance(data, dict):
        raise QpolisError("a city is an object with mode, squares, inhabitants and energy")
    problem = _keys_problem(data, CITY_KEYS)
    if problem:
        raise QpolisError(f"{problem} (a city has mode, squares, inhabitants and energy)")
    mode = data["mode"]
    if mode not in MODES:
        raise QpolisError(f"mode: {mode!r} is not one of {', '.join(MODES)}")
    squares = data["squares"]
    size = LINES * COLUMNS[mode]
    if not isinstance(squares, list) or len(squares) != size:
        raise QpolisError(f"squares: not a list of the {size} squares of the {mode} city")
    for i, building in enumerate(squares):
        problem = _problem(building, mode)
        if problem:
            raise QpolisError(f"squares: {square_text(i, COLUMNS[mode])} (number {i + 1} of the list): {problem}")
    for name in ("inhabitants", "energy"):
        if not _whole(data[name], 0, MOST):
            raise QpolisError(f"{name}: {data[name]!r} is not a whole number from 0 to {MOST}")
    rules, _ = make_rules(mode, 2, load_mix("base"))
    return City(rules[0], squares, data["inhabitants"], data["energy"])


def _keys_problem(data: Plain, keys: tuple[str, ...]) -> str | None:
    """The first key that is missing; further keys are comments."""
    return next((f"{key} is missing" for key in keys if key not in data), None)


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _problem(building: Any, mode: str) -> str | None:
    """What is wrong with one square, if anything."""
    if building is None:
        return None
    if not isinstance(building, dict):
        return f"{building!r} is neither null nor an object with type, floors and vp"
    problem = _keys_problem(building, ("type", "floors", "vp"))
    if problem:
        return f"{problem} (a building has type, floors and vp)"
    kind = building.get("type")
    known = [name for name in TYPES if mode == "expert" or name not in EXPERT_ONLY]
    if kind not in known:
        return f"type {kind!r} is not one of {', '.join(known)}"
    highest = (5 if mode == "expert" else 4) if kind in ("tower", "office") else 1
    if not _whole(building.get("floors"), 1, highest):
        return f"floors {building.get('floors')!r} is not a whole number from 1 to {highest} for a {kind}"
    if not _whole(building.get("vp"), 0, 100):
        return f"vp {building.get('vp')!r} is not a whole number from 0 to 100"
    return None


def best_assignment(city: City) -> Plain:
    """The best score with an assignment that reaches it; squares are numbered as in the list, from 0."""
    best = city.key()
    removed = 0
    for square in range(int(city.rules.squares)):
        if not (int(city.tall[0]) >> square) & 1 or city.kind(square) in (PARK, MONUMENT):
            continue
        if city.key(removed | 1 << square) == best:
            removed |= 1 << square
    active = [s for s in range(int(city.rules.squares)) if (int(city.tall[0]) & ~removed) >> s & 1]
    idle = city.inhabitants - sum(INHABITANTS.get(city.kind(square), 0) for square in active)
    customers: dict[int, int] = {}
    for square in active:
        if city.kind(square) == SHOP:
            customers[square] = min(idle, int(city.rules.customers))
            idle -= customers[square]
    unused = city.energy - sum(ENERGY.get(city.kind(square), 0) for square in active)
    held = int(city.rules.park_energy) * sum(city.kind(square) == PARK for square in active)
    points = _points(city, active, customers)
    penalties = -idle - max(0, unused - held)
    assert sum(points.values()) + penalties == best >> 16
    return {
        "points": {TYPES[kind]: value for kind, value in points.items()},
        "penalties": penalties,
        "total": best >> 16,
        "inhabitants_on_buildings": city.inhabitants - idle,
        "empty_squares": int(city.rules.squares) - len(active),
        "active": active,
        "customers": {str(square): count for square, count in customers.items()},
    }


def _points(city: City, active: list[int], customers: dict[int, int]) -> dict[int, int]:
    """Points by type of building, when exactly `active` stands."""
    rules = city.rules
    mask = sum(1 << square for square in active)
    built = city.built.astype(np.int64) & mask
    points = dict.fromkeys(range(len(TYPES)), 0)
    for square in active:
        kind = city.kind(square)
        beside = [other for other in active if (int(rules.beside[square]) >> other) & 1]
        points[kind] += int(city.vp[square])
        if kind == TOWER:
            points[kind] += int(rules.tower_points[floors_of(city.tall, square)])
        if kind == FACTORY:
            points[kind] += sum(int(rules.factory_points[city.kind(other)]) for other in beside)
        if kind == MONUMENT:
            points[kind] += sum(int(rules.monument_points[city.kind(other)]) for other in beside)
    points[SHOP] += sum(int(rules.shop_points[count]) for count in customers.values())
    services = {int(rules.district[square]) for square in active if city.kind(square) == SERVICE}
    points[SERVICE] += int(rules.service_points[len(services)])
    points[PARK] += int(park_worth(rules, built[PARK], built[TOWER] | built[OFFICE])) // V
    points[HARBOR] += int(line_worth(rules, built[HARBOR])) // V
    points[OFFICE] += int(office_worth(rules, city.tall, built[OFFICE], built[OFFICE], 0)) // V
    return points
