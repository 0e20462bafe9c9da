"""Files of models: what is written is read, whatever else is in a file is refused in one line, and bots play with
the model that their spec names."""

from __future__ import annotations

import hashlib
import json
import os
import tracemalloc

import numpy as np
import pytest

import qpolis
from helpers.command_line import refusal, run
from helpers.networks import random_arrays, random_model
from helpers.plugin_games import village
from helpers.toys import Counting
from qpolis import QpolisError
from qpolis.bots.instinct import instinct
from qpolis.bots.mcts import mcts
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.models import finder
from qpolis.models.finder import find_model
from qpolis.models.model_file import LARGEST, TITLE, arrays, load_model, model_of, new_model, parts
from qpolis.registry.spec import resolve
from qpolis.report.finish import finish
from qpolis.tourney import run as tourney_run
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import WorkerPool

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
FEW_BYTES = 4 << 20


@pytest.fixture(scope="module")
def game():
    return qpolis.load_game("quadropolis")


@pytest.fixture(scope="module")
def model(game):
    return random_model(game, 1)


@pytest.fixture(scope="module")
def content(model, tmp_path_factory):
    path = tmp_path_factory.mktemp("models") / "good.model"
    model.save(path)
    return path.read_bytes()


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """The folder of the models that ship: an empty one."""
    (tmp_path / "shipped").mkdir()
    monkeypatch.setattr(finder, "SHIPPED", tmp_path / "shipped")
    return tmp_path / "shipped"


# -- round trips ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_what_is_saved_is_loaded(tmp_path, seed):
    game = qpolis.load_game("quadropolis", players=2 + seed % 3, mode=["classic", "expert"][seed % 2])
    facts = {"training": {"games": 7, "where": "à la carte\n"}, "name": "größer"}
    model = new_model(random_arrays(game, seed, 8 * (1 + seed), 8), game=game.name, playout=seed, **facts)
    model.save(tmp_path / "a.model")
    loaded = load_model(tmp_path / "a.model")
    assert loaded.card == model.card
    assert loaded.weights.dtype == np.float32
    assert loaded.weights.tobytes() == model.weights.tobytes()
    assert loaded.numbers().tobytes() == model.numbers().tobytes()
    loaded.save(tmp_path / "b.model")
    assert (tmp_path / "a.model").read_bytes() == (tmp_path / "b.model").read_bytes()
    assert not loaded.unfit(game)


def test_a_model_is_the_arrays_it_was_made_of(game):
    drawn = random_arrays(game, 5)
    stored = arrays(new_model(drawn, game=game.name))
    assert list(stored) == list(parts(new_model(drawn, game=game.name).card))
    for name, array in stored.items():
        assert np.array_equal(array, np.asarray(drawn[name]).astype("<f2").astype(np.float32))
    again = new_model(stored, game=game.name)
    assert again.digest == new_model(drawn, game=game.name).digest
    stored["top"][0, 0] += 1
    assert new_model(stored, game=game.name).digest != again.digest


# -- what is no model ----------------------------------------------------------------------------------------


def card_of(content):
    return json.loads(content.split(b"\n", 2)[1])


def with_card(content, *taken, **changes):
    """The same file with another card."""
    title, card, body = content.split(b"\n", 2)
    changed = {name: value for name, value in {**json.loads(card), **changes}.items() if name not in taken}
    return b"\n".join([title, json.dumps(changed).encode(), body])


def with_card_text(content, text):
    title, _, body = content.split(b"\n", 2)
    return b"\n".join([title, text, body])


def flipped(content, at):
    return content[:at] + bytes([content[at] ^ 16]) + content[at + 1 :]


def not_finite(content, number):
    """With another last number, and a digest that is right."""
    title, card, body = content.split(b"\n", 2)
    body = body[:-2] + np.array([number], "<f2").tobytes()
    made = model_of(content, "")
    digest = new_model(arrays(made)).digest
    assert digest == made.digest
    right = {**json.loads(card), "digest": hashlib.sha256(body).hexdigest()[:16]}
    return b"\n".join([title, json.dumps(right).encode(), body])


