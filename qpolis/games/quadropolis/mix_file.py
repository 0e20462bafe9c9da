"""Tile mixes as CSV files with one tile a line: reading, checking, writing."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from qpolis.errors import QpolisError
from qpolis.files import read_text
from qpolis.games.quadropolis.layout import ROUNDS, SITE, TYPES
from qpolis.games.quadropolis.tiles import (
    DECKS,
    EXPERT_ONLY,
    HOLDS,
    LIMITS,
    MARKS,
    PARK_ENERGY,
    ROUNDS_OF,
    Mix,
    MixRow,
    Tile,
)

COLUMNS = ("deck", "round", "mark", "type", "inhabitants", "energy", "vp", "mayor")  # others are comments
LARGEST = 1 << 20  # bytes of a file that are read
PARKS = "holds"  # one more, that may be missing: how much energy a park holds; nothing is what the rules say
OTHER_SEPARATORS = ";\t|"  # that spreadsheets write
ORIGIN = "source"  # and another: how the line is known


def read_mix(path: Path, source: str) -> Mix:
    """Read and check a mix file. Errors name the file, the line and the column."""
    text = read_text(path, source, LARGEST, "a tile mix")
    rows = tuple(_rows(text, source))
    if not rows:
        raise QpolisError(f"{source}: no tiles: the file ends after the heading")
    return Mix(source, rows)


def mix_text(mix: Mix) -> str:
    """The mix as a CSV file, which reads back with the same rows."""
    unusual = not all(row.tile.usual for row in mix.rows)
    known = any(row.origin for row in mix.rows)
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow([*COLUMNS, *[PARKS] * unusual, *[ORIGIN] * known])
    for row in mix.rows:
        tile = row.tile
        lines.writerow(
            [
                row.deck,
                row.round,
                row.mark,
                tile.type,
                tile.inhabitants,
                tile.energy,
                tile.vp,
                int(tile.mayor),
                *[tile.holds] * unusual,
                *[row.origin] * known,
            ]
        )
    return text.getvalue()


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
            row = _row(_values(heading, fields, place), place)
            _count(row, count, place)
            yield row
    except csv.Error as error:
        raise QpolisError(f"{source}: line {start}: not CSV: {error}") from None
    if not heading:
        raise QpolisError(f"{source}: line 1: the file is empty; it needs the heading {','.join(COLUMNS)}")


def _heading(fields: list[str], place: str) -> list[str]:
    heading = [field.strip() for field in fields]
    for separator in OTHER_SEPARATORS if len(heading) == 1 else "":
        if any(name.strip() in COLUMNS for name in heading[0].split(separator)[1:]):
            raise QpolisError(f"{place}: its columns are separated by {separator!r}, not by commas")
    for column in COLUMNS:
        if heading.count(column) != 1:
            problem = "missing" if column not in heading else "there more than once"
            raise QpolisError(f"{place}: column {column} is {problem} (needed: {', '.join(COLUMNS)})")
    if heading.count(PARKS) > 1:
        raise QpolisError(f"{place}: column {PARKS} is there more than once")
    return heading


def _values(heading: list[str], fields: list[str], place: str) -> dict[str, str]:
    width, columns = len(fields), len(heading)
    if width != columns:
        column = heading[width] if width < columns else str(columns + 1)
        raise QpolisError(f"{place}: column {column}: {width} fields where the heading has {columns}")
    values = {name: field.strip() for name, field in zip(heading, fields, strict=True)}
    for name, value in values.items():
        if "\0" in value:
            raise QpolisError(f"{place}: column {name}: {value!r} has a NUL character")
    return values


def _number(values: dict[str, str], column: str, low: int, high: int, place: str) -> int:
    text = values[column]
    if not (text.isascii() and text.isdigit() and len(text) < 4 and low <= int(text) <= high):
        raise QpolisError(f"{place}: column {column}: {text!r} is not a whole number from {low} to {high}")
    return int(text)


def _row(values: dict[str, str], place: str) -> MixRow:
    def fail(column: str, problem: str) -> QpolisError:
        return QpolisError(f"{place}: column {column}: {problem}")

    def choice(column: str, known: tuple[str, ...]) -> str:
        if values[column] not in known:
            raise fail(column, f"{values[column]!r} is not one of {', '.join(known)}")
        return values[column]

    deck = choice("deck", DECKS)
    mark = choice("mark", tuple(MARKS))
    kind = choice("type", TYPES)
    if kind in EXPERT_ONLY and deck != "expert":
        raise fail("deck", f"{kind} tiles belong to the expert deck, not to {deck!r}")
    round = _number(values, "round", 1, ROUNDS, place)
    if round > ROUNDS_OF["classic"] and deck != "expert":
        raise fail("round", f"round {round} exists in the expert deck only, not in {deck!r}")
    numbers = {column: _number(values, column, 0, limit, place) for column, limit in LIMITS.items()}
    if numbers["mayor"] and kind != "tower":
        raise fail("mayor", f"only a tower can show the mayor, not a {kind}")
    holds = _number(values, PARKS, 0, HOLDS, place) if values.get(PARKS) else PARK_ENERGY * (kind == "park")
    if holds and kind != "park":
        raise fail(PARKS, f"only parks hold energy: 0 or nothing for a {kind}, not {holds}")
    tile = Tile(kind, numbers["inhabitants"], numbers["energy"], numbers["vp"], bool(numbers["mayor"]), holds)
    return MixRow(deck, round, mark, tile, values.get(ORIGIN, ""))


def _count(row: MixRow, count: dict[tuple[str, int], int], place: str) -> None:
    """Slots without a tile count, too: a round has as many slots as the site has squares."""
    for mode in ROUNDS_OF:
        if row.serves(mode):
            key = (mode, row.round)
            count[key] = count.get(key, 0) + 1
            if count[key] > SITE:
                raise QpolisError(
                    f"{place}: column round: tile {count[key]} of round {row.round} in the {mode} "
                    f"mode, where a round has at most {SITE}"
                )
