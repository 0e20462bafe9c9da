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
from qpolis.games.quadropolis.features import NAMES, describe_city
from qpolis.games.quadropolis.layout import FEATURES, STATE
from qpolis.games.quadropolis.value import turns_left
from qpolis.rng import stream


@pytest.mark.core
@pytest.mark.parametrize("mode", ["classic", "expert"])
@pytest.mark.parametrize(("flavour", "holds"), [*product(FLAVOURS, [1]), ("parks", 0), ("parks", 2)])
def test_features_against_plain_counting(mode, flavour, holds):
    rng = random.Random(f"{mode} {flavour}")
    game = qpolis.load_game("quadropolis", mode=mode, mix=f"base:park={holds}holds")
    out = np.empty(FEATURES)
    for _ in range(sized(400, 60, 12)):
        squares, inhabitants, energy = random_city(rng, mode, flavour, 0, 20)
        turns, mayor = rng.randint(0, 20), rng.random() < 0.5
        state = np.zeros(1, STATE)[0]
        fill_city(state.built[0], state.tall[0], state.vp[0], squares)
        describe_city(
            game.rules[0], state.built[0], state.tall[0], state.vp[0], inhabitants, energy, turns, mayor, out
        )
        told = {name: int(count) for name, count in zip(NAMES, out) if count}
        assert told == features(mode, squares, inhabitants, energy, turns, mayor, holds)


@pytest.mark.core
def test_rating_is_evaluating_what_an_action_leads_to(variant):
    """The game's own `rate` against the one that holds for every game, on positions of whole games."""
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
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
