"""What a seat sees of Quadropolis as numbers, written from its observation alone: the slow twin of `encode`."""

from __future__ import annotations

import numpy as np

TYPES = {
    "classic": ["tower", "shop", "service", "park", "factory", "harbor"],
    "expert": ["tower", "shop", "service", "park", "factory", "harbor", "office", "monument"],
}
COLUMNS = {"classic": 4, "expert": 5}
NUMBERS = {"classic": [1, 2, 3, 4], "expert": [1, 2, 3, 4, 5]}
FLOORS = {"classic": 4, "expert": 5}
POSITIONS = [f"{side}{index}" for side in "NESW" for index in range(1, 6)]


def at_most_1(amount, scale):
    return min(1, amount / scale)


def hot(length, index):
    """Zeros with a one; without an index only zeros."""
    return [int(index == i) for i in range(length)]


def what_it_holds(thing):
    """Parks that do not say it hold one unit."""
    return thing.get("holds", 1) if thing["type"] == "park" else 0


def what_it_shows(tile):
    return [
        at_most_1(tile["inhabitants"], 4),
        at_most_1(tile["energy"], 4),
        at_most_1(tile["vp"], 4),
        int(tile["mayor"]),
        at_most_1(what_it_holds(tile), 4),
    ]


def encoded(seen):
    """All planes one after the other, from what `State.observe` gives."""
    mode, players, me = seen["mode"], seen["players"], seen["seat"]
    types = TYPES[mode]
    order = [(me + i) % players for i in range(players)]
    numbers = [*site(seen, types), *architects(seen, mode, order), *held(seen, mode, types)]
    numbers += cities(seen, mode, types, order)
    for seat in order:
        numbers += [at_most_1(seen["inhabitants"][seat], 32), at_most_1(seen["energy"][seat], 32)]
    over = seen["player"] is None
    numbers += [int(not over and seat == seen["player"]) for seat in order]
    numbers += [int(not over and seat == seen["first"]) for seat in order]
    numbers += [int(seat == seen["mayor"]) for seat in order]
    numbers += hot(5, seen["round"] - 1)
    numbers += hot(4, None if over else seen["turn"] - 1)
    return np.array(numbers, np.float32)


def site(seen, types):
    tiles = seen["site"]
    numbers = [int(tile is not None and tile["type"] == kind) for kind in types for tile in tiles]
    for i in range(5):
        numbers += [what_it_shows(tile)[i] if tile else 0 for tile in tiles]
    urbanist = seen["urbanist"]
    return numbers + hot(25, None if urbanist is None else (urbanist[0] - 1) * 5 + urbanist[1] - 1)


def architects(seen, mode, order):
    numbers = [int(position in seen["architects"]) for position in POSITIONS]
    if mode == "expert":
        return numbers + [seen["pool"].count(number) / len(order) for number in NUMBERS[mode]]
    return numbers + [int(number in seen["pool"][seat]) for seat in order for number in NUMBERS[mode]]


def held(seen, mode, types):
    if seen["held"] is None:
        return [0] * (len(types) + 5 + len(NUMBERS[mode]))
    tile, architect = seen["held"]["tile"], seen["held"]["architect"]
    return [
        *hot(len(types), types.index(tile["type"])),
        *what_it_shows(tile),
        *hot(len(NUMBERS[mode]), architect - 1),
    ]


def cities(seen, mode, types, order):
    mine = [seen["cities"][seat] for seat in order]
    everything = [building for city in mine for building in city]
    numbers = [
        int(bool(building) and building["type"] == kind) for city in mine for kind in types for building in city
    ]
    numbers += [building["floors"] / FLOORS[mode] if building else 0 for building in everything]
    numbers += [at_most_1(building["vp"], 4) if building else 0 for building in everything]
    numbers += [at_most_1(what_it_holds(building), 4) if building else 0 for building in everything]
    return numbers