DAMAGED = "is damaged: "
CARD = "its card cannot be read"
HOSTILE = {
    "empty": (lambda good: b"", "is not a model of qpolis"),
    "text": (lambda good: b"hello\n", "is not a model of qpolis"),
    "zip": (lambda good: b"PK\3\4" + good, "is not a model of qpolis"),
    "pickle": (lambda good: b"\x80\x04cos\nsystem\n(S'echo pwned'\ntR.", "is not a model of qpolis"),
    "other version": (lambda good: good.replace(b"model 1\n", b"model 2\n", 1), "one of another version"),
    "title only": (lambda good: TITLE, "its card does not end"),
    "no newline": (lambda good: TITLE + b"{" + b" " * 200_000, "its card does not end"),
    "long card": (lambda good: with_card(good, name="x" * 70_000), "its card does not end"),
    "no json": (lambda good: with_card_text(good, b"{'game': 1}"), CARD),
    "no utf-8": (lambda good: with_card_text(good, b'{"game": "\xff"}'), CARD),
    "a list": (lambda good: with_card_text(good, b"[]"), CARD),
    "a number": (lambda good: with_card_text(good, b"7"), CARD),
    "nesting": (lambda good: with_card_text(good, b"[" * 60_000), CARD),
    "nested objects": (lambda good: with_card_text(good, b'{"a":' * 10_000 + b"1" + b"}" * 10_000), CARD),
    "digits": (lambda good: with_card_text(good, b'{"inputs": ' + b"9" * 60_000 + b"}"), CARD),
    "nothing in it": (lambda good: with_card_text(good, b"{}"), "its card does not say inputs"),
    "cut": (lambda good: good[:-1], DAMAGED),
    "cut in half": (lambda good: good[: len(good) // 2], DAMAGED),
    "too long": (lambda good: good + b"\0", DAMAGED),
    "a bit": (lambda good: flipped(good, len(good) - 7), DAMAGED),
    "another digest": (lambda good: with_card(good, digest="0123456789abcdef"), DAMAGED),
    "nan": (lambda good: not_finite(good, np.nan), "not finite"),
    "infinite": (lambda good: not_finite(good, -np.inf), "not finite"),
    "huge": (lambda good: with_card(good, inputs=65_536, wide=4096, narrow=1024, touches=1 << 20), DAMAGED),
    "another size": (lambda good: with_card(good, touches=2), DAMAGED),
    "too wide": (lambda good: with_card(good, wide=1 << 40), "wide: 1099511627776 is not"),
    "odd": (lambda good: with_card(good, wide=12), "wide is 12, not a multiple of 8"),
    "none": (lambda good: with_card(good, narrow=0), "narrow: 0 is not"),
    "negative": (lambda good: with_card(good, inputs=-5), "inputs: -5 is not"),
    "a fraction": (lambda good: with_card(good, seats=2.5), "seats: 2.5 is not"),
    "text for a number": (lambda good: with_card(good, touches="283"), 'touches: "283" is not'),
    "true": (lambda good: with_card(good, playout=True), "playout: true is not"),
    "null": (lambda good: with_card(good, wide=None), "wide: null is not"),
    "nan in the card": (lambda good: with_card(good, wide=float("nan")), "wide: NaN is not"),
    "infinite in the card": (lambda good: with_card(good, inputs=float("inf")), "inputs: Infinity is not"),
    "playout": (lambda good: with_card(good, playout=10**9), "playout: 1000000000 is not"),
    "a list for a text": (lambda good: with_card(good, game=["quadropolis"]), "game: "),
    "control characters": (lambda good: with_card(good, game="quad\x1b[2J\n"), "game: "),
    "half a character": (
        lambda good: with_card_text(good, b'{"game": "\\ud800"}'),
        "its card does not say inputs",
    ),
    "no digest": (lambda good: with_card(good, "digest"), "its card does not say digest"),
    "another game": (lambda good: with_card(good, game="arkadia"), "it plays arkadia, not quadropolis"),
    "another long game": (lambda good: with_card(good, game="x" * 60_000), "it plays xxx"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_model_is_refused_in_one_line(folder, content, name):
    make, why = HOSTILE[name]
    (folder / "x.model").write_bytes(make(content))
    line = refusal("tourney", "--bots", "mcts:model=x.model,greedy", "--games", "2", "--out", "run")
    assert line.startswith("qpolis: model x.model: ")
    assert why in line
    assert len(line) < 1100
    assert line.isprintable()
    assert os.listdir(folder) == ["x.model"]


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_no_model_takes_no_memory(tmp_path, content, name, game):
    path = tmp_path / "x.model"
    path.write_bytes(HOSTILE[name][0](content))
    tracemalloc.start()
    try:
        with pytest.raises(QpolisError):
            find_model(str(path), game)
        assert tracemalloc.get_traced_memory()[1] < FEW_BYTES
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("size", [LARGEST, LARGEST + 1, 100 << 20, 1 << 40])
@pytest.mark.parametrize("begins", [b"", TITLE, "card"], ids=["zeros", "title", "card"])
def test_a_large_file_is_not_read(folder, content, size, begins):
    """A file with a hole has any size in a moment."""
    head = b"\n".join(content.split(b"\n", 2)[:2]) + b"\n" if begins == "card" else begins
    with open("x.model", "wb") as file:
        file.write(head)
        file.truncate(size)
    tracemalloc.start()
    try:
        line = refusal("play", "--bots", "instinct:model=./x.model,random")
        assert tracemalloc.get_traced_memory()[1] < 2 * FEW_BYTES
    finally:
        tracemalloc.stop()
    assert line.startswith("qpolis: model x.model: " if size > LARGEST else "qpolis: model ")
    assert ("larger than 64 MB" in line) == (size > LARGEST)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("./none.model", "there is no such file"),
        ("none", "unknown model 'none', did you mean"),
        ("nobody", "unknown model 'nobody'"),
        ("", "unknown model ''"),
        ("..", "champion.model: there is no such file"),
        ("folder.model", "champion.model: there is no such file"),
        ("./empty", "champion.model: there is no such file"),
        ("./pipe.model", "is not a file"),
        ("pipe.model", "is not a file"),
        ("/dev/zero", "is not a file"),
        ("/dev/null", "is not a file"),
        ("/dev/stdin", ""),
        ("./link.model", ""),
        ("./locked.model/x", ""),
        ("x" * 5000, ""),
        ("./" + "x" * 300 + ".model", ""),
        ("./a\0b.model", "embedded null byte"),
        ("a\0b", ""),
        ("./a\nb.model", "there is no such file"),
    ],
)
def test_a_path_to_no_model_is_refused_in_one_line(folder, game, text, why):
    os.mkfifo("pipe.model")
    os.mkdir("folder.model")
    os.mkdir("empty")
    os.symlink("link.model", "link.model")
    (folder / "locked.model").write_text("")
    before = sorted(os.listdir())
    if text == "none":  # a word of its own
        assert find_model(text, game) is None
        return
    with pytest.raises(QpolisError) as caught:
        find_model(text, game)
    assert why in str(caught.value)
    assert str(caught.value).isprintable()
    if "\0" not in text:  # no command line has it
        assert why in refusal("play", "--bots", f"mcts:model={text},random")
    assert sorted(os.listdir()) == before


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--players", "3"], "it is for 2 players, not 3"),
        (["--game", "quadrilatere"], "it plays quadropolis, not quadrilatere"),
    ],
)
def test_a_model_of_another_game_is_refused(folder, content, options, why):
    (folder / "x.model").write_bytes(content)
    bots = ",".join(["instinct:model=x.model", "random", "greedy"][: 3 if "3" in options else 2])
    assert refusal("tourney", *options, "--bots", bots, "--out", "run") == f"qpolis: model x.model: {why}"
    assert os.listdir(folder) == ["x.model"]


