"""Rules of thumb: complete what pays, otherwise build where it helps; look at a few things only."""

from __future__ import annotations

import numpy as np

from qpolis.games.arkadia.gains import best_block, copy_survey, fill_gain, lay_gain, open_squares
from qpolis.games.arkadia.layout import (
    ACT_STAGE,
    DRAW_STAGE,
    LAY,
    LAY_STAGE,
    WORKERS,
)
from qpolis.games.arkadia.legal import first_of, legal, pick
from qpolis.games.arkadia.rate import gain
from qpolis.games.arkadia.value import survey
from qpolis.kernel import kernel
from qpolis.rng import below
from qpolis.verbs import ACTION

LOOKS = 6  # places compared for a building


@kernel
def suggest(rules, state, rng):
    """The verb."""
    if state.stage == DRAW_STAGE:
        return pick(rules, state, rng)
    seen = survey(rules, state)
    if state.stage == ACT_STAGE:
        return _act(rules, state, seen, rng)
    if state.stage == LAY_STAGE:
        return _lay(rules, state, seen, rng)
    actions = np.empty(rules.actions, ACTION)
    values = np.empty(rules.actions)
    count = legal(rules, state, actions)
    gain(rules, state, seen, actions, values, count)
    return np.int64(actions[np.argmax(values[:count])])


@kernel
def _act(rules, state, seen, rng):
    """Complete the building that pays most; without one, build; without cards, any workers."""
    block = best_block(rules, state, seen)
    own = np.int64(state.own[state.player])
    helpers = np.int64(state.helpers[state.player])
    best = np.int64(0)
    most = 0.0
    for building in range(state.buildings):
        if 0 < seen.opens[building] <= own + helpers:
            left = open_squares(rules, state, building)
            found = fill_gain(rules, state, copy_survey(seen), building, left, own, helpers, block)
            if found > most:
                most = found
                best = WORKERS + first_of(rules, state, building)
    if best:
        return best
    actions = np.empty(rules.actions, ACTION)
    count = legal(rules, state, actions)
    cards = 0
    while cards < count and actions[cards] < WORKERS:
        cards += 1
    return np.int64(actions[below(rng, cards if cards else count)])


@kernel
def _lay(rules, state, seen, rng):
    block = best_block(rules, state, seen)
    best = np.int64(0)
    most = -np.inf
    for _ in range(LOOKS):
        action = pick(rules, state, rng)
        found = lay_gain(rules, state, seen, np.int64(state.held), action - LAY, block)
        if found > most:
            most = found
            best = action
    return best
