"""`random`: every legal action equally likely."""

from __future__ import annotations

from qpolis.policy import policy
from qpolis.verbs import pick


@policy()
def random(rules, states, rng, params, scratch):
    """Every legal action equally likely."""
    return pick(rules[0], states[0], rng)
