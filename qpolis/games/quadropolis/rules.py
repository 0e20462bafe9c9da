"""The constants of one game: the city mats, the tables of points and the tile mix, put into a `rules` record."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.games.quadropolis.features import NAMES
from qpolis.games.quadropolis.layout import (
    ACTIONS,
    HARBOR,
    KINDS,
    LINES,
    NONE,
    OFFICE,
    PARK,
    RULES,
    SHOP,
    SITE,
    TYPES,
)
from qpolis.games.quadropolis.tiles import MARKS, OUT, PARK_ENERGY, ROUNDS_OF, Mix, Tile

MODES = ("classic", "expert")
COLUMNS = {"classic": 4, "expert": 5}
WEIGHTS = Path(__file__).parent / "weights"  # of the evaluation, by mode and players; see benchmarks/fit_value.py

# Square numbers and districts as printed on the mats; classic squares count by line and column instead.
EXPERT_NUMBERS = (
    (2, 3, 1, 1, 3),
    (5, 4, 2, 5, 4),
    (1, 2, 3, 1, 2),
    (4, 3, 5, 5, 4),
)
DISTRICTS = {
    "classic": ((1, 1, 2, 2), (1, 1, 2, 2), (3, 3, 4, 4), (3, 3, 4, 4)),
    "expert": ((1, 1, 4, 2, 2), (1, 1, 4, 2, 2), (5, 5, 4, 3, 3), (5, 5, 4, 3, 3)),
}


def mat(mode: str) -> dict[str, Any]:
    """What is printed on the squares of a city, line by line: their numbers (expert only) and their districts."""
    return {
        "numbers": [number for line in EXPERT_NUMBERS for number in line] if mode == "expert" else None,
        "districts": [district for line in DISTRICTS[mode] for district in line],
    }


TOWER_POINTS = (0, 1, 3, 6, 10, 15)
SHOP_POINTS = (0, 1, 2, 4, 7, 11)
SERVICE_POINTS = (0, 2, 5, 9, 14, 20)
PARK_POINTS = (0, 2, 4, 7, 11)
LINE_POINTS = (0, 0, 3, 7, 12, 18)
OFFICE_POINTS = (
    (0, 0, 0, 0, 0, 0),
    (0, 0, 1, 3, 6, 10),
    (0, 1, 3, 6, 10, 15),
    (0, 2, 5, 9, 14, 20),
    (0, 3, 7, 12, 18, 25),
    (0, 4, 9, 15, 22, 30),
)
FACTORY_POINTS = {SHOP: 2, HARBOR: 3, OFFICE: 4}
MONUMENT_POINTS = {"factory": -5, "harbor": -5, "service": 2, "shop": 3, "park": 5}


def make_rules(mode: str, players: int, mix: Mix) -> tuple[np.ndarray, list[Tile]]:
    """The rules record (an array of one, read-only) and the tiles its kinds stand for."""
    mix.check(mode)
    array = np.zeros(1, RULES)
    rules = array[0]
    expert = mode == "expert"
    columns = COLUMNS[mode]
    rules.actions = ACTIONS
    rules.expert = expert
    rules.players = players
    rules.rounds = ROUNDS_OF[mode]
    rules.numbers = rules.floors = rules.customers = 5 if expert else 4
    rules.columns = columns
    rules.squares = LINES * columns
    rules.city = (1 << rules.squares) - 1
    _set_mat(rules, mode)
    _set_lines(rules, columns)
    _set_points(rules)
    rules.weights[:, : len(NAMES)] = load_weights(mode, players)
    tiles = _set_tiles(rules, mode, players, mix)
    array.flags.writeable = False
    return array, tiles


def rules_content(rules: np.ndarray) -> bytes:
    """The record as bytes. Where all parks hold the same it is written as before parks could differ: one number
    for all of them in place of one a tile, so that runs from then go on."""
    held = {int(rules[0].holds[kind]) for kind in range(KINDS) if rules[0].type[kind] == PARK}
    if len(held) > 1:
        return rules.tobytes()
    fields: Any = RULES.fields
    entries = [(name, fields[name][0]) for name in fields if name != "holds"]
    entries.insert([name for name, _ in entries].index("customers") + 1, ("park_energy", "i8"))
    before = np.zeros(1, entries)
    for name, _ in entries:
        before[name] = rules[name] if name in fields else min(held, default=PARK_ENERGY)
    return before.tobytes()


@functools.cache
def load_weights(mode: str, players: int) -> np.ndarray:
    """The weights of the evaluation: a line for each number of turns left, a column for each feature."""
    return np.loadtxt(WEIGHTS / f"{mode}-{players}.csv", delimiter=",", skiprows=1)


def _set_mat(rules: np.record, mode: str) -> None:
    """Who may build where, what lies beside what, and the districts."""
    columns = COLUMNS[mode]
    for square in range(rules.squares):
        line, column = divmod(square, columns)
        district = DISTRICTS[mode][line][column]
        rules.district[square] = district - 1
        rules.not_first |= (column > 0) << square
        rules.not_last |= (column < columns - 1) << square
        if mode == "expert":
            numbers = {EXPERT_NUMBERS[line][column], district}
        else:
            numbers = {line + 1, column + 1}
        for number in numbers:
            rules.eligible[number - 1] |= 1 << square
        rules.narrow |= (len(numbers) == 1) << square
        for other in range(rules.squares):
            other_line, other_column = divmod(other, columns)
            if abs(line - other_line) + abs(column - other_column) == 1:
                rules.beside[square] |= 1 << other


def _set_lines(rules: np.record, columns: int) -> None:
    """All straight lines of two and more squares, which harbors can form."""
    lying = [
        sum(1 << (line * columns + start + i) for i in range(length))
        for length in range(2, columns + 1)
        for line in range(LINES)
        for start in range(columns - length + 1)
    ]
    standing = [
        sum(1 << ((start + i) * columns + column) for i in range(length))
        for length in range(2, LINES + 1)
        for column in range(columns)
        for start in range(LINES - length + 1)
    ]
    rules.lying[: len(lying)] = lying
    rules.lying_count = len(lying)
    rules.standing[: len(standing)] = standing
    rules.standing_count = len(standing)


def _set_points(rules: np.record) -> None:
    rules.tower_points[:] = TOWER_POINTS
    rules.shop_points[:] = SHOP_POINTS
    for count in range(len(rules.packed)):
        full, rest = divmod(count, int(rules.customers))
        rules.packed[count] = full * SHOP_POINTS[rules.customers] + SHOP_POINTS[rest]
    rules.service_points[:] = SERVICE_POINTS
    rules.park_points[:] = PARK_POINTS
    rules.line_points[:] = LINE_POINTS
    rules.office_points[:] = OFFICE_POINTS
    for kind, points in FACTORY_POINTS.items():
        rules.factory_points[kind] = points
    for name, points in MONUMENT_POINTS.items():
        rules.monument_points[TYPES.index(name)] = points


def _set_tiles(rules: np.record, mode: str, players: int, mix: Mix) -> list[Tile]:
    """The tiles of each round. Equal tiles are one kind, so nothing can tell them apart."""
    kinds: dict[Tile, int] = {}
    rules.tiles[:] = NONE
    for round in range(rules.rounds):
        rows = mix.round_rows(mode, round + 1)
        assert len(rows) <= SITE
        for slot, row in enumerate(rows):
            if row.mark == OUT:
                continue
            kind = kinds.setdefault(row.tile, len(kinds))
            if players >= MARKS[row.mark]:
                rules.tiles[round, slot] = kind
    for tile, kind in kinds.items():
        rules.type[kind] = TYPES.index(tile.type)
        rules.inhabitants[kind] = tile.inhabitants
        rules.energy[kind] = tile.energy
        rules.vp[kind] = tile.vp
        rules.mayor[kind] = tile.mayor
        rules.holds[kind] = tile.holds
    return list(kinds)
