"""What programs that learn see of the games that ship: the planes are those of slow twins that know an observation
and nothing else, no two observations look the same, and every id of an action stands for one."""

from __future__ import annotations

import itertools
import json
import random

import numpy as np
import pytest

from helpers.sizes import sized, some
from naive import arkadia_encode, quadrilatere_encode
from qpolis.conformance.bench import label, variants
from qpolis.conformance.games import random_positions
from qpolis.space import OBSERVATION

TWINS = {"arkadia": arkadia_encode, "quadrilatere": quadrilatere_encode}
GAMES = [game for name in TWINS for game in variants(name)]
RARE = {"slid from", "slid to", "selling", "passes"}  # planes of nothing but 0 in some games
pytestmark = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.name}: {label(game)}")


def positions(game, seed, step=1):
    """Some positions of a random game, and of one by rules of thumb; always the last ones."""
    for sensible in (0, 0.7):
        for number, state in enumerate(random_positions(game, seed, sensible)):
            if number % step == 0 or state.over:
                yield state


@pytest.mark.core
def test_planes_are_those_of_the_twin(game):
    """So nothing is in them that no observation tells: the twin has nothing else."""
    step = max(1, int(game.rules[0].actions) // 200) * sized(1, 3, 9)  # Arkadia's games and planes are long
    for state in positions(game, 1, step):
        for seat in range(game.players):
            found = planes_of(game, state.encode(seat))
            expected = TWINS[game.name].encode(state.observe(seat))
            assert list(found) == list(expected)
            for name, numbers in expected.items():
                assert found[name] == np.array(numbers, OBSERVATION).tolist(), (name, seat, state.to_dict())


def test_the_positions_that_are_compared_show_what_there_is(game):
    seen = np.max([state.encode(0) for state in positions(game, 1)], axis=0)
    assert {name for name, numbers in planes_of(game, seen).items() if not any(numbers)} <= RARE


def planes_of(game, observation):
    """The numbers of each plane."""
    ends = itertools.accumulate(plane.size for plane in game.planes)
    assert len(observation) == game.observation_size
    return {plane.name: observation[end - plane.size : end].tolist() for plane, end in zip(game.planes, ends)}


@pytest.mark.long
def test_what_looks_different_to_the_eye_is_different_in_numbers(game):
    """In positions of two games (in all of them in `make test-all`), and after other actions than were played."""
    choices, seen = random.Random(3), {}
    for state in positions(game, 2, some([4, 1])[-1]):
        legal = state.legal()
        others = [after(state, action) for action in choices.sample(legal, min(3, len(legal)))]
        for known in (state, *others):
            for seat in range(game.players):
                told = json.dumps(TWINS[game.name].without_order(known.observe(seat)))
                assert seen.setdefault(known.encode(seat).tobytes(), told) == told


def after(state, action):
    other = state.copy()
    other.apply(action)
    return other


def test_every_id_below_the_count_is_an_action_with_a_text_of_its_own(game):
    for action in range(game.action_count):
        assert game.action_of(game.action_text(action)) == action
