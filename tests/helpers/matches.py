"""Policies that play by rule or against it, and deals of the match loop."""

from __future__ import annotations

import numpy as np

from qpolis import verbs
from qpolis.policy import policy


@policy()
def first_legal(rules, states, rng, params, scratch):
    """A policy that takes the first legal action, and spoils the state it was given."""
    actions = np.empty(rules[0].actions, verbs.ACTION)
    verbs.legal(rules[0], states[0], actions)
    verbs.apply(rules[0], states[0], np.int64(actions[0]), rng)
    return np.int64(actions[0])


def by_hand_state(game, seed, deal):
    """A deal of the match loop as a state of the public face."""
    return game.new(seed, deal)


@policy(scratch=1)
def sometimes_illegal(rules, states, rng, params, scratch):
    """A policy that answers nonsense from its fifth decision on."""
    scratch[0] += 1
    return np.int64(1_000_000_000) if scratch[0] > 4 else verbs.pick(rules[0], states[0], rng)


@policy(scratch=1, boldness=0)
def remembering(rules, states, rng, params, scratch):
    """A policy whose choice depends on how often it was asked in this game, by its scratch and its parameters."""
    scratch[0] += 1
    params[0] += 2
    actions = np.empty(rules[0].actions, verbs.ACTION)
    count = verbs.legal(rules[0], states[0], actions)
    return np.int64(actions[(scratch[0] + np.int64(params[0])) % count])
