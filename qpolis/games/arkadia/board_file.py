"""Board files of Arkadia: reading and checking them. docs/boards.md explains the keys.

Whatever is wrong is said in one line with the file, the line, the key, and what would be right.
"""

from __future__ import annotations

import functools
import hashlib
import os
import tomllib
from pathlib import Path
from typing import Any, NoReturn

from qpolis.errors import InvalidText, QpolisError, unknown
from qpolis.files import read_text
from qpolis.games.arkadia.board import LOT_SIDES, Board, Lot, lots_without
from qpolis.games.arkadia.forms import Cells, border, is_connected, settle, turned
from qpolis.games.arkadia.layout import (
    BUILDINGS,
    COLUMNS,
    DEALT,
    FAMILIES,
    FAMILY_NAMES,
    KINDS,
    LARGEST,
    LEVELS,
    MOST_OF_A_FAMILY,
    NEUTRAL_WORKERS,
    RING,
    ROWS,
    SEATS,
    TYPES,
)
from qpolis.games.arkadia.notation import SYMBOLS, card_of, square_of, square_text
from qpolis.games.arkadia.toml_lines import line_of, wrong_toml

BASE = "base"  # the name of the packaged board
PACKAGED = Path(__file__).parent / "data" / "board.toml"
LONGEST = 1 << 14  # bytes of a file that are read: the packaged one has a fifth of it
CAMP, FREE, PART = "A", ".", "#"  # marks of drawings
ALL = "all"
FEWEST, PLAYERS = 2, tuple(range(2, SEATS + 1))
Keys = tuple[str, ...]  # the name of a key, after those of the tables it is in


def load_board(given: str) -> Board:
    """A board by its name or the path of its file."""
    if given == BASE:
        return _packaged()
    if not given.endswith(".toml") and os.sep not in given and not os.path.isfile(given):
        raise QpolisError(f"{unknown('board', given, [BASE])}; a board can also be the path of a .toml file")
    return read_board(Path(given), given)


@functools.cache
def _packaged() -> Board:
    return read_board(PACKAGED, BASE)


def digest(board: Board) -> str:
    """Stands for all that a board file says; empty for the packaged one, whatever its file is called."""
    return "" if board == _packaged() else hashlib.sha256(repr(board).encode()).hexdigest()[:12]


def read_board(path: Path, source: str) -> Board:
    """Read and check a board file."""
    return BoardFile(read_text(path, source, LONGEST, "a board"), source).board()


