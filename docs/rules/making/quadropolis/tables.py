"""Tables of Quadropolis, and the numbers of its sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from making.markdown import decisions, table
from making.quadropolis.art import NAMES
from making.quadropolis.examples import MODES, WHOLE, facts, game
from qpolis.games import quadropolis
from qpolis.games.quadropolis.layout import DISCARD, LINES, PLACE, POSITIONS, SIDE, SIDES, SITE, TURNS, TYPES
from qpolis.games.quadropolis.mix import load_mix
from qpolis.games.quadropolis.rules import COLUMNS
from qpolis.games.quadropolis.tiles import MARKS, ROUNDS_OF, TYPES_OF, Tile

PLAYERS = (2, 3, 4)
BASE = load_mix("base")


def by_mode(value: Callable[[str], Any]) -> list[Any]:
    return [value(mode) for mode in MODES]


def distinct(mode: str) -> list[Tile]:
    """Every tile of a mode once, by type and by what it shows."""
    found = {tile for round in range(1, ROUNDS_OF[mode] + 1) for tile in BASE.tiles(mode, round)}

    def order(tile: Tile) -> tuple[int, ...]:
        return TYPES.index(tile.type), tile.mayor, tile.inhabitants, tile.energy, tile.vp

    return sorted(found, key=order)


def types() -> str:
    """How many tiles of each type there are, and what they show."""
    rows = []
    for kind in TYPES:
        shown = sorted({tile.shows or "nothing" for row in BASE.rows if (tile := row.tile).type == kind})
        counts = [sum(row.serves(mode) and row.tile.type == kind for row in BASE.rows) for mode in MODES]
        rows.append([NAMES[kind], f"`{kind}`", "; ".join(shown), *(number or "" for number in counts)])
    totals = by_mode(lambda mode: sum(row.serves(mode) for row in BASE.rows))
    return table(["building", "in data", "a tile brings or shows", *MODES], [*rows, ["together", "", "", *totals]])


def tile_list(mode: str) -> str:
    """All tiles of a mode, by round: how many are in play with 2, 3 and 4 players."""
    rounds = range(1, ROUNDS_OF[mode] + 1)

    def cell(round: int, tile: Tile | None) -> str:
        laid = [BASE.tiles(mode, round, players) for players in PLAYERS]
        counts = [len(tiles) if tile is None else tiles.count(tile) for tiles in laid]
        if not any(counts):
            return ""
        return str(counts[0]) if len(set(counts)) == 1 else " / ".join(map(str, counts))

    rows = [[NAMES[tile.type], tile.shows, *(cell(round, tile) for round in rounds)] for tile in distinct(mode)]
    rows.append(["together", "", *(cell(round, None) for round in rounds)])
    return table(["building", "shows", *(f"round {round}" for round in rounds)], rows)


def set_up() -> str:
    """What depends on the number of players."""
    rows = []
    for players in PLAYERS:
        laid = {len(BASE.tiles(mode, round, players)) for mode in MODES for round in range(1, ROUNDS_OF[mode] + 1)}
        (tiles,) = laid  # the same in every round
        marks = ", ".join(f"`{mark}`" for mark, fewest in MARKS.items() if players >= fewest)
        own, common = facts("classic")["floors"], facts("expert")["floors"] * players
        rows.append([players, tiles, marks, SITE - tiles, f"{own} each", f"{common} for all", players * TURNS])
    head = ["players", "tiles in play a round", "marks that are turned up", "empty squares", "architects, classic"]
    return table([*head, "architects, expert", "turns a round"], rows)


def modes() -> str:
    """The differences of the modes."""
    boards = by_mode(lambda mode: f"{LINES} lines, {COLUMNS[mode]} columns")
    numbers = by_mode(lambda mode: facts(mode)["floors"])
    rows = [
        ["rounds", *by_mode(ROUNDS_OF.get)],
        ["tiles", *by_mode(lambda mode: sum(row.serves(mode) for row in BASE.rows))],
        ["buildings", *by_mode(lambda mode: ", ".join(NAMES[kind] for kind in TYPES_OF[mode]))],
        ["city", *boards],
        ["districts", *by_mode(lambda mode: len(facts(mode)["points"]["service"]))],
        ["architects", *(f"1 to {number}" for number in numbers)],
        ["who has them", "every player its own set", "one common pool, a set for each player"],
        ["architect n builds", "in line n or column n", "on a square with number n or in district n"],
        ["most floors", *numbers],
        ["most customers of a shop", *by_mode(lambda mode: facts(mode)["customers"])],
        ["parks count", "tower blocks", "tower blocks and office towers"],
        ["longest line of harbors", *by_mode(lambda mode: len(facts(mode)["points"]["harbor"]) + 1)],
    ]
    return table(["", *MODES], rows)


def activation() -> str:
    """What activates a building."""
    needs = facts("expert")["needs"]
    rows = []
    for kind in TYPES:
        parts = [f"{amount} {name.removesuffix('s')}" for name, amount in needs[kind].items() if amount]
        stack = "yes" if kind in ("tower", "office") else "no"
        only = "" if kind in TYPES_OF["classic"] else "yes"
        rows.append([NAMES[kind], " and ".join(parts) or "nothing", stack, only])
    return table(["building", "to be active it needs", "stacks", "expert only"], rows)


def by_count(kind: str, word: str, first: int) -> str:
    """A table of points with its numbers above; what classic cannot reach is marked."""
    points, classic = facts("expert")["points"][kind], len(facts("classic")["points"][kind])
    counts = [f"{first + i}{'' if i < classic else ' (expert)'}" for i in range(len(points))]
    return table([word, *counts], [["points", *points]])


def offices() -> str:
    rows = facts("expert")["points"]["office"]
    named = [f"{size}{' or more' if size == len(rows) else ''}" for size in range(1, len(rows) + 1)]
    heads = ["1 floor", *(f"{floor} floors" for floor in range(2, len(rows[0]) + 1))]
    return table(["towers in the group", *heads], [[name, *row] for name, row in zip(named, rows)])


def beside(kind: str) -> str:
    """Points for every neighbour."""
    points = facts("expert")["points"][kind]
    best_first = sorted(points, key=points.get, reverse=True)
    return table(["beside it", "points"], [[NAMES[other], points[other]] for other in best_first])


def whole() -> str:
    """The score of the worked city."""
    rows = []
    for kind in TYPES:
        parts = WHOLE.explained(kind) if WHOLE.of_kind(kind) else []
        said = "; ".join(f"{words}: {points}" for words, points in parts)
        rows.append([NAMES[kind], said or "none", WHOLE.score["points"][kind]])
    left = [f"{number} {name}" for name, number in WHOLE.score["idle"].items() if number]
    rows.append(["left over", ", ".join(left) or "nothing", WHOLE.score["penalties"]])
    return table(["", "for what", "points"], [*rows, ["**together**", "", WHOLE.score["total"]]])


def actions() -> str:
    """The notation and the ids of actions."""
    rows = [
        ["`3@N2`", "take: architect n (here `3`) at a position (here `N2`)", f"`{POSITIONS} * (n - 1) + p`"],
        ["`c2`", "place: column and line of the city", f"`{PLACE} + columns * (line - 1) + column - 1`"],
        ["`discard`", "put the tile away", f"`{DISCARD}`"],
    ]
    assert game("classic").action_of("3@N2") == POSITIONS * 2 + 1
    assert [game(mode).action_of("c2") for mode in MODES] == [PLACE + COLUMNS[mode] + 2 for mode in MODES]
    return table(["text", "meaning", "id"], rows)


KEYS = {
    "game": "the name of the game",
    "seat": "whose eyes these are, from 0; in this game everybody sees the same",
    "mix": "a fingerprint of the tiles in play",
    "mode": "`classic` or `expert`",
    "players": "their number",
    "round": "from 1",
    "turn": "of the round, from 1; in a turn every player takes, and places, once",
    "player": "the seat to decide; `null` when the game is over",
    "first": "the seat that began this round",
    "mayor": "the seat that has the mayor, and will begin the next round",
    "site": "the squares of the site, line by line: `null` or a tile",
    "architects": "the positions that are taken",
    "urbanist": "line and column, from 1; `null` before the first turn of a round",
    "pool": "the architects left: in classic a list for each seat, in expert one list",
    "held": "`null`, or the `tile` that was taken and the `architect` that took it: it has to be placed now",
    "cities": "for each seat its squares, line by line: `null` or a building",
    "inhabitants": "received so far, for each seat",
    "energy": "received so far, for each seat",
    "mat": "what is printed on the squares of a city, line by line: `numbers` (`null` in classic) and `districts`",
}


def observation() -> str:
    """Every key of an observation."""
    seen = game("expert").new(1).observe(0)
    return table(["key", "what it is"], [[f"`{key}`", KEYS[key]] for key in seen])


def square_data() -> str:
    """A tile and a building as data."""
    tile = next(tile for tile in game("classic").new(1).observe(0)["site"] if tile and tile["type"] == "tower")
    building = {"type": "tower", "floors": 2, "vp": 0}
    return f"```json\n{json.dumps(tile)}\n{json.dumps(building)}\n```"


TABLES: dict[str, Callable[[], str]] = {
    "types": types,
    "set-up": set_up,
    "activation": activation,
    "tower-points": lambda: by_count("tower", "floors", 1),
    "shop-points": lambda: by_count("shop", "customers", 1),
    "service-points": lambda: by_count("service", "districts", 1),
    "park-points": lambda: by_count("park", "beside it", 1),
    "factory-points": lambda: beside("factory"),
    "harbor-points": lambda: by_count("harbor", "length", 2),
    "office-points": offices,
    "monument-points": lambda: beside("monument"),
    "city-points": whole,
    "modes": modes,
    "tiles-classic": lambda: tile_list("classic"),
    "tiles-expert": lambda: tile_list("expert"),
    "decisions": lambda: decisions(quadropolis),
    "actions": actions,
    "observation": observation,
    "square-data": square_data,
}


def _brings(field: str) -> int:
    """What all tiles of the expert deck together bring."""
    return sum(getattr(row.tile, field) for row in BASE.rows if row.serves("expert"))


def _inferred() -> int:
    """Lines of the list whose mark is not transcribed."""
    path = Path(quadropolis.__file__).parent / "mixes/base.csv"
    return path.read_text(encoding="utf-8").count("mark inferred")


NUMBERS: dict[str, Callable[[], str]] = {
    "players": lambda: f"{PLAYERS[0]} to {PLAYERS[-1]}",
    "rounds-classic": lambda: str(ROUNDS_OF["classic"]),
    "rounds-expert": lambda: str(ROUNDS_OF["expert"]),
    "side": lambda: str(SIDE),
    "positions": lambda: str(POSITIONS),
    "position-order": lambda: ", ".join(f"`{side}1` to `{side}{SIDE}`" for side in SIDES),
    "turns": lambda: str(TURNS),
    "numbers-classic": lambda: f"1 to {facts('classic')['floors']}",
    "numbers-expert": lambda: f"1 to {facts('expert')['floors']}",
    "floors-classic": lambda: str(facts("classic")["floors"]),
    "floors-expert": lambda: str(facts("expert")["floors"]),
    "customers-classic": lambda: str(facts("classic")["customers"]),
    "customers-expert": lambda: str(facts("expert")["customers"]),
    "holds": lambda: str(BASE.park_energy),
    "all-tiles": lambda: str(len(BASE.rows)),
    "all-inhabitants": lambda: str(_brings("inhabitants")),
    "all-energy": lambda: str(_brings("energy")),
    "inferred-marks": lambda: str(_inferred()),
    "city-inhabitants": lambda: str(WHOLE.inhabitants),
    "city-energy": lambda: str(WHOLE.energy),
}
