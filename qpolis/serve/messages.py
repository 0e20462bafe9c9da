"""What the page may say: each kind of message with its keys, checked before anything is done."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from qpolis.errors import QpolisError, unknown

LONGEST = 10_000  # characters of a message
MOST_SEATS = 16  # that are looked at
SEED_DIGITS = 39  # of the largest seed

Message = dict[str, Any]


def _whole(value: Any) -> bool:
    return type(value) is int


def _seed(value: Any) -> bool:
    """JavaScript has no whole numbers as large as seeds are: the page sends their digits."""
    if isinstance(value, str):
        return value.isascii() and value.isdecimal() and len(value) <= SEED_DIGITS
    return value is None or _whole(value)


def _options(value: Any) -> bool:
    return isinstance(value, dict) and all(
        type(one) in (int, bool) or (isinstance(one, str) and one.isprintable()) for one in value.values()
    )


def _seats(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= MOST_SEATS
        and all(one is None or isinstance(one, str) for one in value)
        and value.count(None) == 1
    )


# The keys of each type: what a value must be, and in words.
KEYS: dict[str, dict[str, tuple[Callable[[Any], bool], str]]] = {
    "new": {
        "game": (lambda value: isinstance(value, str), "the name of a game"),
        "options": (_options, "a table of options, each a text, a whole number or true or false"),
        "seats": (_seats, "a list of bots with null once, for the person"),
        "seed": (_seed, "a whole number, its digits as a text, or null"),
        "casual": (lambda value: type(value) is bool, "true or false"),
    },
    "choose": {"action": (_whole, "a whole number"), "at": (_whole, "a whole number")},
    "undo": {},
    "hint": {},
    "save": {},
    "leave": {},
}


def read_message(text: str) -> Message:
    """A message of the page; an error that says what is wrong with it."""
    if len(text) > LONGEST:
        raise QpolisError(f"a message of {len(text):,} characters: at most {LONGEST:,} are read")
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        raise QpolisError("a message that is not JSON") from None
    if not isinstance(message, dict):
        raise QpolisError("a message that is not a JSON object")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in KEYS:
        raise unknown("type of message", kind, KEYS)
    keys = KEYS[kind]
    for key in message:
        if key != "type" and key not in keys:
            raise unknown(f"key of {kind}", key, keys)
    for key, (fits, words) in keys.items():
        if key not in message:
            raise QpolisError(f"{kind}: {key} is missing")
        if not fits(message[key]):
            raise QpolisError(f"{kind}: {key} is not {words}")
    return message