class BoardFile:
    """The text of a board file while it is read."""

    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text.replace("\r\n", "\n"), source
        try:
            self.told = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            line, problem = wrong_toml(text, error)
            raise QpolisError(f"{source}:{f' line {line}:' if line else ''} not TOML: {problem}") from None

    def board(self) -> Board:
        self.entries((), "board", "lots", "castle", "blocks", "forms", "cards", "introduction")
        self.entries(("introduction",), "lot", "helpers", "buildings")
        camps = self.camps()
        lots = self.lots(camps)
        forms, cards = self.forms(), self.cards()
        intro_lot = self.lot(("introduction", "lot"), self.value("introduction", "lot"), camps)
        if intro_lot not in lots:
            self.fail(("introduction", "lot"), f"{intro_lot} is none of the lots, {', '.join(map(str, lots))}")
        return Board(
            camps,
            lots,
            self.castle(),
            self.blocks(),
            forms,
            cards,
            intro_lot,
            self.helpers(),
            self.introduction(forms, cards, intro_lot),
        )

    # -- the board and the castle --------------------------------------------------------------------------

    def camps(self) -> tuple[int, ...]:
        rows = self.drawing("board", marks=CAMP + FREE)
        if len(rows) != ROWS:
            self.fail(("board",), f"it has {len(rows)} rows, not {ROWS}")
        for number, row in enumerate(rows):
            if len(row) != COLUMNS:
                self.fail(("board",), f"row {number + 1} has {len(row)} squares, not {COLUMNS}", row=number)
        return tuple(square for square, mark in enumerate("".join(rows)) if mark == CAMP)

    def lots(self, camps: tuple[int, ...]) -> tuple[Lot, ...]:
        where, given = ("lots",), self.value("lots")
        if given == ALL:
            lots = lots_without(camps)
            if not lots:
                self.fail(("board",), "the camps leave no place for the castle lot, 3 by 4 squares")
            return lots
        if not isinstance(given, list) or not given:
            self.fail(where, f'{given!r} is neither "{ALL}" nor a list of places such as "i4-l6"')
        lots = tuple(self.lot(where, place, camps) for place in given)
        for number, lot in enumerate(lots):
            if lot in lots[:number]:
                self.fail(where, f"{lot} is there twice")
        return lots

    def lot(self, where: Keys, given: Any, camps: tuple[int, ...]) -> Lot:
        """A place of the lot, such as i4-l6."""
        parts = self.words(where, given, "-")
        if len(parts) != 2:
            self.fail(where, f"{given!r} is no place: write its first and its last square, as in i4-l6")
        (top, left), (bottom, right) = (divmod(self.square(where, part), COLUMNS) for part in parts)
        lot = Lot(top * COLUMNS + left, bottom - top + 1, right - left + 1)
        if (lot.rows, lot.columns) not in LOT_SIDES:
            self.fail(where, f"{given} is not 3 by 4 squares, or 4 by 3, from the first to the last")
        if covered := set(camps).intersection(lot.squares):
            self.fail(where, f"{given} covers the camp on {square_text(min(covered))}")
        return lot

    def castle(self) -> tuple[int, ...]:
        where, given = ("castle",), self.value("castle")
        if not isinstance(given, list) or len(given) != RING:
            self.fail(where, f"give {RING} squares, each one of {', '.join(SYMBOLS)}")
        for name in given:
            if name not in SYMBOLS:
                self.fail(where, f"{name!r} is none of {', '.join(SYMBOLS)}")
        return tuple(map(SYMBOLS.index, given))

    def blocks(self) -> tuple[int, ...]:
        where, given = ("blocks",), self.value("blocks")
        if not isinstance(given, list) or len(given) != LEVELS:
            self.fail(where, f"give {LEVELS} numbers, one for each level")
        blocks = tuple(self.whole(where, number, 0, 9) for number in given)
        if min(blocks[:-1]) < (least := -(-RING // FAMILIES)):
            self.fail(where, f"a level below the last needs {RING} blocks, so {least} of each family")
        return blocks

    # -- buildings and cards -------------------------------------------------------------------------------

    def forms(self) -> tuple[Cells, ...]:
        """The form of each type; all are different, so that the squares of a building say what it is."""
        self.entries(("forms",), *TYPES)
        forms: list[Cells] = []
        for name in TYPES:
            form = self.form(name)
            for other, there in zip(TYPES, forms):
                if form in turned(there, flip=True):
                    self.fail(("forms", name), f"it is the form of {other}, turned or turned over")
            forms.append(form)
        return tuple(forms)

    def form(self, name: str) -> Cells:
        where, rows = ("forms", name), self.drawing("forms", name, marks=PART + FREE)
        form = settle((y, x) for y, row in enumerate(rows) for x, mark in enumerate(row) if mark == PART)
        if not FEWEST <= len(form) <= LARGEST:
            self.fail(where, f"give it {FEWEST} to {LARGEST} squares, not {len(form)}")
        if not is_connected(form):
            self.fail(where, "its squares do not hang together by their sides")
        return form

    def cards(self) -> tuple[int, ...]:
        self.entries(("cards",), *FAMILY_NAMES)
        cards = [0] * KINDS
        for family, name in enumerate(FAMILY_NAMES):
            self.entries(("cards", name), *TYPES)
            for number, kind in enumerate(TYPES):
                given = self.value("cards", name, kind)
                cards[number * FAMILIES + family] = self.whole(("cards", name, kind), given, 0, BUILDINGS)
            if (count := sum(cards[family::FAMILIES])) > MOST_OF_A_FAMILY:
                self.fail(("cards", name), f"it has {count} cards, more than {MOST_OF_A_FAMILY}")
        if not DEALT <= sum(cards) <= BUILDINGS:
            self.fail(
                ("cards",),
                f"there are {sum(cards)}, not {DEALT} (four hands and the face-up cards) to {BUILDINGS}",
            )
        return tuple(cards)

    # -- the introductory set-up ---------------------------------------------------------------------------

    def helpers(self) -> tuple[int, ...]:
        where = ("introduction", "helpers")
        self.entries(where, *map(str, PLAYERS))
        most = NEUTRAL_WORKERS // SEATS
        return tuple(self.whole((*where, name), self.value(*where, name), 0, most) for name in map(str, PLAYERS))

    def introduction(
        self, forms: tuple[Cells, ...], cards: tuple[int, ...], lot: Lot
    ) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """The kind and the squares of each building."""
        table, taken = ("introduction", "buildings"), dict.fromkeys(lot.squares, "the lot")
        found: list[tuple[int, tuple[int, ...]]] = []
        for place, card in self.table(table).items():
            where = (*table, place)
            kind = self.card(where, card)
            squares = tuple(sorted(self.square(where, part) for part in place.split("+")))
            lying = settle(divmod(square, COLUMNS) for square in squares)
            if lying not in turned(forms[kind // FAMILIES], flip=False):
                self.fail(where, f"that is not the form of a {TYPES[kind // FAMILIES]}")
            if covered := sorted(set(taken).intersection(squares)):
                self.fail(where, f"{square_text(covered[0])} has {taken[covered[0]]} already")
            found.append((kind, squares))
            if [other for other, _ in found].count(kind) > cards[kind]:
                self.fail(where, f"cards has only {cards[kind]} {card}")
            taken |= dict.fromkeys(squares, card)
        for place, (_, squares) in zip(self.table(table), found):
            if set(taken).issuperset(border(squares)):
                self.fail((*table, place), "no square beside it is free: it would be complete before the game")
        if (left := sum(cards) - len(found)) < DEALT:
            self.fail(table, f"it leaves {left} cards, too few for four hands and the face-up cards, {DEALT}")
        return tuple(found)

    # -- values --------------------------------------------------------------------------------------------

    def fail(self, where: Keys, problem: str, row: int | None = None) -> NoReturn:
        """Raise what is wrong with a key, or with a row of the drawing that it has."""
        line = line_of(self.text, where) if where else None
        if line and row is not None:
            line += self.rows_above(line, where) + row
        place = f" line {line}:" if line else ""
        raise QpolisError(f"{self.source}:{place} {'.'.join(where)}{': ' if where else ''}{problem}")

    def rows_above(self, line: int, where: Keys) -> int:
        """How many lines are between the line of a key and the first row of its drawing, with the former."""
        drawn = self.value(*where)
        blank = len(drawn) - len(drawn.lstrip("\n"))
        return blank + self.text.split("\n")[line - 1].endswith(('"""', "'''"))

    def value(self, *where: str) -> Any:
        told: Any = self.told
        for key in where:
            told = told[key]
        return told

    def table(self, where: Keys) -> dict[str, Any]:
        given = self.value(*where)
        if not isinstance(given, dict):
            self.fail(where, f"{given!r} is no table")
        return given

    def entries(self, where: Keys, *names: str) -> None:
        """Check that a table has these keys, and no others."""
        given = self.table(where)
        for name in given:
            if name not in names:
                self.fail((*where, name), str(unknown("key", name, names)))
        for name in names:
            if name not in given:
                self.fail(where, f"{name} is missing")

    def drawing(self, *where: str, marks: str) -> list[str]:
        """The rows of a drawing."""
        given = self.value(*where)
        if not isinstance(given, str):
            self.fail(where, f"{given!r} is no drawing")
        rows = given.strip("\n").split("\n")
        for number, row in enumerate(rows):
            if wrong := set(row) - set(marks):
                self.fail(where, f"{min(wrong)!r} is no mark: draw with {' and '.join(marks)}", row=number)
        return rows

    def words(self, where: Keys, given: Any, between: str) -> list[str]:
        if not isinstance(given, str):
            self.fail(where, f"{given!r} is no text")
        return given.split(between)

    def square(self, where: Keys, given: str) -> int:
        try:
            return square_of(given)
        except InvalidText as error:
            self.fail(where, str(error))

    def card(self, where: Keys, given: Any) -> int:
        try:
            return card_of(given)
        except InvalidText as error:
            self.fail(where, str(error))

    def whole(self, where: Keys, given: Any, least: int, most: int) -> int:
        if type(given) is not int or not least <= given <= most:
            self.fail(where, f"{given!r} is not a whole number from {least} to {most}")
        return given
