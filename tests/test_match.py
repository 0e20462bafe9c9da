"""Policies and the match loop: one compiled loop for all policies, the same games as played by hand."""

from __future__ import annotations

import numpy as np
import pytest

import qpolis
from helpers.matches import by_hand_state, first_legal, sometimes_illegal
from helpers.sizes import sized
from qpolis import clock, verbs
from qpolis.bots.random import random
from qpolis.engine import policy_loop
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import FINISHED, ILLEGAL, STOPPED
from qpolis.kernel import JIT
from qpolis.rng import keys, seat_seed, stream


def configured(policies):
    return [policy.configure() for policy in policies]


def by_hand(game, policies, seed, deal):
    """One game of the match loop, through the public face."""
    state = by_hand_state(game, seed, deal)
    streams = [stream(int(seat_seed(keys(seed), deal, seat))) for seat in range(game.players)]
    decisions = [0] * game.players
    while not state.over:
        seat = state.player
        if policies[seat] is random:
            action = int(verbs.pick(game.rules[0], state.record, streams[seat]))
        else:
            action = state.legal()[0]
        state.apply(action)
        decisions[seat] += 1
    return state.scores(), state.ranks(), decisions


@pytest.mark.core
def test_the_loop_plays_by_the_rules(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    policies = [random, first_legal, random, first_legal][:players]
    games = sized(25, 5, 1)
    batch = play_policies(game, configured(policies), 9, 100, games)
    for i in range(games):
        points, ranks, decisions = by_hand(game, policies, 9, 100 + i)
        assert batch.points[i].tolist() == points
        assert batch.ranks[i].tolist() == ranks
        assert batch.decisions[i].tolist() == decisions


@pytest.mark.core
def test_a_game_does_not_depend_on_its_batch():
    game = qpolis.load_game("quadropolis", players=3)
    games = sized(40, 10, 3)
    whole = play_policies(game, [random.configure()] * 3, 4, 0, games)
    parts = [play_policies(game, [random.configure()] * 3, 4, deal, 1) for deal in range(games)]
    assert np.array_equal(whole.points, np.concatenate([part.points for part in parts]))


@pytest.mark.core
def test_deals_can_be_played_in_steps():
    game = qpolis.load_game("quadropolis", players=3)
    games = sized(20, 5, 2)
    some = play_policies(game, [random.configure()] * 3, 4, 5, games, step=7)
    each = [play_policies(game, [random.configure()] * 3, 4, 5 + 7 * row, 1) for row in range(games)]
    assert np.array_equal(some.points, np.concatenate([one.points for one in each]))


@pytest.mark.core
@pytest.mark.parametrize("room", [10, 130, 1 << 20])
def test_recorded_actions_lead_to_the_same_end(room, monkeypatch):
    monkeypatch.setattr(policy_loop, "MOST_ACTIONS", room)  # also less than one game needs
    game = qpolis.load_game("quadropolis")
    games = sized(12, 4, 2)
    batch = play_policies(game, configured([random, first_legal]), 9, 3, games, 2, record=True)
    plain = play_policies(game, configured([random, first_legal]), 9, 3, games, 2)
    assert len(plain.actions) == 0
    assert np.array_equal(batch.points, plain.points)
    assert batch.lengths.tolist() == plain.lengths.tolist() == batch.decisions.sum(axis=1).tolist()
    parts = np.split(batch.actions, np.cumsum(batch.lengths)[:-1])
    for row, actions in enumerate(parts):
        state = game.new(9, 3 + 2 * row)
        for action in actions.tolist():
            state.apply(action)
        assert state.over
        assert state.scores() == batch.points[row].tolist()


def test_one_game_of_sixteen_is_timed():
    batch = play_policies(qpolis.load_game("quadropolis"), configured([random, first_legal]), 9, 0, 40)
    assert batch.times.sum(axis=1).tolist() == batch.decisions[[0, 16, 32]].sum(axis=0).tolist()


@pytest.mark.core
def test_times_fall_into_half_octaves():
    assert clock.time_bin(0.0) == clock.time_bin(clock.SHORTEST) == 0
    for place in range(1, clock.BINS):
        edge = clock.SHORTEST * 2 ** (place / 2)
        assert clock.time_bin(edge * 1.001) == place
        assert clock.time_bin(edge * 0.999) == place - 1
    assert clock.time_bin(1e12) == clock.BINS - 1


@pytest.mark.skipif(not JIT, reason="about compiled code")
def test_one_compiled_loop_serves_all_policies():
    game = qpolis.load_game("quadropolis")
    play_policies(game, configured([random, random]), 1, 0, 2)
    before = len(policy_loop.play_games.overloads)
    for policies in ([random, first_legal], [first_legal, random]):
        play_policies(game, configured(policies), 1, 0, 2)
    assert len(policy_loop.play_games.overloads) == before


@pytest.mark.core
def test_an_illegal_answer_ends_the_game_with_that_seat_last(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    policies = [random] * (players - 1) + [sometimes_illegal]
    batch = play_policies(game, configured(policies), 3, 0, 4)
    assert (batch.ends[:, -1] == ILLEGAL).all()
    assert (batch.ends[:, :-1] == STOPPED).all()
    assert (batch.decisions[:, -1] == 5).all()
    assert (batch.ranks[:, -1] == players - 1).all()
    assert (play_policies(game, [random.configure()] * players, 3, 0, 4).ends == FINISHED).all()


@pytest.mark.core
def test_scratch_is_empty_at_the_start_of_a_game():
    game = qpolis.load_game("quadropolis")
    batch = play_policies(game, configured([sometimes_illegal, random]), 3, 0, 3)
    assert (batch.decisions[:, 0] == 5).all()


@pytest.mark.parametrize(
    ("policies", "first", "games"),
    [([], 0, 1), ([random], 0, 1), ([random] * 3, 0, 1), ([random] * 2, -1, 1), ([random] * 2, 0, -1)],
)
def test_wrong_batches_are_refused(policies, first, games):
    with pytest.raises(qpolis.QpolisError):
        play_policies(qpolis.load_game("quadropolis"), configured(policies), 1, first, games)
