"""net: a policy that was learned elsewhere, such as in an environment of PettingZoo or Gymnasium, at a table.

A policy is a function of what a seat sees and of which actions are legal. This one is a linear layer whose numbers
come from a file beside the bot: np.savez("policy.npz", weights=..., bias=...), of shapes (actions, observation)
and (actions,). Put your own function in its place. Without a file it is a policy that has learned nothing yet.
"""

from pathlib import Path

import numpy as np

from qpolis import Bot, Parameter, load_game


def policy(layer, observation, mask):
    """The legal action with the highest value."""
    values = layer["weights"] @ observation + layer["bias"]
    return int(np.where(mask, values, -np.inf).argmax())


class Net(Bot):
    """Does what a learned policy says."""

    PARAMETERS = {"file": Parameter("", "the numbers of the policy: a file beside the bot; without one it is new")}

    def __init__(self, info, seat, seed, parameters):
        super().__init__(info, seat, seed, parameters)
        self.game = load_game(info.name, **info.options)
        shape = self.game.action_count, self.game.observation_size
        if self.parameters["file"]:
            self.layer = np.load(Path(__file__).with_name(self.parameters["file"]))
        else:
            self.layer = {"weights": np.random.default_rng(seed).normal(size=shape), "bias": np.zeros(shape[0])}
        if self.layer["weights"].shape != shape:
            raise ValueError(f"the weights are {self.layer['weights'].shape}, and {info.title} needs {shape}")

    def observe(self, observation):
        self.observation = observation

    def choose(self, legal):
        state = self.game.imagine(self.observation)  # what is hidden does not show in what `encode` gives
        return policy(self.layer, state.encode(self.seat), state.mask())
