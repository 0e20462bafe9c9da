"""Every command with a game that has no chance, no tile mixes, no kinds of buildings and always two players: it
needs not a line outside its own folder, and what it lacks is refused in one line."""

from __future__ import annotations

import ast
import functools
import os
import re
import shutil
from dataclasses import replace
from doctest import DocTestParser
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

import qpolis
from helpers.balances import answer_to
from helpers.command_line import refusal, run
from helpers.other_games import OtherGame
from helpers.tourneys import plan_of
from qpolis.games import DEFAULT_GAME, game_class, names
from qpolis.registry.examples import BOTS
from qpolis.report.content.balance_summary import summary
from qpolis.tourney.repeats import Repeat, find_repeats

pytestmark = [
    pytest.mark.filterwarnings("ignore:First-class function type"),  # pytest undoes kernel.py's filter
    pytest.mark.usefixtures("folder"),
]
PACKAGE = Path(qpolis.__file__).parent
GAME = ("--game", "quadrilatere")
KNOWN = "(known: slide)"
PICKS = '''
from qpolis import Bot
class Picks(Bot):
    """Always the same."""
    def choose(self, legal): return legal[{}]
'''


@functools.cache
def without_examples(path):
    """The text of a file, but not the code in docstrings: between backticks, or behind >>> with what it prints."""
    text = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if path.suffix == ".py" else ():
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            shown = ast.get_docstring(node, clean=False) or ""
            words = "".join(part for part in DocTestParser().parse(shown) if isinstance(part, str))
            text = text.replace(shown, re.sub("`[^`]+`", "", words)) if shown else text
    return text


@pytest.mark.parametrize("name", names())
def test_nothing_outside_its_folder_names_a_game(name):
    """It drops into the framework: only the default game is named, once, as the default. Examples of how to call
    something may name one: those that ship as files, and those in docstrings."""
    words = re.compile(f"{name}|{game_class(name).title}", re.IGNORECASE)
    own = PACKAGE / "games" / name
    kinds = (".css", ".csv", ".js", ".json", ".py", ".toml")
    naming = [path for path in PACKAGE.rglob("*") if path.suffix in kinds and words.search(without_examples(path))]
    assert naming, "the game does not even name itself"
    outside = [path for path in naming if not {own, PACKAGE / "examples"} & set(path.parents)]
    lines = [line for path in outside for line in without_examples(path).splitlines() if words.search(line)]
    assert lines == ([f'DEFAULT_GAME = "{name}"'] if name == DEFAULT_GAME else [])
    assert outside == ([PACKAGE / "games" / "__init__.py"] if name == DEFAULT_GAME else [])


class TestQuadrilatere(OtherGame):
    name = "quadrilatere"
    variant: ClassVar = {"slide": "off"}
    deals = "30 deals (all alike, nothing is drawn in this game), each played in 2 seatings"
    checked = "4 games"
    contrary = ("slide=on", "the run has off, not on")
    definitions: ClassVar = ["quadrilatere", "quadrilatere-no-slides"]

    def check_balance(self, said):
        assert "greedy: the first player wins" in said
        assert "the deal " not in said


# --- one game -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--players", "3"], f"unknown option of quadrilatere 'players' {KNOWN}"),
        (["play", "-o", "slide=maybe"], "option slide: 'maybe' is not one of on, off"),
        (
            ["play", "-o", "slides=on"],
            f"unknown option of quadrilatere 'slides', did you mean 'slide'? {KNOWN}",
        ),
        (["play", "-o", "slide=on", "-o", "slide=off"], "slide is given twice, as 'on' and as 'off'"),
        (["tourney", "--bots", "greedy,random", "--players", "2"], f"'players' {KNOWN}"),
    ],
    ids=" ".join,
)
def test_options_it_has_not_are_refused_in_one_line(arguments, words, folder):
    assert words in refusal(*arguments, *GAME)
    assert os.listdir(folder) == []


def test_nobody_changes_the_number_of_players():
    assert "--players changes" not in refusal("play", "--bots", "random", *GAME)


def test_an_option_given_in_two_ways():
    assert "players is given twice, as '2' and as 3" in refusal("play", "--players", "3", "-o", "players=2")


# --- bots ---------------------------------------------------------------------------------------------


