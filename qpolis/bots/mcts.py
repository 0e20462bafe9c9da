"""`mcts`: Monte Carlo tree search on any game of the framework. `docs/mcts.md` tells what was tried and measured."""

from __future__ import annotations

import numpy as np

from qpolis.policy import Parameter, policy
from qpolis.search.mcts import DEEPEST, SIMS, WIDTH, expand, find_root, keep, simulate
from qpolis.search.tree import carve, tree_bytes
from qpolis.verbs import ACTION, MAX_SEATS


def _bytes(game, params):
    nodes = int(params[SIMS]) * 2 + 4
    return tree_bytes(game.state_dtype.itemsize, nodes, nodes * int(params[WIDTH]))


@policy(scratch=_bytes,
        sims=Parameter(200, "simulations a decision", 1, 1e7, whole=True),
        explore=Parameter(1.0), temperature=Parameter(1.5), depth=Parameter(0), scale=Parameter(3.5),
        width=Parameter(24), trust=Parameter(1.0), chance=Parameter(0), guided=Parameter(0), quiet=Parameter(1),
        share=Parameter(0.9))
def mcts(rules, states, rng, params, scratch):
    """Monte Carlo tree search: looks ahead in many simulated games."""
    sims = np.int64(params[SIMS])
    tree = carve(scratch, states, sims * 2 + 4)
    _, _, nodes, edges = tree
    work = np.empty(3, states.dtype)
    actions = rules[0].actions
    room = (np.empty(actions, ACTION), np.empty(actions), np.empty(actions, np.int64), np.empty(MAX_SEATS),
            np.empty(MAX_SEATS), np.empty(DEEPEST, np.int64))
    root = find_root(tree, states)
    if nodes[root].count == 0:
        work[0] = states[0]
        expand(rules[0], work, tree, root, room, params, rng)
    while nodes[root].visits < sims:
        simulate(rules[0], states, work, tree, root, room, params, rng)
    best = np.int64(nodes[root].first)
    for e in range(nodes[root].first, nodes[root].first + nodes[root].count):
        if edges[e].visits > edges[best].visits:
            best = np.int64(e)
    action = np.int64(edges[best].action)
    keep(rules[0], states, work, tree, best, rng)
    return action
