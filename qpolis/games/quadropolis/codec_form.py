"""The form of a state of Quadropolis as plain data: what each key must be so that it can be read."""

from __future__ import annotations

from reprlib import repr
from typing import Any

import numpy as np

from qpolis.games.quadropolis.layout import (
    NUMBERS,
    OFFICE,
    PARK,
    POSITIONS,
    SEATS,
    SIDE,
    SITE,
    TOWER,
    TURNS,
    TYPES,
)
from qpolis.games.quadropolis.tiles import HOLDS, PARK_ENERGY

Plain = dict[str, Any]
MOST = 1000  # inhabitants or energy of a seat, far beyond what a mix can give
STACKED = (TYPES[TOWER], TYPES[OFFICE])


def check_form(rules: np.record, data: Plain) -> None:
    """Every key has what its kind needs to be read; that it is exactly what would be written is checked later."""
    players, numbers, floors, squares = map(int, (rules.players, rules.numbers, rules.floors, rules.squares))
    mode = "expert" if rules.expert else "classic"
    if data["mode"] != mode or data["players"] != players:
        raise ValueError(f"mode {repr(data['mode'])} with {repr(data['players'])} players is another game")
    _whole("round", data["round"], 1, int(rules.rounds))
    _whole("turn", data["turn"], 1, TURNS)
    for key in ("first", "mayor"):
        _whole(key, data[key], 0, players - 1)
    if data["player"] is not None:
        _whole("player", data["player"], 0, players - 1)
    _list("site", data["site"], SITE)
    _list("architects", data["architects"], most=POSITIONS)
    if data["urbanist"] is not None:
        for place in _list("urbanist", data["urbanist"], 2):
            _whole("urbanist", place, 1, SIDE)
    for row in [data["pool"]] if rules.expert else _list("pool", data["pool"], players):
        for number in _list("pool", row, most=SEATS * NUMBERS):
            _whole("pool", number, 1, numbers)
    if data["held"] is not None:
        if not isinstance(data["held"], dict):
            raise ValueError(f"held is {repr(data['held'])}, not a tile and its architect")
        _whole("held: architect", data["held"].get("architect"), 1, numbers)
    for city in _list("cities", data["cities"], players):
        for building in _list("cities", city, squares):
            if building is not None:
                _check_building(building, floors)
    for key in ("inhabitants", "energy"):
        for amount in _list(key, data[key], players):
            _whole(key, amount, 0, MOST)


def _whole(key: str, value: Any, low: int, high: int) -> None:
    if type(value) is not int or not low <= value <= high:
        raise ValueError(f"{key} is {repr(value)}, not a whole number from {low} to {high}")


def _list(key: str, value: Any, length: int = 0, most: int = 0) -> list[Any]:
    """The value, which is a list of so many entries, or of at most so many."""
    if type(value) is not list or (len(value) > most if most else len(value) != length):
        raise ValueError(f"{key} is not a list of {f'at most {most}' if most else length}")
    return value


def _check_building(building: Any, floors: int) -> None:
    kind = building.get("type") if isinstance(building, dict) else None
    if kind not in TYPES:
        raise ValueError(f"cities: {repr(building)} is not a building")
    _whole("cities: floors", building.get("floors"), 1, floors if kind in STACKED else 1)
    _whole("cities: vp", building.get("vp"), 0, 100)
    if kind == TYPES[PARK]:
        _whole("cities: holds", building.get("holds", PARK_ENERGY), 0, HOLDS)
