"""spiel: bots of OpenSpiel at a table of qpolis: its tree search, or its random player.

They play any game that has observations as numbers, through the same adapter that makes it a game of OpenSpiel
(docs/adapters.md), from a position that fits what this seat sees. It needs pip install 'qpolis[openspiel]'.
"""

import random

import numpy as np

from qpolis import Bot, Parameter, load_game


class Spiel(Bot):
    """Does what a bot of OpenSpiel would do."""

    PARAMETERS = {
        "agent": Parameter("mcts", "the bot of OpenSpiel: mcts or random", choices=("mcts", "random")),
        "sims": Parameter(10, "simulations of mcts for a decision", 2, 100_000, whole=True),
    }

    def __init__(self, info, seat, seed, parameters):
        super().__init__(info, seat, seed, parameters)
        from qpolis.environments import openspiel_games  # without OpenSpiel this says what to install

        self.game = openspiel_games.load(load_game(info.name, **info.options))
        self.random = random.Random(seed)
        self.agent = self.make_agent(np.random.RandomState(seed % 2**32))

    def make_agent(self, rng):
        """Any bot of OpenSpiel with a method `step` that takes a state: put yours here."""
        from open_spiel.python.algorithms import mcts
        from open_spiel.python.bots import uniform_random

        if self.parameters["agent"] == "random":
            return uniform_random.UniformRandomBot(self.seat, rng)
        evaluator = mcts.RandomRolloutEvaluator(1, rng)
        return mcts.MCTSBot(self.game, 2, self.parameters["sims"], evaluator, random_state=rng)

    def observe(self, observation):
        self.observation = observation

    def choose(self, legal):
        position = self.game.rules.imagine(self.observation, seed=self.random.getrandbits(32))
        return int(self.agent.step(self.game.new_initial_state(position)))
