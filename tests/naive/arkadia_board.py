"""What Arkadia is played with: the published board, or what a board file says, read plainly and unchecked."""

import tomllib
from dataclasses import dataclass

from .arkadia_pieces import (
    BOARD,
    CAMPS,
    CARDS,
    FAMILIES,
    INTRO,
    INTRO_LOT,
    INTRO_NEUTRALS,
    LOTS,
    PICTURES,
    RING,
    SQUARES,
    STOCK,
    everywhere,
    read,
    rectangle,
)


@dataclass
class NaiveBoard:
    camps: set  # squares
    lots: list  # sets of squares
    everywhere: dict  # by type and whether buildings are turned over: all sets of squares that one can cover
    cards: list
    ring: list
    stock: list
    intro_lot: frozenset
    intro_neutrals: dict  # by the number of players
    intro: list  # cards and squares


def lying(pictures):
    return {
        (kind, flip): everywhere(picture, flip) for kind, picture in pictures.items() for flip in (False, True)
    }


PUBLISHED = NaiveBoard(
    CAMPS,
    [rectangle(*lot) for lot in LOTS],
    lying(PICTURES),
    CARDS,
    RING,
    STOCK,
    rectangle(*INTRO_LOT),
    INTRO_NEUTRALS,
    INTRO,
)


def between(text):
    """The squares of a place such as i4-l6."""
    (top, left), (bottom, right) = map(read, text.split("-"))
    return rectangle(bottom - top + 1, right - left + 1, (top, left))


def read_board(text):
    told = tomllib.loads(text)
    rows = told["board"].split()
    camps = {(row, column) for row, column in SQUARES if rows[row][column] == "A"}
    lots = [rectangle(*sides, corner) for sides in ((3, 4), (4, 3)) for corner in SQUARES]
    return NaiveBoard(
        camps,
        [lot for lot in lots if lot <= BOARD and not lot & camps]
        if told["lots"] == "all"
        else [between(lot) for lot in told["lots"]],
        lying({kind: told["forms"][kind] for kind in PICTURES}),
        [
            f"{kind}-{family}"
            for kind in PICTURES
            for family in FAMILIES
            for _ in range(told["cards"][family][kind])
        ],
        [None if shown == "blank" else shown for shown in told["castle"]],
        told["blocks"],
        between(told["introduction"]["lot"]),
        {int(players): number for players, number in told["introduction"]["helpers"].items()},
        [
            (card, [read(square) for square in squares.split("+")])
            for squares, card in told["introduction"]["buildings"].items()
        ],
    )
