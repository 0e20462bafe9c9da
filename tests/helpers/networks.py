"""Networks that nobody trained: random numbers of the right shapes."""

from __future__ import annotations

import numpy as np

from qpolis.models.model_file import new_model, parts


def random_arrays(game, seed, wide=16, narrow=8, size=1.0):
    """Weights by name. Hopes, points and choices differ from position to position, and from the evaluation's."""
    rng = np.random.default_rng(seed)
    card = {
        "inputs": game.model_inputs,
        "wide": wide,
        "narrow": narrow,
        "seats": game.players,
        "touches": game.model_touches,
    }
    drawn = {name: rng.standard_normal(shape).astype(np.float32) for name, shape in parts(card).items()}
    for name, rows in (("first", 20), ("second", wide / 2), ("top", narrow / 3), ("touch", narrow)):
        drawn[name] *= np.float32(size / rows**0.5)
    return {**drawn, "scales": np.array([0.1, 0.5], np.float32) * np.float32(size)}


def random_model(game, seed, playout=0, **sizes):
    """A model of such weights, as they are after they were stored."""
    return new_model(random_arrays(game, seed, **sizes), game=game.name, playout=playout, name="random")
