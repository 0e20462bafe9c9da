"""The ids of actions that place or slide a house: one for each that there can be, without gaps.

The number of a house counts all slots, also those from which it would leave its groove (`layout.py`). Ids count
only houses that fit, in the order of their numbers, and then every other place in its groove for each of them.
"""

from __future__ import annotations

import numpy as np

from qpolis.games.quadrilatere.layout import HOUSES, NONE, SIDE, SLIDE, SLOTS


def _tables() -> tuple[np.ndarray, ...]:
    starts = [SIDE - house // SLOTS for house in range(HOUSES)]  # places for a house in its groove, from its left
    fitting = [house for house in range(HOUSES) if house % SIDE < starts[house]]
    slides = [
        (house, house - house % SIDE + place)
        for house in fitting
        for place in range(starts[house])
        if place != house % SIDE
    ]
    placings, slidings = np.full(HOUSES, NONE), np.full(HOUSES * SIDE, NONE)
    for number, house in enumerate(fitting):
        placings[house] = number
    for number, (house, end) in enumerate(slides):
        slidings[house * SIDE + end % SIDE] = SLIDE + number
    return np.array(fitting), np.array(slides), placings, slidings


# PLACED: the house that an action places. SLID: the house that an action slides, from SLIDE on, and that which it
# becomes. PLACINGS: the action that places a house, or NONE. SLIDINGS: the action that slides a house, by its
# number * SIDE + its new place in the groove, or NONE.
PLACED, SLID, PLACINGS, SLIDINGS = _tables()
