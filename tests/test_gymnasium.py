"""One seat against bots, as Gymnasium knows it, and what Gymnasium checks of it."""

from __future__ import annotations

import random
import subprocess
import sys

import numpy as np
import pytest

import qpolis
from helpers.extras import needs

with needs("gymnasium"):
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from qpolis.environments.gymnasium_env import GameEnv
    from qpolis.registry.spec import resolve
    from qpolis.tourney.match import play_stepwise

MODULE = "qpolis.environments.gymnasium_env"
BOT = '''
from qpolis import Bot


class First(Bot):
    """Takes the first action."""

    def choose(self, legal):
        return {choice}
'''


@pytest.fixture(scope="module", autouse=True)
def registered(small_game):
    gymnasium.register("test/Village-v0", f"{MODULE}:GameEnv", kwargs={"game": small_game})


def play(env, seed, choose):
    """The last step of a game, and how many there were."""
    observation, info = env.reset(seed=seed)
    over, steps = False, 0
    while not over:
        assert observation in env.observation_space
        observation, reward, over, _, info = env.step(choose(np.flatnonzero(info["action_mask"]).tolist()))
        steps += 1
    return reward, info, steps


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("test/Village-v0", {"players": 3, "opponents": ["random", "heuristic"]}),
        ("test/Village-v0", {"seat": 1}),
        ("qpolis/Quadropolis-v0", {"opponents": "random"}),
    ],
)
def test_gymnasium_finds_nothing(name, options, capsys):
    check_env(gymnasium.make(name, **options).unwrapped)


def test_environments_have_names_without_an_import():
    code = f'import gymnasium; print(gymnasium.make("{MODULE}:qpolis/Quadropolis-v0", players=3))'
    said = subprocess.run([sys.executable, "-Werror", "-c", code], capture_output=True, text=True, check=True)
    assert (said.stdout, said.stderr) == (
        "<OrderEnforcing<PassiveEnvChecker<GameEnv<qpolis/Quadropolis-v0>>>>\n",
        "",
    )
    assert "qpolis/Arkadia-v0" in gymnasium.registry


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_it_is_the_game_of_a_tournament_with_that_seed(small_game, seat):
    """The bot `random` at the other seats plays what it plays there, if the one that learns plays the same."""
    game = qpolis.load_game(small_game, players=3)
    played = []
    batch = play_stepwise(game, [resolve("random")] * 3, 11, 0, 1)
    state = game.new(11)
    for action in batch.actions.tolist():
        if state.player == seat:
            played.append(action)
        state.apply(action)
    actions = iter(played)
    env = GameEnv(game, opponents="random", seat=seat)
    reward, info, steps = play(env, 11, lambda legal: next(actions))
    assert steps == len(played)
    assert (info["score"], info["place"]) == (batch.points[0, seat], batch.ranks[0, seat])
    assert reward == [1, 0, -1][info["place"]]


def test_seats_are_drawn_from_the_seed():
    env = gymnasium.make("test/Village-v0", players=3, opponents="random")
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(30)]
    assert set(seats) == {0, 1, 2}
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(30)]
    assert {env.reset()[1]["seat"] for _ in range(30)} == {0, 1, 2}


def test_an_illegal_action_is_the_end():
    env = GameEnv("quadropolis", opponents="random")
    _, info = env.reset(seed=1)
    _, reward, over, cut, info = env.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, over, cut, info["illegal"]) == (-1, True, False, True)
    assert not info["action_mask"].any()
    with pytest.raises(qpolis.QpolisError, match="reset"):
        env.step(0)


def test_bots_of_others_are_opponents(small_game, tmp_path):
    """A program plays one game after the other; one that fails is no game that was won."""
    (tmp_path / "first.py").write_text(BOT.format(choice="legal[0]"), encoding="utf-8")
    (tmp_path / "wrong.py").write_text(BOT.format(choice="99"), encoding="utf-8")
    choose = random.Random(0).choice
    env = GameEnv(small_game, opponents=str(tmp_path / "first.py"), seat=1)
    for seed in range(3):
        reward, _, _ = play(env, seed, choose)
        assert reward in (-1, 0, 1)
    env.reset(seed=4)  # and leaves one in the middle
    env.reset(seed=5)
    env.close()
    env = GameEnv(small_game, opponents=str(tmp_path / "wrong.py"), seat=1)
    with pytest.raises(qpolis.QpolisError, match=r"opponent .*wrong.py at seat 0 failed: chose 99, which is not"):
        env.reset(seed=0)
    env.close()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"opponents": ["random"], "players": 3}, "1 opponents, and 2 seats for them at village"),
        ({"opponents": "rnadom"}, "did you mean 'random'"),
        ({"seat": 2}, "no seat 2: the seats are 0 to 1; None draws one"),
        ({"player": 2}, "player"),
    ],
)
def test_what_cannot_be_made_is_one_line(small_game, given, words):
    with pytest.raises(qpolis.QpolisError, match=words):
        GameEnv(small_game, **given)
