"""What each legal action of Arkadia promises its mover: the verb `rate`, stage by stage."""

from __future__ import annotations

import numpy as np

from qpolis.games.arkadia.bit_boards import nth_square, placement_of, size
from qpolis.games.arkadia.gains import (
    banner_gain,
    best_block,
    block_gain,
    claims,
    lay_gain,
    next_worker_gain,
    sale_gain,
    workers_gain,
)
from qpolis.games.arkadia.layout import (
    ACT_STAGE,
    BANNER,
    BANNER_STAGE,
    BLANK,
    BLOCK,
    CASTLE_STAGE,
    DONE,
    DRAW,
    DRAW_STAGE,
    FAMILIES,
    LAY,
    LAY_STAGE,
    MOST_SEALS,
    NEUTRAL,
    OWN,
    PASS,
    PILE,
    SEATS,
    SELL,
    WORKERS,
    WORKERS_STAGE,
)
from qpolis.games.arkadia.legal import corners, free_squares, legal, touching_squares
from qpolis.games.arkadia.value import evaluate, survey
from qpolis.kernel import kernel

PROSPECT = 0.3  # share of what a card could bring now that it is worth in the hand


@kernel
def best_lay(rules, state, seen, kind, block):
    """The gain of laying the building of a card in the best way."""
    form = kind // FAMILIES
    free, touching = free_squares(state), touching_squares(state)
    best = -np.inf
    for turn in range(rules.turns[form]):
        found = corners(rules, free, touching, form, turn)
        for i in range(size(found)):
            placement = placement_of(rules, form, turn, nth_square(found, i))
            best = max(best, lay_gain(rules, state, seen, kind, placement, block))
    return best


@kernel
def rate(rules, state, spare, actions, values, rng):
    """The verb: the mover's evaluation, and what each action gains it and takes from the others."""
    count = legal(rules, state, actions)
    worth = np.empty(SEATS)
    evaluate(rules, state, worth)
    seen = survey(rules, state)
    gain(rules, state, seen, actions, values, count)
    for i in range(count):
        values[i] += worth[state.player]
    return count


@kernel
def gain(rules, state, seen, actions, values, count):
    """Write the gain of each action."""
    stage = state.stage
    if stage == ACT_STAGE:
        _rate_acts(rules, state, seen, actions, values, count)
    elif stage == LAY_STAGE:
        block = best_block(rules, state, seen)
        for i in range(count):
            values[i] = lay_gain(rules, state, seen, np.int64(state.held), np.int64(actions[i]) - LAY, block)
    elif stage == WORKERS_STAGE:
        _rate_workers(rules, state, seen, actions, values, count)
    elif stage == CASTLE_STAGE:
        claim = np.empty(FAMILIES)
        claims(rules, state, seen, claim)
        for i in range(count):
            block = np.int64(actions[i]) - BLOCK
            values[i] = block_gain(claim, block // (BLANK + 1), block % (BLANK + 1))
    elif stage == DRAW_STAGE:
        block = best_block(rules, state, seen)
        for i in range(count):
            values[i] = 0.0
            if actions[i] != PILE:
                found = best_lay(rules, state, seen, np.int64(actions[i]) - DRAW, block)
                values[i] = PROSPECT * max(found, 0.0)
    elif stage == BANNER_STAGE:
        for i in range(count):
            values[i] = banner_gain(state, seen) if actions[i] == BANNER else 0.0
    else:
        for i in range(count):
            sale = np.int64(actions[i]) - SELL
            values[i] = sale % MOST_SEALS * sale_gain(seen, sale // MOST_SEALS)


@kernel
def _rate_acts(rules, state, seen, actions, values, count):
    block = best_block(rules, state, seen)
    for i in range(count):
        action = np.int64(actions[i])
        if action < WORKERS:
            values[i] = best_lay(rules, state, seen, action, block)
        elif action < PASS:
            values[i] = workers_gain(rules, state, seen, np.int64(state.owner[action - WORKERS]), block)
        else:
            values[i] = 0.0


@kernel
def _rate_workers(rules, state, seen, actions, values, count):
    block = best_block(rules, state, seen)
    building = np.int64(state.owner[state.beside])
    for i in range(count):
        action = np.int64(actions[i])
        if action == DONE:
            values[i] = 0.0
        else:
            mine = action < NEUTRAL
            square = action - OWN if mine else action - NEUTRAL
            values[i] = next_worker_gain(rules, state, seen, building, square, mine, block)
