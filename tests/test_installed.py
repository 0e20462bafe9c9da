"""From a wheel, in an empty folder, everything works; a package of somebody else is found by its entry points."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from helpers.installed import ROOT, command, install
from helpers.sizes import LENGTH, some
from qpolis.registry import examples


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, and the folder it is installed in."""
    site = tmp_path_factory.mktemp("installed") / "site"
    return install(ROOT, site), site


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """The example package, installed."""
    site = tmp_path_factory.mktemp("example") / "site"
    install(examples.FOLDER / "package", site)
    return site


@pytest.fixture
def qpolis(wheel, folder):
    """A command of the installed qpolis in an empty folder; what it prints."""

    def run(*arguments, fails=0):
        done = command(folder, [wheel[1]], *arguments)
        assert done.returncode == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


def test_the_wheel_has_every_file_of_the_package(wheel):
    tracked = subprocess.run(["git", "ls-files", "qpolis"], cwd=ROOT, capture_output=True, text=True, check=False)
    files = tracked.stdout.split() or [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "qpolis").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    ]
    assert len(files) > 300
    assert set(files) - set(zipfile.ZipFile(wheel[0]).namelist()) == set()


def test_it_is_the_installed_one_that_runs(wheel, folder):
    said = subprocess.run(
        [sys.executable, "-P", "-c", "import qpolis; print(qpolis.__file__)"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(wheel[1])},
        capture_output=True,
        text=True,
        check=True,
    )
    assert Path(said.stdout.strip()).parent == wheel[1] / "qpolis"


def test_definitions_are_found_by_name(qpolis, folder):
    assert "2,000 games" in qpolis("tourney", "quick", "--bots", "greedy,random", "--dry-run")
    assert "games in all" in qpolis("balance", "strategies", "--dry-run")
    assert "mixes are one change away" in qpolis("balance", "search", "search-seats", "--dry-run")
    assert os.listdir(folder) == []


def test_a_tournament_by_name_is_played(qpolis, folder):
    flags = ("--games", "6", "--out", "cup", "--workers", "1")
    assert "6 games" in qpolis("tourney", "quick", "--bots", "greedy,random,tidy", *flags)
    assert (folder / "cup/report.html").is_file()
    assert (folder / "cup/games.csv").read_text().count("\n") == 13


@pytest.mark.long
@pytest.mark.parametrize("bot", some(["magpie", "tidy", "hoarder"]))
def test_example_bots_pass_by_name(qpolis, folder, bot):
    said = qpolis("check", bot)
    assert f"{bot}, from an example, plays quadropolis" in said
    assert "FAIL" not in said
    assert os.listdir(folder) == []


def test_example_bots_play_by_name(qpolis, folder):
    said = qpolis("play", "--players", "3", "--bots", "tidy,hoarder,magpie")
    assert "forfeit" not in said
    assert os.listdir(folder) == []


def test_examples_are_copied_once(qpolis, folder):
    listed = qpolis("examples", "list")
    said = qpolis("examples", "copy")
    copied = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    assert copied == examples.files()
    assert [line.split()[0] for line in listed.splitlines()] == copied
    assert sorted(line.removeprefix("wrote ") for line in said.splitlines()) == copied
    (folder / "bots/tidy.py").write_text("mine")
    for name in ((), ("bots",), ("tidy",)):
        assert "is there already, and is not overwritten; nothing was copied" in qpolis(
            "examples", "copy", *name, fails=2
        )
    assert (folder / "bots/tidy.py").read_text() == "mine"
    assert "bots/magpie.pl" in qpolis("bots")
    assert os.access(folder / "bots/magpie.pl", os.X_OK)
    assert "2,000 games" in qpolis("tourney", "tournaments/quick.toml", "--bots", "greedy,random", "--dry-run")


@pytest.mark.long
def test_packages_that_are_installed_offer_bots_and_games(wheel, example, folder):
    def run(*arguments):
        done = command(folder, [example, wheel[1]], *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "neighbour  Python" in run("bots")
    assert "terrace: Terrace, from package qpolis-example" in run("games")
    assert "FAIL" not in run("check", "neighbour", "--game", "terrace")
    if LENGTH > 1:  # the bots that play it there have to be compiled
        assert "checks passed" in run("check-game", "terrace")
    flags = ("--game", "terrace", "--players", "3", "--games", "12", "--out", "cup", "--workers", "2")
    assert "12 games" in run("tourney", "--bots", "neighbour,greedy,random", *flags)
    assert (folder / "cup/report.html").is_file()
