"""The pictures of Arkadia."""

from __future__ import annotations

from making.arkadia import example
from making.arkadia.drawing import (
    EDGE,
    NEUTRAL,
    SEAT_COLOURS,
    SIZE,
    at,
    building,
    camp,
    castle,
    cells,
    ground,
    outline,
    place,
    seams,
    worker,
)
from making.svg import ACCENT, GREY, circle, path, picture, rect, text
from qpolis.games.arkadia.board_file import BASE, load_board
from qpolis.games.arkadia.draw import SIGNS
from qpolis.games.arkadia.layout import COLUMNS, FAMILIES, FAMILY_NAMES, ROWS, TYPES
from qpolis.games.arkadia.notation import card_of, square_of

BOARD = load_board(BASE)
WIDE, HIGH = EDGE + COLUMNS * SIZE + 14, EDGE + ROWS * SIZE + 14


def mark(kind: int) -> str:
    """What stands on a building: the sign of its type, and the letter of its family."""
    return SIGNS[TYPES[kind // FAMILIES]] + FAMILY_NAMES[kind % FAMILIES][0].upper()


def board() -> str:
    return picture(
        WIDE,
        HIGH,
        f"The board: {ROWS} rows, from 1, of {COLUMNS} squares, a to p, {len(BOARD.camps)} of them with a camp",
        ground(ROWS, COLUMNS),
        [camp(square) for square in cells(BOARD.camps)],
    )


def lots() -> str:
    """A small board for each place of the lot."""
    parts = []
    for number, lot in enumerate(BOARD.lots):
        row, column = divmod(number, 3)
        x, y = 12 + 206 * column, 12 + 170 * row
        step = 12
        parts.append(
            at(
                x,
                y,
                [
                    rect(0, 0, COLUMNS * step, ROWS * step, fill="#f0ede6", stroke=GREY),
                    [circle((c + 0.5) * step, (r + 0.5) * step, 3, fill="#8a6d2f") for r, c in cells(BOARD.camps)],
                    [
                        rect(
                            c * step,
                            r * step,
                            lot.columns * step,
                            lot.rows * step,
                            fill="#8c8478",
                            stroke="#26241f",
                        )
                        for r, c in cells([lot.corner])
                    ],
                    text(COLUMNS * step / 2, ROWS * step + 16, str(lot), 13),
                ],
            )
        )
    rows = -(-len(BOARD.lots) // 3)
    title = f"The {len(BOARD.lots)} places of the castle lot: {', '.join(map(str, BOARD.lots))}"
    return picture(206 * 3 + 12, 170 * rows + 14, title, parts)


def forms() -> str:
    parts = []
    x = 14
    for name, form in zip(TYPES, BOARD.forms):
        wide = max(SIZE * (1 + max(column for _, column in form)), 7.2 * len(name))
        shift = (wide - SIZE * (1 + max(column for _, column in form))) / 2
        parts.append(
            at(
                x + shift - EDGE,
                32 - EDGE,
                [path(outline(form, 1), fill="#26241f"), path(outline(form, 2.5), fill="#b9c7d6"), seams(form)],
            )
        )
        parts.append(text(x + wide / 2, 22, name, 13))
        x += wide + 18
    high = 32 + SIZE * (1 + max(row for form in BOARD.forms for row, _ in form)) + 14
    said = "; ".join(f"{name} {len(form)} squares" for name, form in zip(TYPES, BOARD.forms))
    return picture(round(x), high, f"The forms of the buildings: {said}", parts)


def castle_start() -> str:
    sides = next(lot for lot in BOARD.lots if lot.rows < lot.columns)
    return picture(
        SIZE * 4 + 40,
        SIZE * 3 + 40,
        "The castle at the start: ten squares around the lot, two of each family and two blanks",
        at(20 - EDGE, 20 - EDGE, castle((0, 0), sides.rows, sides.columns, BOARD.castle)),
    )


def introduction() -> str:
    lot = BOARD.intro_lot
    taken = {square for _, squares in BOARD.intro for square in squares}
    return picture(
        WIDE,
        HIGH,
        "The introductory set-up: the castle lot, and seven buildings with their seals around it",
        ground(ROWS, COLUMNS),
        [camp(square) for square in cells(sorted(set(BOARD.camps) - taken))],
        castle(divmod(lot.corner, COLUMNS), lot.rows, lot.columns, BOARD.castle),
        [building(cells(squares), FAMILY_NAMES[kind % FAMILIES], mark(kind)) for kind, squares in BOARD.intro],
    )


def worked_example() -> str:
    """The corner of the board where the example is; the worker that completes two buildings is circled."""
    rows, columns = 5, 8
    parts = [ground(rows, columns)]
    for squares, card in example.BUILDINGS.items():
        there = cells(sorted(map(square_of, squares.split("+"))))
        parts.append(building(there, card.rpartition("-")[2], mark(card_of(card))))
    for seat, squares in enumerate(example.WORKERS):
        letter, colour = example.SEATS[seat][0].upper(), SEAT_COLOURS[seat]
        parts += [worker(square, letter, colour) for square in cells(map(square_of, squares.split()))]
    parts += [worker(square, "n", NEUTRAL) for square in cells(map(square_of, example.NEUTRAL.split()))]
    last = cells([square_of(example.MOVES[-1].partition("@")[2])])[0]
    x, y = place(last)
    parts += [worker(last, example.SEATS[0][0].upper(), SEAT_COLOURS[0])]
    parts += [circle(x + SIZE / 2, y + SIZE / 2, 16, fill="none", stroke=ACCENT, stroke_width=3)]
    keys = [
        text(0, 14, "cR trade-centre, red", 13, "start"),
        text(0, 32, "yO monastery, olive", 13, "start"),
        text(0, 50, "hO hB hR houses", 13, "start"),
        [
            [circle(9, 68 + 22 * i, 8, fill=colour, stroke="#26241f"), text(24, 73 + 22 * i, name, 13, "start")]
            for i, (name, colour) in enumerate([*zip(example.SEATS, SEAT_COLOURS), ("neutral", NEUTRAL)])
        ],
    ]
    title = "Violet places a worker on c3, the last free square beside the trade centre and beside the monastery"
    return picture(
        EDGE + columns * SIZE + 180,
        EDGE + rows * SIZE + 20,
        title,
        parts,
        at(EDGE + columns * SIZE + 22, EDGE - 8, keys),
    )


PICTURES = {
    "board": board,
    "lots": lots,
    "forms": forms,
    "castle": castle_start,
    "introduction": introduction,
    "example": worked_example,
}
