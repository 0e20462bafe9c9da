"""The data files of Arkadia, checked, and the rules record that is made of them."""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.errors import InvalidText, QpolisError
from qpolis.games.arkadia.layout import (
    BITS,
    BUILDINGS,
    COLUMNS,
    DISPLAY,
    FAMILIES,
    FAMILY_NAMES,
    FORMS,
    HAND,
    KINDS,
    LARGEST,
    LEVELS,
    MOST_LOTS,
    RING,
    ROWS,
    RULES,
    SEATS,
    SQUARES,
    TURNS,
    TYPES,
    WORDS,
)
from qpolis.games.arkadia.notation import SYMBOLS, square_of

DATA = Path(__file__).parent / "data"
WEIGHTS = Path(__file__).parent / "weights"  # of the evaluation, by the number of players
DEALT = HAND * SEATS + DISPLAY  # cards at the start, with all players
Cells = tuple[tuple[int, int], ...]  # rows and columns, ascending


@dataclass(frozen=True)
class Lot:
    """Where the castle lot can lie."""

    corner: int
    rows: int
    columns: int

    @property
    def squares(self) -> list[int]:
        return [self.corner + row * COLUMNS + column for row in range(self.rows) for column in range(self.columns)]


@dataclass(frozen=True)
class Table:
    """What the data files say."""

    camps: frozenset[int]
    lots: tuple[Lot, ...]
    castle: tuple[int, ...]
    blocks: tuple[int, ...]
    forms: tuple[Cells, ...]
    cards: tuple[int, ...]  # of each type in a family
    intro_lot: int
    helpers: dict[int, int]  # by the number of players
    intro: tuple[tuple[int, tuple[int, ...]], ...]  # the kind and the squares of each building


class Bad(ValueError):
    """Something in a data file is wrong; the message says what."""


@functools.cache
def load_table(folder: Path = DATA) -> Table:
    """The data files of a folder; QpolisError names the file and what is wrong in it."""
    told = {}
    where = folder
    try:
        for name in ("board.toml", "buildings.toml"):
            where = folder / name
            told[name] = read_toml(where)
        forms, cards = read_buildings(told["buildings.toml"])
        where = folder / "board.toml"
        return read_board(told["board.toml"], forms, cards)
    except OSError as error:
        raise QpolisError(f"{where}: cannot be read: {error.strerror}") from None
    except (Bad, InvalidText) as error:
        raise QpolisError(f"{where}: {error}") from None


def read_toml(path: Path) -> dict[str, Any]:
    content = path.read_bytes()
    try:
        return tomllib.loads(content.decode("utf-8"))
    except ValueError as error:
        raise Bad(f"it is no TOML file: {error}") from None


def read_buildings(told: dict[str, Any]) -> tuple[tuple[Cells, ...], tuple[int, ...]]:
    """The form of each type, and the number of cards of it in a family."""
    types = dict(
        zip(
            TYPES, (entries(name, given, "cards", "form") for name, given in zip(TYPES, entries("", told, *TYPES)))
        )
    )
    forms = tuple(read_form(name, text(f"form of {name}", types[name][1])) for name in TYPES)
    for i, form in enumerate(forms):
        for j in range(i):
            if form in turned(forms[j], flip=True):
                raise Bad(f"{TYPES[i]} has the form of {TYPES[j]}")
    cards = tuple(whole(f"cards of {name}", types[name][0], 0, BUILDINGS) for name in TYPES)
    if sum(cards) * FAMILIES > BUILDINGS:
        raise Bad(f"there are {sum(cards) * FAMILIES} cards, more than {BUILDINGS}")
    if sum(cards) * FAMILIES < DEALT:
        raise Bad(f"{sum(cards) * FAMILIES} cards are too few to deal four hands and the display")
    return forms, cards


def read_form(name: str, picture: str) -> Cells:
    lines = picture.strip("\n").split("\n")
    if set("".join(lines)) - set("#."):
        raise Bad(f"form of {name}: draw it with # and .")
    form = settle(
        [(row, column) for row, line in enumerate(lines) for column, mark in enumerate(line) if mark == "#"]
    )
    if not 2 <= len(form) <= LARGEST:
        raise Bad(f"form of {name}: it has {len(form)} squares, not 2 to {LARGEST}")
    reached = {form[0]}
    for _ in form:
        reached |= {(r, c) for r, c in form for a, b in reached if abs(r - a) + abs(c - b) == 1}
    if len(reached) < len(form):
        raise Bad(f"form of {name}: its squares do not hang together")
    return form


