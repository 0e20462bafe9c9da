"""Quadropolis in a terminal: the site with its architects beside the cities, as plain text.

A square shows its building in four characters: two letters of the type, then what matters: floors of a stack,
printed points (`*2`), and on the site what a tile brings (`i` inhabitants, `e` energy) and the mayor (`!`).
In expert the mat is drawn beside the site, and empty squares of a city show what is printed there: `2/1` is number
2, district 1.
"""

from __future__ import annotations

from typing import Any

from qpolis.games.quadropolis.layout import LINES, SIDE
from qpolis.games.quadropolis.rules import COLUMNS, mat

Plain = dict[str, Any]
LETTERS = {
    "tower": "To",
    "shop": "Sh",
    "service": "Sv",
    "park": "Pk",
    "factory": "Fa",
    "harbor": "Hb",
    "office": "Of",
    "monument": "Mo",
}
CELL = 7


def _tile(tile: Plain) -> str:
    text = LETTERS[tile["type"]]
    for name, letter in (("inhabitants", "i"), ("energy", "e"), ("vp", "*")):
        if tile[name]:
            text += f"{tile[name]}{letter}" if letter != "*" else f"*{tile[name]}"
    return text + ("!" if tile["mayor"] else "")


def _building(building: Plain) -> str:
    text = LETTERS[building["type"]]
    if building["type"] in ("tower", "office"):
        text += f" {building['floors']}fl"
    return text + (f"*{building['vp']}" if building["vp"] else "")


def _site(state: Plain) -> list[str]:
    """Seven lines: the position row above, five lines of the site with their ends, the row below."""
    taken = set(state["architects"])
    blocked = state["urbanist"]

    def end(side: str, i: int) -> str:
        if f"{side}{i + 1}" in taken:
            return "A"
        index = 1 if side in "NS" else 0
        return "x" if blocked and blocked[index] == i + 1 else "."

    def cell(square: int) -> str:
        tile = state["site"][square]
        text = _tile(tile) if tile else "-"
        if blocked and [square // SIDE + 1, square % SIDE + 1] == blocked:
            text = f"[{text if tile else 'U'}]"
        return f"{text:^{CELL}}"

    def edge(side: str) -> str:
        return "     " + "".join(f"{side + str(i + 1) + ' ' + end(side, i):^{CELL}}" for i in range(SIDE))

    rows = [
        f"W{line + 1} {end('W', line)} "
        + "".join(cell(line * SIDE + i) for i in range(SIDE))
        + f" {end('E', line)} E{line + 1}"
        for line in range(SIDE)
    ]
    return [edge("N"), *rows, edge("S")]


def _printed(mode: str) -> list[str]:
    """What an empty square shows, line by line."""
    numbers, districts = mat(mode)["numbers"], mat(mode)["districts"]
    if numbers is None:
        return ["."] * len(districts)
    return [f"{number}/{district}" for number, district in zip(numbers, districts)]


def _mat(mode: str) -> list[str]:
    """Seven lines, as of the site: the expert mat."""
    columns, printed = COLUMNS[mode], _printed(mode)
    lines = ["mat: number/district", "   " + "".join(f"{letter:^5}" for letter in "abcde"[:columns])]
    for line in range(LINES):
        cells = printed[line * columns : (line + 1) * columns]
        lines.append(f" {line + 1} " + "".join(f"{cell:^5}" for cell in cells))
    return [*lines, ""]


def _city(state: Plain, seat: int) -> list[str]:
    columns = COLUMNS[state["mode"]]
    squares, printed = state["cities"][seat], _printed(state["mode"])
    mark = " <- to play" if state["player"] == seat else ""
    mayor = ", mayor" if state["mayor"] == seat else ""
    lines = [
        f"seat {seat}: {state['inhabitants'][seat]} inhabitants, {state['energy'][seat]} energy{mayor}{mark}",
        "   " + "".join(f"{letter:^{CELL}}" for letter in "abcde"[:columns]),
    ]
    for line in range(LINES):
        here = range(line * columns, (line + 1) * columns)
        cells = [_building(squares[square]) if squares[square] else printed[square] for square in here]
        lines.append(f" {line + 1} " + "".join(f"{cell:^{CELL}}" for cell in cells))
    if state["mode"] == "classic":
        lines.append(f"   architects left: {' '.join(map(str, state['pool'][seat])) or '-'}")
    return lines


def draw(state: Plain) -> str:
    """The whole position."""
    where = f"round {state['round']}, turn {state['turn']}" if state["player"] is not None else "the game is over"
    lines = [where]
    if state["player"] is not None:
        site = _site(state)
        if state["mode"] == "expert":
            width = max(map(len, site))
            site = [f"{line:<{width}}    {beside}".rstrip() for line, beside in zip(site, _mat("expert"))]
        lines += site
    if state["mode"] == "expert":
        lines.append(f"architects left: {' '.join(map(str, state['pool'])) or '-'}")
    if state["held"]:
        lines.append(f"architect {state['held']['architect']} holds {_tile(state['held']['tile'])}")
    cities = [_city(state, seat) for seat in range(state["players"])]
    width = 3 + CELL * COLUMNS[state["mode"]] + 4
    for left, right in zip(cities[::2], [*cities[1::2], []], strict=False):
        width = max([width, *(len(line) + 2 for line in left)])
        lines.append("")
        for i, line in enumerate(left):
            lines.append(f"{line:<{width}}{right[i] if i < len(right) else ''}".rstrip())
    return "\n".join(lines)


LEGEND = """\
To tower block, Sh shop, Sv public service, Pk park, Fa factory, Hb harbor, Of office tower, Mo monument
2i inhabitants, 3e energy, *2 printed points, ! mayor, 2fl floors; A architect, x blocked by the urbanist [U]
expert: 2/1 is a square with number 2 in district 1"""
