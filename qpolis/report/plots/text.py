"""Names and numbers as the plots write them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

import numpy as np

from qpolis.report.plots.style import FONT, FT2Font

UNKNOWN = "\N{REPLACEMENT CHARACTER}"
MINUS = "\N{MINUS SIGN}"
HINTED = 1.03  # letters are set on whole pixels, which makes a text a little wider


@cache
def _font() -> FT2Font:
    font = FT2Font(str(FONT))
    font.set_size(1000, 72)
    return font


@cache
def _has(letter: str) -> bool:
    """Whether the font can show it; anything else would be a warning and an empty box."""
    return letter.isprintable() and _font().get_char_index(ord(letter)) != 0


@cache
def _advance(letter: str) -> float:
    """The width of a letter of size 1."""
    return _font().load_char(ord(letter)).linearHoriAdvance / 65536 / 1000


def clean(text: str) -> str:
    """The text with a sign for each letter that cannot be shown."""
    return "".join(letter if _has(letter) else UNKNOWN for letter in text)


def width(text: str, size: float = 9) -> float:
    """How wide a text of clean letters is, in inches."""
    return sum(map(_advance, text)) * size / 72 * HINTED


def shortened(text: str, inches: float, size: float = 9) -> str:
    """The text, without its middle if it is wider than that."""
    text = clean(text)
    if width(text, size) <= inches:
        return text
    for kept in range(len(text) - 1, 0, -1):
        short = text[: kept - kept // 2] + "…" + text[len(text) - kept // 2 :]
        if width(short, size) <= inches:
            return short
    return "…"


def names(bots: Sequence[str], inches: float, size: float = 9) -> list[str]:
    """The bots' names, shortened; those that look the same then get their number in front."""
    short = [shortened(bot, inches, size) for bot in bots]
    often = Counter(short)
    return [
        name if often[name] == 1 else shortened(f"#{index} {bots[index]}", inches, size)
        for index, name in enumerate(short)
    ]


def count(number: int, word: str) -> str:
    """A number of things: 1 game, 10,000 games."""
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def number(value: float, decimals: int = 0, sign: str = "-") -> str:
    """A number with a true minus sign; with "+" as the sign, positive ones show theirs, and nothing is 0."""
    if np.isnan(value):
        return "?"
    if np.isinf(value):
        text = f"{value:{sign}}".replace("inf", "\N{INFINITY}")
    else:
        value = round(float(value), decimals) or 0.0  # no minus nought
        text = f"{value:{sign if value else ''},.{decimals}f}"
    return text.replace("-", MINUS)


def decimals(low: float, high: float) -> int:
    """How many decimals of a number are worth reading, by its interval: one if it is narrow."""
    return int(bool(np.isfinite(low) and np.isfinite(high)) and high - low < 4)


def between(low: float, high: float, digits: int = 0, sign: str = "-") -> str:
    """An interval in words, empty if nothing is known."""
    if np.isnan(low) or np.isnan(high):
        return ""
    return f"{number(low, digits, sign)} to {number(high, digits, sign)}"
