"""A policy played through the protocol of bots: from observations, one decision at a time.

With the same seed it plays exactly what the match loop lets the policy play, only slower: so a compiled bot can
meet bots that are programs.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np

from qpolis import verbs
from qpolis.bot import Bot, GameInfo, Observation
from qpolis.game import Game
from qpolis.games import load_game
from qpolis.policy import Policy, compile_policy
from qpolis.rng import stream


class PolicyBot(Bot):
    """One game of a policy at a seat."""

    def __init__(
        self, policy: Policy, info: GameInfo, seat: int, seed: int, parameters: Mapping[str, Any]
    ) -> None:
        super().__init__(info, seat, seed, parameters)
        self.game = _game(info.name, tuple(info.options.items()))
        self.kernel = compile_policy(policy, self.game)
        self.params = policy.params(parameters)
        self.scratch = np.zeros(policy.scratch(self.game, self.params), np.uint8)
        self.rng = stream(seed)

    def observe(self, observation: Observation) -> None:
        self.observation = observation

    def choose(self, legal: list[int]) -> int:
        state = self.game.imagine(self.observation)
        verbs.conceal(self.game.rules[0], state.record, self.seat)
        return int(self.kernel(self.game.rules, state.array, self.rng, self.params, self.scratch))


def warm(policy: Policy, info: GameInfo, parameters: Mapping[str, Any]) -> None:
    """Load or compile all that a game needs, so that the first decision does not wait for it."""
    bot = PolicyBot(policy, info, 0, 0, parameters)
    bot.game.warm()
    verbs.conceal(bot.game.rules[0], bot.game.new().record, 0)


@functools.lru_cache(maxsize=4)
def _game(name: str, options: tuple[tuple[str, Any], ...]) -> Game:
    return load_game(name, **dict(options))
