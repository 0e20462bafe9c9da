"""A policy of somebody else in the process that runs it: it is sent a copy of the state for each decision, so the
game, its chance and the other seats are out of its reach.

With the same seed it plays exactly what the compiled match loop would let it play.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from qpolis.bot import GameInfo
from qpolis.game import Game
from qpolis.games import load_game
from qpolis.policy import Policy, compile_policy
from qpolis.rng import stream


class PolicyBot:
    """One game of a policy."""

    def __init__(self, policy: Policy, info: GameInfo, seed: int, parameters: Mapping[str, Any]) -> None:
        self.game = _game(info.name, tuple(info.options.items()))
        self.kernel = compile_policy(policy, self.game)
        self.params = policy.params(parameters)
        self.scratch = np.zeros(policy.scratch(self.game, self.params), np.uint8)
        self.rng = stream(seed)

    def choose_by_state(self, text: str) -> int:
        """What the policy chooses in a state, which is a text of base64."""
        states = np.frombuffer(bytearray(base64.b64decode(text)), self.game.state_dtype)
        return int(self.kernel(self.game.rules, states, self.rng, self.params, self.scratch))

    def observe(self, observation: Any) -> None:
        """What it sees at the end is nothing to a policy."""


def warm(policy: Policy, info: GameInfo, parameters: Mapping[str, Any]) -> None:
    """Load or compile all that a game needs, so that the first decision does not wait for it."""
    PolicyBot(policy, info, 0, parameters)


@functools.lru_cache(maxsize=4)
def _game(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return load_game(name, **dict(options))
