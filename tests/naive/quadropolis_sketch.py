"""What a learned evaluation looks at in Quadropolis, written from plain data: the slow twin of `sketch` and
`touches`."""

from __future__ import annotations

import numpy as np

from qpolis.games.quadropolis.features import NAMES  # the order in which features are counted

from .quadropolis import ARCHITECTS, POSITIONS, ROUNDS, TURNS, site_index, square_pointed_to
from .quadropolis_encode import hot
from .quadropolis_features import features
from .quadropolis_scoring import COLUMNS, LINES, TYPES

FEATURES = 68  # the names, and zeros behind them
MOST_NUMBERS, MOST_ROUNDS, MOST_SQUARES = 5, 5, 20


def sketched(told, future, seat):
    """All numbers, one after the other, from `State.to_dict`. `future`: the tiles of the rounds after this one."""
    mode, players = told["mode"], told["players"]
    order = [(seat + i) % players for i in range(players)]
    numbers = [number for of in order for number in of_seat(told, seat, of)]
    numbers += counted([tile for tile in told["site"] if tile], 4)
    numbers += counted(future, 16)
    if told["held"]:
        numbers += counted([told["held"]["tile"]], 1) + hot(MOST_NUMBERS, told["held"]["architect"] - 1)
    else:
        numbers += [0] * (len(TYPES) + 4 + MOST_NUMBERS)
    over = told["player"] is None
    numbers += hot(MOST_ROUNDS, told["round"] - 1)
    numbers += hot(TURNS, None if over else told["turn"] - 1)
    numbers += hot(players, 0 if over else (told["player"] - told["first"]) % players)
    for of in order:
        numbers += reach(told, of)
    assert told["round"] <= ROUNDS[mode]
    return np.array(numbers, np.float32)


def turns_left(told, seat):
    """Turns that a seat still has in the game, from who has had one in this round."""
    mode, players = told["mode"], told["players"]
    if told["player"] is None:
        return 0
    had = told["turn"] - 1
    mover, own = ((one - told["first"]) % players for one in (told["player"], seat))
    return TURNS * (ROUNDS[mode] - told["round"] + 1) - had - (own < mover)


def of_seat(told, looks, seat):
    """A seat's city, what it has received, its architects, and whether it began the round."""
    mode, players = told["mode"], told["players"]
    inhabitants, energy = told["inhabitants"][seat], told["energy"][seat]
    squares = told["cities"][seat]
    known = features(mode, squares, inhabitants, energy, turns_left(told, seat), told["mayor"] == seat)
    numbers = [known.get(name, 0) / 4 for name in NAMES]
    numbers += [0] * (FEATURES - len(numbers))
    numbers += [inhabitants / 8, energy / 8]
    architects = [0] * MOST_NUMBERS
    if mode == "classic":
        for number in told["pool"][seat]:
            architects[number - 1] += 1
    elif seat == looks:  # the pool of all is told once, as a share
        architects = [told["pool"].count(number + 1) / players for number in range(MOST_NUMBERS)]
    return [*numbers, *architects, int(told["first"] == seat)]


def counted(tiles, unit):
    """Tiles by type, and all that is printed on them, in units of so many."""
    types = [sum(tile["type"] == kind for tile in tiles) / unit for kind in TYPES]
    return types + [sum(tile[name] for tile in tiles) / unit for name in ("inhabitants", "energy", "vp", "mayor")]


def reach(told, seat):
    """What takes of a seat's architects would bring: a take for each number it has, and each open position."""
    mode = told["mode"]
    pool = told["pool"] if mode == "expert" else told["pool"][seat]
    types = [0] * len(TYPES)
    shown = [0, 0, 0]
    for number in set(pool) & set(ARCHITECTS[mode]):
        for position in POSITIONS:
            if position in told["architects"] or blocked(told["urbanist"], position):
                continue
            tile = told["site"][site_index(*square_pointed_to(number, position))]
            if tile:
                types[TYPES.index(tile["type"])] += 1 / 8
                for i, name in enumerate(("inhabitants", "energy", "vp")):
                    shown[i] += tile[name] / 16
    return types + shown


def blocked(urbanist, position):
    """Does the urbanist stand in the line or column that a position looks along?"""
    return urbanist is not None and urbanist[position[0] in "NS"] == int(position[1])


# -- what an action has to do with ---------------------------------------------------------------------------

SQUARES = [(kind, square) for kind in TYPES for square in range(MOST_SQUARES)]
THINGS = [
    *(("build", kind, square) for kind, square in SQUARES),
    "discard",
    *(("take", kind) for kind in TYPES),
    ("take", None),
    *(("inhabitants", shown) for shown in range(4)),
    *(("energy", shown) for shown in range(4)),
    *(("architect", number) for number in range(1, MOST_NUMBERS + 1)),
    *(("stands", number, position) for number in range(1, MOST_NUMBERS + 1) for position in POSITIONS),
]


def touched(told, text):
    """The numbers of the things that an action, in the notation, has to do with."""
    return sorted(THINGS.index(thing) for thing in things(told, text))


def things(told, text):
    if text == "discard":
        return ["discard"]
    if told["held"]:
        column, line = "abcde".index(text[0]), int(text[1]) - 1
        assert line < LINES[told["mode"]]
        return [("build", told["held"]["tile"]["type"], line * COLUMNS[told["mode"]] + column)]
    number, position = int(text[0]), text[2:]
    found = [("stands", number, position), ("architect", number)]
    tile = told["site"][site_index(*square_pointed_to(number, position))]
    if tile is None:
        return [*found, ("take", None)]
    return [*found, ("take", tile["type"]), *((name, min(tile[name], 3)) for name in ("inhabitants", "energy"))]
