"""tidy: a bot in plain Python that plays Quadropolis by what it sees, without any search.

It likes towers that grow, parks among towers, factories beside shops and harbors, harbors in a line, and public
services in districts that have none. It keeps an eye on inhabitants and energy, because buildings need them.
"""

import random

from qpolis import Bot, Parameter

NEEDS_ENERGY = ("tower", "shop", "office")  # the other buildings need inhabitants, parks and monuments nothing
NEEDS_INHABITANTS = ("service", "factory", "harbor")
GOOD_BESIDE = {  # what a building likes to stand next to
    "park": {"tower": 2, "office": 2},
    "tower": {"park": 2},
    "office": {"park": 2, "office": 2, "factory": 2},
    "factory": {"shop": 2, "harbor": 3, "office": 4},
    "shop": {"factory": 2, "monument": 2},
    "harbor": {"harbor": 3, "factory": 3, "monument": -5},
    "service": {"monument": 2},
    "monument": {"shop": 3, "service": 2, "park": 5, "harbor": -5, "factory": -5},
}


class Tidy(Bot):
    """Builds a tidy city: everything beside what it goes with."""

    PARAMETERS = {"thrift": Parameter(2.0, "how much inhabitants and energy count", 0, 10)}

    def __init__(self, info, seat, seed, parameters):
        super().__init__(info, seat, seed, parameters)
        if info.name != "quadropolis":
            raise ValueError(f"plays Quadropolis only, not {info.title}")
        self.random = random.Random(seed)

    def observe(self, observation):
        self.seen = observation
        self.city = observation["cities"][self.seat]
        self.columns = len(self.city) // 4

    def choose(self, legal):
        held = self.seen["held"]
        values = {}
        for action in legal:
            text = self.info.text(action)  # 3@N2 takes a tile, c2 builds on a square
            if held is None:
                values[action] = self.value_of_take(text)
            elif text == "discard":
                values[action] = -1
            else:
                values[action] = self.value_of_square(held["tile"], square(text, self.columns))
        best = max(values.values())
        return self.random.choice([action for action in legal if values[action] == best])

    def value_of_take(self, text):
        """What a tile is worth to us, wherever it will stand."""
        number, side, index = int(text[0]), text[2], int(text[3:])
        tile = self.seen["site"][site_square(number, side, index)]
        if tile is None:
            return -5
        free = [i for i, built in enumerate(self.city) if built is None]
        stacks = [i for i, built in enumerate(self.city) if built and built["type"] == tile["type"]]
        if tile["type"] in ("tower", "office"):
            free += stacks
        fits = max((self.value_of_square(tile, i) for i in free), default=-5)
        return fits / 2 + tile["vp"] + self.supply(tile)

    def supply(self, tile):
        """What the inhabitants and the energy of a tile are worth: more if we lack them, nothing if we do not."""
        types = [built["type"] for built in self.city if built]
        energy = self.seen["energy"][self.seat] - sum(kind in NEEDS_ENERGY for kind in types)
        people = self.seen["inhabitants"][self.seat] - sum(kind in NEEDS_INHABITANTS for kind in types)
        energy -= tile["type"] in NEEDS_ENERGY
        people -= tile["type"] in NEEDS_INHABITANTS
        gain = tile["energy"] * (energy < 3) + tile["inhabitants"] * (people < 5)
        return self.parameters["thrift"] * (gain + min(energy, 0) + min(people, 0))

    def value_of_square(self, tile, square):
        """How well a tile fits onto a square of our city."""
        built = self.city[square]
        if built is not None:
            return 3 + 2 * built["floors"]  # one more floor
        beside = [self.city[i]["type"] for i in self.beside(square) if self.city[i]]
        value = sum(GOOD_BESIDE[tile["type"]].get(kind, 0) for kind in beside)
        value += sum(GOOD_BESIDE[kind].get(tile["type"], 0) for kind in beside)
        if tile["type"] == "service":
            value += 4 * (
                self.district(square)
                not in {
                    self.district(i) for i, other in enumerate(self.city) if other and other["type"] == "service"
                }
            )
        return value

    def beside(self, square):
        """The squares that share a side with one."""
        line, column = divmod(square, self.columns)
        for y, x in ((line - 1, column), (line + 1, column), (line, column - 1), (line, column + 1)):
            if 0 <= y < 4 and 0 <= x < self.columns:
                yield y * self.columns + x

    def district(self, square):
        """The district of a square: quarters, and in the expert city the middle column between them."""
        line, column = divmod(square, self.columns)
        if self.columns == 5 and column == 2:
            return "middle"
        return line // 2, column * 2 // self.columns


def square(text, columns):
    """The number of a city square such as c2, counted row by row."""
    return (int(text[1:]) - 1) * columns + ord(text[0]) - ord("a")


def site_square(number, side, index):
    """The square of the site that architect `number` takes from when it stands at a side, at a line or column."""
    line, column = {
        "N": (number, index),
        "S": (6 - number, index),
        "W": (index, number),
        "E": (index, 6 - number),
    }[side]
    return (line - 1) * 5 + column - 1
