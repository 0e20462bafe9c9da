"""What is in the box of Arkadia: board, forms, cards, blocks; and how squares and cards are written.

A square is (row, column), both from 0; written `c2` it is the third column of the second row. A card is the text
`TYPE-FAMILY`.
"""

ROWS, COLUMNS = 12, 16
SQUARES = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
BOARD = set(SQUARES)
CAMPS = {
    (0, 3),
    (1, 11),
    (1, 14),
    (2, 5),
    (2, 9),
    (3, 2),
    (3, 7),
    (4, 4),
    (4, 12),
    (4, 15),
    (6, 0),
    (6, 3),
    (6, 10),
    (6, 14),
    (7, 8),
    (8, 1),
    (8, 4),
    (8, 13),
    (9, 7),
    (9, 11),
    (10, 2),
    (11, 5),
    (11, 9),
    (11, 12),
}
# Height, width and upper left square of each lot that covers no camp.
LOTS = [(3, 4, (3, 8)), (3, 4, (4, 5)), (3, 4, (4, 6)), (3, 4, (5, 4)), (4, 3, (4, 5)), (4, 3, (5, 5))]

FAMILIES = ["red", "olive", "black", "silver"]
PICTURES = {
    "house": "##",
    "farm": "###",
    "tavern": "#. ##",
    "mill": "####",
    "smithy": "### .#.",
    "trade-centre": "#. #. ##",
    "monastery": ".## ##.",
}
CARDS_PER_FAMILY = {"house": 2, "farm": 2, "tavern": 2, "mill": 1, "smithy": 1, "trade-centre": 1, "monastery": 1}
CARDS = [
    f"{kind}-{family}" for kind, number in CARDS_PER_FAMILY.items() for family in FAMILIES for _ in range(number)
]

WORKERS, BANNERS, WORKERS_PER_BANNER, NEUTRALS = 3, 4, 2, 24
HAND, DISPLAY = 4, 3
RING = ["red", "olive", "black", "silver", None] * 2
STOCK = [3, 3, 1]  # blocks of each family per level

INTRO_LOT = (3, 4, (4, 6))
INTRO_NEUTRALS = {2: 3, 3: 2, 4: 1}
INTRO = [
    ("house-red", [(4, 4), (4, 5)]),
    ("farm-olive", [(5, 10), (6, 10), (7, 10)]),
    ("tavern-black", [(7, 9), (8, 8), (8, 9)]),
    ("mill-silver", [(7, 5), (7, 6), (7, 7), (7, 8)]),
    ("smithy-red", [(2, 7), (2, 8), (2, 9), (3, 8)]),
    ("trade-centre-olive", [(1, 6), (2, 6), (3, 6), (3, 7)]),
    ("monastery-black", [(5, 4), (5, 5), (6, 3), (6, 4)]),
]


# --- texts ---


def name(square):
    row, column = square
    return "abcdefghijklmnop"[column] + str(row + 1)


def read(text):
    return int(text[1:]) - 1, "abcdefghijklmnop".index(text[0])


def names(squares):
    """Row by row."""
    return [name(square) for square in sorted(squares)]


def sorted_cards(cards):
    """By type, then by family."""
    return sorted(cards, key=[f"{kind}-{family}" for kind in PICTURES for family in FAMILIES].index)


def split_card(card):
    """The type and the family; the name of the trade centre has a hyphen of its own."""
    kind, _, family = card.rpartition("-")
    return kind, family


# --- forms ---


def form(picture):
    """The squares of a building as it is drawn."""
    lines = picture.split()
    return {(row, column) for row, line in enumerate(lines) for column, sign in enumerate(line) if sign == "#"}


def moved(squares, down, right):
    return frozenset((row + down, column + right) for row, column in squares)


def to_the_corner(squares):
    return moved(squares, -min(row for row, _ in squares), -min(column for _, column in squares))


def turned(squares):
    """By a quarter."""
    return to_the_corner({(column, -row) for row, column in squares})


def turned_over(squares):
    return to_the_corner({(row, -column) for row, column in squares})


def variants(picture, flip):
    """The different ways in which a building may lie."""
    lying = {to_the_corner(form(picture))}
    if flip:
        lying |= {turned_over(squares) for squares in lying}
    for _ in range(3):
        lying |= {turned(squares) for squares in lying}
    return lying


def everywhere(picture, flip):
    """All sets of squares on the board that a building can cover."""
    return [
        there
        for lying in variants(picture, flip)
        for corner in SQUARES
        for there in [moved(lying, *corner)]
        if there <= BOARD
    ]


def around(squares):
    """All squares of the board that share a side with some squares and are none of them."""
    beside = {
        (row + down, column + right)
        for row, column in squares
        for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1))
    }
    return (beside & BOARD) - set(squares)


def rectangle(height, width, corner):
    return moved([(row, column) for row in range(height) for column in range(width)], *corner)
