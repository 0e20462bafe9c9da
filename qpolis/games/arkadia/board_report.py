"""A board of Arkadia as lines for people."""

from __future__ import annotations

import textwrap

from qpolis.games.arkadia.board import RECONSTRUCTED, Board
from qpolis.games.arkadia.board_file import BASE
from qpolis.games.arkadia.draw import SIGNS
from qpolis.games.arkadia.layout import COLUMNS, FAMILIES, FAMILY_NAMES, ROWS, TYPES
from qpolis.games.arkadia.notation import CARDS, LETTERS, SYMBOLS, square_text

WIDTH = 78
SPACE = 2  # between columns


def show_lines(board: Board, source: str) -> list[str]:
    """The board with its camps and the introductory set-up, then lots, castle, forms and cards."""
    blocks = ", ".join(f"{count} on level {level}" for level, count in enumerate(board.blocks, start=1))
    lots = f"{len(board.lots)} places of the lot: {', '.join(map(str, board.lots))}"
    return [
        f"{source}: {len(board.camps)} camps, {sum(board.cards)} cards",
        *textwrap.wrap(f"Note: {RECONSTRUCTED}.", WIDTH) * (source == BASE),
        "",
        "^ camp; in the introductory set-up: # castle lot, letters buildings (capitals: on a camp)",
        *_drawing(board),
        "",
        *textwrap.wrap(lots, WIDTH),
        *textwrap.wrap(f"castle: {', '.join(SYMBOLS[symbol] for symbol in board.castle)}", WIDTH),
        f"blocks of each family: {blocks}",
        f"introduction: neutral workers {', '.join(map(str, board.helpers))} with 2, 3, 4 players",
        *(f"  {CARDS[kind]} on {'+'.join(map(square_text, squares))}" for kind, squares in board.intro),
        "",
        *_forms(board),
        "",
        *_cards(board),
    ]


def _drawing(board: Board) -> list[str]:
    marks = ["."] * (ROWS * COLUMNS)
    for square in board.camps:
        marks[square] = "^"
    for square in board.intro_lot.squares:
        marks[square] = "#"
    for kind, squares in board.intro:
        for square in squares:
            sign = SIGNS[TYPES[kind // FAMILIES]]
            marks[square] = sign.upper() if square in board.camps else sign
    rows = [" ".join(marks[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS)]
    return [f"    {' '.join(LETTERS)}", *(f"{row + 1:>2}  {line}" for row, line in enumerate(rows))]


def _forms(board: Board) -> list[str]:
    """All forms side by side, under the names of their types and the letters that stand for them."""
    heads = [f"{SIGNS[name]} {name}" for name in TYPES]
    pictures = [
        ["".join("#" if (row, column) in form else " " for column in range(COLUMNS)) for row in range(ROWS)]
        for form in board.forms
    ]
    high = 1 + max(row for form in board.forms for row, _ in form)
    lines = [heads, *([picture[row] for picture in pictures] for row in range(high))]
    return [
        "".join(f"{cell[: len(head)]:<{len(head) + SPACE}}" for cell, head in zip(line, heads)).rstrip()
        for line in lines
    ]


def _cards(board: Board) -> list[str]:
    """A table of the cards by type and family, with sums."""
    wide = max(map(len, TYPES)) + SPACE
    rows = [("cards", [*FAMILY_NAMES, "all"])]
    for number, name in enumerate(TYPES):
        counts = board.cards[number * FAMILIES : (number + 1) * FAMILIES]
        rows.append((name, [str(count) for count in (*counts, sum(counts))]))
    sums = [sum(board.cards[family::FAMILIES]) for family in range(FAMILIES)]
    rows.append(("all", [str(count) for count in (*sums, sum(sums))]))
    return [f"{name:<{wide}}{''.join(f'{cell:>8}' for cell in cells)}" for name, cells in rows]
