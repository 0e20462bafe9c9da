"""The rules of thumb on plain lists of squares. Worth is in half points, as in the fast version."""

from .quadropolis_features import longest_lines, neighbours
from .quadropolis_scoring import (
    COLUMNS,
    DISTRICTS,
    FACTORY_POINTS,
    HARBOR_POINTS,
    LINES,
    MONUMENT_POINTS,
    MOST_CUSTOMERS,
    MOST_FLOORS,
    OFFICE_POINTS,
    SERVICE_POINTS,
    TOWER_POINTS,
)


def wish(mode, squares, kind, square):
    """How much good a building of this type would do on a square."""
    there = squares[square]
    if there:
        if there["type"] != kind or kind not in ("tower", "office") or there["floors"] >= MOST_FLOORS[mode]:
            return 0
        points = TOWER_POINTS if kind == "tower" else OFFICE_POINTS[2]
        return 2 * (points[there["floors"] + 1] - points[there["floors"]] + 1)
    near = [squares[other]["type"] for other in neighbours(mode, square) if squares[other]]
    good = {
        "tower": 2 * near.count("park") + 1,
        "shop": FACTORY_POINTS["shop"] * near.count("factory"),
        "service": new_district(mode, squares, square),
        "park": 2 * (near.count("tower") + near.count("office")),
        "factory": sum(FACTORY_POINTS.get(other, 0) for other in near),
        "harbor": longer_lines(mode, squares, square) + FACTORY_POINTS["harbor"] * near.count("factory"),
        "office": 2 * (near.count("office") + near.count("park"))
        + FACTORY_POINTS["office"] * near.count("factory"),
        "monument": sum(MONUMENT_POINTS[other] for other in near),
    }[kind]
    if kind != "monument":
        good += MONUMENT_POINTS[kind] * near.count("monument")
    return 2 * good


def new_district(mode, squares, square):
    covered = {DISTRICTS[mode][i] for i, there in enumerate(squares) if there and there["type"] == "service"}
    if DISTRICTS[mode][square] in covered:
        return 0
    return SERVICE_POINTS[len(covered) + 1] - SERVICE_POINTS[len(covered)]


def longer_lines(mode, squares, square):
    """What the square adds at an end of a longest line of harbors; a first harbor is worth a little."""
    if not any(there and there["type"] == "harbor" for there in squares):
        return 1
    gain = 0
    for lying in (True, False):
        most, _ = longest_lines(mode, squares, lying)
        if most < len(HARBOR_POINTS) - 1 and at_the_end(mode, squares, square, most, lying):
            gain += HARBOR_POINTS[most + 1] - HARBOR_POINTS[most]
    return gain


def at_the_end(mode, squares, square, length, lying):
    """Does a line of so many harbors end beside the square?"""
    line, column = divmod(square, COLUMNS[mode])
    for step in (1, -1):
        run = [(line, column + step * i) if lying else (line + step * i, column) for i in range(1, length + 1)]
        inside = all(0 <= a < LINES[mode] and 0 <= b < COLUMNS[mode] for a, b in run)
        if inside and all((there := squares[a * COLUMNS[mode] + b]) and there["type"] == "harbor" for a, b in run):
            return True
    return False


def tile_worth(mode, squares, inhabitants, energy, turns, tile):
    """What a tile brings besides its place."""
    built = [there["type"] for there in squares if there]
    people = inhabitants - sum(kind in ("service", "factory", "harbor", "office") for kind in built)
    power = energy - sum(kind in ("tower", "shop", "office") for kind in built)
    customers = MOST_CUSTOMERS[mode] * built.count("shop")
    worth = 2 * tile["vp"] + tile["mayor"]
    if people < 0:
        worth += 3 * tile["inhabitants"]
    elif people < customers:
        worth += 2 * tile["inhabitants"]
    else:
        worth += tile["inhabitants"] * (1 if people < turns // 3 else -2)
    worth += tile["energy"] * (3 if power < 0 else 1 if power < turns // 3 else -2)
    if tile["type"] in ("service", "factory", "harbor", "office"):
        worth -= 3 if people <= 0 else 1
    if tile["type"] in ("tower", "shop", "office"):
        worth -= 3 if power <= 0 else 1
    if tile["type"] == "shop" and people > customers:
        worth += 4
    return worth
