"""The option `border` of Quadrilatère has one value. What names the other, taken out, is refused in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

import qpolis
from helpers.command_line import refusal, run

pytestmark = pytest.mark.usefixtures("folder")
GAME = ("--game", "quadrilatere")
WORDS = "border=wall was taken out of Quadrilatère, because by the rulebook the edge of the board is no wall"


def test_the_call_that_names_the_border():
    game = qpolis.load_game("quadrilatere", slide=True, border="groove")
    assert game.settings == qpolis.load_game("quadrilatere").settings
    assert game.new().to_dict()["border"] == "groove"


@pytest.mark.parametrize("value", ["wall", "fence", True])
def test_another_border_in_python(value):
    with pytest.raises(qpolis.QpolisError, match=WORDS):
        qpolis.load_game("quadrilatere", border=value)


def test_a_position_with_another_border():
    game = qpolis.load_game("quadrilatere")
    with pytest.raises(qpolis.QpolisError, match="border cannot be in this game"):
        game.from_dict({**game.new().to_dict(), "border": "wall"})


@pytest.mark.parametrize("flag", [("--border", "wall"), ("-o", "border=wall")], ids=" ".join)
@pytest.mark.parametrize(
    "command", [("play",), ("tourney", "--bots", "greedy,random"), ("balance",), ("demo",)], ids=" ".join
)
def test_another_border_on_the_command_line(command, flag, folder):
    assert WORDS in refusal(*command, *GAME, *flag)
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("table", ["", "[options]\n"])
def test_another_border_in_a_definition(table, folder):
    Path("cup.toml").write_text(
        f'game = "quadrilatere"\nbots = ["greedy", "random"]\n{table}border = "wall"\n', encoding="utf-8"
    )
    assert WORDS in refusal("tourney", "cup.toml")
    assert [path.name for path in folder.iterdir()] == ["cup.toml"]


def test_an_old_run_with_walls():
    """Its plan names the option."""
    run(
        "tourney", *GAME, "--bots", "heuristic,random", "--games", "2", "--workers", "1", "--out", "cup", "--quiet"
    )
    plan = Path("cup/plan.toml")
    text = plan.read_text(encoding="utf-8")
    plan.write_text(text.replace('border = "groove"', 'border = "wall"'), encoding="utf-8")
    assert plan.read_text(encoding="utf-8") != text
    for command in (
        ("tourney", "--resume", "cup"),
        ("report", "cup"),
        ("verify", "cup"),
        ("replay", "cup", "--game", "1"),
        ("tourney", "cup/plan.toml"),
    ):
        assert WORDS in refusal(*command), command
