"""Games as PettingZoo knows them, and what PettingZoo tests of them."""

from __future__ import annotations

import io
import pickle
import random
from contextlib import redirect_stdout

import numpy as np
import pytest

import qpolis
from helpers.extras import needs
from qpolis.environments.rewards import rewards_of

with needs("pettingzoo"):
    import pettingzoo
    from pettingzoo.test import api_test, render_test, seed_test
    from pettingzoo.test.state_test import test_state as check_state
    from pettingzoo.test.state_test import test_state_space as check_state_space

    from qpolis.environments.pettingzoo_env import raw_env

# PettingZoo has a list of environments that may have masks in their observations: its own.
KNOWN = (
    "ignore:Observation is not a NumPy array",
    "ignore:Observation space for each agent probably should be",
    "ignore:Action mask numpy array is all zeros",  # of who does not decide, as in PettingZoo's own games
)


@pytest.fixture(params=["village", "quadropolis"])
def make(request, small_game):
    """Makes an environment, with or without wrappers."""
    name, options = (small_game, {"size": 4}) if request.param == "village" else (request.param, {})

    def make(wrapped=True, **given):
        return (qpolis.env if wrapped else raw_env)(name, players=3, **options, **given)

    return make


@pytest.mark.parametrize("wrapped", [True, False])
@pytest.mark.filterwarnings(*KNOWN)
def test_api(make, wrapped, capsys):
    api_test(make(wrapped), num_cycles=80)
    assert capsys.readouterr().out.endswith("Passed API test\n")


@pytest.mark.parametrize(("name", "players"), [("quadrilatere", {}), ("arkadia", {"players": 4})])
@pytest.mark.filterwarnings(*KNOWN)
def test_the_other_games(name, players, capsys):
    api_test(qpolis.env(name, **players), num_cycles=80)
    seed_test(lambda: qpolis.env(name, **players), num_cycles=20)
    assert capsys.readouterr().out.endswith("Passed API test\n")


def test_seeds(make):
    seed_test(make, num_cycles=40)


def test_rendering(make, capsys):
    render_test(make)


def test_the_state_of_all_seats(make):
    check_state_space(make())
    with redirect_stdout(io.StringIO()):
        check_state(_legal_sampler(make()), num_cycles=5)


def _legal_sampler(env):
    """The upstream test of states samples actions without a mask."""
    env.reset(seed=0)
    for agent in env.possible_agents:
        env.action_space(agent).sample = lambda env=env: int(np.flatnonzero(env.last()[0]["action_mask"])[0])
    return env


def test_it_plays_the_game_of_the_seed(make):
    env = make()
    env.reset(seed=7)
    state, choices = env.unwrapped.game.new(7), random.Random(7)
    ends = {}
    for agent in env.agent_iter():
        observation, reward, over, _, info = env.last()
        seat = int(agent[-1])
        assert np.array_equal(observation["observation"], state.encode(seat))
        if over:
            ends[seat] = reward, info["score"], info["place"]
            env.step(None)
            continue
        assert seat == state.player
        assert np.flatnonzero(observation["action_mask"]).tolist() == state.legal()
        assert env.texts() == {action: state.game.text(state, action) for action in state.legal()}
        assert (reward, info) == (0, {})
        action = choices.choice(state.legal())
        env.step(action)
        state.apply(action)
    rows = zip(rewards_of(state.ranks()), state.scores(), state.ranks())
    assert ends == dict(enumerate(rows))


def test_games_follow_each_other(make):
    env = make()
    starts = []
    for seed in (5, None, None, 5, None):
        env.reset(seed=seed)
        starts.append(env.unwrapped.position.to_dict())
    assert starts[0] == starts[3]
    assert starts[1] == starts[4]
    assert starts[0] != starts[1] != starts[2]


def test_an_illegal_action_loses(make):
    env = make()
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0])
    env.step(illegal)
    assert {agent: env.rewards[agent] for agent in env.agents} == {"player_0": -1, "player_1": 0, "player_2": 0}
    raw = make(wrapped=False)
    raw.reset(seed=1)
    with pytest.raises(qpolis.IllegalAction):
        raw.step(illegal)


def test_an_environment_is_pickled_in_the_middle_of_a_game(make):
    env = make()
    env.reset(seed=3)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    again = pickle.loads(pickle.dumps(env))
    assert again.agent_selection == "player_1" or again.agent_selection == env.agent_selection
    assert again.unwrapped.position.to_dict() == env.unwrapped.position.to_dict()


def test_the_registry_has_all_games():
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry: 1.27 does")
    assert pettingzoo.spec("aec", "qpolis/arkadia-v0").kwargs == {"game": "arkadia"}
    env = pettingzoo.make("aec", "qpolis/quadropolis-v0", players=4, mode="expert")
    assert env.unwrapped.game.settings["mode"] == "expert"
    assert str(env) == "quadropolis_v0"


def test_what_cannot_be_made_is_one_line(small_game):
    with pytest.raises(qpolis.QpolisError, match="option players: 7 is not one of 2, 3, 4"):
        qpolis.env(small_game, players=7)
    with pytest.raises(qpolis.QpolisError, match="unknown game 'village2'"):
        qpolis.env("village2")
