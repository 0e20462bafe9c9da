"""The example bots and the templates of `new-bot`: they play whole games, and better than at random."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess

import numpy as np
import pytest

import qpolis
from helpers.sizes import some
from qpolis.registry.bot_templates import TEMPLATES, write_bot
from qpolis.registry.examples import BOTS
from qpolis.registry.spec import resolve
from qpolis.tourney.match import play_deals, play_stepwise

EXAMPLES = sorted(path.name for path in BOTS.iterdir() if path.is_file() and path.suffix != ".md")
ADAPTED = ["net.py", "spiel.py"]  # play any game, and are as good as what is put into them


def needed(path):
    """Skip if the program's interpreter is not there."""
    first = path.read_text().split("\n")[0]
    if first.startswith("#!"):
        interpreter = first.split()[-1]
        if shutil.which(interpreter) is None:
            pytest.skip(f"{path.name} needs {interpreter}")
        if interpreter == "perl" and subprocess.run(["perl", "-MJSON::PP", "-e", "1"], check=False).returncode:
            pytest.skip(f"{path.name} needs Perl's JSON::PP")


def plays_well(spec, mode, players):
    """Plays without a forfeit, and beats random players in sum."""
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    entrants = [resolve(spec), *[resolve("random")] * (players - 1)]
    batch = play_deals(game, entrants, 5, 0, 4)
    assert not batch.reasons
    assert (batch.ends == 0).all()
    mine, others = batch.points[:, 0].mean(), batch.points[:, 1:].mean()
    assert mine > others + 5


@pytest.mark.long
@pytest.mark.parametrize(
    ("mode", "players"), some([("expert", 3), ("classic", 2), ("expert", 2), ("classic", 3), ("expert", 4)])
)
@pytest.mark.parametrize("name", [name for name in EXAMPLES if name not in ADAPTED])
def test_examples_play_well(name, mode, players):
    needed(BOTS / name)
    plays_well(str(BOTS / name), mode, players)


@pytest.mark.long
@pytest.mark.parametrize("mode", some(["classic", "expert"]))
@pytest.mark.parametrize("kind", TEMPLATES)
def test_templates_play_well(kind, mode, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_bot("my_bot", kind)
    needed(path)
    assert os.access(path, os.X_OK) == (kind == "program")
    plays_well("my_bot", mode, 2)
    assert sorted(os.listdir("bots")) == [path.name]


@pytest.mark.parametrize("agent", ["mcts:sims=20", "random"])
def test_a_bot_of_openspiel_sits_at_the_table(agent, small_game):
    if not importlib.util.find_spec("pyspiel"):
        pytest.skip("pyspiel is not installed: pip install 'qpolis[openspiel]'")
    game = qpolis.load_game(small_game)
    batch = play_deals(game, [resolve(f"spiel:agent={agent}"), resolve("random")], 5, 0, 4)
    assert not batch.reasons


def test_a_learned_policy_sits_at_the_table(small_game, tmp_path):
    """One that likes high numbers, saved by NumPy beside the bot, and one that has learned nothing."""
    game = qpolis.load_game(small_game)
    shutil.copy(BOTS / "net.py", tmp_path / "my_net.py")
    weights = np.zeros((game.action_count, game.observation_size))
    np.savez(tmp_path / "high.npz", weights=weights, bias=np.arange(game.action_count))
    np.savez(tmp_path / "small.npz", weights=weights[:, 1:], bias=weights[:, 0])
    made = []

    def note(deal, state, seat, action, seconds):
        made.append(action == max(state.legal()))

    bots = [resolve(f"{tmp_path / 'my_net.py'}:file=high.npz"), resolve("net")]
    batch = play_stepwise(game, bots, 5, 0, 2, on_decision=note)
    assert not batch.reasons
    assert all(made[::2])
    assert not all(made[1::2])
    batch = play_deals(game, [resolve(f"{tmp_path / 'my_net.py'}:file=small.npz"), resolve("random")], 5, 0, 1)
    assert "the weights are (9, 26), and Village needs (9, 27)" in batch.reasons[0, 0]


def test_every_kind_has_an_example_that_the_readme_names():
    kinds = {resolve(str(BOTS / name)).kind for name in EXAMPLES}
    assert kinds == {"python", "kernel", "program"}
    readme = (BOTS / "README.md").read_text()
    assert all(f"`{name}`" in readme for name in EXAMPLES)
