"""Files of games by the texts of their moves, as `moves.py` writes them, read line by line."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qpolis import interrupts
from qpolis.dataset.moves import FORMAT, KIND
from qpolis.engine.results import ENDS
from qpolis.errors import QpolisError, unknown
from qpolis.files import file_lines
from qpolis.rng import SEED_BITS
from qpolis.tourney.schema import LONGEST, MOST_GAMES

LONGEST_LINE = 1 << 24  # bytes: a plan with its seatings may be long
MOST_MOVES = 1 << 16  # of a game


@dataclass(frozen=True)
class Entry:
    """What a key may be: a condition, and in words."""

    fits: Callable[[Any], bool]
    words: str


def _number(below: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and 0 <= value < below


def _list_of(fits: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(fits, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= LONGEST


def _is_points(value: Any) -> bool:
    return type(value) is int and abs(value) < 1 << 31


def _are_reasons(value: Any) -> bool:
    return isinstance(value, dict) and all(key.isdecimal() and isinstance(value[key], str) for key in value)


COMMON = {  # of all games; a first line can say them
    "game": Entry(_is_text, "the name of a game"),
    "options": Entry(lambda value: isinstance(value, dict), "an object of options of the game"),
    "seed": Entry(_number(1 << SEED_BITS), f"a whole number from 0 to 2**{SEED_BITS} - 1"),
}
HEAD = {
    **COMMON,
    "kind": Entry(lambda value: value == KIND, f'"{KIND}"'),
    "format": Entry(lambda value: value == FORMAT and type(value) is int, f"{FORMAT}, which this qpolis reads"),
    "plan": Entry(lambda value: isinstance(value, str), "the text of a plan"),
}
GAME = {
    **COMMON,
    "number": Entry(_number(MOST_GAMES), "the number of a game"),
    "deal": Entry(_number(MOST_GAMES), "the number of a deal"),
    "bots": Entry(_list_of(_is_text), 'a list of names, seat by seat, such as ["Ada", "Ben"]'),
    "moves": Entry(
        lambda value: _list_of(lambda one: isinstance(one, str))(value) and len(value) <= MOST_MOVES,
        "a list of texts of moves",
    ),
    "scores": Entry(_list_of(_is_points), "a list of points, seat by seat"),
    "ranks": Entry(_list_of(_is_points), "a list of places from 0, seat by seat"),
    "decisions": Entry(_list_of(_is_points), "a list of numbers, seat by seat"),
    "ends": Entry(_list_of(lambda value: value in ENDS), f"a list of {', '.join(ENDS)}, seat by seat"),
    "reasons": Entry(_are_reasons, 'an object such as {"0": "timeout"}, by seat'),
}
NEEDED = ("bots", "moves")


@dataclass(frozen=True)
class GameLine:
    """A game, and where it stands."""

    where: str  # the file and the line, for errors
    keys: Mapping[str, Any]

    def error(self, problem: str) -> QpolisError:
        return QpolisError(f"{self.where}: {problem}")


def read_game_lines(path: Path) -> tuple[GameLine, Iterator[GameLine]]:
    """The first line, if it is about all games (or else one that says nothing), and the games."""
    lines = _objects(path)
    first = next(lines, None)
    if first is None:
        raise QpolisError(f"{path}: there is no game in it")
    if "kind" in first.keys:
        return _checked(first, HEAD), (_checked(line, GAME, NEEDED) for line in lines)

    def games() -> Iterator[GameLine]:
        yield _checked(first, GAME, NEEDED)
        yield from (_checked(line, GAME, NEEDED) for line in lines)

    return GameLine(str(path), {}), games()


def _objects(path: Path) -> Iterator[GameLine]:
    """The objects in a file of JSON lines; empty lines say nothing."""
    for number, line in enumerate(file_lines(path, LONGEST_LINE, "a file of games"), 1):
        interrupts.check()
        where = f"{path}: line {number}"
        if not line.strip():
            continue
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
            raise QpolisError(f"{where}: not JSON: {reason}") from None
        if not isinstance(found, dict):
            raise QpolisError(f'{where}: not an object such as {{"bots": [...], "moves": [...]}}')
        yield GameLine(where, found)


def _checked(line: GameLine, entries: Mapping[str, Entry], needed: tuple[str, ...] = ()) -> GameLine:
    """The line, if all its keys are what they may be."""
    for name, value in line.keys.items():
        if name not in entries:
            raise line.error(str(unknown("key", name, entries)))
        if not entries[name].fits(value):
            shown = json.dumps(value, ensure_ascii=False)
            raise line.error(f"{name}: {shown[:100]} is not {entries[name].words}")
    for name in needed:
        if name not in line.keys:
            raise line.error(f"there is no {name}: {entries[name].words}")
    return line
