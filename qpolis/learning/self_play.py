"""Games of the search against itself, as examples to learn from.

Most decisions are quick ones. Some, drawn at random, are searched in full: only these become examples. So a
game costs a fraction of what it would, and there are more games, of which each has an outcome to learn from.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis import verbs
from qpolis.bots.mcts import mcts, settings_of, tree_nodes
from qpolis.engine.policy_loop import begin
from qpolis.game import Game
from qpolis.kernel import kernel
from qpolis.learning.examples import Examples
from qpolis.models.model_file import HEADER, Model
from qpolis.policy import with_numbers
from qpolis.rng import WORDS, below, keys, name_stream
from qpolis.search.mcts import make_buffers, search, sense
from qpolis.search.network import carve_network
from qpolis.search.tree import carve
from qpolis.verbs import MAX_SEATS

PER_MILLE = 1000
FULL = 250  # of 1000 decisions are searched in full, and become examples
QUICK = 4  # so many times fewer simulations have the others
STRAY = 250  # of 1000 actions are drawn in proportion to the simulations they had, so that games differ
LEAST_RATING = -1000.0  # of an action beside the best one


class Deals(NamedTuple):
    """Which deals are played: so many from the first on."""

    key: np.ndarray
    first: int
    games: int


def play_examples(game: Game, model: Model | None, sims: int, seed: int, first: int, games: int) -> Examples:
    """Examples from some deals. They depend on these arguments only."""
    numbers = model.numbers() if model else np.zeros(HEADER, np.float32)
    numbers[0] = game.model_inputs  # without a model, too, it is noted what one would look at
    rules = with_numbers(game.rules, numbers)
    fully, quickly = mcts.params({"sims": sims}), mcts.params({"sims": max(2, sims // QUICK)})
    scratch = np.zeros((game.players, mcts.scratch(game, fully)), np.uint8)
    examples = Examples.empty(games * (game.most_decisions or 1000), game.model_inputs, game.players)
    states = np.zeros(2, game.state_dtype)
    deals = Deals(keys(seed), first, games)
    rows = play_against_itself(rules, states, np.stack([fully, quickly]), scratch, deals, examples)
    return examples.first(rows)


@kernel
def play_against_itself(rules, states, params, scratch, deals, examples):
    """Play deals, and write examples of them. `params` are those of `mcts` for decisions that are searched in
    full, and for the others; `scratch` has a row a seat. Returns how many examples there are."""
    key, first, games = deals
    inputs, touched, ratings, visits, wins, points, hopes, numbers = examples
    rule = rules[0]
    state = states[0]
    network = carve_network(rules)
    fully = settings_of(rules, states, params[0], network)
    quickly = settings_of(rules, states, params[1], network)
    nodes = tree_nodes(fully.sims, 0.0)
    buffers = make_buffers(rule, states, network)
    streams = np.empty((MAX_SEATS, WORDS), np.uint64)
    chance = np.empty(WORDS, np.uint64)
    rng = np.empty(WORDS, np.uint64)
    movers = np.empty(inputs.shape[0], np.int64)
    at = 0
    for game in range(games):
        begun = at
        begin(rule, state, key, first + game, streams, chance)
        name_stream(rng, key[0], first + game, MAX_SEATS + 1)
        for seat in range(rule.players):
            scratch[seat, :] = 0
        seat = verbs.player(rule, state)
        while seat >= 0:
            states[1] = states[0]
            verbs.conceal(rule, states[1], seat)
            learned = below(rng, PER_MILLE) < FULL
            tree = carve(scratch[seat], states[1:2], nodes)
            action = search(rule, states[1:2], tree, network, fully if learned else quickly, streams[seat])
            root = tree.nodes[tree.head[0].searched]
            if learned and root.count > 1 and at < inputs.shape[0]:
                buffers.states[0] = states[1]
                count = verbs.rate(
                    rule, buffers.states[0], buffers.states[1:], buffers.actions, buffers.ratings, rng
                )
                sense(rule, buffers)
                inputs[at] = buffers.inputs
                _note_edges(rule, tree, root, count, buffers, touched[at], ratings[at], visits[at])
                _note_hopes(rule, tree, root, seat, hopes[at])
                numbers[at] = first + game
                movers[at] = seat
                at += 1
            if below(rng, PER_MILLE) < STRAY:
                action = _drawn(tree, root, action, rng)
            verbs.apply(rule, state, action, chance)
            seat = verbs.player(rule, state)
        _settle(rule, state, movers[begun:at], wins[begun:at], points[begun:at])
    return at


@kernel
def _drawn(tree, root, action, rng):
    """An action in proportion to the simulations that began with it; the chosen one where there were none."""
    total = np.int64(0)
    for e in range(root.first, root.first + root.count):
        total += tree.edges[e].visits
    if total == 0:
        return action
    left = below(rng, total)
    for e in range(root.first, root.first + root.count):
        left -= tree.edges[e].visits
        if left < 0:
            return np.int64(tree.edges[e].action)
    return action


@kernel
def _note_edges(rules, tree, root, count, buffers, touched, ratings, visits):
    """Write what the search made of the actions, as many as there is room for."""
    best = -np.inf
    for i in range(count):
        best = max(best, buffers.ratings[i])
    room = min(np.int64(root.count), visits.shape[0])
    total = np.int64(0)
    for k in range(room):
        total += tree.edges[root.first + k].visits
    for k in range(room):
        edge = tree.edges[root.first + k]
        visits[k] = edge.visits / (total if total else 1)
        for i in range(count):
            if buffers.actions[i] == edge.action:
                ratings[k] = max(buffers.ratings[i] - best, LEAST_RATING)
        for t in range(verbs.touches(rules, buffers.states[0], np.int64(edge.action), buffers.touched)):
            touched[k, t] = buffers.touched[t]


@kernel
def _note_hopes(rules, tree, root, seat, hopes):
    """Write the mean reward of the simulations, by seat."""
    total = np.int64(0)
    for e in range(root.first, root.first + root.count):
        total += tree.edges[e].visits
    for i in range(rules.players):
        worth = 0.0
        for e in range(root.first, root.first + root.count):
            worth += tree.edges[e].value[(seat + i) % rules.players]
        hopes[i] = worth / (total if total else 1)


@kernel
def _settle(rules, state, movers, wins, points):
    """Write what came of a game into its examples."""
    scored = np.empty(rules.players, np.int64)
    keys = np.empty(rules.players, np.int64)
    places = np.empty(rules.players, np.int64)
    verbs.scores(rules, state, scored, keys)
    verbs.ranks(keys, places)
    winners = 0
    for seat in range(rules.players):
        winners += places[seat] == 0
    for row in range(movers.shape[0]):
        for i in range(rules.players):
            seat = (movers[row] + i) % rules.players
            points[row, i] = scored[seat]
            wins[row, i] = 1.0 / winners if places[seat] == 0 else 0.0
