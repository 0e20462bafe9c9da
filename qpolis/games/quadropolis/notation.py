"""The notation of Quadropolis actions: `3@N2` takes, `c2` places, `discard`."""

from __future__ import annotations

import re

from qpolis.errors import InvalidText
from qpolis.games.quadropolis.codec import POSITION_NAMES
from qpolis.games.quadropolis.layout import DISCARD, PLACE, POSITIONS

TAKE = re.compile(r"([1-5])@([NESW][1-5])")
SQUARE = re.compile(r"([a-e])([1-4])")


def square_text(square: int, columns: int) -> str:
    """The name of a city square: column c of line 2 is c2."""
    line, column = divmod(square, columns)
    return f"{'abcde'[column]}{line + 1}"


def action_text(action: int, columns: int) -> str:
    if action < PLACE:
        n, position = divmod(action, POSITIONS)
        return f"{n + 1}@{POSITION_NAMES[position]}"
    if action == DISCARD:
        return "discard"
    return square_text(action - PLACE, columns)


def action_of(text: str, columns: int) -> int:
    if isinstance(text, str):
        if take := TAKE.fullmatch(text):
            return (int(take[1]) - 1) * POSITIONS + POSITION_NAMES.index(take[2])
        if text == "discard":
            return DISCARD
        square = SQUARE.fullmatch(text)
        if square and "abcde".index(square[1]) < columns:
            return PLACE + (int(square[2]) - 1) * columns + "abcde".index(square[1])
    raise InvalidText(f"{text!r} is no action: write a take as 3@N2, a city square as c2, or discard")
