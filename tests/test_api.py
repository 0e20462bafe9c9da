"""The Python face does what the commands do: the same bytes in the same files, results as objects."""

from __future__ import annotations

import csv
import importlib.util
import inspect
from pathlib import Path

import pytest

import qpolis
from helpers.command_line import run as command
from qpolis.api import session
from qpolis.api.frames import Rows
from qpolis.balance import question
from qpolis.tourney import definition

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
TABLES = ("plan.toml", "games.csv", "ratings.csv", "crosstable.csv", "seats.csv")
BOTS = ["heuristic", "random", "greedy"]
QUICK = {"seed": 5, "quiet": True, "workers": 1}


@pytest.fixture(scope="module")
def cup(tmp_path_factory):
    """A small tournament, played from Python."""
    return qpolis.tournament(BOTS, games=60, mode="expert", out=tmp_path_factory.mktemp("runs") / "cup", **QUICK)


def contents(folder, names):
    return {name: (folder / name).read_bytes() for name in names}


def without_name(given):
    return {name: text for name, text in given.items() if name != "plan.toml"}


def test_a_tournament_gives_the_bytes_of_the_command(folder, cup):
    asked = ["--bots", ",".join(BOTS), "--games", "60", "--mode", "expert", "--seed", "5", "--workers", "1"]
    said = command("tourney", *asked, "--out", "run")
    assert contents(folder / "run", TABLES) == contents(cup.folder, TABLES)
    assert "\n".join(said.splitlines()[:-2]) == cup.summary  # the last lines say how long it took, and where it is


def test_a_question_gives_the_bytes_of_the_command(folder):
    command("balance", "--bots", "greedy", "--games", "120", "--seed", "5", "--workers", "1", "--out", "run")
    result = qpolis.balance(bots="greedy", games=120, out="python", **QUICK)
    names = [
        path.relative_to("run") for path in Path("run").rglob("*") if path.suffix in (".csv", ".toml", ".txt")
    ]
    assert len(names) > 5
    wanted = [name for name in names if name.name != "timing.csv"]
    assert contents(Path("run"), wanted) == contents(Path("python"), wanted)
    assert result.summary + "\n" == Path("run/summary.txt").read_text()
    assert qpolis.load_run("run").summary == result.summary
    assert result.measures.equals(qpolis.load_run("run").measures)
    assert "seats" in result.plots
    assert result.plot("seats").axes
    assert "greedy: " in result._repr_html_()


@pytest.mark.parametrize(
    ("function", "keys"), [(qpolis.tournament, definition.CHECKS), (qpolis.balance, question.CHECKS)]
)
def test_every_key_of_a_file_is_an_argument(function, keys):
    assert set(keys) - {"options"} - set(inspect.signature(function).parameters) == set()


@pytest.mark.parametrize("kind", ["pandas", "polars", "rows"])
@pytest.mark.parametrize("table", ["ratings", "crosstable", "seats", "games"])
def test_frames_say_what_the_files_say(cup, table, kind):
    found = cup.frame(table, kind)
    rows = {"pandas": lambda: found.to_dict("records"), "polars": lambda: found.to_dicts(), "rows": lambda: found}
    with open(cup.folder / f"{table}.csv") as file:
        wanted = list(csv.DictReader(file))
    got = rows[kind]()
    assert [list(row) for row in got] == [list(row) for row in wanted]
    for row, line in zip(got, wanted, strict=True):
        for name, cell in line.items():
            assert row[name] == (cell if isinstance(row[name], str) else float(cell))


