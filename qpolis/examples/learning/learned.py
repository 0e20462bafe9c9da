"""learned: plays what `train_ppo.py` saved, with NumPy alone: the action that its network likes best."""

from pathlib import Path

import numpy as np

import qpolis


class Learned(qpolis.Bot):
    """The most likely action of a trained network."""

    PARAMETERS = {"network": "learned"}  # the .npz file beside this one

    def __init__(self, info, seat, seed, parameters):
        super().__init__(info, seat, seed, parameters)
        self.game = qpolis.load_game(info.name, **info.options)
        saved = np.load(Path(__file__).parent / f"{self.parameters['network']}.npz")
        self.layers = [(saved[f"w{i}"], saved[f"b{i}"]) for i in range(len(saved) // 2)]

    def observe(self, observation):
        self.observation = observation

    def choose(self, legal):
        hidden = self.game.imagine(self.observation).encode(self.seat)
        for weights, bias in self.layers[:-1]:
            hidden = np.maximum(hidden @ weights + bias, 0)
        weights, bias = self.layers[-1]
        liked = (hidden @ weights + bias)[1:]  # the first number is what it expects
        return legal[int(np.argmax(liked[legal]))]
