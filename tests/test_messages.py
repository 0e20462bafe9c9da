"""What a new user does wrong in the first ten minutes: each mistake has a line that says what would be right."""

from __future__ import annotations

import os
import socket
import threading

import pytest

from helpers.command_line import refusal, run
from qpolis.errors import QpolisError, unknown
from qpolis.tourney.schedule import check_reachable

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter

BOTS = 'bots = ["greedy", "random"]\n'


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A working directory with a file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("")
    return tmp_path


def test_names_that_are_as_near_are_both_suggested():
    assert "did you mean 'game' or 'games'?" in str(unknown("key", "gamse", ["game", "games", "bots"]))
    assert "did you mean 'bots'?" in str(unknown("key", "bost", ["game", "games", "bots"]))


# --- lists of bots ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "right"),
    [
        (["play", "--bots", "mcts", "greedy"], "--bots mcts,greedy"),
        (["tourney", "--bots", "mcts", "greedy"], "--bots mcts,greedy"),
        (["tourney", "--bots", "mcts,", "greedy,", "random", "--games", "5"], "--bots mcts,greedy,random"),
        (["tourney", "--bots=mcts", "greedy", "./x.py"], "--bots mcts,greedy,./x.py"),
        (["balance", "--bots", "mcts", "greedy"], "--bots mcts,greedy"),
        (["balance", "search", "--bots", "mcts", "greedy"], "--bots mcts,greedy"),
        (["play", "--bots", "mcts greedy"], "--bots mcts,greedy"),
        (["play", "--bots", "mcts;greedy"], "--bots mcts,greedy"),
        (["tourney", "--bots", "mcts; greedy"], "--bots mcts,greedy"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bots_are_separated_by_commas(arguments, right):
    assert refusal(*arguments).endswith(f": bots are separated by commas: {right}")


@pytest.mark.parametrize("command", ["play", "tourney", "balance"])
def test_bots_are_named_by_a_flag(command):
    assert "bots are named with --bots: --bots mcts,greedy" in refusal(command, "mcts,greedy")


def test_a_definition_may_stand_behind_the_bots(folder):
    (folder / "cup.toml").write_text("games = 10\n")
    assert "10 games" in run("tourney", "--bots", "greedy,random", "cup.toml", "--dry-run")


def test_a_program_that_may_not_be_executed_is_found_all_the_same(folder):
    (folder / "bots").mkdir()
    (folder / "bots/mine.pl").write_text("#!/usr/bin/perl\n")
    assert "bots/mine.pl may not be executed (chmod +x bots/mine.pl)" in refusal("check", "mine")


# --- files and folders --------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_a_mix_with_other_separators(folder, separator):
    names = ["deck", "round", "mark", "type", "inhabitants", "energy", "vp", "mayor"]
    (folder / "mine.csv").write_text(f"{separator.join(names)}\n")
    line = refusal("play", "--mix", "./mine.csv")
    assert f"mine.csv: line 1: its columns are separated by {separator!r}, not by commas" in line


@pytest.mark.parametrize("command", ["tourney", "balance"])
@pytest.mark.parametrize("out", ["file", "file/below/it"])
def test_a_file_in_the_place_of_a_folder(command, out):
    line = refusal(command, "--bots", "greedy,random", "--games", "10", "--out", out)
    assert line == "qpolis: file: is a file, not a folder: choose another folder"


def test_results_that_are_a_file(folder):
    (folder / "results").write_text("")
    line = refusal("tourney", "--bots", "greedy,random", "--games", "10")
    assert line == "qpolis: results: is a file, not a folder: choose another folder"
    assert refusal("play", "--html") == "qpolis: results: is a file, not a folder"


@pytest.mark.parametrize("command", [["verify"], ["report"], ["replay", "--game", "1"], ["tourney", "--resume"]])
def test_a_file_in_the_place_of_a_run(folder, command):
    assert refusal(*command, "file") == "qpolis: file: is a file: give the folder of a run"
    (folder / "plan.toml").write_text("")
    assert refusal(*command, "./plan.toml") == "qpolis: plan.toml: is a file: give the folder of a run, which is ."


# --- definitions --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "text", "words"),
    [
        ("tourney", BOTS + "gamse = 5", "unknown key 'gamse', did you mean 'game' or 'games'?"),
        ("tourney", BOTS + 'mix = "nomix"', "unknown mix 'nomix'"),
        ("tourney", BOTS + 'mix = "./absent.csv"', "./absent.csv: cannot be read"),
        ("tourney", BOTS + 'game = "chess"', "unknown game 'chess'"),
        ("tourney", BOTS + 'game = "arkadia"\nboard = "none"', "unknown board 'none'"),
        ("tourney", 'bots = ["greedy", "mcts:sim=5"]', "unknown parameter of mcts 'sim'"),
        (
            "tourney",
            BOTS + 'sprt = "0,10"',
            "sequential test '0,10': '0' is not of the form KEY=NUMBER, as in",
        ),
        ("tourney", BOTS + "players = 4", "2 bots for 4 seats"),
        ("balance", 'mixes = ["nomix"]', "unknown mix 'nomix'"),
        ("balance", 'bots = ["rndom"]', "unknown bot 'rndom'"),
        ("balance search", 'targets = ["seat=1"]', "unknown target 'seat'"),
    ],
    ids=lambda value: value.replace("\n", " ")[-30:],
)
def test_what_is_wrong_in_a_definition_is_told_with_its_name(folder, command, text, words):
    (folder / "cup.toml").write_text(text)
    assert refusal(*command.split(), "cup.toml").startswith(f"qpolis: cup.toml: {words}")


def test_what_is_wrong_with_a_flag_is_not_told_of_the_definition(folder):
    (folder / "cup.toml").write_text(BOTS)
    assert refusal("tourney", "cup.toml", "--mix", "nomix").startswith("qpolis: unknown mix 'nomix'")
    assert refusal("tourney", "cup.toml", "--players", "3").startswith("qpolis: 2 bots for 3 seats")


# --- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "better"),
    [("2048", "bot_2048"), ("my-bot", "my_bot"), ("my bot!", "my_bot"), ("", "my_bot"), ("7 up", "bot_7_up")],
)
def test_names_of_bots_are_names_of_python(name, better):
    assert refusal("new-bot", name).endswith(
        f"{name!r} is not a name for a bot: it is one of Python, too: letters, digits and _, "
        f"and a letter first, as in {better}"
    )
    assert not os.path.exists("bots")


