"""Quadrilatère as numbers: squares, grooves, slots and crossings as bit boards, actions, and the two records.

Squares are numbered row by row from 0; a set of squares is a mask of 64 bits, kept in a signed integer.

A groove has 8 slots, numbered from the left or the top. Slots lie in four *banks*, each a bit board with one byte
a groove: the lying grooves between squares (7 of them), the two lying ones at the edge (top, bottom), and the same
for standing grooves (left, right). A bank of inner grooves is the board of squares as it is (lying) or mirrored
at its diagonal (standing): bit 8 * i + j of the lying one is the wall below square j of line i, and of the
standing one the wall to the right of square i of line j.

Bit j of a groove's byte in `slots` says that slot j holds a house, in `joints` that slots j and j + 1 hold the
same one, which then covers the crossing between them. So the two boards say which houses there are.

The number of a slot is the first of its bank (`FIRST`) and its bit. The number of a house is
(length - 1) * SLOTS + its first slot.
"""

from __future__ import annotations

import numpy as np

from qpolis.kernel import record

SIDE = 8
SQUARES = SIDE * SIDE
SEATS = 2
LENGTHS = 3  # houses cover 1, 2 or 3 slots
SUPPLY = (12, 8, 4)  # houses of each length that a player begins with
MONUMENTS = 6
NONE = -1

LYING, LYING_EDGE, STANDING, STANDING_EDGE = range(4)
BANKS = 4
FIRST = np.array([0, 56, 72, 128])  # the first slot of each bank
SLOTS = 144

HOUSES = LENGTHS * SLOTS  # numbers of houses; no groove has room for some of them

# Actions: the houses that a groove has room for, by their numbers; slides within a groove, by the house and its
# new place (`actions.py` has the ids of both); claims by the first square of the place. Who cannot place a house
# passes.
LINES = 2 * (SIDE + 1)  # grooves, lying and standing
SLIDE = LINES * (8 + 7 + 6)  # places for a small, a medium and a large house in a groove
STAY = SLIDE + LINES * (8 * 7 + 7 * 6 + 6 * 5)
CLAIM = STAY + 1
LEAVE = CLAIM + SQUARES
PASS = LEAVE + 1
ACTIONS = PASS + 1
PLACE_STAGE, SLIDE_STAGE, CLAIM_STAGE = range(3)
STAGES = ("place", "slide", "claim")
MOST_ACTIONS = SLIDE  # at once: all houses on an empty board; there are always fewer slides

INNER = np.int64((1 << 56) - 1)  # all slots of a bank of inner grooves; also: the squares above the last line
EDGE = np.int64((1 << 16) - 1)  # all slots of a bank of grooves at the edge
GROOVES = np.array([INNER, EDGE, INNER, EDGE])  # all slots of each bank
LAST = ~np.int64(0x7F7F7F7F7F7F7F7F)  # the last slot of each groove
NOT_LAST = np.int64(0x7F7F7F7F7F7F7F7F)  # all but the last slot of each groove, or column of squares
NOT_LAST_TWO = np.int64(0x3F3F3F3F3F3F3F3F)
ONE = np.int64(1)

RULES = record(
    [
        ("actions", "i8"),  # size of an array that holds all legal actions
        ("players", "i8"),
        ("slide", "i8"),  # may houses be slid?
    ]
)

STATE = record(
    [
        ("slots", "i8", BANKS),
        ("joints", "i8", BANKS),
        ("owned", "i8", SEATS),  # squares in the places of each seat
        ("closed", "i8"),  # first squares of the places that can be claimed, in the claim stage
        ("placed", "i2"),  # the house placed this turn, in the slide and claim stages
        ("slid_from", "i2"),
        ("slid_to", "i2"),  # the house slid this turn, in the claim stage
        ("turn", "i2"),  # turns completed, those passed included
        ("player", "i1"),  # NONE when the game is over
        ("stage", "i1"),  # 0 when the game is over
        ("monuments", "i1", SEATS),  # left
        ("supply", "i1", (SEATS, LENGTHS)),  # houses left by length - 1
    ]
)