def test_a_model_made_for_other_options_is_refused(tmp_path):
    path = village(tmp_path / "village.py")
    small, large = qpolis.load_game(path), qpolis.load_game(path, size=4)
    random_model(small, 1).save(tmp_path / "small.model")
    with pytest.raises(QpolisError, match="made for other options, or another version, of the game"):
        find_model(str(tmp_path / "small.model"), large)
    assert find_model(str(tmp_path / "small.model"), small)


# -- names ---------------------------------------------------------------------------------------------------


def test_models_have_names(folder, shipped, game, model):
    other = random_model(game, 2)
    (folder / "models" / "mine").mkdir(parents=True)
    other.save(folder / "models" / "mine" / "champion.model")
    assert finder.names() == ["mine"]
    model.save(shipped / "quadropolis-classic-2.model")
    assert finder.names() == ["mine", "quadropolis-classic-2"]
    for text in ("mine", "./models/mine", "models/mine/champion.model", str(folder / "models" / "mine")):
        assert find_model(text, game).digest == other.digest
    assert find_model("quadropolis-classic-2", game).digest == find_model("auto", game).digest == model.digest
    with pytest.raises(QpolisError, match="unknown model 'mime', did you mean 'mine'"):
        find_model("mime", game)


def test_a_model_that_ships_and_does_not_fit_any_more_is_left_out(shipped, game):
    """The rules may have changed since."""
    random_model(qpolis.load_game("quadropolis", players=3), 2).save(shipped / "quadropolis-classic-2.model")
    assert find_model("auto", game) is None


