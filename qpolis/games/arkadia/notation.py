"""The notation of Arkadia: squares a1 to p12, cards such as trade-centre-red, and actions for each step of a turn.

`farm-red` plays a card and `c4+c5+c6` lays its building; `workers@c4` chooses the building whose first square is
c4, `own@c7` and `neutral@d4` place workers there, `done` ends that; `red/blank` lays a red block on a castle
square that shows nothing; `draw@farm-red` and `draw@pile` refill the hand; `banner` gives up a banner, `keep` does
not; `red=3` exchanges three red seals; `pass` is what is left if nothing else is.
"""

from __future__ import annotations

import re

import numpy as np

from qpolis.errors import InvalidText
from qpolis.games.arkadia.bit_boards import placement_of
from qpolis.games.arkadia.layout import (
    BANNER,
    BITS,
    BLANK,
    BLOCK,
    BUILD,
    COLUMNS,
    DONE,
    DRAW,
    FAMILIES,
    FAMILY_NAMES,
    FORMS,
    KEEP,
    LAY,
    MOST_SEALS,
    NEUTRAL,
    OWN,
    PASS,
    PILE,
    ROWS,
    SELL,
    SQUARES,
    TYPES,
    WORKERS,
)

LETTERS = "abcdefghijklmnop"
SQUARE = re.compile("([a-p])([1-9]|1[0-2])")
CARDS = tuple(f"{kind}-{family}" for kind in TYPES for family in FAMILY_NAMES)
SYMBOLS = (*FAMILY_NAMES, "blank")
WORDS = {"pass": PASS, "done": DONE, "draw@pile": PILE, "banner": BANNER, "keep": KEEP}
TEXTS = {action: word for word, action in WORDS.items()}
SALE = re.compile(f"({'|'.join(FAMILY_NAMES)})=(0|[1-9][0-9]?)")
EXAMPLES = (
    "write a card as farm-red, a building as c4+c5+c6, workers@c4, own@c7, neutral@d4, done, red/blank, "
    "draw@farm-red, draw@pile, banner, keep, red=3 or pass"
)


def square_text(square: int) -> str:
    row, column = divmod(square, COLUMNS)
    return f"{LETTERS[column]}{row + 1}"


def square_of(text: str) -> int:
    if isinstance(text, str) and (found := SQUARE.fullmatch(text)):
        return (int(found[2]) - 1) * COLUMNS + LETTERS.index(found[1])
    raise InvalidText(f"{text!r} is no square: they are a1 to {LETTERS[COLUMNS - 1]}{ROWS}")


def card_of(text: str) -> int:
    if text in CARDS:
        return CARDS.index(text)
    raise InvalidText(f"{text!r} is no card: they are a type ({', '.join(TYPES)}) and a family, as in farm-red")


def cells_of(rules: np.record, placement: int) -> list[int]:
    """The squares of a placement, ascending."""
    cells = sum(word << i * BITS for i, word in enumerate(rules.cells[placement].tolist()))
    return [square for square in range(SQUARES) if cells >> square & 1]


class Notation:
    """The texts of all actions of a game; placements are known by their squares."""

    def __init__(self, rules: np.record) -> None:
        self.rules = rules
        self._ways = {
            tuple(rules.reach[form, turn, : rules.squares[form]].tolist()): (form, turn)
            for form in range(FORMS)
            for turn in range(rules.turns[form])
        }
        self._squares: dict[int, list[str]] = {}  # of the placements met so far

    def squares(self, placement: int) -> list[str]:
        """The squares of a placement, row by row."""
        if placement not in self._squares:
            self._squares[placement] = [square_text(square) for square in cells_of(self.rules, placement)]
        return self._squares[placement]

    def action_text(self, action: int) -> str:
        if action in TEXTS:
            return TEXTS[action]
        if action >= LAY:
            return "+".join(self.squares(action - LAY))
        if action >= SELL:
            family, count = divmod(action - SELL, MOST_SEALS)
            return f"{FAMILY_NAMES[family]}={count}"
        if action >= DRAW:
            return f"draw@{CARDS[action - DRAW]}"
        if action >= BLOCK:
            family, covered = divmod(action - BLOCK, BLANK + 1)
            return f"{FAMILY_NAMES[family]}/{SYMBOLS[covered]}"
        if action >= NEUTRAL:
            return f"neutral@{square_text(action - NEUTRAL)}"
        if action >= OWN:
            return f"own@{square_text(action - OWN)}"
        if action >= WORKERS:
            return f"workers@{square_text(action - WORKERS)}"
        return CARDS[action - BUILD]

    def action_of(self, text: str) -> int:
        if not isinstance(text, str):
            raise InvalidText(f"{text!r} is no action: {EXAMPLES}")
        if text in WORDS:
            return WORDS[text]
        if text in CARDS:
            return BUILD + CARDS.index(text)
        first, at, rest = text.partition("@")
        if at and first in ("workers", "own", "neutral"):
            return {"workers": WORKERS, "own": OWN, "neutral": NEUTRAL}[first] + square_of(rest)
        if at and first == "draw":
            return DRAW + card_of(rest)
        if (found := SALE.fullmatch(text)) and int(found[2]) < MOST_SEALS:
            return SELL + FAMILY_NAMES.index(found[1]) * MOST_SEALS + int(found[2])
        family, slash, covered = text.partition("/")
        if slash and family in FAMILY_NAMES and covered in SYMBOLS:
            return BLOCK + FAMILY_NAMES.index(family) * (FAMILIES + 1) + SYMBOLS.index(covered)
        if "+" in text:
            return LAY + self.placement_of(text)
        raise InvalidText(f"{text!r} is no action: {EXAMPLES}")

    def form_of(self, placement: int) -> int:
        return int(np.searchsorted(self.rules.starts, placement, "right")) - 1

    def placement_of(self, text: str) -> int:
        """The placement that has these squares."""
        squares = [square_of(part) for part in text.split("+")]
        corner = min(squares) // COLUMNS * COLUMNS + min(square % COLUMNS for square in squares)
        way = self._ways.get(tuple(square - corner for square in squares))
        if way is not None:
            placement = int(placement_of(self.rules, *way, corner))
            if self.squares(placement) == text.split("+"):
                return placement
        raise InvalidText(f"{text!r} is no building: write its squares row by row, as in c4+c5+c6")