def test_without_pandas_and_polars_tables_are_rows(cup, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert isinstance(cup.ratings, Rows)
    assert cup.ratings._repr_html_().count("<tr>") == 1 + len(BOTS)


def test_a_run_is_read_from_its_folder(cup):
    again = qpolis.load_run(str(cup.folder))
    assert again.summary == cup.summary
    assert again.games.equals(cup.games)
    assert (again.bots, again.seed, again.name) == (cup.bots, 5, "heuristic-random-greedy")
    assert again.report.is_file()
    assert set(cup.tables) == {"ratings", "crosstable", "seats", "games", "timing"}
    assert "+" in again._repr_html_()


def test_its_settings_play_it_again(folder, cup):
    settings = cup.settings
    assert qpolis.tournament(**settings, quiet=True, workers=1).games.equals(cup.games)


def test_a_game_of_a_run_can_be_stepped_through(cup):
    played = cup.game(17)
    rows = cup.games[cup.games.game == 17]
    assert (played.bots, played.points, played.ranks) == (list(rows.bot), list(rows.score), list(rows["rank"]))
    assert len(played) == rows.decisions.sum() == len(played.moves)
    assert list(played.states())[-1].scores() == played.state(-1).scores() == played.points
    move = played.moves[30]
    state = played.state(30)
    assert (state.player, played.game.text(state, move.action)) == (move.seat, move.text)
    assert str(played).splitlines()[-1].startswith("seat 1: ")
    with pytest.raises(qpolis.QpolisError, match="no position 1000"):
        played.state(1000)


def test_a_match_is_the_game_that_the_command_shows(folder):
    played = qpolis.match(["greedy", "random"], seed=3)
    shown = command("play", "--bots", "greedy,random", "--seed", "3")
    assert shown.splitlines()[-2:] == str(played).splitlines()[-2:]
    assert f"seat 0: {played.moves[0].text}" in shown
    assert sorted(folder.iterdir()) == []
    assert qpolis.match("greedy,random,random").game.players == 3
    thoughts = qpolis.match(["mcts:sims=5", "random"]).thoughts()
    assert (len(thoughts[0]) > 1, thoughts.count(None) > 10) == (True, True)
    assert played.page("game.html").read_text().startswith("<!doctype html>")


def test_what_is_interrupted_is_kept_and_goes_on(folder, cup, monkeypatch, capsys):
    def interrupt(tally):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(session, "standing", interrupt)
        with pytest.raises(KeyboardInterrupt):
            qpolis.tournament(BOTS, games=60, mode="expert", seed=5, workers=1, out="run")
    said = capsys.readouterr().err
    assert said.endswith(" of 60 games are kept; go on with qpolis.tournament(resume='run')\n")
    with pytest.raises(qpolis.QpolisError, match="of 60 games are there: go on"):
        qpolis.load_run("run")
    qpolis.tournament(resume="run", quiet=True, workers=1)
    assert contents(folder / "run", TABLES) == contents(cup.folder, TABLES)
    with pytest.raises(qpolis.QpolisError, match="takes no file"):
        qpolis.tournament(resume="run", file="quick")


def test_definitions_are_found_by_name(folder):
    run = qpolis.tournament(file="quick", bots=["greedy", "random"], games=4, **QUICK)
    assert (run.folder.parent, run.name, len(run.games)) == (Path("results"), "quick", 8)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: qpolis.tournament(["mcts", "greedy"], gamse=10), "unknown key 'gamse', did you mean 'game"),
        (lambda: qpolis.tournament(["mcts", "greedy"], games="10"), 'games: "10" is not a whole number'),
        (lambda: qpolis.tournament(["mcts", "gredy"]), "unknown bot 'gredy', did you mean 'greedy'"),
        (lambda: qpolis.tournament(["mcts", "greedy"], workers=0), "workers: 0 is not"),
        (lambda: qpolis.match(["greedy"], players=2), "1 bots for 2 seats"),
        (lambda: qpolis.match(["greedy", "random"], seed=-1), "seed -1"),
        (lambda: qpolis.balance(mix="base"), "mix: a question has a list of mixes"),
        (lambda: qpolis.balance(file="fare"), "unknown definition 'fare', did you mean 'fair'"),
        (lambda: qpolis.load_run("nowhere"), "nowhere: no such folder"),
        (lambda: qpolis.bot("gredy"), "unknown bot 'gredy'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(folder, ask, message):
    with pytest.raises(qpolis.QpolisError, match=message):
        ask()
    assert sorted(folder.iterdir()) == []


def test_frames_and_plots_that_are_not_there_are_named(cup):
    with pytest.raises(qpolis.QpolisError, match="unknown table 'rating', did you mean 'ratings'"):
        cup.frame("rating")
    with pytest.raises(qpolis.QpolisError, match="unknown plot 'rating', did you mean 'ratings'"):
        cup.plot("rating")
    with pytest.raises(qpolis.QpolisError, match="'excel' is not one of pandas, polars, rows"):
        cup.frame("ratings", "excel")
    assert {name: bool(cup.plot(name).axes) for name in cup.plots} == dict.fromkeys(cup.plots, True)


def test_modules_do_not_hide_the_functions_of_their_names():
    import qpolis.balance.question
    import qpolis.bot

    assert callable(qpolis.bot)
    assert callable(qpolis.balance)
    assert set(dir(qpolis)) == set(qpolis.__all__)
    assert all(hasattr(qpolis, name) for name in qpolis.__all__)
