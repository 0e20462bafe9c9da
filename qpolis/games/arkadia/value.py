"""What a position of Arkadia is worth to each seat: gold, and a weighted sum of what can become gold.

The weights are data, fitted to games (`benchmarks/fit_arkadia.py`), others for every phase of the castle. What a
worker beside an unfinished building promises depends on how many squares around the building are still open.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.games.arkadia.bit_boards import load, shared, size, without
from qpolis.games.arkadia.castle import value
from qpolis.games.arkadia.layout import (
    BANNERS_LEFT,
    BESIDE,
    BESIDE_VALUE,
    BUILDINGS,
    FAMILIES,
    FEATURES,
    HELPERS,
    NONE,
    ONE,
    OPENS,
    OWN_LEFT,
    PHASES,
    RING,
    SEAL_VALUE,
    SEALS,
    SEATS,
)
from qpolis.kernel import kernel
from qpolis.verbs import FOREVER

PACE = 4  # blocks in a phase


class Survey(NamedTuple):
    """What an evaluation looks at, counted once."""

    weights: np.ndarray  # of the present phase
    values: np.ndarray  # of a seal by family
    opens: np.ndarray  # open squares beside each building; 0 when it is complete, or will be after this step
    near: np.ndarray  # own workers beside each building, by seat


@kernel
def phase(state):
    """How far the castle is; the last turns are a phase of their own."""
    if state.turns_left != NONE:
        return PHASES - 1
    laid = 0
    for square in range(RING):
        laid += state.level[square]
    return min(laid // PACE, PHASES - 2)


@kernel
def survey(rules, state):
    opens = np.zeros(BUILDINGS, np.int64)
    near = np.zeros((BUILDINGS, SEATS), np.int64)
    values = np.empty(FAMILIES, np.int64)
    filled = load(state.filled)
    for family in range(FAMILIES):
        values[family] = value(state, family)
    for building in range(state.buildings):
        if (state.complete >> building) & 1 == 0:
            border = rules.border[state.place[building]]
            opens[building] = size(without(load(border), filled))
            for seat in range(rules.players):
                near[building, seat] = shared(state.men[seat], border)
    return Survey(rules.weights[phase(state)], values, opens, near)


@kernel
def describe_seat(rules, state, seen, seat, out):
    """Write the features of a seat. Buildings with nothing open are settled when this step is over."""
    out[:] = 0
    out[ONE] = 1
    for family in range(FAMILIES):
        out[SEALS] += state.seals[seat, family]
        out[SEAL_VALUE] += state.seals[seat, family] * seen.values[family]
    out[OWN_LEFT] = state.own[seat]
    out[HELPERS] = state.helpers[seat]
    out[BANNERS_LEFT] = state.banners[seat]
    for building in range(state.buildings):
        if (state.complete >> building) & 1 == 0:
            near = seen.near[building, seat]
            price = seen.values[state.kind[building] % FAMILIES]
            if seen.opens[building] == 0:
                seals = near + (seat == state.player)
                out[SEALS] += seals
                out[SEAL_VALUE] += seals * price
            else:
                group = min(seen.opens[building], OPENS) - 1
                out[BESIDE + group] += near
                out[BESIDE_VALUE + group] += near * price


@kernel
def evaluate(rules, state, values):
    """The verb."""
    if state.player == NONE:
        for seat in range(rules.players):
            values[seat] = state.gold[seat]
        return
    seen = survey(rules, state)
    features = np.empty(FEATURES)
    for seat in range(rules.players):
        describe_seat(rules, state, seen, seat, features)
        total = np.float64(state.gold[seat])
        for i in range(FEATURES):
            total += seen.weights[i] * features[i]
        values[seat] = total


@kernel
def horizon(rules, state):
    """The verb: a card more or less is no reason to stop."""
    return np.int64(FOREVER)


@kernel
def lookahead(rules, state):
    """The verb: see docs/mcts.md."""
    return np.int64(20)


@kernel
def seal_price(seen, family):
    """What a seal is worth to who has it."""
    return seen.weights[SEALS] + seen.weights[SEAL_VALUE] * seen.values[family]


@kernel
def worker_price(seen, opens, family):
    """What an own worker beside a building with so many open squares is worth; with none left it earns a seal."""
    if opens == 0:
        return seal_price(seen, family)
    group = min(opens, OPENS) - 1
    return seen.weights[BESIDE + group] + seen.weights[BESIDE_VALUE + group] * seen.values[family]
