"""`heuristic`: the game's own rules of thumb."""

from __future__ import annotations

from qpolis.policy import policy
from qpolis.verbs import suggest


@policy()
def heuristic(rules, states, rng, params, scratch):
    """Rules of thumb of a good player, without looking ahead."""
    return suggest(rules[0], states[0], rng)
