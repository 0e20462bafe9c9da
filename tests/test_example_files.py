"""Examples: found by their names behind those of the user, listed, copied."""

from __future__ import annotations

import os
import re

import pytest

from helpers.command_line import refusal, run
from helpers.sizes import LENGTH
from qpolis.registry import examples
from qpolis.registry.spec import resolve

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter


def test_every_example_says_what_it_is():
    for line in run("examples", "list").splitlines():
        assert re.fullmatch(r"\S+  +\S.*", line), line


@pytest.mark.parametrize("folder", [examples.TOURNAMENTS, examples.QUESTIONS])
def test_readmes_name_every_definition(folder):
    text = (examples.FOLDER / "tournaments/README.md").read_text()
    assert len(examples.definitions(folder)) >= 8
    assert [name for name in examples.definitions(folder) if f"`{name}.toml`" not in text] == []


@pytest.mark.long
@pytest.mark.parametrize("name", sorted(examples.definitions(examples.TOURNAMENTS)))
def test_definitions_of_tournaments_can_be_played(folder, name, request):
    """In `make test` only planned: an estimate of the time plays some games of bots that think for long."""
    if LENGTH == 1:
        request.getfixturevalue("unplayed")
    assert " games" in run("tourney", name, "--games", "40", "--dry-run")


@pytest.mark.usefixtures("unplayed")
def test_the_gauntlet_takes_the_challenger_of_the_user(folder):
    said = run("tourney", "gauntlet", "--challenger", "tidy", "--games", "40", "--dry-run")
    assert "tidy" in said
    assert "mcts:sims=200" not in said


@pytest.mark.parametrize("name", sorted(examples.definitions(examples.QUESTIONS)))
def test_questions_can_be_asked(folder, name):
    command = ["search"] if name.startswith("search") else []
    assert " games" in run("balance", *command, name, "--dry-run")


def test_bots_of_the_working_directory_come_before_examples(folder):
    assert resolve("tidy").origin == "an example"
    run("new-bot", "tidy")
    assert resolve("tidy").origin == "bots/tidy.py"
    lines = [line for line in run("bots").splitlines() if line.startswith("tidy ")]
    assert len(lines) == 1


@pytest.mark.usefixtures("unplayed")
def test_files_of_the_user_come_before_definitions_that_ship(folder):
    (folder / "quick").write_text('bots = ["greedy", "random"]\ngames = 10\n')
    assert "10 games" in run("tourney", "quick", "--dry-run")
    os.remove("quick")
    (folder / "quick").mkdir()
    assert "2,000 games" in run("tourney", "quick", "--dry-run")


@pytest.mark.usefixtures("unplayed")
def test_flags_are_those_of_the_game_that_a_definition_names(folder):
    assert "quadrilatere" in run("tourney", "quadrilatere", "--slide", "off", "--games", "40", "--dry-run").lower()
    assert "no-slides" in refusal("tourney", "quadrilatere-no-slide")
    run("tourney", "--name", "quadrilatere", "--mode", "expert", "--bots", "greedy,random", "--dry-run")


def test_one_example_is_copied_by_its_name(folder):
    assert run("examples", "copy", "magpie", "--to", "there") == "wrote there/bots/magpie.pl\n"
    assert os.access("there/bots/magpie.pl", os.X_OK)
    assert run("examples", "copy", "tournaments/balance").count("wrote tournaments/balance/") == len(
        examples.definitions(examples.QUESTIONS)
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tourney", "quik"], "unknown definition 'quik', did you mean 'quick'?"),
        (["balance", "strategie"], "did you mean 'strategies'"),
        (["tourney", "tournaments/quick.toml"], "no such file: quick ships, and is found by its name"),
        (["tourney", "mine.toml"], "mine.toml: no such file"),
        (["examples", "copy", "tiddy"], "unknown example 'tiddy', did you mean 'tidy'?"),
        (["examples", "copy", "../bots"], "unknown example '../bots'"),
        (["examples", "copy", "--to", "file"], "file: is a file, not a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes(folder, arguments, words):
    (folder / "file").write_text("")
    assert words in refusal(*arguments)
