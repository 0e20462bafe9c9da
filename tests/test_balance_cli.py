"""`qpolis balance` and `qpolis balance search` as a user meets them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.command_line import refusal, run
from helpers.programs import gone
from qpolis.balance.question import CHECKS, ask, cells, read_question
from qpolis.balance.search import CHECKS as SEARCH_CHECKS
from qpolis.balance.search import read_search, seek
from qpolis.balance.targets import TARGET_KINDS
from qpolis.games.quadropolis import Quadropolis
from qpolis.kernel import JIT

pytestmark = [
    pytest.mark.skipif(not JIT, reason="many games"),
    pytest.mark.filterwarnings("ignore:First-class function type"),
]
PROGRAM = [sys.executable, "-m", "qpolis.cli", "balance"]
SHIPPED = sorted(Path(__file__).parents[1].joinpath("tournaments", "balance").glob("*.toml"))
FEW = ["--bots", "heuristic,random", "--games", "90", "--workers", "1"]
PATIENCE = 300  # seconds, before a test is hung


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """Commands start in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_mix_is_measured_and_said_in_words(folder):
    habits = ["--forbid", "tower", "--player", "heuristic", "--habit-games", "20"]
    words = run("balance", *FEW, *habits, "--out", "run")
    assert "== base" in words
    assert "heuristic: the first player wins" in words
    assert "a player who never builds towers loses" in words
    written = "written to run: measures.csv, seats.csv, histograms.csv, summary.txt, report.html, plots/"
    assert words.splitlines()[-1] == written
    assert (folder / "run" / "summary.txt").read_text() in words
    plots = {path.name for path in (folder / "run" / "plots").iterdir()}
    assert {"seats.png", "seats.svg", "kinds.png", "effects.png", "habits.png"} <= plots


def test_measure_need_not_be_named_and_results_have_a_folder(folder):
    run("balance", "measure", *FEW, "--mix", "base", "--mix", "base:shop+1:park-1")
    (made,) = (folder / "results").iterdir()
    assert made.name.startswith("balance-")
    assert (made / "comparisons.csv").is_file()
    assert (made / "plots" / "changes-1.png").is_file()


def test_a_finished_run_is_written_again_byte_by_byte(folder):
    run("balance", *FEW, "--out", "run")
    before = {path: path.read_bytes() for path in (folder / "run").rglob("*") if path.is_file()}
    assert not run("balance", "--resume", "run", "--quiet")
    assert {path: path.read_bytes() for path in (folder / "run").rglob("*") if path.is_file()} == before


def test_quiet_says_nothing_and_dry_run_writes_nothing(folder):
    words = run("balance", *FEW, "--ladder", "50,200", "--dry-run")
    assert "30 games  base: heuristic against itself" in words
    assert words.splitlines()[-1] == "       94 games in all, on the same deals for every mix"
    assert not list(folder.iterdir())
    assert run("balance", *FEW, "--quiet", "--out", "run") == ""


