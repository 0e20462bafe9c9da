"""Bit boards of 192 squares: four words of 48 bits, three rows each. Kernels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.bits import lowest, nth, popcount
from qpolis.games.arkadia.layout import BITS, COLUMNS, FULL
from qpolis.kernel import kernel

FIRST_COLUMN = np.int64(sum(1 << (row * COLUMNS) for row in range(BITS // COLUMNS)))  # of a word
NOT_FIRST_COLUMN = FULL & ~FIRST_COLUMN
NOT_LAST_COLUMN = FULL & ~(FIRST_COLUMN << (COLUMNS - 1))
MASK = np.int64(FULL)


class Board(NamedTuple):
    """A set of squares."""

    a: int
    b: int
    c: int
    d: int


@kernel
def load(words):
    return Board(words[0], words[1], words[2], words[3])


@kernel
def both(one, other):
    return Board(one.a & other.a, one.b & other.b, one.c & other.c, one.d & other.d)


@kernel
def either(one, other):
    return Board(one.a | other.a, one.b | other.b, one.c | other.c, one.d | other.d)


@kernel
def without(one, other):
    return Board(one.a & ~other.a, one.b & ~other.b, one.c & ~other.c, one.d & ~other.d)


@kernel
def outside(squares):
    """All squares but these."""
    return Board(~squares.a & MASK, ~squares.b & MASK, ~squares.c & MASK, ~squares.d & MASK)


@kernel
def some(squares):
    return (squares.a | squares.b | squares.c | squares.d) != 0


@kernel
def size(squares):
    return popcount(squares.a) + popcount(squares.b) + popcount(squares.c) + popcount(squares.d)


@kernel
def shared(one, other):
    """How many squares two sets of words have in common."""
    return (
        popcount(one[0] & other[0])
        + popcount(one[1] & other[1])
        + popcount(one[2] & other[2])
        + popcount(one[3] & other[3])
    )


@kernel
def ahead(squares, steps):
    """The squares so many steps (0 to 96) before one of these."""
    if steps > BITS:  # more than a word, which only buildings of five squares have
        squares = Board(squares.b, squares.c, squares.d, squares.d >> BITS)
        steps -= BITS
    back = BITS - steps
    return Board(
        (squares.a >> steps | squares.b << back) & MASK,
        (squares.b >> steps | squares.c << back) & MASK,
        (squares.c >> steps | squares.d << back) & MASK,
        squares.d >> steps,
    )


@kernel
def behind(squares, steps):
    """The squares so many steps (0 to 48) after one of these."""
    back = BITS - steps
    return Board(
        (squares.a << steps) & MASK,
        (squares.b << steps | squares.a >> back) & MASK,
        (squares.c << steps | squares.b >> back) & MASK,
        (squares.d << steps | squares.c >> back) & MASK,
    )


@kernel
def beside(squares):
    """The squares that share a side with one of these, themselves among them if they touch."""
    inner = Board(
        squares.a & NOT_LAST_COLUMN,
        squares.b & NOT_LAST_COLUMN,
        squares.c & NOT_LAST_COLUMN,
        squares.d & NOT_LAST_COLUMN,
    )
    right = behind(inner, 1)
    inner = Board(
        squares.a & NOT_FIRST_COLUMN,
        squares.b & NOT_FIRST_COLUMN,
        squares.c & NOT_FIRST_COLUMN,
        squares.d & NOT_FIRST_COLUMN,
    )
    left = ahead(inner, 1)
    return either(either(right, left), either(ahead(squares, COLUMNS), behind(squares, COLUMNS)))


@kernel
def contains(squares, square):
    """Is a square one of these?"""
    found = False
    for word in squares:
        found |= 0 <= square < BITS and (word >> max(square, 0)) & 1 == 1
        square -= BITS
    return found


@kernel
def put(words, square):
    """Add a square to a set of words."""
    words[square // BITS] |= np.int64(1) << (square % BITS)


@kernel
def after(square):
    """The squares that come later than one; all after -1."""
    at = square + 1
    return Board(_from(at), _from(at - BITS), _from(at - 2 * BITS), _from(at - 3 * BITS))


@kernel
def _from(bit):
    """The bits of a word from one on, which may be outside of it."""
    return MASK & ~((np.int64(1) << min(max(bit, 0), BITS)) - 1)


@kernel
def nth_square(squares, k):
    """The k-th square of a set, counted from 0."""
    start = 0
    for word in squares:
        here = popcount(word)
        if k < here:
            return start + nth(word, k)
        k -= here
        start += BITS
    return np.int64(-1)


@kernel
def write(squares, first, out, count):
    """Append an action for each square, `first` for square 0; returns the new count."""
    start = np.int64(first)
    for word in squares:
        left = np.int64(word)
        while left:
            out[count] = start + lowest(left)
            count += 1
            left &= left - 1
        start += BITS
    return count


@kernel
def placement_of(rules, form, turn, corner):
    """The number of a placement: corners are counted row by row, without those at the right that have no room."""
    return rules.start[form, turn] + corner - corner // COLUMNS * rules.margin[form, turn]
