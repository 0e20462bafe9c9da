"""The network inside a search, beside its formulas and a twin with the same bits."""

from __future__ import annotations

import random

import numpy as np
import pytest

import qpolis
from helpers.networks import random_arrays, random_model
from helpers.sizes import sized
from naive.network import ExactNetwork, PlainNetwork, inputs_of
from qpolis import verbs
from qpolis.models.model_file import HEADER, arrays
from qpolis.policy import with_numbers
from qpolis.rng import stream
from qpolis.search.mcts import look, make_buffers, prefer
from qpolis.search.network import PLAYOUT, carve_network, thinks

GAMES = {
    "classic-2": ("quadropolis", {}),
    "expert-3": ("quadropolis", {"mode": "expert", "players": 3}),
    "classic-4": ("quadropolis", {"players": 4}),
    "quadrilatere": ("quadrilatere", {}),
}


def positions(game, seed, every):
    choices = random.Random(seed)
    state = game.new(seed)
    number = 0
    while not state.over:
        if number % every == 0:
            yield state
        state.apply(choices.choice(state.legal()))
        number += 1


class Asked:
    """What the kernels say."""

    def __init__(self, game, model):
        self.game = game
        self.rules = with_numbers(game.rules, model.numbers())
        self.network = carve_network(self.rules)

    def __call__(self, state):
        """Chances, points, logits of actions, and the actions with their ratings."""
        buffers = make_buffers(self.rules[0], state.array, self.network)
        buffers.states[0] = state.array[0]
        count = verbs.rate(
            self.rules[0], buffers.states[0], buffers.states[1:], buffers.actions, buffers.ratings, stream(1)
        )
        look(self.rules[0], self.network, buffers)
        prefer(self.rules[0], count, self.network, buffers)
        players = self.game.players
        return (
            buffers.reward[:players].copy(),
            buffers.expected[:players].copy(),
            buffers.logits[:count].copy(),
            buffers.actions[:count].tolist(),
            buffers.ratings[:count].copy(),
            buffers.inputs.copy(),
        )


@pytest.mark.core
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("sizes", [{}, {"wide": 24, "narrow": 16, "size": 3.0}], ids=["small", "steep"])
def test_kernels_are_the_formulas(name, sizes):
    game = qpolis.load_game(GAMES[name][0], **GAMES[name][1])
    model = random_model(game, len(f"{name} {sizes}"), **sizes)
    asked = Asked(game, model)
    plain, exact = (kind(game, arrays(model)) for kind in (PlainNetwork, ExactNetwork))
    said = []
    for state in positions(game, 4, sized(3, 8, 16)):
        chances, points, logits, actions, ratings, inputs = asked(state)
        assert actions == state.legal()
        assert np.array_equal(inputs, inputs_of(game, state)[0])
        for found, wanted in zip((chances, points), plain.look(state)):
            assert np.allclose(found, wanted, rtol=1e-5, atol=1e-5)
        assert np.allclose(logits, plain.prefer(state, actions, ratings), rtol=1e-5, atol=1e-5 * np.ptp(logits))
        exact_chances, exact_points = exact.look(state)
        assert points.tolist() == exact_points
        assert np.allclose(chances, exact_chances, rtol=1e-14, atol=0)  # `exp` of NumPy is not that of C
        assert logits.tolist() == exact.prefer(state, actions, ratings)
        said.append(chances[0])
    assert np.ptp(said) > 1e-3  # it does not say the same of everything


def test_numbers_lie_where_kernels_look_for_them():
    game = qpolis.load_game("quadropolis", players=3)
    model = random_model(game, 1, playout=7)
    found = carve_network(with_numbers(game.rules, model.numbers()))
    of = arrays(model)
    for name in (
        "first",
        "first_bias",
        "second",
        "second_bias",
        "top",
        "top_bias",
        "scales",
        "touch",
        "touch_bias",
    ):
        assert np.array_equal(getattr(found, name), of[name])
        assert not getattr(found, name).flags.writeable
    assert found.sizes.tolist() == [game.model_inputs, 16, 8, 3, game.model_touches, 7, 0, 0]
    assert len(found.sizes) == HEADER
    assert found.sizes[PLAYOUT] == 7
    assert thinks(found)


def test_without_numbers_there_is_no_network():
    game = qpolis.load_game("quadropolis")
    found = carve_network(game.rules)
    assert not thinks(found)
    assert [part.size for part in found] == [0] * len(found)


def test_a_network_of_zeros_says_what_the_evaluation_says():
    """Chances are those of the points, with the trust in them; choices those of the ratings."""
    from qpolis.models.model_file import new_model

    game = qpolis.load_game("quadropolis", players=3)
    drawn = random_arrays(game, 2)
    zeros = {name: np.zeros_like(array) for name, array in drawn.items()}
    model = new_model({**zeros, "scales": np.array([0.25, 0.5], np.float32)}, game=game.name)
    asked = Asked(game, model)
    expected = np.zeros(3)
    for state in positions(game, 5, 10):
        chances, points, logits, _, ratings, _ = asked(state)
        verbs.evaluate(game.rules[0], state.record, expected)
        assert points.tolist() == expected.tolist()
        odds = np.exp((expected - expected.max()) / 4)
        assert np.allclose(chances, odds / odds.sum(), rtol=1e-12)
        assert np.array_equal(logits, ratings / 2)
