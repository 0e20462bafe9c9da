"""Shipped bots that are asked by hand, and the search beside its naive twin."""

from __future__ import annotations

import numpy as np

from helpers.sizes import sized
from naive.mcts import NaiveMcts
from naive.network import ExactNetwork
from qpolis import verbs
from qpolis.bots.greedy import greedy
from qpolis.bots.heuristic import heuristic
from qpolis.bots.mcts import mcts
from qpolis.bots.random import random
from qpolis.models.model_file import arrays
from qpolis.policy import compile_policy, with_numbers
from qpolis.rng import stream

BOTS = [random, heuristic, greedy, mcts]


FEW = {"mcts": {"sims": sized(20, 20, 2)}}


def configured(bot):
    return bot.configure(**FEW.get(bot.name, {}))


class Player:
    """A policy that is asked by hand; with a model, if one is given."""

    def __init__(self, game, bot, seed, model=None):
        self.game = game
        self.rules = with_numbers(game.rules, model.numbers()) if model else game.rules
        self.seat = configured(bot) if not isinstance(bot, tuple) else bot[0].configure(**bot[1])
        self.kernel = compile_policy(self.seat.policy, game)
        self.rng = stream(seed)
        self.scratch = np.zeros(self.seat.policy.scratch(game, self.seat.params), np.uint8)

    def choose(self, state):
        return int(self.kernel(self.rules, state.array.copy(), self.rng, self.seat.params, self.scratch))


def search_in_lockstep(game, settings, games, decisions, model=None):
    """Both searches choose the same, think the same, and draw the same random numbers."""
    whole = {
        **{name: parameter.default for name, parameter in mcts.parameters.items()},
        "horizon": verbs.horizon(game.rules[0], game.new().record),
        "playout": model.card["playout"] if model else verbs.lookahead(game.rules[0], game.new().record),
        **settings,
    }
    network = ExactNetwork(game, arrays(model)) if model else None
    for seed in range(games):
        fast = Player(game, (mcts, settings), seed, model)
        slow = NaiveMcts(game, whole, stream(seed), network)
        state = game.new(seed)
        others = stream(seed, 1)
        for decision in range(decisions):
            if state.over:
                break
            if state.player == 0 or decision % 3:
                action = fast.choose(state)
                assert action == slow.choose(state)
                assert fast.rng.tolist() == slow.rng.tolist()
                assert_same_thoughts(fast, slow)
            else:
                action = int(verbs.pick(game.rules[0], state.record, others))
            state.apply(action)


def assert_same_thoughts(fast, slow):
    """What people are shown of a search is what its twin has at the root."""
    found = mcts.thoughts(fast.game, fast.seat.params, fast.scratch)
    by_action = {thought.action: thought for thought in found}
    edges = slow.root.edges
    assert len(found) == len(by_action) == len(edges)
    assert [thought.visits for thought in found] == sorted((edge.visits for edge in edges), reverse=True)
    trust = slow.settings["trust"]
    for edge in edges:
        thought = by_action[edge.action]
        value = (edge.value[slow.root.seat] + trust * edge.guess) / (edge.visits + trust)
        assert thought.visits == edge.visits
        assert np.allclose([thought.value, thought.prior], [value, edge.prior], rtol=1e-9, atol=1e-12)