@pytest.mark.parametrize(("name", "better"), [("2048", "game_2048"), ("my-game", "my_game"), ("_", "my_game")])
def test_names_of_games_are_names_of_python(name, better):
    assert f"and a letter first, as in {better}" in refusal("new-game", name)


# --- entry points -------------------------------------------------------------------------------------


def install(folder, monkeypatch, entries):
    """A package called fake with some entry points."""
    (folder / "fake_mod.py").write_text(
        "from qpolis import Bot\nclass Good(Bot):\n    def choose(self, legal): return legal[0]\n"
    )
    info = folder / "fake-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: fake\nVersion: 1\n")
    (info / "entry_points.txt").write_text(entries)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("PYTHONPATH", str(folder))


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("fake_mod:Missing", "unknown bot of fake_mod 'Missing' (known: Good)"),
        ("fake_gone:Good", "there is no module fake_gone"),
        ("fake_mod.deeper", "there is no module fake_mod.deeper"),
    ],
)
def test_an_entry_point_of_a_bot_that_leads_nowhere(folder, monkeypatch, target, words):
    install(folder, monkeypatch, f"[qpolis.bots]\nlost = {target}\n")
    line = refusal("check", "lost")
    assert line == f"qpolis: bot lost: the entry point lost = {target} of package fake: {words}"
    assert f"the entry point lost = {target} of package fake: {words}" in run("bots")


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("fake_mod:Missing", "no Missing in it: write Missing = MyGame, a class derived from qpolis.Game"),
        ("fake_gone:GAME", "there is no module fake_gone"),
        ("fake_mod:Good", "Good is <class 'fake_mod.Good'>, not a class derived from qpolis.Game"),
    ],
)
def test_an_entry_point_of_a_game_that_leads_nowhere(folder, monkeypatch, target, words):
    install(folder, monkeypatch, f"[qpolis.games]\nlost = {target}\n")
    line = refusal("play", "--game", "lost")
    assert line == f"qpolis: game lost: the entry point lost = {target} of package fake: {words}"
    assert f"lost: broken: the entry point lost = {target} of package fake: {words}" in run("games")


