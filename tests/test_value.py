"""The evaluation of unfinished cities, against plain counting."""

from __future__ import annotations

import random
from itertools import product

import numpy as np
import pytest

import qpolis
from helpers.cities import FLAVOURS, random_city
from helpers.sizes import sized
from naive.quadropolis_features import features
from qpolis import verbs
from qpolis.games.quadropolis.codec import fill_city
from qpolis.games.quadropolis.features import NAMES
from qpolis.games.quadropolis.layout import FEATURES, STATE
from qpolis.games.quadropolis.value import describe_seat, turns_left
from qpolis.rng import stream


@pytest.mark.core
@pytest.mark.parametrize("mode", ["classic", "expert"])
@pytest.mark.parametrize(
    ("flavour", "holds"), [*product(FLAVOURS, [None]), ("parks", (0,)), ("parks", (0, 1, 3, 9))]
)
def test_features_against_plain_counting(mode, flavour, holds):
    rng = random.Random(f"{mode} {flavour}")
    game = qpolis.load_game("quadropolis", mode=mode)
    out = np.empty(FEATURES)
    for _ in range(sized(400, 60, 12)):
        squares, inhabitants, energy = random_city(rng, mode, flavour, 0, 20, holds)
        turns, mayor = rng.randint(0, 20), rng.random() < 0.5
        state = np.zeros(1, STATE)[0]
        fill_city(state.built[0], state.tall[0], state.vp[0], state.holds[0], squares)
        state.inhabitants[0], state.energy[0], state.mayor = inhabitants, energy, 0 if mayor else 1
        describe_seat(game.rules[0], state, 0, turns, out)
        told = {name: int(count) for name, count in zip(NAMES, out) if count}
        assert told == features(mode, squares, inhabitants, energy, turns, mayor)


@pytest.mark.core
@pytest.mark.parametrize("mix", ["base", "base:park=3holds@1:park=0holds@2"])
def test_rating_is_evaluating_what_an_action_leads_to(variant, mix):
    """The game's own `rate` against the one that holds for every game, on positions of whole games."""
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players, mix=mix)
    choices = random.Random(3)
    rules = game.rules[0]
    actions, others = np.empty((2, rules.actions), verbs.ACTION)
    ratings, expected = np.empty((2, rules.actions))
    spare = np.zeros(2, game.state_dtype)
    for seed in range(sized(10, 2, 1)):
        state = game.new(seed)
        for _ in range(sized(1000, 1000, 4)):
            if state.over:
                break
            last_turn = state.record.plays == 4 * players - 1  # a new round begins after it
            count = verbs.rate(rules, state.record, spare, actions, ratings, stream(0))
            if not last_turn:
                assert verbs._rate(rules, state.record, spare, others, expected, stream(0)) == count
                assert actions[:count].tolist() == others[:count].tolist() == state.legal()
                assert ratings[:count].tolist() == expected[:count].tolist()
            state.apply(choices.choice(state.legal()))


@pytest.mark.core
def test_turns_left(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    choices = random.Random(4)
    state = game.new(1)
    left = [4 * int(game.rules[0].rounds)] * players
    while not state.over:
        assert [int(turns_left(game.rules[0], state.record, seat)) for seat in range(players)] == left
        seat, played = state.player, (state.record.round_no, state.record.plays)
        state.apply(choices.choice(state.legal()))
        left[seat] -= (state.record.round_no, state.record.plays) != played
    assert left == [0] * players
