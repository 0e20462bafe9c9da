"""The example that learns to play: it gets better, and what it saves plays in tournaments."""

from __future__ import annotations

import importlib.util
import shutil

import numpy as np
import pytest

import qpolis
from helpers.extras import needs
from helpers.matches import first_legal
from qpolis.environments.vector import vector
from qpolis.registry.examples import FOLDER
from qpolis.registry.spec import resolve
from qpolis.tourney.match import play_deals

with needs("learn"):
    import jax  # noqa: F401
    import optax  # noqa: F401

EXAMPLE = FOLDER / "learning"


@pytest.fixture(scope="module")
def script():
    """`train_ppo.py`, as a module."""
    spec = importlib.util.spec_from_file_location("train_ppo", EXAMPLE / "train_ppo.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def trained(script, small_game, tmp_path_factory):
    """A player of the village that learned from rewards alone: the folder with its file, and all its leads."""
    folder = tmp_path_factory.mktemp("learned")
    game = qpolis.load_game(small_game, size=4)
    trainer = script.Trainer(
        vector(game, 32, seed=1, opponents="random", rewards="points"), hidden=32, rate=3e-3, updates=60, seed=1
    )
    leads = [np.mean(trainer.update()) for _ in range(60)]
    trainer.save(folder / "learned.npz")
    shutil.copy(EXAMPLE / "learned.py", folder)
    return folder, game, leads


def test_it_gets_better(trained):
    _, _, leads = trained
    assert np.mean(leads[-10:]) > np.mean(leads[:10]) + 1


def test_what_it_learned_plays_and_beats_random(trained):
    folder, game, _ = trained
    batch = play_deals(game, [resolve(str(folder / "learned.py")), resolve("random")], seed=5, first=0, games=12)
    assert batch.reasons == {}
    assert (batch.points[:, 0] - batch.points[:, 1]).mean() > 1


def test_the_teacher_is_followed(script, trained):
    _, game, _ = trained
    env = vector(game, 32, seed=1, opponents="random", rewards="points")
    trainer = script.Trainer(env, hidden=32, rate=3e-3, updates=10, seed=1)
    teacher = first_legal.configure()
    agree = []
    for _ in range(6):
        learned, _ = trainer.play(teacher)
        assert np.array_equal(learned["teacher"], learned["masks"].argmax(axis=1))
        agree.append((learned["actions"] == learned["teacher"]).mean())
        trainer.update(teacher, 1.0)
    assert agree[-1] > agree[0] + 0.3


def test_advantages_are_the_sums_of_what_came_unexpectedly(script):
    chance = np.random.default_rng(3)
    rewards, values = chance.normal(size=(2, 9, 4)).astype(np.float32)
    done = chance.random((9, 4)) < 0.3
    last = chance.normal(size=4).astype(np.float32)
    found = script.advantages(rewards, done, values, last)
    after = np.vstack([values[1:], last])
    for step in range(9):
        for row in range(4):
            total, weight = 0.0, 1.0
            for later in range(step, 9):
                going = not done[later, row]
                total += weight * (
                    rewards[later, row] + script.DISCOUNT * going * after[later, row] - values[later, row]
                )
                weight *= script.DISCOUNT * script.TRACE
                if not going:
                    break
            assert found[step, row] == pytest.approx(total, rel=1e-4, abs=1e-5)
