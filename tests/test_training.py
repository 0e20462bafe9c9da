"""Training: what is fitted plays better, a training that is killed goes on as if it had not been, and mistakes
cost one line."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

import qpolis
from helpers.command_line import refusal, run
from helpers.extras import needs
from helpers.networks import random_arrays, random_model
from helpers.sizes import LENGTH
from naive.network import PlainNetwork, inputs_of, touched
from qpolis import QpolisError
from qpolis.bots.instinct import instinct
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.learning import examples, trainer
from qpolis.learning.history import read_history
from qpolis.learning.plan import plan_training, read_training
from qpolis.learning.self_play import play_examples
from qpolis.models.model_file import arrays, load_model, new_model
from qpolis.tourney.journal import Journal
from qpolis.tourney.schedule import WorkerPool

with needs("learn"):
    import jax  # noqa: F401
    import optax  # noqa: F401

    from qpolis.learning import fitting

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
TINY = {"games": 20, "sims": 8, "wide": 8, "narrow": 8, "epochs": 6, "gate": 20, "seed": 1, "remember": 2}
WORST = "worst.model"  # what small trainings begin with, so that every generation is better than the one before
PATIENCE = 300  # seconds, before a test is hung


@pytest.fixture(scope="module")
def game():
    return qpolis.load_game("quadropolis")


# -- examples ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def played(game):
    """What the search without a network gives to learn from."""
    return play_examples(game, None, 16, 1, 0, 160)


def test_examples_are_what_games_were(game, played):
    inputs, touches, ratings, visits, wins, points, hopes, games = played
    assert played.rows > 1500
    assert np.unique(games).tolist() == list(range(160))
    assert np.allclose(visits.sum(1), 1, atol=1e-5)
    assert np.allclose(wins.sum(1), 1)
    assert np.allclose(hopes.sum(1), 1, atol=1e-4)
    assert (hopes >= 0).all()
    assert ((wins == 1) | (wins == 0) | (wins == 0.5)).all()
    assert ((points[:, 0] > points[:, 1]) <= (wins[:, 0] > 0)).all()
    assert (ratings <= 0).all()
    assert (visits[touches[:, :, 0] == examples.NO_TOUCH] == 0).all()
    assert touches.min() == examples.NO_TOUCH
    assert touches.max() < game.model_touches
    assert inputs.shape[1] == game.model_inputs
    for number in range(0, 160, 20):
        scores = {tuple(sorted(row.tolist())) for row in points[games == number]}
        assert len(scores) == 1  # of one game


def test_examples_depend_on_their_deals_only(game, played):
    """Not on what was played before in the same call."""
    parts = examples.join([play_examples(game, None, 16, 1, first, 5) for first in (0, 5)])
    for one, other in zip(parts, played):
        assert np.array_equal(one, other[: len(one)])
    other_seed = play_examples(game, None, 16, 2, 0, 5)
    assert not np.array_equal(other_seed.inputs[:5], played.inputs[:5])


def test_games_with_a_network_are_other_games(game, played):
    model = random_model(game, 1)
    learned = play_examples(game, model, 16, 1, 0, 5)
    again = play_examples(game, model, 16, 1, 0, 5)
    assert all(np.array_equal(one, other) for one, other in zip(learned, again))
    assert not np.array_equal(learned.inputs[:20], played.inputs[:20])


def test_examples_in_a_file(tmp_path, played):
    path = tmp_path / "examples.npz"
    examples.save(path, examples.to_bytes(played))
    for one, other in zip(examples.load(path), played):
        assert np.allclose(one.astype(np.float64), other, rtol=1e-3, atol=1e-4)
    content = path.read_bytes()
    for damaged in (content[:-9], content[: len(content) // 2], b"", b"hello"):
        path.write_bytes(damaged)
        with pytest.raises(QpolisError, match="is damaged: delete it"):
            examples.load(path)


# -- fitting -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [{}, {"mode": "expert", "players": 3}], ids=["classic", "expert"])
def test_what_is_fitted_is_what_plays(options):
    """The network as it learns is the network as it plays."""
    game = qpolis.load_game("quadropolis", **options)
    weights = arrays(new_model(random_arrays(game, 4), game=game.name))
    plain = PlainNetwork(game, weights)
    state = game.new(2)
    choices = np.random.default_rng(2)
    while not state.over:
        if choices.random() < 0.2:
            wins, points, touches = (
                np.asarray(part)[0] for part in fitting.forward(weights, inputs_of(game, state)[0][None])
            )
            odds = np.exp(wins - wins.max())
            chances, expected = (np.roll(part, -state.player) for part in plain.look(state))
            assert np.allclose(odds / odds.sum(), chances, rtol=1e-4, atol=1e-6)
            assert np.allclose(points, expected, rtol=1e-4, atol=1e-4)
            legal = state.legal()
            logits = [touches[touched(game, state, action)].sum() for action in legal]
            assert np.allclose(logits, plain.prefer(state, legal, [0.0] * len(legal)), rtol=1e-4, atol=1e-4)
        state.apply(choices.choice(state.legal()))


def test_a_new_network_says_what_the_evaluation_says(game):
    """So that a training does not begin below it."""
    weights = fitting.new_weights(game.model_inputs, 16, 8, 2, game.model_touches, seed=5)
    seat = new_model(weights, game=game.name)
    plain = PlainNetwork(game, arrays(seat))
    state = game.new(3)
    _, values = inputs_of(game, state)
    assert plain.look(state)[1].tolist() == values.tolist()


def lead(model, folder):
    """How many points instinct is ahead of random, in the mean of some deals with swapped seats."""
    model.save(folder / "x.model")
    game = qpolis.load_game("quadropolis")
    seat, other = instinct.configure(model=str(folder / "x.model")), random.configure()
    there, back = (play_policies(game, bots, 3, 0, 50).points for bots in ([seat, other], [other, seat]))
    return float((there[:, 0] - there[:, 1] + back[:, 1] - back[:, 0]).mean() / 2)


def test_a_network_learns_to_play(game, played, tmp_path):
    """One that knows nothing, not even how the evaluation rates an action: it is ahead of `random` by 7 points,
    and by 44 after it has seen 160 games. Fixed seeds, far from the limits."""
    nothing = fitting.new_weights(game.model_inputs, 32, 16, 2, game.model_touches, seed=1)
    nothing["scales"] = np.zeros_like(nothing["scales"])
    losses = []
    fitted, fit = fitting.fit(nothing, played.packed(), 20, 1, lambda epoch, loss: losses.append(loss))
    assert len(losses) == 20
    assert losses[-1] < losses[0] - 0.3
    never_seen = play_examples(game, None, 16, 1, 1000, 40)
    before, after = (fitting.judge(each, never_seen, np.arange(never_seen.rows)) for each in (nothing, fitted))
    assert before.win == pytest.approx(np.log(2), abs=1e-4)  # it says that each seat wins as often
    assert after.choice < before.choice - 0.3
    assert after.points < before.points - 1
    assert fit.choice < before.choice - 0.3  # on games that were held back
    assert np.isfinite(list(vars(fit).values())).all()
    assert (
        lead(new_model(fitted, game=game.name), tmp_path) > lead(new_model(nothing, game=game.name), tmp_path) + 20
    )


def test_calibration_is_the_distance_of_words_and_deeds():
    says = np.array([0.05, 0.05, 0.95, 0.95])
    assert fitting.calibration_error(says, np.array([0, 0, 1, 1])) == pytest.approx(0.05)
    assert fitting.calibration_error(says, np.array([1, 1, 0, 0])) == pytest.approx(0.95)
    assert fitting.calibration_error(np.array([1.0]), np.array([1])) == 0


# -- a training and its end ----------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ends here."""