def test_what_is_killed_goes_on(folder):
    bots = ["--bots", "greedy,heuristic", "--games", "3000", "--seed", "0", "--workers", "1", "--out", "run"]
    with subprocess.Popen([*PROGRAM, *bots], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as play:
        while sum(path.stat().st_size for path in folder.glob("run/runs/*/journal.bin")) < 4000:
            assert play.poll() is None
            time.sleep(0.01)
        play.send_signal(signal.SIGKILL)
    assert not (folder / "run" / "measures.csv").exists()
    run("balance", "--resume", "run", "--workers", "1", "--quiet")
    run("balance", *bots[:-2], "--quiet", "--out", "other")
    for name in ("measures.csv", "seats.csv", "histograms.csv", "summary.txt"):
        assert (folder / "run" / name).read_bytes() == (folder / "other" / name).read_bytes()


def test_an_interrupt_says_how_to_go_on(folder):
    bots = ["--bots", "mcts:sims=200,greedy", "--games", "3000", "--seed", "0", "--workers", "1", "--out", "run"]
    with subprocess.Popen([*PROGRAM, *bots], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as play:
        while not list(folder.glob("run/runs/*/journal.bin")):
            time.sleep(0.05)
        time.sleep(1)
        os.kill(play.pid, signal.SIGINT)
        _, said = play.communicate(timeout=PATIENCE)
    assert play.returncode == 130
    assert "stopped: what was played is kept; go on with\n  qpolis balance --resume run\n" in said
    assert "Traceback" not in said


def test_workers_change_nothing(folder, mark):
    """Neither a byte of what is written, nor what is said, and none of them is left."""
    many = ["--bots", "heuristic,random", "--games", "900", "--seed", "0", "--quiet"]
    for workers, out in (("1", "1"), ("3", "2")):
        command = [*PROGRAM, *many, "--workers", workers, "--out", out]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert gone(mark)
    names = {path.relative_to("1") for path in Path("1").rglob("*") if path.is_file()}
    assert len(names) > 15
    for name in names:
        if name.name not in (".lock", "journal.bin"):
            assert (folder / "1" / name).read_bytes() == (folder / "2" / name).read_bytes(), name


# --- search -------------------------------------------------------------------------------------------


def test_a_search_says_what_it_found_and_confirms_it(folder, monkeypatch):
    whole = Quadropolis.variations
    monkeypatch.setattr(Quadropolis, "variations", lambda game: whole(game)[::5])
    few = ["--bots", "heuristic", "--budget", "5000", "--changes", "1", "--workers", "1"]
    words = run("balance", "search", *few, "--target", "margin=5", "--out", "run")
    assert "11 mixes tried in" in words
    assert "tested on 1,500 games with fresh deals" in words
    assert "margin=5: " in words
    names = {path.name for path in (folder / "run").iterdir()}
    assert {"search.csv", "summary.txt", "measures.csv", "plan.toml", "plots"} <= names


def test_a_dry_search_lists_what_it_would_try(folder):
    words = run("balance", "search", "--target", "seats=3", "--dry-run").splitlines()
    assert words[0] == "50 mixes are one change away from base:"
    assert words[-1] == "at most 200,000 games, of which 60,000 confirm what was found"
    assert not list(folder.iterdir())


# --- help and mistakes --------------------------------------------------------------------------------


def test_every_key_has_a_flag():
    others = {"mixes": "--mix", "targets": "--target", "options": "--option", "name": "--out"}
    for command, checks in (("measure", CHECKS), ("search", SEARCH_CHECKS)):
        text = run("balance", command, "--help")
        for key in checks:
            assert others.get(key, f"--{key.replace('_', '-')}") in text
    for aim in TARGET_KINDS:
        assert f"  {aim}=" in text
    assert "measure" in run("balance", "--help")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--mix", "bse"], "unknown mix 'bse', did you mean 'base'?"),
        (["--mix", "base:harbor+1@3"], "at most 25"),
        (["--mix", "base:harbor*2"], "harbor*2"),
        (["--games", "none"], "'none' is not a valid integer"),
        (["--games", "0"], "games: 0 is not a whole number from 1"),
        (["--forbid", "harbour"], "kind of building to forbid in quadropolis 'harbour', did you mean 'harbor'?"),
        (["--ladder", "50"], "ladder: [50] is not a list of two or more budgets"),
        (["--ladder", "50,fast"], "is not a list of two or more budgets"),
        (["--bots", "nobody"], "unknown bot 'nobody'"),
        (["missing.toml"], "missing.toml: no such file"),
        (["--resume", "nowhere"], "nowhere: there is nothing to resume: no plan.toml in it"),
        (
            ["--resume", "nowhere", "--games", "5"],
            "--resume goes on in nowhere as it was asked: it takes no --games",
        ),
        (["serch"], "No such command 'serch'"),
        (["search"], "no targets: say what the mix should be like, as in --target seats=2"),
        (["search", "--target", "seat=2"], "unknown target 'seat', did you mean 'seats'?"),
        (["search", "--target", "seats=2", "--budget", "10"], "budget: 10 games are too few to look at 51 mixes"),
    ],
)
def test_mistakes_get_one_line_and_leave_nothing(folder, arguments, said):
    assert said in refusal("balance", *arguments)
    assert not list(folder.iterdir())


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
def test_definitions_that_ship_can_be_asked(path):
    if path.stem.startswith("search"):
        assert seek(read_search(path)).targets
    else:
        assert cells(ask(read_question(path)))


@pytest.mark.parametrize(
    ("first", "second"),
    [("balance", "tourney"), ("balance search", "tourney"), ("tourney", "balance"), ("balance", "balance search")],
)
def test_what_one_command_began_another_does_not_go_on_with(folder, first, second):
    keys = {"balance": "within = 2.0", "balance search": 'targets = ["seats=2"]', "tourney": 'bots = ["greedy"]'}
    (folder / "run").mkdir()
    (folder / "run" / "plan.toml").write_text(f"{keys[first]}\n")
    said = f"run: is not of this command: go on with qpolis {first} --resume run"
    assert said in refusal(*second.split(), "--resume", "run")