def test_mistakes_at_new_bot():
    assert "did you mean 'quadrilatere'?" in refusal("new-bot", "x", "--game", "quadrilater")
    assert not Path("bots").exists()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("tidy.py", "ValueError: plays Quadropolis only, not Quadrilatère"),
        ("hoarder.py", "policy hoarder: no record of quadrilatere has a field 'rounds'"),
        pytest.param(
            "magpie.pl",
            "plays Quadropolis only, not Quadrilatère",
            marks=pytest.mark.skipif(not shutil.which("perl"), reason="needs Perl"),
        ),
    ],
)
def test_bots_of_another_game_forfeit_and_say_why(name, reason):
    output = run("play", *GAME, "--bots", f"{BOTS / name},random")
    assert f"seat 0 forfeits (crash): {reason}" in output


def test_a_new_program_says_which_game_it_plays():
    run("new-bot", "my_bot", "--kind", "program")
    output = run("play", *GAME, "--bots", "my_bot,random")
    assert "seat 0 forfeits (crash): plays Quadropolis only" in output


# --- tournaments --------------------------------------------------------------------------------------


def test_definitions_in_files(folder):
    Path("cup.toml").write_text(
        'game = "quadrilatere"\nbots = ["greedy", "random"]\ngames = 4\n[options]\nslide = false\n',
        encoding="utf-8",
    )
    assert "cup: round-robin of quadrilatere (slide off)" in run("tourney", "cup.toml", "--dry-run")
    assert "(slide on)" in run("tourney", "cup.toml", "--dry-run", "-o", "slide=on")
    Path("bad.toml").write_text(
        'game = "quadrilatere"\nbots = ["greedy", "random"]\n[options]\nslide = 0\n', encoding="utf-8"
    )
    assert "option slide: 0 is not one of on, off" in refusal("tourney", "bad.toml")
    assert sorted(os.listdir(folder)) == ["bad.toml", "cup.toml"]


def picking_bots():
    for name, number in (("one", 0), ("two", -1)):
        Path(f"{name}.py").write_text(PICKS.format(number), encoding="utf-8")
    return "./one.py,./two.py"


@pytest.mark.parametrize("moves", [[], ["--no-moves"]], ids=" ".join)
def test_games_that_repeat_each_other_are_counted(moves):
    """Bots without chance in a game without chance: whatever the number of games, two differ."""
    said = run("tourney", *GAME, "--bots", f"{picking_bots()},random", "--games", "24", "--workers", "1", *moves)
    assert re.findall("^warning.*$", said, re.MULTILINE) == [
        "warning: ./one.py, ./two.py: only 2 of 8 games differ move by move; "
        "intervals do not know that the others repeat them"
    ]


def test_what_counts_as_a_repeated_game():
    """The same moves in the same seating, played to the end; a few of them are not worth a word."""
    plan = plan_of(game="quadrilatere", bots=["heuristic", "random"], games=40)
    hashes, whole = np.arange(40).astype(np.uint64), np.ones(40, bool)
    assert find_repeats(plan, hashes, whole) == []
    hashes[1::2] = hashes[::2]  # the other seating
    assert find_repeats(plan, hashes, whole) == []
    hashes[:10:2] = 7
    assert find_repeats(plan, hashes, whole) == []
    hashes[10] = 7
    assert find_repeats(plan, hashes, whole) == [Repeat(("heuristic", "random"), 40, 35)]
    whole[[8, 10]] = False
    assert find_repeats(plan, hashes, whole) == []


def test_the_same_bots_on_other_deals_do_not_repeat_games():
    said = run("tourney", "--bots", picking_bots(), "--games", "8", "--seed", str(2**100), "--workers", "1")
    assert "warning" not in said


def test_a_sequential_test():
    said = run(
        "tourney",
        *GAME,
        "--bots",
        "greedy,random",
        "--sprt",
        "elo0=0,elo1=100",
        "--games",
        "100",
        "--workers",
        "1",
    )
    assert "H1 accepted" in said


# --- balance ------------------------------------------------------------------------------------------


@pytest.mark.long(only=True)
def test_balance_says_that_games_repeat_each_other(folder):
    answer = answer_to(folder / "b", game="quadrilatere", bots=["random"], games=4)
    assert not any("warning" in line for line in summary(answer))
    runs = [replace(run, repeats=[Repeat(("random",), 4, 1)]) for run in answer.runs]
    assert summary(replace(answer, runs=runs))[-1].startswith("warning: random: only 1 of 4 games differ")
