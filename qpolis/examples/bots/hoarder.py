"""hoarder: a compiled bot. It counts the points it would have now, and likes to have things in store.

The kernel is compiled by numba when it first plays. It reads the fields of Quadropolis's record by name
(`qpolis/games/quadropolis/layout.py`) and plays moves on copies of the state with the verbs of `qpolis/verbs.py`.
"""

import numpy as np

from qpolis import Parameter, verbs
from qpolis.kernel import kernel
from qpolis.policy import policy
from qpolis.rng import below


@kernel
def outlook(rule, state, seat, greed):
    """Points now, and something for each inhabitant and unit of energy while there is time to use them."""
    points = np.empty(rule.players, np.int64)
    keys = np.empty(rule.players, np.int64)
    verbs.scores(rule, state, points, keys)
    left = (rule.rounds - state.round_no - 1) / rule.rounds  # 0 in the last round
    return points[seat] + greed * left * (state.inhabitants[seat] + state.energy[seat])


@policy(greed=Parameter(1.5, "what a thing in store is worth in the first round, in points", 0, 10))
def hoarder(rules, states, rng, params, scratch):
    """Takes what brings most points at once, and hoards inhabitants and energy early in the game."""
    rule = rules[0]
    seat = verbs.player(rule, states[0])
    actions = np.empty(rule.actions, verbs.ACTION)
    following = np.empty(rule.actions, verbs.ACTION)
    tries = np.empty(2, states.dtype)  # copies of the state to try moves on
    best = np.int64(0)
    best_value = -np.inf
    ties = 0
    for i in range(verbs.legal(rule, states[0], actions)):
        tries[0] = states[0]
        verbs.apply(rule, tries[0], np.int64(actions[i]), rng)
        value = -np.inf
        if verbs.player(rule, tries[0]) == seat:  # it took a tile and has to place it
            for j in range(verbs.legal(rule, tries[0], following)):
                tries[1] = tries[0]
                verbs.apply(rule, tries[1], np.int64(following[j]), rng)
                value = max(value, outlook(rule, tries[1], seat, params[0]))
        else:
            value = outlook(rule, tries[0], seat, params[0])
        if value > best_value:
            ties = 0
            best_value = value
        if value == best_value:
            ties += 1
            if below(rng, ties) == 0:  # each of the best ones is equally likely
                best = np.int64(actions[i])
    return best
