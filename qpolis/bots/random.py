"""`random`: every legal action equally likely."""

from __future__ import annotations

from qpolis.kernel import kernel
from qpolis.verbs import pick


@kernel
def random(rules, states, rng, params, scratch):
    return pick(rules[0], states[0], rng)
