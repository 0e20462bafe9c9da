"""Quadrilatère had an option `border`. Naming it with `groove`, which is always so now, is accepted and means
nothing; anything else is refused in one line that says why it was taken out."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import qpolis
from helpers.command_line import refusal, run
from qpolis.games import game_class

pytestmark = pytest.mark.usefixtures("folder")
GAME = ("--game", "quadrilatere")
OLD = Path(__file__).parent / "data" / "0.1.0" / "quadrilatere"
WORDS = (
    "option of quadrilatere 'border' was taken out, it is always groove: by the rulebook the edge of the board is "
    "no wall"
)


def definition(table, border):
    Path("cup.toml").write_text(
        f'game = "quadrilatere"\nbots = ["greedy", "random"]\n{table}border = "{border}"\n', encoding="utf-8"
    )
    return "cup.toml"


def test_it_is_no_option_any_more():
    assert list(game_class("quadrilatere").options) == ["slide"]
    assert "border" not in run("games") + run("play", *GAME, "--help")
    assert "border" not in qpolis.load_game("quadrilatere").new().observe(0)


def test_the_call_that_names_the_border():
    game = qpolis.load_game("quadrilatere", slide=True, border="groove")
    assert game.settings == {"slide": True}
    assert "border" not in repr(game)


@pytest.mark.parametrize("value", ["wall", "fence", True, None])
def test_another_border_in_python(value):
    with pytest.raises(qpolis.QpolisError, match=WORDS):
        qpolis.load_game("quadrilatere", border=value)


def test_a_position_that_names_the_border():
    game = qpolis.load_game("quadrilatere")
    start = game.new().to_dict()
    assert game.from_dict({**start, "border": "groove"}).to_dict() == start
    with pytest.raises(qpolis.QpolisError, match=WORDS):
        game.from_dict({**start, "border": "wall"})


def test_grooves_on_the_command_line():
    words = ("tourney", *GAME, "--bots", "greedy,random", "--dry-run", "-o")
    assert "round-robin of quadrilatere (slide on)" in run(*words, "border=groove")


@pytest.mark.parametrize("flag", [("--border", "wall"), ("--border=wall",), ("-o", "border=wall")], ids=" ".join)
@pytest.mark.parametrize(
    "command", [("play",), ("tourney", "--bots", "greedy,random"), ("balance",), ("demo",)], ids=" ".join
)
def test_another_border_on_the_command_line(command, flag, folder):
    assert WORDS in refusal(*command, *GAME, *flag)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("table", ["", "[options]\n"])
def test_a_definition_that_names_the_border(table, folder):
    assert "(slide on)" in run("tourney", definition(table, "groove"), "--dry-run")
    assert WORDS in refusal("tourney", definition(table, "wall"))
    assert [path.name for path in folder.iterdir()] == ["cup.toml"]


def test_an_old_run_with_grooves():
    """It is read and reported; its games were others, so they are not played on or again."""
    shutil.copytree(OLD, "cup")
    run("report", "cup", "--games", "0")
    assert "game has changed since the run began (1 then, 3 now)" in refusal("tourney", "--resume", "cup")
    assert "its rules, or a file that an option names, have changed since the run began" in refusal(
        "replay", "cup", "--game", "1"
    )
    run("tourney", "cup/plan.toml", "--dry-run")


def test_an_old_run_with_walls():
    shutil.copytree(OLD, "cup")
    plan = Path("cup/plan.toml")
    plan.write_text(plan.read_text(encoding="utf-8").replace("groove", "wall"), encoding="utf-8")
    for command in (
        ("tourney", "--resume", "cup"),
        ("report", "cup"),
        ("verify", "cup"),
        ("replay", "cup", "--game", "1"),
        ("tourney", "cup/plan.toml"),
    ):
        assert WORDS in refusal(*command), command
