"""The small game of `qpolis new-game`, from outside the package, through every command; and the page about it."""

from __future__ import annotations

import os
import pickle
import re
import shutil
from pathlib import Path

import pytest

import qpolis
from helpers.command_line import refusal, results, run
from helpers.plugin_games import village
from helpers.sizes import some
from helpers.tourneys import TABLES
from qpolis.conformance import check_game
from qpolis.conformance.check_game import Checks
from qpolis.conformance.steps import Fails
from qpolis.registry.bot_templates import TEMPLATES
from qpolis.registry.game_template import TEMPLATE, game_text

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
ROOT = Path(__file__).parent.parent
GAME = ("--game", "./hamlet")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder in which `qpolis new-game hamlet` was run, and a tournament of it."""
    folder, before = tmp_path_factory.mktemp("outside"), os.getcwd()
    os.chdir(folder)
    try:
        said = run("new-game", "hamlet")
        assert said.splitlines()[1] == "  qpolis check-game ./hamlet"
        run(
            "tourney",
            *GAME,
            "--players",
            "3",
            "--bots",
            "greedy,heuristic,random",
            "--games",
            "60",
            "--workers",
            "1",
            "--out",
            "cup",
        )
    finally:
        os.chdir(before)
    return folder


@pytest.fixture(autouse=True)
def inside(place, monkeypatch):
    monkeypatch.chdir(place)


# --- the commands -------------------------------------------------------------------------------------


@pytest.mark.long
def test_check_game(monkeypatch):
    """In `make test` without the search, which has to be compiled for the game."""
    monkeypatch.setattr(check_game, "BOTS", some([check_game.BOTS[:3], check_game.BOTS])[-1])
    for name in ("./hamlet", "hamlet"):
        said = run("check-game", name, "--games", "2")
        assert said.startswith("game ./hamlet, from ./hamlet\n1 keeps the contract ")
        assert said.endswith("\n23 checks passed\n")
        assert len(re.findall(r"^\d+ .* ok", said, re.MULTILINE)) == 23


def test_play_and_demo():
    said = run("play", *GAME, "--players", "4", "--size", "4")
    assert said.startswith("Hamlet, players 4, size 4, seed 0\n")
    assert len(results(said)) == 4
    assert "of Hamlet (players 2, size 3)" in run("demo", *GAME, "--games", "20")
    assert "option size: 5 is not one of 3, 4" in refusal("play", *GAME, "--size", "5")
    assert "unknown option of hamlet 'mode' (known: players, size)" in refusal("play", *GAME, "--mode", "x")


def test_bench():
    assert re.fullmatch(r"signature [0-9a-f]{12}\n", run("bench", *GAME, "--quick"))


@pytest.mark.long
def test_bots_of_all_kinds():
    for kind in TEMPLATES:
        run("new-bot", kind, "--kind", kind, *GAME)
    for kind in some(["program", "python", "kernel"]):
        assert "FAIL" not in run("check", kind, *GAME)
    said = run(
        "tourney",
        *GAME,
        "--players",
        "4",
        "--bots",
        "python,kernel,program,random",
        "--games",
        "4",
        "--workers",
        "1",
        "--out",
        "mixed",
    )
    assert "forfeit" not in said
    assert "4 games played again: scores, ranks and hashes agree" in run("verify", "mixed")
    assert "forfeits" not in run("play", *GAME, "--bots", "kernel,random")


def test_a_tournament_knows_its_game():
    plan = Path("cup/plan.toml").read_text(encoding="utf-8")
    assert 'game = "./hamlet"' in plan
    assert re.search(r'^\[made\][^[]*^"game source" = "[0-9a-f]{16}"$', plan, re.MULTILINE)
    assert "60 games played again: scores, ranks and hashes agree" in run("verify", "cup")
    assert len(results(run("replay", "cup", "--game", "7"))) == 3
    assert "written to" in run("report", "cup")
    assert "written to" in run("watch", "cup", "--game", "7")
    assert "of Hamlet (players 3, size 3)" in Path("cup/report.html").read_text(encoding="utf-8")


def test_a_resumed_tournament_ends_with_the_same_files():
    again = shutil.copytree("cup", "again")
    os.truncate(f"{again}/journal.bin", os.stat(f"{again}/journal.bin").st_size - 1)
    assert "players: the run has 3, not 2" in refusal("tourney", "--resume", "again", "--players", "2")
    run("tourney", "--resume", "again", "--workers", "1")
    for name in TABLES:
        assert Path("again", name).read_bytes() == Path("cup", name).read_bytes()


def test_workers_find_it():
    run(
        "tourney",
        *GAME,
        "--players",
        "3",
        "--bots",
        "greedy,heuristic,random",
        "--games",
        "60",
        "--workers",
        "2",
        "--out",
        "two",
    )
    for name in TABLES:
        assert Path("two", name).read_bytes() == Path("cup", name).read_bytes()


def test_a_run_does_not_go_on_with_another_game(tmp_path):
    Path("hamlet/notes.md").write_text("no rules", encoding="utf-8")
    run("tourney", "--resume", "cup", "--workers", "1")
    Path("hamlet/more.csv").write_text("1", encoding="utf-8")
    try:
        assert "cup: game source has changed since the run began" in refusal("tourney", "--resume", "cup")
    finally:
        Path("hamlet/more.csv").unlink()


def test_balance():
    said = run(
        "balance",
        *GAME,
        "--bots",
        "greedy,random",
        "--games",
        "60",
        "--ladder",
        "2,4",
        "--ladder-games",
        "8",
        "--workers",
        "1",
        "--out",
        "b",
    )
    assert "games of ./hamlet (players 2, size 3), seed 0" in said
    assert Path("b/report.html").is_file()
    assert "forbid: hamlet has no categories to choose from" in refusal("balance", *GAME, "--forbid", "all")


def test_nothing_is_left_in_its_folder():
    qpolis.load_game("./hamlet")
    assert "__pycache__" not in os.listdir("hamlet")


def test_definitions_name_it():
    Path("tiny.toml").write_text('game = "./hamlet"\nbots = ["greedy", "random"]\ngames = 4\n', encoding="utf-8")
    assert "tiny: round-robin of ./hamlet (players 2, size 4)" in run(
        "tourney", "tiny.toml", "--size", "4", "--dry-run"
    )


# --- in Python ----------------------------------------------------------------------------------------


def test_load_game_by_path_and_then_by_name():
    game = qpolis.load_game("./hamlet", size=4)
    assert type(qpolis.load_game("hamlet")) is type(game)
    assert repr(game) == f"load_game({os.path.abspath('hamlet')!r}, players=2, size=4)"
    state = pickle.loads(pickle.dumps(game.new(3)))
    assert state.to_dict() == game.new(3).to_dict()


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("./hamlt", "./hamlt: no such file, did you mean './hamlet'?"),
        ("./empty", "./empty: a folder without an __init__.py, so no game"),
        ("./notes.txt", "./notes.txt: not a game: give the path of a folder"),
        ("hamlt", "unknown game 'hamlt'"),
    ],
)
def test_what_is_no_game(path, words):
    Path("empty").mkdir(exist_ok=True)
    Path("notes.txt").write_text("", encoding="utf-8")
    assert words in refusal("play", "--game", path)
    assert words in refusal("check-game", path)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("arkadia", "there is a game 'arkadia' already"),
        ("my-game", "'my-game' is not a name for a game"),
        ("_x", "is not a name for a game"),
        ("hamlet", "hamlet: exists already, and is not overwritten"),
    ],
)
def test_names_that_no_new_game_gets(name, words):
    assert words in refusal("new-game", name)


def test_a_game_that_fails_its_checks(tmp_path, monkeypatch):
    monkeypatch.setattr(check_game, "BOTS", ("random",))
    path = village(
        tmp_path / "wrong.py",
        ("chance = True", "chance = False"),
        ("keys[seat] = points[seat] * SEATS + seat", "keys[seat] = -points[seat]"),
    )
    from click.testing import CliRunner

    from qpolis.cli.main import main

    result = CliRunner().invoke(main, ["check-game", path, "--games", "2"])
    assert result.exit_code == 1
    failed = re.findall(r"^(\d+) .* FAIL  (.*)$", result.stdout, re.MULTILINE)
    assert [number for number, _ in failed] == ["13", "18"]
    assert failed[0][1].endswith("more points must rank better")
    assert "nothing is drawn at random, and something is" in failed[1][1]
    assert result.stdout.splitlines()[-1] == "2 of 23 checks failed: 13, 18"


def test_a_game_that_is_longer_than_it_says(place):
    game = qpolis.load_game(str(place / "hamlet"))
    game.most_decisions = 3
    with pytest.raises(Fails, match="seed 0: 8 decisions, and `most_decisions` is 3"):
        Checks([game], games=1, seed=0).ends()


# --- the page about it --------------------------------------------------------------------------------


def test_the_page_shows_the_whole_game():
    said = (ROOT / "docs" / "write-a-game.md").read_text(encoding="utf-8")
    shown = "\n".join(re.findall(r"^```python\n(.*?)^```$", said, re.MULTILINE | re.DOTALL))
    game = TEMPLATE.read_text(encoding="utf-8")
    assert re.sub(r"\n+", "\n", shown).strip() == re.sub(r"\n+", "\n", game).strip()


def test_a_new_game_has_its_own_name_everywhere():
    text = game_text("old_town")
    assert 'name = "old_town"' in text
    assert 'title = "Old Town"' in text
    assert "class OldTown(Game)" in text
    assert text.endswith("GAME = OldTown\n")
    assert "Village" not in text
