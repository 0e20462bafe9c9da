"""The rulebook's example of what completed buildings bring, as a position. A test plays it."""

from __future__ import annotations

SEATS = ("violet", "orange", "yellow", "green")
BUILDINGS = {
    "a1+a2+a3+b3": "trade-centre-red",
    "e2+f2+d3+e3": "monastery-olive",
    "b1+c1": "house-olive",
    "d1+d2": "house-black",
    "e1+f1": "house-red",
}
WORKERS = ("b2", "b4", "g2 f3", "d4 e4")  # by seat
NEUTRAL = "a4"
MOVES = ("workers@a1", "own@c3")  # of violet
GAINS = (  # of each seat: for workers, and the building's own seal
    {"red": (2, 1), "olive": (1, 1)},
    {"red": (1, 0)},
    {"olive": (2, 0)},
    {"olive": (2, 0)},
)
