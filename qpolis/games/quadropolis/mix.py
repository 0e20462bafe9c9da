"""Tile mixes by what a user gives: a packaged name, the path of a CSV file, or changes to another mix."""

from __future__ import annotations

import functools
import os
import tomllib
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from qpolis.errors import QpolisError, unknown
from qpolis.games.quadropolis.mix_changes import MOST_CHANGES, changed
from qpolis.games.quadropolis.mix_file import mix_text, read_mix
from qpolis.games.quadropolis.tiles import Mix, MixRow, Tile

__all__ = ["MIXES", "Mix", "MixRow", "Tile", "about", "files", "load_mix", "mix_text", "packaged", "read_mix"]

MIXES = Path(__file__).parent / "mixes"
NOTES = MIXES / "mixes.toml"  # by name: a line about the mix, and how it is made if it has no file


@functools.cache
def packaged() -> tuple[str, ...]:
    """The names of the mixes that come with qpolis."""
    return tuple(sorted({*files(), *_notes()}))


def about(name: str) -> str:
    """A line about a packaged mix."""
    return _notes()[name]["about"]


def load_mix(given: str | Path) -> Mix:
    """Read a mix by name, path or changes (docs/mixes.md)."""
    text = str(given)
    if text in packaged() or os.path.isfile(text):
        return _start(text)
    start, changes = _split(text)
    return changed(_start(start), changes)


def files() -> list[str]:
    """The names of those that have a file."""
    return [path.stem for path in MIXES.glob("*.csv")]


def _notes() -> dict[str, dict[str, str]]:
    return tomllib.loads(NOTES.read_text(encoding="utf-8"))


def _start(text: str) -> Mix:
    """A mix by name or path."""
    if text in packaged():
        return _packaged(text)
    if not text.endswith(".csv") and "/" not in text and "\\" not in text and not os.path.isfile(text):
        error = unknown("mix", text, packaged())
        raise QpolisError(f"{error}; a mix can also be the path of a .csv file")
    return read_mix(Path(text), source=text)


@functools.cache
def _packaged(name: str) -> Mix:
    if name in files():
        return read_mix(MIXES / f"{name}.csv", source=name)
    notes = _notes()[name]
    file, *changes = notes["mix"].split(":")  # packaged changes start from a file
    mix = changed(_packaged(file), changes, source=name)
    origin = notes.get("source", "")
    return replace(mix, rows=tuple(row if row.origin else replace(row, origin=origin) for row in mix.rows))


def _split(text: str) -> tuple[str, list[str]]:
    """What a mix starts from, and the changes. A path can have colons: the longest start that exists is it."""
    parts = text.split(":")
    if len(parts) > MOST_CHANGES + 1:
        raise QpolisError(
            f"{parts[0]}: {len(parts) - 1} changes, where {MOST_CHANGES} are allowed; "
            f"write the mix to a CSV file and change that"
        )
    starts = list(accumulate(parts, lambda start, part: f"{start}:{part}"))
    names = packaged()
    there = [start for start in starts if start in names or os.path.isfile(start)]
    absent = [start for start in starts if start.endswith(".csv")]
    start = (there or absent or starts[:1])[-1]
    return start, parts[starts.index(start) + 1 :]
