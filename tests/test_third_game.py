"""Every command with a game that has chance and hidden information and no tile mixes, for 2 to 4 players."""

from __future__ import annotations

import re
from pathlib import Path
from typing import ClassVar

import pytest

import qpolis
from helpers.command_line import refusal, results, run
from helpers.other_games import OtherGame
from helpers.sizes import some
from qpolis.games.arkadia.draw import draw

pytestmark = [
    pytest.mark.filterwarnings("ignore:First-class function type"),  # pytest undoes kernel.py's filter
    pytest.mark.usefixtures("folder"),
]
GAME = ("--game", "arkadia")


class TestArkadia(OtherGame):
    name = "arkadia"
    variant: ClassVar = {"players": "3", "setup": "intro", "flip": "on"}
    deals = "20 deals, each played in 3 seatings"
    checked = "24 games"
    contrary = ("flip=off", "the run has on, not off")
    definitions: ClassVar = ["arkadia-2", "arkadia-3", "arkadia-4"]

    def check_balance(self, said):
        assert "greedy: wins by seat " in said


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--players", "5"], "option players: 5 is not one of 2, 3, 4"),
        (["play", "-o", "setup=x"], "option setup: 'x' is not one of standard, intro"),
        (["play", "-o", "flip=maybe"], "option flip: 'maybe' is not one of off, on"),
        (["play", "--bots", "random", "--players", "4"], "--bots: 1 for 4 seats (--players changes their number)"),
    ],
    ids=" ".join,
)
def test_mistakes_are_one_line(arguments, words):
    assert words in refusal(*arguments, *GAME)


def test_games_tells_that_something_is_hidden():
    assert "arkadia: Arkadia (chance, hidden information)\n" in run("games")


@pytest.mark.long
def test_all_kinds_of_bots_at_one_table():
    kinds = some(["program", "kernel"])
    for kind in kinds:
        run("new-bot", kind, "--kind", kind, *GAME)
    said = run(
        "tourney",
        *GAME,
        "--players",
        "4",
        "--bots",
        ",".join([*kinds, "heuristic", "random", "greedy"][:4]),
        "--games",
        "4",
        "--workers",
        "1",
        "--out",
        "mixed",
    )
    assert "forfeit" not in said
    assert "4 games played again: scores, ranks and hashes agree" in run("verify", "mixed")
    assert len(results(run("replay", "mixed", "--game", "3"))) == 4
    assert not Path("mixed/forfeits.txt").exists()


def test_the_drawing():
    """Cards that all know of are marked: one that was taken openly, not its twin from the pile."""
    told = qpolis.load_game("arkadia").new(1).to_dict()
    told |= {
        "hands": [["farm-red", "farm-red"], []],
        "known": [["farm-red"], []],
        "gold": [12, 0],
        "seals": [{"red": 3, "olive": 0, "black": 0, "silver": 17}, told["seals"][1]],
    }
    lines = draw(told, [0]).splitlines()
    assert lines[0].split() == list("abcdefghijklmnop")
    assert lines[1].split()[:3] == ["1", "^", "."]
    assert [" ".join(line.split()) for line in lines[-4:]] == [
        "gold red olive black silver workers neutral banners cards",
        "worth 2 2 2 2",
        "> seat 0 12 3 0 0 17 3 0 4 farm-red*, farm-red",
        "seat 1 0 0 0 0 0 3 0 4 none",
    ]
    assert "turns left" not in draw({**told, "turns_left": 0}, [])
    assert re.search("; turns left: 2$", draw({**told, "turns_left": 2}, []), re.MULTILINE)
