"""`instinct`: what was learned, without search. How it was learned: `docs/learning.md`."""

from __future__ import annotations

import numpy as np

from qpolis.policy import policy
from qpolis.search.mcts import make_buffers, rate_actions
from qpolis.search.network import carve_network


@policy(learns=True)
def instinct(rules, states, rng, params, scratch):
    """What a network that learned from searches finds best at once; without a model the best evaluation."""
    network = carve_network(rules)
    buffers = make_buffers(rules[0], states, network)
    buffers.states[0] = states[0]
    count = rate_actions(rules[0], network, buffers, 1.0, rng)
    best = 0
    for i in range(1, count):
        if buffers.logits[i] > buffers.logits[best]:
            best = i
    return np.int64(buffers.actions[best])
