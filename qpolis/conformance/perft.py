"""Node counts: how many ways the next decisions can go. A wrong move generator cannot keep them right."""

from __future__ import annotations

import numpy as np

from qpolis import verbs
from qpolis.game import State
from qpolis.kernel import kernel


@kernel
def count_nodes(rules, states, chances, depth):
    """Sequences of `depth` decisions from states[0]; shorter ones if the game ends. A row of `states` and of
    `chances` per depth: every branch meets the same chance."""
    if depth == 0 or verbs.player(rules[0], states[0]) < 0:
        return 1
    actions = np.empty(rules[0].actions, verbs.ACTION)
    count = verbs.legal(rules[0], states[0], actions)
    nodes = 0
    for i in range(count):
        states[1] = states[0]
        chances[1] = chances[0]
        verbs.apply(rules[0], states[1], np.int64(actions[i]), chances[1])
        nodes += count_nodes(rules, states[1:], chances[1:], depth - 1)
    return nodes


def perft(state: State, depth: int) -> int:
    """The number of sequences of `depth` decisions from a state."""
    states = np.repeat(state.array, depth + 1)
    chances = np.tile(state.chance, (depth + 1, 1))
    return int(count_nodes(state.game.rules, states, chances, depth))
