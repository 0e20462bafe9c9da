"""Tile mixes: CSV files with one tile a line. A mix is given by the name of a packaged file or by a path."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from qpolis.errors import QpolisError, unknown
from qpolis.games.quadropolis.layout import ROUNDS, SITE, TYPES

MIXES = Path(__file__).parent / "mixes"
COLUMNS = ("deck", "round", "mark", "type", "inhabitants", "energy", "vp", "mayor")  # others are comments
DECKS = ("both", "classic", "expert")
MARKS = {"all": 2, "3-4": 3, "4": 4}  # fewest players with which the tile is turned up
ROUNDS_OF = {"classic": 4, "expert": 5}
EXPERT_ONLY = ("office", "monument")
TYPES_OF = {"classic": tuple(name for name in TYPES if name not in EXPERT_ONLY), "expert": TYPES}
LIMITS = {"inhabitants": 9, "energy": 9, "vp": 20, "mayor": 1}


@dataclass(frozen=True)
class Tile:
    """What is printed on a tile."""

    type: str
    inhabitants: int
    energy: int
    vp: int
    mayor: bool

    @property
    def name(self) -> str:
        """What it shows in words, such as "tower 2 inhabitants"."""
        parts = [self.type]
        if self.inhabitants:
            parts.append(f"{self.inhabitants} inhabitant{'s' if self.inhabitants > 1 else ''}")
        parts += [f"{amount} {what}" for amount, what in ((self.energy, "energy"), (self.vp, "vp")) if amount]
        return " ".join(parts + ["mayor"] * self.mayor)


@dataclass(frozen=True)
class MixRow:
    """A line of a mix: a tile, and in which deck and round and from how many players on it is used."""

    deck: str
    round: int
    mark: str
    tile: Tile


@dataclass(frozen=True)
class Mix:
    """A tile mix as its file lists it."""

    source: str
    rows: tuple[MixRow, ...]

    def round_rows(self, mode: str, round: int) -> list[MixRow]:
        """The tiles of one round (1-based), in the order of the file."""
        return [row for row in self.rows if row.round == round and row.deck in ("both", mode)]

    def check(self, mode: str) -> None:
        """A mix can serve one mode only; the mode that is played must be complete."""
        for round in range(1, ROUNDS_OF[mode] + 1):
            if not self.round_rows(mode, round):
                raise QpolisError(f"{self.source}: column round: no tile for round {round} of the {mode} mode "
                                  f"(it needs rounds 1 to {ROUNDS_OF[mode]})")


def packaged() -> list[str]:
    """The names of the mixes that come with qpolis."""
    return sorted(path.stem for path in MIXES.glob("*.csv"))


def load_mix(given: str | Path) -> Mix:
    """Read a mix by name or path."""
    text = str(given)
    if text in packaged():
        return read_mix(MIXES / f"{text}.csv", source=f"mix {text}")
    if not text.endswith(".csv") and "/" not in text and "\\" not in text and not os.path.isfile(text):
        error = unknown("mix", text, packaged())
        raise QpolisError(f"{error}; a mix can also be the path of a .csv file")
    return read_mix(Path(text), source=text)


def read_mix(path: Path, source: str) -> Mix:
    """Read and check a mix file. Errors name the file, the line and the column."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise QpolisError(f"{source}: line {line}: not UTF-8 text") from None
    except OSError as error:
        raise QpolisError(f"{source}: cannot be read: {error.strerror}") from None
    except ValueError as error:  # a NUL in the path
        raise QpolisError(f"{source!r}: cannot be read: {error}") from None
    rows = tuple(_rows(text, source))
    if not rows:
        raise QpolisError(f"{source}: no tiles: the file ends after the heading")
    return Mix(source, rows)


def _rows(text: str, source: str) -> Iterator[MixRow]:
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    count: dict[tuple[str, int], int] = {}
    heading: list[str] = []
    start = 1  # an entry can go over several lines: it is named by its first
    try:
        for fields in lines:
            place, start = f"{source}: line {start}", lines.line_num + 1
            if not any(field.strip() for field in fields):
                continue
            if not heading:
                heading = _heading(fields, place)
                continue
            row = _row(heading, fields, place)
            _count(row, count, place)
            yield row
    except csv.Error as error:
        raise QpolisError(f"{source}: line {start}: not CSV: {error}") from None
    if not heading:
        raise QpolisError(f"{source}: line 1: the file is empty; it needs the heading {','.join(COLUMNS)}")


def _heading(fields: list[str], place: str) -> list[str]:
    heading = [field.strip() for field in fields]
    for column in COLUMNS:
        if heading.count(column) != 1:
            problem = "missing" if column not in heading else "there more than once"
            raise QpolisError(f"{place}: column {column} is {problem} (needed: {', '.join(COLUMNS)})")
    return heading


def _row(heading: list[str], fields: list[str], place: str) -> MixRow:
    width, columns = len(fields), len(heading)
    if width != columns:
        column = heading[width] if width < columns else str(columns + 1)
        raise QpolisError(f"{place}: column {column}: {width} fields where the heading has {columns}")
    values = {name: field.strip() for name, field in zip(heading, fields, strict=True)}

    def fail(column: str, problem: str) -> QpolisError:
        return QpolisError(f"{place}: column {column}: {problem}")

    for name, value in values.items():
        if "\0" in value:
            raise fail(name, f"{value!r} has a NUL character")

    def choice(column: str, known: tuple[str, ...]) -> str:
        if values[column] not in known:
            raise fail(column, f"{values[column]!r} is not one of {', '.join(known)}")
        return values[column]

    def number(column: str, low: int, high: int) -> int:
        text = values[column]
        if not (text.isascii() and text.isdigit() and len(text) < 4 and low <= int(text) <= high):
            raise fail(column, f"{text!r} is not a whole number from {low} to {high}")
        return int(text)

    deck = choice("deck", DECKS)
    mark = choice("mark", tuple(MARKS))
    kind = choice("type", TYPES)
    if kind in EXPERT_ONLY and deck != "expert":
        raise fail("deck", f"{kind} tiles belong to the expert deck, not to {deck!r}")
    round = number("round", 1, ROUNDS)
    if round > ROUNDS_OF["classic"] and deck != "expert":
        raise fail("round", f"round {round} exists in the expert deck only, not in {deck!r}")
    numbers = {column: number(column, 0, limit) for column, limit in LIMITS.items()}
    if numbers["mayor"] and kind != "tower":
        raise fail("mayor", f"only a tower can show the mayor, not a {kind}")
    tile = Tile(kind, numbers["inhabitants"], numbers["energy"], numbers["vp"], bool(numbers["mayor"]))
    return MixRow(deck, round, mark, tile)


def _count(row: MixRow, count: dict[tuple[str, int], int], place: str) -> None:
    for mode in ROUNDS_OF:
        if row.deck in ("both", mode):
            key = (mode, row.round)
            count[key] = count.get(key, 0) + 1
            if count[key] > SITE:
                raise QpolisError(f"{place}: column round: tile {count[key]} of round {row.round} in the {mode} "
                                  f"mode, where a round has at most {SITE}")
