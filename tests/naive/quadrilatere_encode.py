"""What a program that learns sees of Quadrilatère, written down from an observation alone, plane by plane.

A plane of the board is a dict from a point to a number; the points are those of `naive/quadrilatere.py`.
"""

import itertools

from .quadrilatere import MONUMENTS, SIZE, SUPPLY, covered, read, read_house, slots, walk

POINTS = [(column, line) for line in range(1, SIZE + 2) for column in range(1, SIZE + 2)]
STAGES = ["place", "slide", "claim"]
MOST_TURNS = 2 * 2 * sum(SUPPLY.values())


def encode(seen):
    """All numbers of an observation by the names of the planes, each as a flat list."""
    me, other = seen["seat"], 1 - seen["seat"]
    houses = [read_house(text) for text in seen["houses"]]
    slid = [[read_house(text)] for text in seen["slid"]] if seen["slid"] else [[], []]
    claims = [read(text) for text in seen["closed"]]
    walls = {slot for house in houses for slot in slots(house)}
    return {
        "walls": slot_planes(houses),
        "joints": crossings(houses, lie=True) + crossings(houses, lie=False),
        "places": board(owned(seen, me)) + board(owned(seen, other)),
        "placed": slot_planes([read_house(seen["placed"])] if seen["placed"] else []),
        "slid from": slot_planes(slid[0]),
        "slid to": slot_planes(slid[1]),
        "claimable": board(itertools.chain(*(walk(square, walls) for square in claims))),
        "claims": board(claims),
        "stage": [float(seen["stage"] == stage) for stage in STAGES],
        "mover": [float(seen["player"] == seat) for seat in (me, other)],
        "supply": [
            seen["supply"][seat][size] / SUPPLY[size]
            for seat in (me, other)
            for size in ("small", "medium", "large")
        ],
        "monuments": [seen["monuments"][seat] / MONUMENTS for seat in (me, other)],
        "turn": [seen["turn"] / MOST_TURNS],
    }


def board(points):
    """1 at each of these points."""
    points = set(points)
    return [float(point in points) for point in POINTS]


def lies(house):
    return house[0][1] == house[-1][1]


def slot_planes(houses):
    """The points at which slots of these houses begin: of lying houses, then of standing ones."""
    return [
        number
        for lie in (True, False)
        for number in board(slot[0] for house in houses if lies(house) == lie for slot in slots(house))
    ]


def crossings(houses, lie):
    return board(point for house in houses if lies(house) == lie for point in covered(house))


def owned(seen, seat):
    return [read(square) for place in seen["places"] if place["owner"] == seat for square in place["squares"]]


def without_order(seen):
    """What of an observation has a meaning: all of it."""
    return seen