class Moments:
    """Ends the process, or what stands for it, just after some file got its name or a record was written."""

    def __init__(self, patch, left, end):
        self.left, self.end = left, end
        for of, name in ((os, "replace"), (Journal, "append")):
            patch.setattr(of, name, self.counted(getattr(of, name)))

    def counted(self, real):
        def step(*given):
            done = real(*given)
            self.left -= 1
            if self.left == 0:
                self.end()
            return done

        return step


def small_steps(patch):
    """More files for less work."""
    patch.setattr(trainer, "AT_A_TIME", 10)
    patch.setattr(trainer, "ANCHOR_GAMES", 20)


def train(folder, generations=2, **keys):
    """Train, or go on, until there are so many generations."""
    if folder.exists():
        plan, make = read_training(folder), trainer.Training
    else:
        if not (folder.parent / WORST).exists():
            random_model(qpolis.load_game("quadropolis"), 3, wide=8).save(folder.parent / WORST)
        plan, make = plan_training({**TINY, "begin": WORST, **keys}), trainer.Training.begin
    with WorkerPool(1) as pool:
        training = make(folder, plan, pool, lambda words, done, total: None)
        while len(training.history) < generations:
            training.generation()
    return training


def outcome(folder):
    """All that a training makes, but for the minutes it took."""
    networks = {str(path.relative_to(folder)): load_model(path).digest for path in folder.rglob("*.model")}
    return networks, [{**vars(row), "minutes": 0} for row in read_history(folder)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A training that nobody disturbed."""
    folder = tmp_path_factory.mktemp("trainings") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder.parent)
        small_steps(patch)
        train(folder)
    return folder


def test_a_training_has_its_files(whole):
    networks, history = outcome(whole)
    assert [row["number"] for row in history] == [1, 2]
    assert [row["games"] for row in history] == [20, 40]
    for row in history:
        assert networks[f"generations/{row['number']:03d}/network.model"] == row["digest"]
    assert all(row["promoted"] for row in history)  # other tests count on it
    assert networks["champion.model"] == history[-1]["digest"]
    assert sorted(path.name for path in (whole / "generations" / "001").glob("*.npz")) == [
        "examples-000000.npz",
        "examples-000010.npz",
    ]
    facts = load_model(whole / "generations" / "002" / "network.model").card["training"]
    assert facts["generation"] == 2
    assert facts["games"] == 40


def test_a_training_that_ends_after_every_step_ends_the_same(whole, tmp_path, monkeypatch):
    """Each life makes one file or record; what was promoted is not tested against itself."""
    monkeypatch.chdir(tmp_path)
    small_steps(monkeypatch)
    folder = tmp_path / "training"

    def end():
        raise Killed

    lives = 0
    while lives < 200:
        lives += 1
        with monkeypatch.context() as patch:
            Moments(patch, 1, end)
            try:
                train(folder)
                break
            except Killed:
                pass
    assert lives > 20
    assert outcome(folder) == outcome(whole)


KILLED = """
import os, signal, sys
import pytest
sys.path.insert(0, {tests!r})
from test_training import Moments, small_steps, train
from pathlib import Path
patch = pytest.MonkeyPatch()
small_steps(patch)
Moments(patch, int(sys.argv[1]), lambda: os.kill(os.getpid(), signal.SIGKILL))
train(Path("training"))
"""


@pytest.mark.long(only=True)
def test_a_training_that_is_killed_ends_the_same(whole, tmp_path, monkeypatch):
    """By SIGKILL, at moments that were drawn once; more of them in the lengthened tests."""
    monkeypatch.chdir(tmp_path)
    program = KILLED.format(tests=os.path.dirname(__file__))
    for moments in ((4, 9), (2, 3, 5, 7, 11))[LENGTH > 1]:
        done = subprocess.run(
            [sys.executable, "-c", program, str(moments)], timeout=PATIENCE, capture_output=True, text=True
        )
        assert done.returncode == -signal.SIGKILL, done.stderr
    small_steps(monkeypatch)
    train(tmp_path / "training")
    assert outcome(tmp_path / "training") == outcome(whole)


def test_it_does_not_matter_how_many_games_a_task_has(whole, tmp_path, monkeypatch):
    """What the parts of a generation give depends on their deals, so it does not on who plays them."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(trainer, "ANCHOR_GAMES", 20)  # and all games of a generation at a time
    train(tmp_path / "training", 1)
    assert outcome(tmp_path / "training")[1] == outcome(whole)[1][:1]


# -- the command ---------------------------------------------------------------------------------------------

SMALL = ["--games", "12", "--sims", "8", "--wide", "8", "--gate", "20", "--seed", "1", "--workers", "1"]


@pytest.fixture
def quickly(monkeypatch):
    small_steps(monkeypatch)


def test_the_command_trains_and_goes_on(folder, quickly):
    said = run("train", *SMALL, "--name", "mine", "--generations", "1")
    assert re.match(r"Quadropolis, .*; from nothing, 12 games a generation, in models.mine\n", said)
    assert len(re.findall(r"^generation 1: ", said, re.MULTILINE)) == 1
    assert len(read_history(folder / "models" / "mine")) == 1
    made = {path.name for path in (folder / "models" / "mine").iterdir()}
    assert {"plan.toml", "history.csv", "report.html", "curves.png", "curves.svg", "generations"} <= made
    assert os.listdir(folder) == ["models"]
    assert run("train", "--resume", "models/mine", "--generations", "1", "--workers", "1", "--quiet") == ""
    assert len(read_history(folder / "models" / "mine")) == 2
    assert "go on with it" in refusal("train", *SMALL, "--name", "mine")
    assert "takes --minutes and --generations" in refusal("train", "--resume", "models/mine", "--games", "9")


@pytest.mark.long(only=True)
def test_a_training_goes_on_from_a_model(folder, quickly, game):
    """Whose sizes its networks have."""
    random_model(game, 3, size=0.1).save(folder / "mine.model")
    (row,) = train(folder / "out", 1, begin="mine.model", wide=16).history
    plan = read_training(folder / "out")
    assert (plan.wide, plan.narrow, plan.begin) == (16, 8, "mine.model")
    with pytest.raises(QpolisError, match=re.escape("wide: mine.model has 16 units")):
        plan_training({**TINY, "begin": "mine.model"})
    begun = load_model(folder / "mine.model").digest
    assert load_model(folder / "out" / "champion.model").digest == (row.digest if row.promoted else begun)


MISTAKES = {
    "games": (["--games", "0"], "games: 0 is not"),
    "fewer games": (["--games", "-3"], "games: -3 is not"),
    "sims": (["--sims", "1"], "sims: 1 is not"),
    "wide": (["--wide", "12"], "wide: 12 is not a multiple of 8"),
    "wider": (["--wide", "100000"], "wide: 100000 is not"),
    "gate": (["--gate", "1"], "gate: 1 is not"),
    "playout": (["--playout", "-1"], "playout: -1 is not"),
    "minutes": (["--minutes", "0"], "--minutes"),
    "no minutes": (["--minutes", "nan"], "--minutes"),
    "generations": (["--generations", "0"], "--generations"),
    "workers": (["--workers", "0"], "--workers"),
    "a path as a name": (["--name", "a/b"], 'name: "a/b" is not'),
    "a hidden name": (["--name", ".a"], 'name: ".a" is not'),
    "a long name": (["--name", "x" * 101], "is not a name of up to 100 letters"),
    "no model": (["--from", "nobody"], "unknown model 'nobody'"),
    "no file": (["--from", "./none.model"], "model none.model: there is no such file"),
    "a bad model": (["--from", "./bad.model"], "model bad.model: is not a model of qpolis"),
    "a model of others": (["--from", "three.model"], "model three.model: it is for 3 players, not 2"),
    "none ships": (["--from", "shipped"], "no model ships for"),
    "a game without mixes": (["--game", "quadrilatere", "--mixes", "a,b"], "quadrilatere has no option mix"),
    "no mix": (["--mixes", "nothing"], "nothing"),
    "no game": (["--game", "chess"], "chess"),
    "an unseen game": (["--game", "./unseen.py"], "it has no observations as numbers"),
    "players": (["--players", "7"], "players"),
    "a folder that is taken": (["--out", "taken"], "taken: is not empty"),
    "a file for a folder": (["--out", "bad.model"], "bad.model: is a file"),
    "nothing to go on with": (["--resume", "nowhere"], "nowhere: there is no training to go on with"),
    "no training": (["--resume", "taken"], "taken: there is no training to go on with"),
    "a tournament": (["--resume", "cup"], "is a tournament, not a training"),
    "a changed plan": (["--resume", "changed"], "was changed since the training began"),
    "a damaged history": (["--resume", "torn"], "history.csv: is damaged"),
}


@pytest.fixture(scope="module")
def bench(tmp_path_factory, whole, cup):
    """A folder with things that mistakes are made with."""
    from helpers.plugin_games import village

    folder = tmp_path_factory.mktemp("bench")
    (folder / "bad.model").write_text("bad")
    random_model(qpolis.load_game("quadropolis", players=3), 1).save(folder / "three.model")
    village(folder / "unseen.py", ("encode=encode)", ")"), ("self.planes = (", "self.seen = ("))
    (folder / "taken").mkdir()
    (folder / "taken" / "diary.txt").write_text("dear")
    shutil.copytree(cup, folder / "cup")
    for name, file, old, new in (
        ("changed", "plan.toml", "sims = 8", "sims = 9"),
        ("torn", "history.csv", ",True", ",1,1"),
    ):
        shutil.copytree(whole, folder / name)
        text = (folder / name / file).read_text()
        (folder / name / file).write_text(text.replace(old, new).replace(",False", new))
    return folder


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_cost_one_line(bench, monkeypatch, name):
    monkeypatch.chdir(bench)
    arguments, why = MISTAKES[name]

    def here():
        found = {path: path.stat().st_mtime_ns for path in bench.rglob("*") if "__pycache__" not in path.parts}
        return {path: when for path, when in found.items() if not path.is_dir()}, len(found)

    before = here()
    assert why in refusal("train", *arguments)
    assert here() == before


def test_games_that_give_nothing_to_learn_from(tmp_path, monkeypatch):
    """A single game leaves nothing to judge by."""
    monkeypatch.chdir(tmp_path)
    line = refusal_of_training(tmp_path / "one", {**TINY, "games": 1})
    assert "gave nothing to learn from" in line


def refusal_of_training(folder, keys):
    with WorkerPool(1) as pool, pytest.raises(QpolisError) as caught:
        trainer.Training.begin(folder, plan_training(keys), pool, lambda *_: None).generation()
    return str(caught.value)


def test_a_folder_is_trained_in_by_one_process_at_a_time(folder, quickly):
    training = train(folder / "out", 0)
    with WorkerPool(1) as pool, pytest.raises(QpolisError, match="another qpolis trains here"):
        trainer.Training(folder / "out", training.plan, pool, lambda words, done, total: None)
