"""The errors a user of qpolis can meet. A message is one line: what is wrong, where, and what would be right."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 1000  # characters of a message
LONGEST_REASON = 300  # characters of what went wrong in somebody else's code
NEAR = 0.65  # of 1: how alike names must be for one to be meant by the other
ALIKE = 0.1  # less than the best, and another may be meant as well


class QpolisError(Exception):
    """Bad input: a name, an option, a file or a text that qpolis cannot use. The message is always one line."""

    def __init__(self, message: str) -> None:
        line = "".join(char if char.isprintable() else repr(char)[1:-1] for char in message)
        half = LONGEST // 2  # a long value stands in the middle, between where it is and what is wrong with it
        super().__init__(line if len(line) <= LONGEST else f"{line[:half]} ... {line[-half:]}")


class IllegalAction(ValueError):
    """A well-formed action that the rules do not allow in this position."""


class InvalidText(ValueError):
    """A text that is not the notation of any action of this game."""


def one_line(text: str) -> str:
    """Any text as one printable line of bounded length."""
    line = "".join(char if char.isprintable() else " " for char in text).strip()
    return line if len(line) <= LONGEST_REASON else f"{line[: LONGEST_REASON - 4]} ..."


def printable(text: str) -> str:
    """Any line as one for people: without what would move the cursor, or do worse."""
    return "".join(char if char.isprintable() else " " for char in text.expandtabs(4))


def unknown(what: str, name: object, known: Iterable[str]) -> QpolisError:
    """The error for a name that does not exist: it says the nearest one and lists all."""
    names = sorted(known)
    near = difflib.get_close_matches(str(name), names, n=2, cutoff=NEAR)
    if len(near) == 2 and _likeness(str(name), near[1]) < _likeness(str(name), near[0]) - ALIKE:
        near.pop()
    hint = f", did you mean {' or '.join(map(repr, near))}?" if near else ""
    return QpolisError(f"unknown {what} {name!r}{hint} (known: {', '.join(names) or 'none'})")


def _likeness(one: str, other: str) -> float:
    return difflib.SequenceMatcher(None, other, one).ratio()
