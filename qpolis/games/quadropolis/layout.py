"""Quadropolis as numbers: building types, the geometry of site and cities, actions, and the two records.

Squares of the site and of a city are numbered row by row from 0; a set of squares is a bit mask. Positions of
architects count N1..N5, E1..E5, S1..S5, W1..W5 from 0. Architect n has index n-1.
"""

from __future__ import annotations

import numpy as np

from qpolis.kernel import record

TYPES = ("tower", "shop", "service", "park", "factory", "harbor", "office", "monument")
TOWER, SHOP, SERVICE, PARK, FACTORY, HARBOR, OFFICE, MONUMENT = range(8)

SEATS = 4
LINES = 4  # lines of a city in both modes; classic has 4 columns, expert 5
CITY = 20  # squares of the largest city
FLOORS = 5
NUMBERS = 5  # architect numbers in expert; classic uses the first 4
ROUNDS = 5
TURNS = 4
SIDE = 5
SITE = SIDE * SIDE
SIDES = "NESW"
POSITIONS = 4 * SIDE
KINDS = ROUNDS * SITE  # distinct tiles a mode can have at most
DIGITS = 4  # binary digits of what a park holds
NONE = -1

# Actions: takes are architect * POSITIONS + position, then one per city square, then the discard.
PLACE = NUMBERS * POSITIONS
DISCARD = PLACE + CITY
ACTIONS = DISCARD + 1
MOST_TURNS = 20  # of one player in the longest game
FEATURES = 68  # of an unfinished city, see features.py

RULES = record(
    [
        ("actions", "i8"),  # size of an array that holds all legal actions
        ("expert", "i8"),
        ("players", "i8"),
        ("rounds", "i8"),
        ("numbers", "i8"),  # architects 1..numbers
        ("columns", "i8"),
        ("squares", "i8"),
        ("floors", "i8"),  # highest stack
        ("customers", "i8"),  # most customers of one shop
        ("city", "i4"),  # mask of all squares
        ("eligible", "i4", NUMBERS),  # squares on which architect n may place
        ("narrow", "i4"),  # squares that only one architect reaches
        ("beside", "i4", CITY),  # squares that share a side
        ("district", "i1", CITY),  # 0..4
        ("not_first", "i4"),
        ("not_last", "i4"),  # squares outside the first and the last column
        ("lying", "i4", 40),
        ("lying_count", "i8"),  # horizontal lines of 2 and more squares ...
        ("standing", "i4", 30),
        ("standing_count", "i8"),  # ... and vertical ones
        ("type", "i1", KINDS),
        ("inhabitants", "i1", KINDS),
        ("energy", "i1", KINDS),
        ("vp", "i1", KINDS),
        ("mayor", "i1", KINDS),
        ("holds", "i1", KINDS),  # unused energy units that a park keeps from being a penalty
        ("tiles", "i1", (ROUNDS, SITE)),  # kind of each tile of a round, NONE where none is in play
        ("tower_points", "i8", FLOORS + 1),
        ("shop_points", "i8", 6),
        ("packed", "i8", 5 * CITY + 1),  # best points of c customers in as few shops as hold them
        ("service_points", "i8", 6),
        ("park_points", "i8", 5),
        ("line_points", "i8", 6),
        ("office_points", "i8", (6, FLOORS + 1)),  # by size of the group, then floors
        ("factory_points", "i8", 8),  # per adjacent building, by its type
        ("monument_points", "i8", 8),
        (
            "forbidden",
            "i4",
            SEATS,
        ),  # types of building, as a mask, that a seat never builds: a habit of its player
        (
            "favor",
            "i8",
            (SEATS, len(TYPES)),
        ),  # points that a seat imagines for each building of a type: another one
        ("fancies", "i8"),  # has any seat such a favour?
        ("weights", "f8", (MOST_TURNS + 1, FEATURES)),  # of a city's features, by the turns its owner has left
    ]
)

STATE = record(
    [
        ("player", "i1"),  # NONE when the game is over
        ("round_no", "i1"),  # from 0
        ("plays", "i1"),  # turns played in this round, by all players together
        ("first", "i1"),  # first player of this round
        ("mayor", "i1"),
        ("held", "i1"),  # kind of the tile to place, or NONE
        ("architect", "i1"),  # index of the architect that took it
        ("urbanist", "i1"),  # square of the site, or NONE
        ("pool", "i1", (SEATS, NUMBERS)),  # architects left; expert keeps the common pool in row 0
        ("site", "i1", SITE),  # kind, or NONE
        ("vp", "i1", (SEATS, CITY)),  # printed points on a square
        ("inhabitants", "i2", SEATS),
        ("energy", "i2", SEATS),
        ("posts", "i4"),  # positions that hold an architect
        ("built", "i4", (SEATS, len(TYPES))),  # squares by type of building
        ("tall", "i4", (SEATS, FLOORS)),  # squares with more than f floors; tall[0] are all built squares
        ("holds", "i4", (SEATS, DIGITS)),  # squares whose park holds 1, 2, 4, 8 units: digits of a binary number
    ]
)


def _pointed() -> np.ndarray:
    """The square of the site that architect n takes from, by architect index and position."""
    squares = np.zeros((NUMBERS, POSITIONS), np.int8)
    for n in range(NUMBERS):
        for i in range(SIDE):
            squares[n, 0 * SIDE + i] = n * SIDE + i
            squares[n, 1 * SIDE + i] = i * SIDE + (SIDE - 1 - n)
            squares[n, 2 * SIDE + i] = (SIDE - 1 - n) * SIDE + i
            squares[n, 3 * SIDE + i] = i * SIDE + n
    return squares


def _open_positions() -> np.ndarray:
    """Positions not blocked by the urbanist, by its square; the last entry is for no urbanist."""
    positions = np.full(SITE + 1, (1 << POSITIONS) - 1, np.int32)
    for square in range(SITE):
        line, column = divmod(square, SIDE)
        for side, index in enumerate((column, line, column, line)):
            positions[square] &= ~(1 << (side * SIDE + index))
    return positions


# True constants of the game, the same for every mix and mode: compiled into the kernels.
POINTED = _pointed()
OPEN = _open_positions()
