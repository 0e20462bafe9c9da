"""Boards of Arkadia for tests, as texts of files: one with big buildings and uneven cards, and random ones."""

from __future__ import annotations

from naive.arkadia_board import read_board
from naive.arkadia_pieces import (
    BOARD,
    FAMILIES,
    PICTURES,
    SQUARES,
    around,
    names,
    rectangle,
    sorted_cards,
    to_the_corner,
    variants,
)

BIG = {
    "house": "##",
    "farm": "#####",
    "tavern": "#.\n##",
    "mill": "#..\n#..\n###",
    "smithy": ".#.\n###\n.#.",
    "trade-centre": "#.\n#.\n#.\n##",
    "monastery": "##\n#.\n##",
}


def uneven():
    """Buildings of five squares that lie in all ways, and cards that differ from family to family."""
    cards = {
        "red": [4, 2, 0, 2, 1, 1, 1],
        "olive": [0, 1, 3, 0, 2, 2, 1],
        "black": [5, 0, 0, 0, 0, 0, 2],
        "silver": [1, 1, 1, 1, 1, 1, 1],
    }
    ring = ["red", "red", "red", "blank", "blank", "blank", "olive", "black", "black", "silver"]
    camps = {(2, 2), (2, 13), (9, 2), (9, 13), (5, 0), (5, 15), (0, 7), (11, 8)}
    buildings = {"h3+h4+h5+h6+i6": "trade-centre-red", "b2+c2": "house-black", "d2+e2": "house-black"}
    return board_text(camps, BIG, cards, ring, [3, 4, 2], ["g7-j9", "c6-e9"], "g7-j9", buildings)


def board_text(camps, pictures, cards, ring, blocks, lots, lot, buildings):
    """The text of a board file."""
    rows = ["".join("A" if (row, column) in camps else "." for column in range(16)) for row in range(12)]
    lines = [
        'board = """',
        *rows,
        '"""',
        f"lots = {lots!r}",
        f"castle = {ring!r}",
        f"blocks = {blocks!r}",
        "[forms]",
    ]
    for kind, picture in pictures.items():
        lines += [f'{kind} = """', picture, '"""']
    lines += ["[cards]"]
    for family, numbers in cards.items():
        counts = ", ".join(f"{kind} = {number}" for kind, number in zip(PICTURES, numbers, strict=True))
        lines += [f"{family} = {{ {counts} }}"]
    lines += ["[introduction]", f"lot = {lot!r}", "helpers = { 2 = 5, 3 = 1, 4 = 0 }", "[introduction.buildings]"]
    lines += [f'"{squares}" = "{card}"' for squares, card in buildings.items()]
    return "\n".join(lines) + "\n"


def any_board(choices):
    """A board with everything random, that can be played on."""
    camps = set(choices.sample(SQUARES, choices.randrange(40)))
    free = [
        lot
        for sides in ((3, 4), (4, 3))
        for corner in SQUARES
        for lot in [rectangle(*sides, corner)]
        if lot <= BOARD and not lot & camps
    ]
    if not free:
        return any_board(choices)
    some = [place(lot) for lot in choices.sample(free, choices.randint(1, min(4, len(free))))]
    text = board_text(
        camps,
        any_forms(choices),
        any_cards(choices),
        [choices.choice([*FAMILIES, "blank"]) for _ in range(10)],
        [choices.randint(3, 9), choices.randint(3, 9), choices.randint(0, 9)],
        choices.choice(["all", some]),
        some[0],
        {},
    )
    return text + any_buildings(read_board(text), choices)


def place(lot):
    return f"{names(lot)[0]}-{names(lot)[-1]}"


def any_forms(choices):
    """Seven forms that differ even when they are turned over."""
    forms, known = {}, set()
    while len(forms) < len(PICTURES):
        cells = {(0, 0)}
        for _ in range(choices.randint(1, 4)):
            row, column = choices.choice(sorted(cells))
            down, right = choices.choice([(0, 1), (1, 0), (0, -1), (-1, 0)])
            cells.add((row + down, column + right))
        picture = drawn(to_the_corner(cells))
        if len(cells) > 1 and not known & variants(picture, flip=True):
            known |= variants(picture, flip=True)
            forms[list(PICTURES)[len(forms)]] = picture
    return forms


def drawn(cells):
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    return "\n".join(
        "".join("#" if (row, column) in cells else "." for column in range(columns)) for row in range(rows)
    )


def any_cards(choices):
    """From 24 to 40 cards, of a family 19 at most."""
    cards = {family: [0] * len(PICTURES) for family in FAMILIES}
    for _ in range(choices.randint(24, 40)):
        family = choices.choice([family for family in FAMILIES if sum(cards[family]) < 19])
        cards[family][choices.randrange(len(PICTURES))] += 1
    return cards


def any_buildings(board, choices):
    """Some buildings for the introductory set-up, none of them complete."""
    laid = []
    for card in sorted_cards(choices.sample(board.cards, choices.randrange(6))):
        there = choices.choice(board.everywhere[card.rpartition("-")[0], False])
        filled = board.intro_lot.union(there, *(squares for squares, _ in laid))
        apart = there.isdisjoint(board.intro_lot.union(*(squares for squares, _ in laid)))
        if apart and not any(around(one) <= filled for one in [there, *(squares for squares, _ in laid)]):
            laid.append((there, card))
    return "".join(f'"{"+".join(names(squares))}" = "{card}"\n' for squares, card in laid)
