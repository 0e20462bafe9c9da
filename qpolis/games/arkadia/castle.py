"""The castle of Arkadia: blocks on ten squares in three levels, and what seals are worth. Kernels."""

from __future__ import annotations

import numpy as np

from qpolis.games.arkadia.layout import BLANK, BLOCK, FAMILIES, LEVELS, NONE, RING
from qpolis.kernel import kernel


@kernel
def value(state, family):
    """What a seal of a family is worth today."""
    count = 0
    for square in range(RING):
        count += state.shows[square] == family
    return count


@kernel
def level_now(state):
    """The level that is being built, from 0; LEVELS when the castle is full."""
    lowest = np.int64(LEVELS)
    for square in range(RING):
        lowest = min(lowest, np.int64(state.level[square]))
    return lowest


@kernel
def can_lay(state):
    """Can a block be laid?"""
    level = level_now(state)
    found = False
    if level < LEVELS:
        for family in range(FAMILIES):
            found |= state.stock[level, family] > 0
    return found


@kernel
def square_for(state, level, symbol):
    """The first castle square not yet built on a level that shows a symbol, or NONE."""
    for square in range(RING):
        if state.level[square] == level and state.shows[square] == symbol:
            return square
    return NONE


@kernel
def legal_blocks(state, out):
    level = level_now(state)
    count = 0
    for family in range(FAMILIES):
        if state.stock[level, family] > 0:
            for symbol in range(BLANK + 1):
                if square_for(state, level, symbol) != NONE:
                    out[count] = BLOCK + family * (BLANK + 1) + symbol
                    count += 1
    return count


@kernel
def is_block(state, block):
    level = level_now(state)
    return state.stock[level, block // (BLANK + 1)] > 0 and square_for(state, level, block % (BLANK + 1)) != NONE


@kernel
def lay_block(rules, state, block):
    """Lay a block. A full level gives what is left of its stock to the last one; the second brings the end."""
    level = level_now(state)
    family = block // (BLANK + 1)
    square = square_for(state, level, block % (BLANK + 1))
    state.shows[square] = family
    state.level[square] = level + 1
    state.stock[level, family] -= 1
    if level_now(state) > level and level < LEVELS - 1:
        for other in range(FAMILIES):
            state.stock[LEVELS - 1, other] += state.stock[level, other]
            state.stock[level, other] = 0
        if level == LEVELS - 2:
            state.turns_left = rules.players + 1
