"""`greedy`: the best evaluation after its own turn."""

from __future__ import annotations

import numpy as np

from qpolis.policy import policy
from qpolis.rng import below
from qpolis.verbs import ACTION, rate


@policy()
def greedy(rules, states, rng, params, scratch):
    """The best evaluation after its own turn; equals are drawn."""
    actions = np.empty(rules[0].actions, ACTION)
    values = np.empty(rules[0].actions)
    count = rate(rules[0], states[0], np.empty(2, states.dtype), actions, values, rng)
    best = 0
    equal = 1
    for i in range(1, count):
        if values[i] > values[best]:
            best = i
            equal = 1
        elif values[i] == values[best]:
            equal += 1
            if below(rng, equal) == 0:
                best = i
    return np.int64(actions[best])
