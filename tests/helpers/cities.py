"""Random cities to score, of kinds on which a wrong scorer would stumble, and positions that no game reaches."""

from __future__ import annotations

import numpy as np

from helpers.sizes import MODES
from qpolis.game import State
from qpolis.games.quadropolis import codec
from qpolis.games.quadropolis.assignment import City
from qpolis.games.quadropolis.mix import load_mix
from qpolis.games.quadropolis.rules import make_rules

TYPES = ("tower", "shop", "service", "park", "factory", "harbor", "office", "monument")
FLAVOURS = {  # weights of the types in the order above; None: drawn anew for each city
    "any": None,
    "shops": (1, 6, 2, 1, 2, 1, 1, 1),
    "monuments by harbors": (0, 1, 1, 1, 2, 5, 0, 3),
    "split offices": (2, 0, 0, 1, 1, 0, 6, 0),
    "parks": (5, 0, 0, 4, 0, 0, 3, 1),
    "services": (1, 2, 6, 0, 0, 0, 0, 2),
    "factories": (0, 2, 0, 0, 4, 3, 2, 1),
    "harbors": (0, 0, 1, 0, 1, 8, 0, 1),
}


def random_city(rng, mode, flavour, fewest, most):
    """Squares, inhabitants and energy; resources are often scarce, sometimes plenty."""
    size = 20 if mode == "expert" else 16
    known = TYPES if mode == "expert" else TYPES[:6]
    weights = FLAVOURS[flavour] or [rng.random() ** 2 + 0.01 for _ in TYPES]
    squares = [None] * size
    for square in rng.sample(range(size), min(size, rng.randint(fewest, most))):
        kind = rng.choices(known, weights[: len(known)])[0]
        high = 5 if mode == "expert" else 4
        stacked = kind in ("tower", "office") and rng.random() < 0.5
        squares[square] = {
            "type": kind,
            "floors": rng.randint(1, high) if stacked else 1,
            "vp": rng.choice((0, 0, 0, 1, 2, 3)),
        }
    return squares, rng.randint(0, rng.choice((3, 6, 12, 40))), rng.randint(0, rng.choice((3, 6, 12, 30)))


RULES = {
    (mode, holds): make_rules(mode, 2, load_mix(f"base:park={holds}holds"))[0]
    for mode in MODES
    for holds in (0, 1, 2)
}


def engine(mode, squares, inhabitants, energy, park_energy=1):
    """Points, inhabitants on buildings and empty squares by the engine."""
    key = City(RULES[mode, park_energy][0], squares, inhabitants, energy).key()
    return key >> 16, (key >> 8) & 255, len(squares) - (key & 255)


def made_up(game, data):
    """The state with this plain data, even if no game reaches it."""
    words = [int(data["chance"][start : start + 16], 16) for start in (0, 16)]
    state = State(game, np.zeros(1, game.state_dtype), np.array(words, np.uint64))
    codec.fill(game.rules[0], game.tiles, state.record, data)
    return state