def test_a_file_that_changes_is_read_again(tmp_path, game, model):
    path = tmp_path / "x.model"
    for number, made in enumerate([model, random_model(game, 2), model]):
        made.save(path)
        os.utime(path, ns=(number, number))
        assert find_model(str(path), game).digest == made.digest


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("mcts:model=none:sims=20", "mcts:sims=20:model=none"),
        ("mcts:model=auto", "mcts"),
        ("instinct:model=mine", "instinct:model=mine"),
        ("instinct:favor=park:model=./a.model", "instinct:model=./a.model:favor=park"),
        ("mcts:model=none:sims=800", "mcts:model=none"),
    ],
)
def test_the_canonical_text_says_the_model(text, canonical):
    assert resolve(text).spec == canonical
    assert resolve(canonical).spec == canonical


def test_bots_that_do_not_learn_have_no_model():
    for bot in ("greedy", "heuristic", "random"):
        with pytest.raises(QpolisError, match=f"unknown parameter of {bot} 'model'"):
            resolve(f"{bot}:model=none")


# -- play ----------------------------------------------------------------------------------------------------


def actions(game, one, deals=2):
    played = play_policies(game, [one, random.configure()], 5, 0, deals, record=True)
    return played.actions.tolist()


def test_without_a_model_the_search_plays_as_before(shipped, game, model):
    """With none, and where none ships; with one that ships it plays as with the same from a file."""
    few = {"sims": 30}
    none = mcts.configure(model="none", **few)
    assert none.rules(game, 0) is game.rules
    before = actions(game, mcts.configure(**few))
    assert actions(game, none) == before
    model.save(shipped / "quadropolis-classic-2.model")
    learned = actions(game, mcts.configure(**few))
    assert learned != before
    assert learned == actions(game, mcts.configure(model=str(shipped / "quadropolis-classic-2.model"), **few))
    assert actions(game, none) == before


def test_numbers_behind_the_rules_cannot_be_written(tmp_path, game, model):
    model.save(tmp_path / "x.model")
    rules = mcts.configure(model=str(tmp_path / "x.model")).rules(game, 0)
    assert not rules.flags.writeable
    assert rules[:1].tobytes() == game.rules.tobytes()


