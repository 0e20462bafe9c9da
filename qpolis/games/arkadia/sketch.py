"""What a learned evaluation looks at in Arkadia: the verbs `sketch` and `touches`.

Of each seat, from the one that looks on: the features of the evaluation (`value.py`), gold, seals, workers and
cards. Of the table: what a seal is worth, the castle and the stock, the cards that lie open and one's own, and the
step of the turn. Where things are on the board is left to the ratings of actions and to the search.
"""

from __future__ import annotations

import numpy as np

from qpolis.games.arkadia.layout import (
    BANNERS,
    DISPLAY,
    FAMILIES,
    FEATURES,
    FORMS,
    HAND,
    KINDS,
    LAY,
    LEVELS,
    MOST_SEALS,
    NEUTRAL_WORKERS,
    NONE,
    PHASES,
    RING,
    SELL,
    STAGES,
)
from qpolis.games.arkadia.value import describe_seat, phase, survey
from qpolis.kernel import kernel

OF_SEAT = FEATURES + 6 + 2 * FAMILIES  # features, gold, workers, helpers, banners, cards, is it to move; seals
CARDS = FORMS + FAMILIES  # of some cards: how many of each type, and of each family
TABLE = PHASES + 2 * FAMILIES + LEVELS * FAMILIES + LEVELS + 1 + len(STAGES) + 5 + 3 * CARDS + FAMILIES
SEAL_UNIT, GOLD_UNIT, FEATURE_UNIT = 1 / 8, 1 / 64, 1 / 16

# Touches: all actions that lay no building and sell no seals stand for themselves; then the kind that is laid, and
# the family whose seals are sold, all or not all of them.
LAID = SELL
SOLD = LAID + KINDS
TOUCHES = SOLD + 2 * FAMILIES


def sketch_size(players: int) -> int:
    return players * OF_SEAT + TABLE


@kernel
def sketch(rules, state, seat, values, out):
    """The verb."""
    out[:] = 0
    players = np.int64(rules.players)
    seen = survey(rules, state)
    features = np.empty(FEATURES)
    for i in range(players):
        of = (seat + i) % players
        describe_seat(rules, state, seen, of, features)
        total = np.float64(state.gold[of])
        for k in range(FEATURES):
            total += seen.weights[k] * features[k]
            out[i * OF_SEAT + k] = features[k] * FEATURE_UNIT
        values[of] = total if state.player != NONE else np.float64(state.gold[of])
        _write_seat(state, of, seen, out, i * OF_SEAT + FEATURES)
    _write_table(rules, state, seat, seen, out, players * OF_SEAT)


@kernel
def _write_seat(state, of, seen, out, at):
    out[at] = state.gold[of] * GOLD_UNIT
    out[at + 1] = state.own[of] / 4
    out[at + 2] = state.helpers[of] / 4
    out[at + 3] = state.banners[of] / BANNERS
    out[at + 4] = state.cards[of] / HAND
    out[at + 5] = state.player == of
    at += 6
    for family in range(FAMILIES):
        out[at + family] = state.seals[of, family] * SEAL_UNIT
        out[at + FAMILIES + family] = state.seals[of, family] * seen.values[family] * SEAL_UNIT / 4


@kernel
def _write_table(rules, state, seat, seen, out, at):
    out[at + phase(state)] = 1
    at += PHASES
    for family in range(FAMILIES):
        out[at + family] = seen.values[family] / 4
    at += FAMILIES
    for square in range(RING):
        if state.shows[square] < FAMILIES:
            out[at + np.int64(state.shows[square])] += np.float32(0.25)
    at += FAMILIES
    for level in range(LEVELS):
        for family in range(FAMILIES):
            out[at + level * FAMILIES + family] = state.stock[level, family] / 4
    at += LEVELS * FAMILIES
    for square in range(RING):
        out[at + np.int64(state.level[square])] += np.float32(0.125)
    at += LEVELS + 1
    if state.player != NONE:
        out[at + np.int64(state.stage)] = 1
    at += len(STAGES)
    out[at] = state.turn / 32
    out[at + 1] = state.turns_left != NONE
    out[at + 2] = state.turns_left / 4 if state.turns_left != NONE else np.float64(0)
    out[at + 3] = state.camp / NEUTRAL_WORKERS
    out[at + 4] = state.blocks / 4
    at += 5
    for kind in range(KINDS):
        _add_cards(kind, np.int64(state.hand[seat, kind]), out, at)
    at += CARDS
    for slot in range(DISPLAY):
        if state.display[slot] != NONE:
            _add_cards(np.int64(state.display[slot]), np.int64(1), out, at)
    at += CARDS
    if state.held != NONE:
        _add_cards(np.int64(state.held), np.int64(1), out, at)
    at += CARDS
    if state.selling != NONE:
        out[at + np.int64(state.selling)] = 1


@kernel
def _add_cards(kind, many, out, at):
    """Count some cards of a kind."""
    out[at + kind // FAMILIES] += many * np.float32(0.5)
    out[at + FORMS + kind % FAMILIES] += many * np.float32(0.5)


@kernel
def touches(rules, state, action, out):
    """The verb."""
    if action >= LAY:
        out[0] = LAID + np.int64(state.held)
    elif action >= SELL:
        family = (action - SELL) // MOST_SEALS
        sold = action - SELL - family * MOST_SEALS
        out[0] = SOLD + 2 * family + (sold == state.seals[state.player, family])
    else:
        out[0] = action
    return np.int64(1)
