"""The positions of recorded games: they are played again, and every decision is kept with what was legal there and
what the seat saw.

Three passes over arrays: the states, then the legal actions of each, then the observations, which only games with
the verb `encode` have. `tests/naive/dataset.py` does the same with `State`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from qpolis import verbs
from qpolis.engine.policy_loop import begin
from qpolis.engine.results import Results
from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.kernel import kernel
from qpolis.rng import WORDS, chance_stream, keys
from qpolis.space import OBSERVATION
from qpolis.tourney.plan import Plan
from qpolis.tourney.verify import check_chunk


class Moves(NamedTuple):
    """What was done in some games, which is known to be legal."""

    deals: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray  # of all games, one after the other


class Trail(NamedTuple):
    """The decisions of these games, a row each."""

    states: np.ndarray
    seats: np.ndarray
    counts: np.ndarray  # of legal actions


@dataclass(frozen=True)
class Positions:
    """The decisions of some games, one after the other."""

    states: np.ndarray
    seats: np.ndarray
    starts: np.ndarray  # where the legal actions of each begin in `legal`, and at last its length
    legal: np.ndarray


@kernel
def follow_games(rules, states, key, chance, moves, trail):
    """Play games again, and keep each position in which somebody decided."""
    deals, lengths, actions = moves
    kept, seats, counts = trail
    rule = rules[0]
    state = states[0]
    streams = np.zeros((verbs.MAX_SEATS, WORDS), np.uint64)
    legal = np.empty(rule.actions, verbs.ACTION)
    at = 0
    for row in range(deals.shape[0]):
        begin(rule, state, key, deals[row], streams, chance)
        for _ in range(lengths[row]):
            kept[at] = state
            seats[at] = verbs.player(rule, state)
            counts[at] = verbs.legal(rule, state, legal)
            verbs.apply(rule, state, np.int64(actions[at]), chance)
            at += 1


@kernel
def list_legal(rules, states, starts, out):
    """The legal actions of all states, one after the other."""
    legal = np.empty(rules[0].actions, verbs.ACTION)
    for row in range(states.shape[0]):
        count = verbs.legal(rules[0], states[row], legal)
        for place in range(count):
            out[starts[row] + place] = legal[place]


@kernel
def encode_states(rules, states, seats, out):
    """What the seats see of the states, a row each."""
    for row in range(states.shape[0]):
        verbs.encode(rules[0], states[row], seats[row], out[row])


def positions_of(game: Game, plan: Plan, games: Results) -> Positions:
    """The positions of recorded games. They are verified before: nothing that cannot have been so goes on."""
    for difference in check_chunk(game, plan, games):
        raise QpolisError(f"{difference}: `qpolis verify` says what is wrong with this run")
    key = keys(plan.definition.seed)
    decisions = len(games.actions)
    trail = Trail(
        np.zeros(decisions, game.state_dtype), np.zeros(decisions, np.int64), np.zeros(decisions, np.int64)
    )
    moves = Moves(
        games.numbers // plan.games_per_block,
        games.lengths.astype(np.int64),
        games.actions.astype(verbs.ACTION),
    )
    follow_games(game.rules, np.zeros(1, game.state_dtype), key, chance_stream(key), moves, trail)
    starts = np.concatenate([np.zeros(1, np.int64), trail.counts.cumsum()])
    legal = np.zeros(starts[-1], verbs.ACTION)
    list_legal(game.rules, trail.states, starts, legal)
    return Positions(trail.states, trail.seats, starts, legal)


def observations_of(game: Game, positions: Positions) -> np.ndarray:
    """What the seats saw that decided, a row each."""
    out = np.zeros((len(positions.seats), game.observation_size), OBSERVATION)
    encode_states(game.rules, positions.states, positions.seats, out)
    return out