def read_board(told: dict[str, Any], forms: tuple[Cells, ...], cards: tuple[int, ...]) -> Table:
    board, lots_told, castle_told, blocks_told, start = entries(
        "", told, "board", "lots", "castle", "blocks", "introduction"
    )
    lines = text("board", board).strip("\n").split("\n")
    if len(lines) != ROWS or any(len(line) != COLUMNS for line in lines):
        raise Bad(f"board: it is not {ROWS} lines of {COLUMNS} squares")
    if set("".join(lines)) - set("A."):
        raise Bad("board: draw camps as A and all other squares as .")
    camps = frozenset(square for square, mark in enumerate("".join(lines)) if mark == "A")
    lots = tuple(
        read_lot(f"lots: number {i}", given, camps) for i, given in enumerate(several("lots", lots_told), start=1)
    )
    if not 1 <= len(lots) <= MOST_LOTS or len(set(lots)) < len(lots):
        raise Bad(f"lots: there are {len(lots)}, not 1 to {MOST_LOTS} different ones")
    castle = tuple(symbol(given) for given in several("castle", castle_told))
    if len(castle) != RING:
        raise Bad(f"castle: it has {len(castle)} squares, not {RING}")
    blocks = tuple(whole("blocks", given, 0, 9) for given in several("blocks", blocks_told))
    if len(blocks) != LEVELS or min(blocks[:2]) * FAMILIES < RING:
        raise Bad(f"blocks: give {LEVELS} numbers; a level below the last needs {RING} blocks or more")
    lot_told, helpers_told, buildings = entries("introduction", start, "lot", "helpers", "buildings")
    lot = read_lot("introduction: lot", lot_told, camps)
    if lot not in lots:
        raise Bad("introduction: its lot is none of the lots")
    helpers = {
        players: whole("helpers", given, 0, 6)
        for players, given in zip((2, 3, 4), entries("introduction: helpers", helpers_told, "2", "3", "4"))
    }
    intro = read_introduction(several("introduction: buildings", buildings), forms, cards, set(lot.squares))
    if sum(cards) * FAMILIES - len(intro) < DEALT:
        raise Bad("introduction: the cards it leaves are too few to deal four hands and the display")
    return Table(camps, lots, castle, blocks, forms, cards, lots.index(lot), helpers, intro)


def read_lot(where: str, told: Any, camps: frozenset[int]) -> Lot:
    corner, rows, columns = entries(where, told, "corner", "rows", "columns")
    lot = Lot(square_of(corner), whole(f"{where}: rows", rows, 3, 4), whole(f"{where}: columns", columns, 3, 4))
    if lot.rows == lot.columns:
        raise Bad(f"{where}: it is not 3 by 4 squares")
    row, column = divmod(lot.corner, COLUMNS)
    if row + lot.rows > ROWS or column + lot.columns > COLUMNS:
        raise Bad(f"{where}: at {corner} it is not on the board")
    if camps.intersection(lot.squares):
        raise Bad(f"{where}: at {corner} it covers a camp")
    return lot


def read_introduction(
    told: list[Any], forms: tuple[Cells, ...], cards: tuple[int, ...], taken: set[int]
) -> tuple[tuple[int, tuple[int, ...]], ...]:
    """The kind and squares of each building; they overlap nothing in `taken`."""
    found: list[tuple[int, tuple[int, ...]]] = []
    for i, building in enumerate(told, start=1):
        where = f"introduction: building {i}"
        name, of, there = entries(where, building, "type", "family", "squares")
        if name not in TYPES or of not in FAMILY_NAMES:
            raise Bad(f"{where}: there is no type {name!r} or no family {of!r}")
        where = f"introduction: {name} {there}"
        form, family = TYPES.index(name), FAMILY_NAMES.index(of)
        squares = tuple(sorted(square_of(square) for square in text(where, there).split("+")))
        if settle([divmod(square, COLUMNS) for square in squares]) not in turned(forms[form], flip=False):
            raise Bad(f"{where}: that is not its form")
        if taken.intersection(squares):
            raise Bad(f"{where}: it lies on something else")
        kind = form * FAMILIES + family
        if [other for other, _ in found].count(kind) == cards[form]:
            raise Bad(f"{where}: there are not so many cards")
        taken |= set(squares)
        found.append((kind, squares))
    for kind, squares in found:
        if taken.issuperset(border(list(squares))):
            raise Bad(f"introduction: {TYPES[kind // FAMILIES]}: nothing is open around it, so it is complete")
    return tuple(found)


def entries(where: str, told: Any, *names: str) -> list[Any]:
    """What a table says for each of these names, which are all that it has."""
    place = f"{where}: " if where else ""
    if not isinstance(told, dict):
        raise Bad(f"{place}{told!r} is no table with {', '.join(names)}")
    for name in told:
        if name not in names:
            raise Bad(f"{place}unknown name {name!r} (known: {', '.join(names)})")
    for name in names:
        if name not in told:
            raise Bad(f"{place}{name} is missing")
    return [told[name] for name in names]


def several(where: str, given: Any) -> list[Any]:
    if not isinstance(given, list):
        raise Bad(f"{where}: {given!r} is no list")
    return given


