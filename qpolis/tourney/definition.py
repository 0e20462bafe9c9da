"""What a tournament is asked to be: the keys of a definition file, and the flags that override them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError, unknown

ROTATIONS, ALL, MIRROR = "rotations", "all", "mirror"
SEATINGS = (ROTATIONS, ALL, MIRROR)
GAMES = 1000  # if nothing is said
SPRT_GAMES = 100_000  # at most, in a sequential test
MOST_GAMES = 100_000_000
LONGEST = 100  # characters of a name
MADE = "made"  # a table that plans have: what they were made with
OPTIONS = ("mode", "players", "mix")  # of games, that have keys of their own


@dataclass(frozen=True)
class Definition:
    """A tournament as it is asked for. Every field is a key of the file."""

    bots: tuple[str, ...] = ()
    name: str = ""
    challenger: str = ""  # plays against the field of the other bots: a gauntlet
    games: int = 0  # 0: the default
    game: str = "quadropolis"
    options: Mapping[str, Any] = field(default_factory=dict)  # of the game
    seed: int = 0
    seatings: str = ROTATIONS  # in which each deal is played: rotations, or all; mirror: bots against themselves
    sprt: str = ""  # hypotheses of a sequential test: elo0=0,elo1=10
    time_limit: float = 10.0  # seconds a decision
    memory_limit: int = 2048  # MB
    moves: bool = True  # are they recorded?

    def keys(self) -> dict[str, Any]:
        """The definition as a table: what is empty is left out."""
        return {key: value for key, value in vars(self).items() if value != ""}


KEYS = (*(item.name for item in fields(Definition)), *OPTIONS)


def read_definition(path: Path) -> dict[str, Any]:
    """The keys of a definition file, checked one by one; the name of the file is the name of the tournament."""
    try:
        table = tomllib.loads(path.read_bytes().decode())
    except OSError as error:
        raise QpolisError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise QpolisError(f"{path}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:  # also a number of thousands of digits
        raise QpolisError(f"{path}: not TOML: {error}") from None
    table.pop(MADE, None)
    try:
        return with_options({"name": path.stem, **{key: checked(key, value) for key, value in table.items()}})
    except QpolisError as error:
        raise QpolisError(f"{path}: {error}") from None


def with_options(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The same with all options of the game in their table; one that is there twice is an error."""
    options = dict(keys.get("options", {}))
    for key in OPTIONS:
        if key in keys:
            if key in options:
                raise QpolisError(f"{key} is given twice, as {options[key]!r} and as {keys[key]!r}")
            options[key] = keys[key]
    return {**{key: value for key, value in keys.items() if key not in OPTIONS}, "options": options}


def read_made(path: Path) -> dict[str, Any]:
    """What the plan in a file was made with."""
    made = tomllib.loads(path.read_text(encoding="utf-8")).get(MADE)
    if not isinstance(made, dict):
        raise QpolisError(f"{path}: was changed since the run began: no table [{MADE}]")
    return made


def define(given: Mapping[str, Any]) -> Definition:
    """The definition with these keys; what is not given has its default."""
    definition = Definition(**with_options({key: checked(key, value) for key, value in given.items()}))
    if not definition.bots:
        raise QpolisError("no bots: say who plays, as in --bots mcts,greedy")
    if definition.sprt and definition.challenger:
        raise QpolisError("a sequential test (sprt) is between two bots: it has no challenger")
    if definition.seatings == MIRROR and (definition.sprt or definition.challenger):
        raise QpolisError(f"seatings {MIRROR}: bots against themselves have no challenger, and no sequential test "
                          "(sprt)")
    return definition


def overridden(keys: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Keys with what others say instead."""
    return {**keys, **other, "options": {**keys.get("options", {}), **other.get("options", {})}}


def checked(key: str, value: Any) -> Any:
    """The value of a key, if it can be one."""
    if key not in KEYS:
        raise unknown("key", key, KEYS)
    if key in CHECKS:
        test, wanted = CHECKS[key]
        if not test(value):
            raise QpolisError(f"{key}: {_shown(value)} is not {wanted}")
    if key == "bots":
        return tuple(spec.strip() for spec in value)
    return float(value) if key == "time_limit" else value


def _whole(low: int, high: int) -> Any:
    return lambda value: type(value) is int and low <= value <= high


def _text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def _some(value: Any) -> bool:
    return _text(value) and bool(value)


def _shown(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


# What a key's value must be, and in words. What is not here is an option of the game, which checks it itself.
CHECKS: dict[str, tuple[Any, str]] = {
    "bots": (lambda value: isinstance(value, list | tuple) and bool(value) and all(map(_text, value)),
             'a list of bots such as ["mcts", "greedy"]'),
    "name": (lambda value: _text(value) and 0 < len(value) <= LONGEST and not set(value) & set("/\\")
             and value[0] != ".", f"a name of up to {LONGEST} letters, without / and \\, that begins with no dot"),
    "challenger": (_some, "a bot such as \"./my_bot.py\""),
    "games": (_whole(1, MOST_GAMES), f"a whole number from 1 to {MOST_GAMES}"),
    "game": (_some, "the name of a game"),
    "options": (lambda value: isinstance(value, Mapping), "a table of options of the game"),
    "seed": (_whole(0, 2**64 - 1), "a whole number from 0 to 2**64 - 1"),
    "seatings": (lambda value: value in SEATINGS, " or ".join(SEATINGS)),
    "sprt": (_some, "a text such as \"elo0=0,elo1=10\""),
    "time_limit": (lambda value: type(value) in (int, float) and 0.001 <= value <= 1e6,
                   "a number of seconds from 0.001 to 1000000"),
    "memory_limit": (_whole(1, 1 << 20), "a whole number of MB from 1 to 1048576"),
    "moves": (lambda value: type(value) is bool, "true or false"),
}


def to_toml(table: Mapping[str, Any]) -> str:
    """A table of plain values, and of tables of them, as TOML."""
    lines = [f"{_key(key)} = {_toml(value)}" for key, value in table.items() if not isinstance(value, Mapping)]
    for key, value in table.items():
        if isinstance(value, Mapping):
            lines += ["", f"[{_key(key)}]", to_toml(value).rstrip("\n")]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _toml(key)


def _toml(value: Any) -> str:
    """JSON is TOML for texts, numbers, truth values and lists; but for a few characters."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