# --- choices ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ("self.info.text(legal[0])", "returned '1@N1', a str"),
        ("float(legal[0])", "returned 0.0, a float"),
        ("legal[:1]", "returned [0], a list"),
        ("None", "returned None"),
        ("True", "returned True, a bool"),
        ("numpy.float64(legal[0])", "returned np.float64(0.0), a float64"),
        ("numpy.array(legal)", "returned array(["),
    ],
)
def test_a_choice_that_is_no_whole_number(folder, choice, words):
    (folder / "mine.py").write_text(
        f"import numpy\nfrom qpolis import Bot\nclass Mine(Bot):\n    def choose(self, legal): return {choice}\n"
    )
    (line,) = [line for line in run("play", "--bots", "./mine.py,random").splitlines() if "forfeits" in line]
    assert line.startswith(f"seat 0 forfeits (illegal): choose {words}")
    assert line.endswith("it must return one of the ints in legal, such as 0")


@pytest.mark.parametrize("choice", ["numpy.int32(legal[0])", "numpy.uint8(legal[0])", "numpy.array(legal[0])"])
def test_whole_numbers_of_numpy_are_choices(folder, choice):
    (folder / "mine.py").write_text(
        f"import numpy\nfrom qpolis import Bot\nclass Mine(Bot):\n    def choose(self, legal): return {choice}\n"
    )
    assert "forfeits" not in run("play", "--bots", "./mine.py,random")


def test_a_choice_that_is_a_place_in_the_list(folder):
    (folder / "mine.py").write_text(
        "from qpolis import Bot\nclass Mine(Bot):\n"
        "    def choose(self, legal): return next((i for i, a in enumerate(legal) if i not in legal), legal[0])\n"
    )
    output = run("play", "--bots", "./mine.py,random")
    (line,) = [line for line in output.splitlines() if "forfeits" in line]
    assert "which is not one of the legal actions, but a place in their list" in line


# --- addresses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("address", ["", "foo", "http://localhost:8265", "localhost:99999", ":6379", "a b:1"])
@pytest.mark.parametrize("command", ["tourney", "balance"])
def test_an_address_that_is_none(command, address):
    line = refusal(command, "--bots", "greedy,random", "--games", "10", "--address", address)
    assert line.startswith(f"qpolis: address {address!r} is not HOST:PORT")
    assert os.listdir() == ["file"]


def test_an_address_where_something_else_answers():
    """As a web server does."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(QpolisError, match=f"no Ray cluster at {address}: something else answers there"):
            check_reachable(address)
        thread.join()


def test_an_address_where_nobody_answers():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(QpolisError, match=f"no Ray cluster at {address}: nothing answers there"):
            check_reachable(address, patience=0.05)


def test_a_cluster_that_ray_remembers_and_that_has_gone(folder, monkeypatch):
    """Ray itself would try for a minute."""
    (folder / "ray").mkdir()
    (folder / "ray/ray_current_cluster").write_text("127.0.0.1:1")
    monkeypatch.setenv("RAY_TMPDIR", str(folder))
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    with pytest.raises(QpolisError, match=r"no Ray cluster at 127\.0\.0\.1:1: Connection refused"):
        check_reachable("auto")