def text(where: str, given: Any) -> str:
    if not isinstance(given, str):
        raise Bad(f"{where}: {given!r} is no text")
    return given


def whole(name: str, given: Any, least: int, most: int) -> int:
    if type(given) is not int or not least <= given <= most:
        raise Bad(f"{name}: {given!r} is not a whole number from {least} to {most}")
    return given


def symbol(given: Any) -> int:
    if given not in SYMBOLS:
        raise Bad(f"castle: {given!r} is none of {', '.join(SYMBOLS)}")
    return SYMBOLS.index(given)


# -- forms and placements ----------------------------------------------------------------------------------


def settle(cells: list[tuple[int, int]]) -> Cells:
    """Cells moved so that they touch the first row and column, ascending."""
    top, left = (min((cell[i] for cell in cells), default=0) for i in (0, 1))
    return tuple(sorted((row - top, column - left) for row, column in cells))


def turned(form: Cells, flip: bool) -> list[Cells]:
    """All different ways to turn a form; turned over as well if it may be."""
    found: list[Cells] = []
    for start in (form, settle([(row, -column) for row, column in form]))[: 1 + flip]:
        cells = start
        for _ in range(4):
            if cells not in found:
                found.append(cells)
            cells = settle([(column, -row) for row, column in cells])
    return found


def mask(squares: list[int]) -> list[int]:
    """The words of a bit board."""
    words = [0] * WORDS
    for square in squares:
        words[square // BITS] |= 1 << (square % BITS)
    return words


def border(squares: list[int]) -> list[int]:
    """The squares that share a side with one of these, and are none of them."""
    found = set()
    for row, column in (divmod(square, COLUMNS) for square in squares):
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < ROWS and 0 <= c < COLUMNS:
                found.add(r * COLUMNS + c)
    return sorted(found - set(squares))


@functools.cache
def shipped_rules(players: int, intro: bool, flip: bool) -> np.ndarray:
    """The rules record of the published game; making it takes a while."""
    return make_rules(load_table(), players, intro, flip)


def make_rules(table: Table, players: int, intro: bool, flip: bool) -> np.ndarray:
    """The rules record of a game, in an array of one."""
    array = np.zeros(1, RULES)
    rules: Any = array[0]
    rules.players = players
    rules.intro = intro
    rules.helpers = table.helpers[players] if intro else 0
    rules.camps = mask(list(table.camps))
    rules.lot_count = len(table.lots)
    for i, lot in enumerate(table.lots):
        rules.lot_first[i] = lot.corner
        rules.lot_cells[i] = mask(lot.squares)
        rules.lot_border[i] = mask(border(lot.squares))
    rules.deck = np.repeat(table.cards, FAMILIES)
    rules.ring = table.castle
    rules.blocks = table.blocks
    most = 0
    for form in range(FORMS):
        most = max(most, _add_form(rules, form, turned(table.forms[form], flip)))
    rules.actions = max(most, KINDS + BUILDINGS + 2)
    if intro:
        rules.intro_lot = table.intro_lot
        rules.intro_count = len(table.intro)
        for i, (kind, squares) in enumerate(table.intro):
            rules.intro_kind[i] = kind
            rules.intro_place[i] = placement_at(table, kind // FAMILIES, list(squares), flip)
            rules.deck[kind] -= 1
    rules.weights = np.loadtxt(WEIGHTS / f"{players}.csv", delimiter=",", skiprows=1)
    array.flags.writeable = False
    return array


def _add_form(rules: Any, form: int, ways: list[Cells]) -> int:
    """Write the placements of a form; returns how many there are."""
    count = 0
    rules.turns[form] = len(ways)
    rules.squares[form] = len(ways[0])
    for turn, cells in enumerate(ways):
        corners = []
        rules.reach[form, turn, : len(cells)] = [row * COLUMNS + column for row, column in cells]
        for corner in range(SQUARES):
            row, column = divmod(corner, COLUMNS)
            if row + max(r for r, _ in cells) < ROWS and column + max(c for _, c in cells) < COLUMNS:
                squares = [(row + r) * COLUMNS + column + c for r, c in cells]
                placement = (form * TURNS + turn) * SQUARES + corner
                rules.first[placement] = min(squares)
                rules.cells[placement] = mask(squares)
                rules.border[placement] = mask(border(squares))
                corners.append(corner)
        rules.room[form, turn] = mask(corners)
        count += len(corners)
    return count


def placement_at(table: Table, form: int, squares: list[int], flip: bool) -> int:
    """The placement of a form on these squares."""
    places = [divmod(square, COLUMNS) for square in squares]
    turn = turned(table.forms[form], flip).index(settle(places))
    corner = min(row for row, _ in places) * COLUMNS + min(column for _, column in places)
    return (form * TURNS + turn) * SQUARES + corner
