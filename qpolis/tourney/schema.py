"""Files of keys: what a run is asked to be, in TOML, each key checked by itself. Flags override them."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError, unknown

MOST_GAMES = 100_000_000
LONGEST = 100  # characters of a name
MADE = "made"  # a table that plans have: what they were made with
OPTIONS = ("mode", "players", "mix")  # of games, that have keys of their own

Check = tuple[Callable[[Any], bool], str]  # what a value must be, and in words


def whole(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def number(low: float, high: float) -> Callable[[Any], bool]:
    return lambda value: type(value) in (int, float) and low <= value <= high


def text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable()


def some(value: Any) -> bool:
    return text(value) and bool(value)


def texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(text, value))


# Keys that several kinds of files have.
COMMON: dict[str, Check] = {
    "bots": (texts, 'a list of bots such as ["mcts", "greedy"]'),
    "name": (lambda value: text(value) and 0 < len(value) <= LONGEST and not set(value) & set("/\\")
             and value[0] != ".", f"a name of up to {LONGEST} letters, without / and \\, that begins with no dot"),
    "games": (whole(1, MOST_GAMES), f"a whole number from 1 to {MOST_GAMES}"),
    "game": (some, "the name of a game"),
    "options": (lambda value: isinstance(value, Mapping), "a table of options of the game"),
    "seed": (whole(0, 2**64 - 1), "a whole number from 0 to 2**64 - 1"),
}


def checked(key: str, value: Any, checks: Mapping[str, Check]) -> Any:
    """The value of a key, if it can be one. Options of the game are checked by the game; lists become tuples."""
    if key not in checks and key not in OPTIONS:
        raise unknown("key", key, (*checks, *OPTIONS))
    if key in checks:
        test, wanted = checks[key]
        if not test(value):
            raise QpolisError(f"{key}: {_shown(value)} is not {wanted}")
    if isinstance(value, list | tuple):
        return tuple(item.strip() if isinstance(item, str) else item for item in value)
    return value


def all_checked(table: Mapping[str, Any], checks: Mapping[str, Check]) -> dict[str, Any]:
    """All keys checked, with the options of the game in their table."""
    return with_options({key: checked(key, value, checks) for key, value in table.items()})


def _shown(value: Any) -> str:
    return json.dumps(value, default=str, ensure_ascii=False)


def read_keys(path: Path, checks: Mapping[str, Check]) -> dict[str, Any]:
    """The keys in a file, checked one by one; the name of the file is the name of the run."""
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
        return {"name": path.stem, **all_checked(table, checks)}
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


def overridden(keys: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Keys with what others say instead."""
    return {**keys, **other, "options": {**keys.get("options", {}), **other.get("options", {})}}


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
