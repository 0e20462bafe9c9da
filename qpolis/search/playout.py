"""Playouts: games to the end by uniformly random choices, for any game."""

from __future__ import annotations

from qpolis.kernel import kernel
from qpolis.verbs import apply, pick, player


@kernel
def play_out(rules, state, rng, chance):
    """Play to the end at random; returns the number of decisions."""
    decisions = 0
    while player(rules, state) >= 0:
        apply(rules, state, pick(rules, state, rng), chance)
        decisions += 1
    return decisions
