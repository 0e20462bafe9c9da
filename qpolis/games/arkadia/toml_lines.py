"""Where things stand in a TOML file that somebody wrote: the standard library reads it, but does not say that."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from typing import Any

PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)")  # in an error of tomllib


def line_of(text: str, keys: Sequence[str]) -> int | None:
    """The line of a key, given by its own name after those of the tables it is in; of a table its heading. None if
    it is not there.

    The value of a key is complete with the first line up to which the text is TOML and has it. It began in the
    line after those that were TOML before. Files of people are small, so they are simply read again and again.
    """
    lines = text.split("\n")
    before = 0
    for count in range(1, len(lines) + 1):
        try:
            told = tomllib.loads("\n".join(lines[:count]))
        except tomllib.TOMLDecodeError:
            continue  # in the middle of a value
        if _has(told, keys):
            return before + 1
        before = count
    return None


def _has(told: Any, keys: Sequence[str]) -> bool:
    for key in keys:
        if not isinstance(told, dict) or key not in told:
            return False
        told = told[key]
    return True


def wrong_toml(text: str, error: Exception) -> tuple[int | None, str]:
    """The line of a mistake that tomllib found, if it says so, and what it is."""
    message = str(error)
    if not (found := PLACE.search(message)):
        return None, message
    line = int(found[1]) if found[1] else text.rstrip("\n").count("\n") + 1
    return line, PLACE.sub("", message)
