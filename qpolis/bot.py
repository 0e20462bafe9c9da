"""The protocol of bots. For now: policies, the compiled form.

A policy is a kernel of one fixed signature, so that one compiled match loop runs any of them:

    policy(rules, states, rng, params, scratch) -> action

`rules` and `states` are arrays of one record; the state is a copy, made anew for every decision. `rng` is the
bot's own stream, `params` its parameters as floats, `scratch` bytes to use freely, empty when a game starts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numba import types
from numba.np import numpy_support

from qpolis.kernel import JIT

if TYPE_CHECKING:
    from qpolis.game import Game

Policy = Callable[..., int]


def policy_type(game: Game) -> types.FunctionType:
    """The first-class function type of all policies for a game."""
    rules = types.Array(numpy_support.from_dtype(game.rules.dtype), 1, "C", readonly=True)
    states = types.Array(numpy_support.from_dtype(game.state_dtype), 1, "C")
    return types.FunctionType(
        types.int64(rules, states, types.uint64[::1], types.float64[::1], types.uint8[::1]))


def compile_policy(policy: Any, game: Game) -> Policy:
    """The policy, compiled for a game's states (or loaded from the cache)."""
    if JIT:
        policy.compile(policy_type(game).signature)
    return policy  # type: ignore[no-any-return]
