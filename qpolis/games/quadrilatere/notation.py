"""The notation of Quadrilatère: `c3-e3` is a house between two crossings, `c3-e3>d3-f3` slides it, `claim@c3`
claims the place whose first square is c3; `stay` and `leave` do without; `pass` is for who cannot place a house.

Crossings are a1 to i9: a letter for the standing groove, a number for the lying one, from the upper left. Square
c3 has crossing c3 at its upper left corner.
"""

from __future__ import annotations

import re

from qpolis.errors import InvalidText
from qpolis.games.quadrilatere.actions import PLACED, PLACINGS, SLID, SLIDINGS
from qpolis.games.quadrilatere.geometry import slot_at
from qpolis.games.quadrilatere.layout import (
    CLAIM,
    FIRST,
    LEAVE,
    LENGTHS,
    NONE,
    PASS,
    SIDE,
    SLIDE,
    SLOTS,
    STANDING,
    STAY,
)

CROSSING = "([a-i])([1-9])"
HOUSE = re.compile(f"{CROSSING}-{CROSSING}")
SQUARE = re.compile("([a-h])([1-8])")
FIRSTS = FIRST.tolist()
WORDS = {STAY: "stay", LEAVE: "leave", PASS: "pass"}


def square_text(square: int) -> str:
    line, column = divmod(square, SIDE)
    return f"{'abcdefgh'[column]}{line + 1}"


def square_of(text: str) -> int:
    if isinstance(text, str) and (found := SQUARE.fullmatch(text)):
        return (int(found[2]) - 1) * SIDE + "abcdefgh".index(found[1])
    raise InvalidText(f"{text!r} is no square: they are a1 to h8")


def slot_of(stands: bool, groove: int, at: int) -> int:
    """The number of a slot, by its kind of groove, the number of the groove from the edge, and the place in it."""
    bank = STANDING * stands
    if groove in (0, SIDE):
        return FIRSTS[bank + 1] + groove + at
    return FIRSTS[bank] + (groove - 1) * SIDE + at


def house_text(house: int) -> str:
    """A house by its two ends, the left or upper one first."""
    stands, groove, at = slot_at(house % SLOTS)
    ends = [(groove, end) if stands else (end, groove) for end in (at, at + house // SLOTS + 1)]
    return "-".join(f"{'abcdefghi'[column]}{line + 1}" for column, line in ends)


def house_of(text: str) -> int:
    """The number of a house."""
    if isinstance(text, str) and (found := HOUSE.fullmatch(text)):
        column, last_column = ("abcdefghi".index(letter) for letter in (found[1], found[3]))
        line, last_line = int(found[2]) - 1, int(found[4]) - 1
        length = last_column - column + last_line - line
        if (column == last_column or line == last_line) and 1 <= length <= LENGTHS:
            slot = slot_of(True, column, line) if column == last_column else slot_of(False, line, column)
            return (length - 1) * SLOTS + slot
    raise InvalidText(f"{text!r} is no house: write its ends, 1 to 3 apart, the left or upper one first: c3-e3")


def slide_of(text: str) -> int:
    """The action of a slide such as c3-e3>d3-f3."""
    start, end = (house_of(house) for house in text.split(">", 1))
    if start // SLOTS != end // SLOTS or slot_at(start % SLOTS)[:2] != slot_at(end % SLOTS)[:2]:
        raise InvalidText(f"{text!r} is no slide: a house keeps its length and its groove, as in c3-e3>d3-f3")
    action = int(SLIDINGS[start * SIDE + end % SIDE])
    if action == NONE:
        raise InvalidText(f"{text!r} is no slide: it leaves the house where it is; to slide none, write stay")
    return action


def action_text(action: int) -> str:
    if action in WORDS:
        return WORDS[action]
    if action >= CLAIM:
        return f"claim@{square_text(action - CLAIM)}"
    if action < SLIDE:
        return house_text(int(PLACED[action]))
    return ">".join(map(house_text, SLID[action - SLIDE].tolist()))


def action_of(text: str) -> int:
    if isinstance(text, str):
        for action, word in WORDS.items():
            if text == word:
                return action
        if text.startswith("claim@"):
            return CLAIM + square_of(text.removeprefix("claim@"))
        if ">" in text:
            return slide_of(text)
        if HOUSE.fullmatch(text):
            return int(PLACINGS[house_of(text)])
    raise InvalidText(
        f"{text!r} is no action: write a house as c3-e3, a slide as c3-e3>d3-f3, a claim as "
        "claim@c3, or stay, leave, or pass"
    )
