"""A city from a file, and an assignment that reaches its best score, with the points by building: what
`qpolis score` shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from qpolis.errors import QpolisError, unknown
from qpolis.games.quadropolis.account import assign, count_points, type_at
from qpolis.games.quadropolis.city import WORK, park_energy
from qpolis.games.quadropolis.codec import fill_city
from qpolis.games.quadropolis.layout import CITY, DIGITS, FLOORS, LINES, SHOP, TYPES
from qpolis.games.quadropolis.mix import Mix, load_mix
from qpolis.games.quadropolis.notation import square_text
from qpolis.games.quadropolis.rules import COLUMNS, MODES, make_rules
from qpolis.games.quadropolis.scoring import best_key
from qpolis.games.quadropolis.tiles import HOLDS, TYPES_OF

Plain = dict[str, Any]
CITY_KEYS = ("mode", "squares", "inhabitants", "energy")  # and mix, which may be missing
BUILDING_KEYS = ("type", "floors", "vp")  # and holds, which may be missing
MIX = "base"  # if nothing else is said
MOST = 999  # inhabitants or energy of a city in a file


class City:
    """A city in the form the kernels score."""

    def __init__(
        self, rules: np.record, squares: list[Plain | None], inhabitants: int, energy: int, mix: str = MIX
    ) -> None:
        self.rules = rules
        self.mix = mix
        self.inhabitants = inhabitants
        self.energy = energy
        self.built = np.zeros(len(TYPES), np.int32)
        self.tall = np.zeros(FLOORS, np.int32)
        self.vp = np.zeros(CITY, np.int8)
        holds = np.zeros(DIGITS, np.int32)
        fill_city(self.built, self.tall, self.vp, holds, squares)
        self.held = int(park_energy(holds))

    @property
    def parts(self) -> tuple[Any, ...]:
        """What the kernels are given, in their order."""
        return self.built, self.tall, self.vp, self.inhabitants, self.energy, self.held

    def key(self) -> int:
        """The key of the best assignment."""
        return int(best_key(self.rules, np.empty(1, WORK), *self.parts))

    def kind(self, square: int) -> int:
        return int(type_at(self.built, square))


def read_city(data: Any, mix: Mix | None = None) -> City:
    """The city of a score file, checked, to be scored by the given mix, that of the file, or base."""
    if not isinstance(data, dict):
        raise QpolisError("a city is an object with mode, squares, inhabitants and energy")
    problem = _keys_problem(data, CITY_KEYS, "mix", "a city has mode, squares, inhabitants and energy")
    if problem:
        raise QpolisError(problem)
    mix = _mix(data, mix)
    mode = data["mode"]
    if mode not in MODES:
        raise QpolisError(f"mode: {mode!r} is not one of {', '.join(MODES)}")
    squares = data["squares"]
    size = LINES * COLUMNS[mode]
    if not isinstance(squares, list) or len(squares) != size:
        raise QpolisError(f"squares: not a list of the {size} squares of the {mode} city")
    for i, building in enumerate(squares):
        problem = _problem(building, mode, mix)
        if problem:
            raise QpolisError(f"squares: {square_text(i, COLUMNS[mode])} (number {i + 1} of the list): {problem}")
    for name in ("inhabitants", "energy"):
        if not _whole(data[name], 0, MOST):
            raise QpolisError(f"{name}: {data[name]!r} is not a whole number from 0 to {MOST}")
    rules, _ = make_rules(mode, 2, mix)
    told = [building and {"holds": mix.park_energy, **building} for building in squares]
    return City(rules[0], told, data["inhabitants"], data["energy"], mix.source)


def _mix(data: Plain, given: Mix | None) -> Mix:
    """The mix of a city: a file that names another than the one that is given contradicts it."""
    if "mix" not in data:
        return given or load_mix(MIX)
    named = data["mix"]
    if not isinstance(named, str):
        raise QpolisError(f"mix: {named!r} is not a text: a name, the path of a CSV file, or changes to either")
    try:
        mix = load_mix(named)
    except QpolisError as error:
        raise QpolisError(f"mix: {error}") from None
    if given and given.rows != mix.rows:
        raise QpolisError(f"mix: {mix.source} in the file, where --mix says {given.source}; leave one of them out")
    return given or mix


def _keys_problem(data: Plain, keys: tuple[str, ...], optional: str, needed: str) -> str | None:
    """The first key that is unknown or missing."""
    for key in data:
        if key not in (*keys, optional):
            return str(unknown("key", key, (*keys, optional)))
    return next((f"{key} is missing ({needed})" for key in keys if key not in data), None)


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _problem(building: Any, mode: str, mix: Mix) -> str | None:
    """What is wrong with one square, if anything."""
    if building is None:
        return None
    if not isinstance(building, dict):
        return f"{building!r} is neither null nor an object with type, floors and vp"
    problem = _keys_problem(building, BUILDING_KEYS, "holds", "a building has type, floors and vp")
    if problem:
        return problem
    kind = building.get("type")
    if kind not in TYPES_OF[mode]:
        return f"type {kind!r} is not one of {', '.join(TYPES_OF[mode])}"
    highest = (5 if mode == "expert" else 4) if kind in ("tower", "office") else 1
    if not _whole(building.get("floors"), 1, highest):
        return f"floors {building.get('floors')!r} is not a whole number from 1 to {highest} for a {kind}"
    if not _whole(building.get("vp"), 0, 100):
        return f"vp {building.get('vp')!r} is not a whole number from 0 to 100"
    return _holds_problem(building, mix)


def _holds_problem(building: Plain, mix: Mix) -> str | None:
    """What is wrong with what a building holds, if anything. A park need not say it if the mix does."""
    park = building["type"] == "park"
    if "holds" not in building:
        if park and mix.held and mix.park_energy not in mix.held:
            return f"holds is missing, where the parks of {mix.source} hold {' or '.join(map(str, mix.held))}"
        return None
    holds = building["holds"]
    if not _whole(holds, 0, HOLDS):
        return f"holds {holds!r} is not a whole number from 0 to {HOLDS}"
    if holds and not park:
        return f"holds {holds}, where only parks hold energy: 0 or nothing for a {building['type']}"
    return None


def best_assignment(city: City) -> Plain:
    """The best score with an assignment that reaches it; squares are numbered as in the list, from 0."""
    built, customers = np.empty(len(TYPES), np.int32), np.empty(CITY, np.int64)
    best = int(assign(city.rules, np.empty(1, WORK), *city.parts, built, customers))
    account = np.empty(len(TYPES) + 1, np.int64)
    count_points(
        city.rules, built, city.tall, city.vp, customers, city.inhabitants, city.energy, city.held, account
    )
    *points, penalties = account.tolist()
    assert sum(points) + penalties == best >> 16
    active = _squares(np.bitwise_or.reduce(built))
    return {
        "points": dict(zip(TYPES, points, strict=True)),
        "penalties": penalties,
        "total": best >> 16,
        "inhabitants_on_buildings": (best >> 8) & 255,
        "empty_squares": int(city.rules.squares) - len(active),
        "active": active,
        "customers": {str(square): int(customers[square]) for square in _squares(built[SHOP])},
    }


def _squares(mask: np.integer) -> list[int]:
    return [square for square in range(CITY) if (int(mask) >> square) & 1]