GAMES = {
    "classic": ("quadropolis", {"players": 2}),
    "expert": ("quadropolis", {"players": 4, "mode": "expert"}),
    "quadrilatere": ("quadrilatere", {}),
    "arkadia": ("arkadia", {"players": 3}),
}


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("learned", [False, True], ids=["alone", "learned"])
def test_instinct_plays_legal_moves(tmp_path, name, learned):
    """The loop ends a game with an illegal action."""
    game = qpolis.load_game(GAMES[name][0], **GAMES[name][1])
    random_model(game, 3).save(tmp_path / "x.model")
    seat = instinct.configure(model=str(tmp_path / "x.model") if learned else "none")
    batch = play_policies(game, [seat] * game.players, 3, 0, 6)
    assert (batch.ends == 0).all()
    greedy = play_policies(game, [instinct.configure(model="none")] * game.players, 3, 0, 6)
    assert learned != (batch.points == greedy.points).all()


def test_a_game_that_programs_cannot_see_is_played_without_a_model():
    game = Counting()
    assert (play_policies(game, [instinct.configure(), random.configure()], 3, 0, 3).ends == 0).all()


# -- runs ----------------------------------------------------------------------------------------------------


def plan_of(bots, games=8):
    return make_plan(define({"bots": bots, "games": games, "seed": 3}))


def test_a_plan_notes_what_bots_have_learned(folder, game, model):
    model.save(folder / "a.model")
    made = plan_of(["mcts:sims=2:model=a.model", "instinct:model=a.model", "instinct:model=none", "greedy"]).made
    assert {name: value for name, value in made.items() if name.startswith("model ")} == {
        "model of mcts:sims=2:model=a.model": model.digest,
        "model of instinct:model=a.model": model.digest,
    }


BOTS = ["instinct:model=a.model", "instinct:model=none"]


def test_a_run_does_not_go_on_with_another_model(folder, game, model):
    model.save(folder / "a.model")
    run("tourney", "--bots", ",".join(BOTS), "--games", "8", "--out", "run", "--quiet")
    before = {path.name: path.read_bytes() for path in (folder / "run").iterdir() if path.is_file()}
    assert "not the same" not in run("tourney", "--resume", "run", "--quiet")
    random_model(game, 2).save(folder / "a.model")
    line = refusal("tourney", "--resume", "run")
    assert "model of instinct:model=a.model has changed since the run began" in line
    (folder / "a.model").unlink()
    assert "model a.model: there is no such file" in refusal("tourney", "--resume", "run")
    for name in ("plan.toml", "journal.bin", "games.csv"):
        assert (folder / "run" / name).read_bytes() == before[name]


def test_a_run_is_played_to_its_end_with_the_model_it_began_with(folder, game, model, monkeypatch):
    """Whatever becomes of the file, such as when a training finds a better one."""
    monkeypatch.setattr(tourney_run, "QUICK", 0.01)  # seconds of a task: there are several
    model.save(folder / "a.model")
    tables = []
    for name, later in (("alone", model), ("changed", random_model(game, 2))):

        def change(tally, later=later):
            later.save(folder / "a.model")

        with Run.begin(folder / name, plan_of(BOTS, 300)) as begun:
            begun.play(WorkerPool(1), change)
            assert sum(1 for _ in begun.chunks()) > 1
            finish(begun, 1.0, 1)
        tables.append((folder / name / "games.csv").read_bytes())
    assert tables[0] == tables[1]


def test_a_model_that_changed_before_the_first_game(folder, game, model):
    model.save(folder / "a.model")
    plan = plan_of(BOTS)
    random_model(game, 2).save(folder / "a.model")
    with Run.begin(folder / "run", plan) as begun, pytest.raises(QpolisError, match="has changed since the run"):
        begun.play(WorkerPool(1), lambda tally: None)
