"""The commands about tournaments as a user meets them: killed, interrupted, mistyped."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import time

import click
import numpy as np
import pytest

from helpers.command_line import refusal as refusal_line
from helpers.command_line import run
from helpers.programs import gone
from helpers.sizes import some
from qpolis.cli.tourney import tourney
from qpolis.report.content.progress import clock, short
from qpolis.tourney.definition import CHECKS

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
PROGRAM = [sys.executable, "-m", "qpolis.cli"]
TABLES = ("games.csv", "ratings.csv", "crosstable.csv", "seats.csv")
SLOW = ["--bots", "mcts:sims=100,greedy,heuristic", "--games", "360", "--seed", "0", "--workers", "1"]
PATIENCE = 300  # seconds, before a test is hung


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A working directory of its own."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The tables of a run that nobody disturbed."""
    folder = tmp_path_factory.mktemp("undisturbed")
    command = [*PROGRAM, "tourney", *SLOW, "--out", "run", "--quiet"]
    subprocess.run(command, check=True, cwd=folder, timeout=PATIENCE)
    return tables(folder / "run")


def tables(folder):
    return {name: (folder / name).read_bytes() for name in TABLES}


def started(*arguments):
    return subprocess.Popen(
        [*PROGRAM, "tourney", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(process, journal, more=200):
    """Wait until the journal has grown by so many bytes, at least by a chunk."""

    def size():
        return journal.stat().st_size if journal.exists() else 0

    before, deadline = size(), time.monotonic() + PATIENCE
    while size() < before + more:
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.005)


def refusal(*arguments):
    return refusal_line(*arguments).removeprefix("qpolis: ")


@pytest.mark.long
def test_killed_at_any_moment_and_gone_on_with(folder, undisturbed, mark):
    rng = np.random.default_rng(3)
    arguments = [*SLOW, "--out", "run"]
    for moment in some((0.0, 0.2, 0.05, 0.4), 2):
        process = started(*arguments)
        if moment:
            wait_for(process, folder / "run" / "journal.bin")
            time.sleep(moment * rng.random())
        else:  # as it begins
            while not (folder / "run").exists():
                time.sleep(0.001)
        process.kill()
        process.communicate()
        arguments = ["--resume", "run", "--workers", "1"]
        if not (folder / "run" / "plan.toml").exists():
            arguments = [*SLOW, "--out", "run"]
    done = subprocess.run([*PROGRAM, "tourney", *arguments], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    assert re.search(r"[\d,]+ games were played before", done.stdout)
    assert tables(folder / "run") == undisturbed
    assert gone(mark)


@pytest.mark.parametrize(
    ("number", "code", "workers"),
    [(signal.SIGINT, 130, "1"), (signal.SIGTERM, 143, "1"), (signal.SIGINT, 130, "2"), (signal.SIGTERM, 143, "2")],
)
def test_a_signal_stops_a_run_and_says_how_to_go_on(folder, undisturbed, number, code, workers, mark):
    process = started(*SLOW[:-2], "--workers", workers, "--games", "100000", "--out", "run")
    wait_for(process, folder / "run" / "journal.bin")
    if workers == "2" and number == signal.SIGTERM:  # the other signal comes while Ray starts
        wait_for(process, folder / "run" / "journal.bin")
    begun = time.monotonic()
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE)
    taken = time.monotonic() - begun
    assert process.returncode == code
    assert re.fullmatch(
        r"(.* games, .*\n)*stopped: [\d,]+ of 100,000 games are kept; go on with\n"
        r"  qpolis tourney --resume run\n",
        err,
    )
    assert taken < 60  # a hang, not slowness
    assert gone(mark)


def test_the_second_process_on_a_run_is_sent_away(folder):
    process = started(*SLOW, "--games", "100000", "--out", "run")
    wait_for(process, folder / "run" / "journal.bin")
    try:
        assert refusal("tourney", "--resume", "run") == "run: another qpolis is playing this run"
    finally:
        process.kill()
        process.communicate()


def test_what_a_tournament_prints(folder):
    text = run("tourney", "--bots", "random,heuristic", "--games", "41", "--seed", "3", "--out", "here")
    assert "random-heuristic: round-robin of quadropolis (players 2, mode classic, mix base), seed 3\n" in text
    assert "42 games: 21 deals, each played in 2 seatings (rotations)\n" in text
    assert "(41 games were asked for: rounded up to whole deals)\n" in text
    assert re.search(
        r"bot +games +wins +place +points +Elo +95% interval +TrueSkill +at least\n"
        r"heuristic +42 +100.0% +1.00 ",
        text,
    )
    assert "wins by seat: seat 0 50.0%" in text
    assert text.endswith(
        "written to here: games.csv, ratings.csv, crosstable.csv, seats.csv, timing.csv, report.html, plots/\n"
    )
    assert sorted(path.name for path in (folder / "here").iterdir() if path.name != ".lock") == sorted(
        [*TABLES, "timing.csv", "report.html", "plots", "plan.toml", "journal.bin"]
    )
    assert len(list((folder / "here" / "plots").iterdir())) == 12
    again = run("tourney", "here/plan.toml", "--out", "again", "--quiet")
    assert again == ""
    assert tables(folder / "again") == tables(folder / "here")
    shown = run("replay", "here", "--game", "7")
    assert shown.startswith("Quadropolis, players 2, mode classic, mix base, seed 3, deal 3, game 7\nseat 0 is h")
    assert "place 1\n" in shown
    assert run("verify", "here").splitlines() == [
        "games.csv: all 42 games as recorded",
        *(f"{name}: as the games say" for name in TABLES[1:]),
        "TrueSkill: the trueskill package rates the first 42 games the same",
        "42 games played again: scores, ranks and hashes agree",
    ]


def test_a_finished_run_writes_its_tables_again(folder):
    run("tourney", "--bots", "random,heuristic", "--games", "8", "--out", "here", "--quiet")
    before = tables(folder / "here")
    (folder / "here" / "games.csv").unlink()
    (folder / "here" / "ratings.csv").write_text("")
    assert "8 games were played before" in run("tourney", "--resume", "here")
    assert tables(folder / "here") == before


def test_the_default_folder_says_who_played_and_when(folder):
    run("tourney", "--bots", "random,heuristic", "--games", "2", "--quiet")
    (found,) = (folder / "results").iterdir()
    assert re.fullmatch(r"random-heuristic-\d{8}-\d{6}", found.name)


def test_forfeits_are_told(folder):
    (folder / "bad.py").write_text("from qpolis import Bot\nclass Bad(Bot):\n    def choose(self, legal): 1 / 0\n")
    text = run("tourney", "--bots", "./bad.py,random", "--games", "4", "--out", "here")
    assert "4 games ended abnormally:\n  ./bad.py: crash in 4 games, first in game 0: ZeroDivisionError" in text
    forfeits = (folder / "here" / "forfeits.txt").read_text()
    assert len(re.findall("^game .*: ZeroDivisionError", forfeits, re.MULTILINE)) == 4


def test_a_sequential_test_says_its_verdict():
    text = run("tourney", "--bots", "greedy,random", "--sprt", "elo0=0,elo1=400", "--out", "here")
    assert "100,000 games at most: 50,000 deals" in text
    assert re.search(r"LLR [\d.]+ \(-2.94, 2.94\), H1 accepted \(elo 400\) after \d+ games\nElo \+inf \(", text)
    assert re.search(r"after (\d+) games", text).group(1) in text.split("games in")[0].splitlines()[-1]


def test_a_plan_can_be_looked_at(folder):
    (folder / "cup.toml").write_text(
        'bots = ["random", "greedy", "heuristic", "mcts:sims=9"]\nplayers = 3\ngames = 24\n'
    )
    text = run("tourney", "cup.toml", "--seatings", "all", "--dry-run", "--workers", "3")
    assert text.startswith(
        "cup: round-robin of quadropolis (players 3, mode classic, mix base), seed 0\n"
        "24 games: 4 deals, each played in 6 seatings (4 groups in turn, all)\n  random\n"
    )
    assert re.search(r"\nabout \d+ \w+ on 3 workers, by the pace of \d+ games just tried\n$", text)
    assert [path.name for path in folder.iterdir()] == ["cup.toml"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no bots: say who plays, as in --bots mcts,greedy"),
        (["--bots", "mcts,gredy"], "unknown bot 'gredy', did you mean 'greedy'?"),
        (["--bots", "mcts,"], "an empty bot spec"),
        (["--bots", "mcts,,greedy"], "an empty bot spec"),
        (["--bots", "mcts,greedy", "-o", "name=x"], "unknown option of quadropolis 'name'"),
        (["--bots", "mcts,greedy", "-o", "self=x"], "unknown option of quadropolis 'self'"),
        (["--bots", "mcts"], "1 bot for 2 seats"),
        (["--bots", "mcts,greedy", "--players", "4"], "2 bots for 4 seats"),
        (["--bots", "mcts,greedy", "--games", "0"], "games: 0 is not a whole number from 1"),
        (["--bots", "mcts,greedy", "--games", "-5"], "games: -5 is not a whole number from 1"),
        (["--bots", "mcts,greedy", "--seed", "-5"], "seed: -5 is not"),
        (["--bots", "mcts,greedy", "--mix", "none.csv"], "none.csv: cannot be read: No such file"),
        (["--bots", "mcts,greedy", "--time-limit", "0"], "time_limit: 0.0 is not a number of seconds"),
        (["--bots", "mcts,greedy", "--sprt", "elo0=5"], "sequential test 'elo0=5': elo1 is missing"),
        (["--bots", "mcts,greedy", "--sprt", ""], 'sprt: "" is not a text such as "elo0=0,elo1=10"'),
        (["--bots", "mcts,greedy", "--workers", "0"], "Invalid value for '--workers'"),
        (["--bots", "mcts,greedy", "-o", "colour=1"], "unknown option of quadropolis 'colour'"),
        (["none.toml"], "none.toml: no such file"),
        (["cup.toml"], "cup.toml: unknown key 'bot', did you mean 'bots'?"),
        (["--resume", "none"], "none: no such folder"),
        (["--resume", "."], ".: not the folder of a run: there is no plan.toml in it"),
        (["--resume", ".", "--out", "x"], "--resume goes on in .: it takes no --out"),
        (["--bots", "mcts,greedy", "--out", "cup.toml"], "cup.toml: is a file, not a folder: choose another"),
        (["--bots", "mcts,greedy", "--out", "."], ".: is not empty"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(folder, arguments, message):
    (folder / "cup.toml").write_text('bot = ["mcts"]\n')
    assert refusal("tourney", *arguments).startswith(message)
    assert [path.name for path in folder.iterdir()] == ["cup.toml"]


def test_flags_override_a_file(folder):
    (folder / "cup.toml").write_text('bots = ["random", "greedy", "heuristic"]\nmode = "expert"\nplayers = 3\n')
    for flags in (["--mode", "classic"], ["-o", "mode=classic"]):
        text = run("tourney", "cup.toml", "--games", "3", *flags, "--dry-run")
        assert "(players 3, mode classic, mix base)" in text
    assert refusal("tourney", "cup.toml", "--mode", "classic", "-o", "mode=expert") == (
        "mode is given twice, as 'expert' and as 'classic'"
    )


def test_a_reader_that_goes_away_stops_nothing(folder):
    command = f"{sys.executable} -m qpolis.cli tourney --bots random,heuristic --games 40 --out run | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stderr == ""
    assert (folder / "run" / "games.csv").exists()


def test_a_dry_run_of_a_resume_changes_nothing(folder):
    run("tourney", "--bots", "random,heuristic", "--games", "2", "--out", "here", "--quiet")
    journal = folder / "here" / "journal.bin"
    journal.write_bytes(journal.read_bytes() + b"torn")
    before = journal.read_bytes()
    assert "2 games: 1 deal," in run("tourney", "--resume", "here", "--dry-run")
    assert journal.read_bytes() == before


def test_a_changed_resume_is_refused():
    run("tourney", "--bots", "random,heuristic", "--games", "2", "--out", "here", "--quiet")
    assert refusal("tourney", "--resume", "here", "--games", "4").startswith("games: the run has 2, not 4")
    assert refusal("tourney", "--bots", "random,mcts", "--out", "here").startswith("here: there is a run in it")
    assert refusal("replay", "here", "--game", "2") == "no game 2: the games of this run are 0 to 1"
    assert refusal("verify", "elsewhere") == "elsewhere: no such folder: give the folder of a run"


def test_every_key_of_a_definition_has_a_flag():
    text = run("tourney", "--help")
    for key in CHECKS:
        others = {"moves": "--no-moves", "options": "--option"}
        flag = others.get(key, f"--{key.replace('_', '-')}")
        assert flag in text
    for flag in ("--workers", "--address", "--resume", "--dry-run", "--quiet"):
        assert flag in text


def test_flags_take_what_keys_take():
    flags = [option for option in tourney.params if isinstance(option.type, click.Choice)]
    choices = {option.name: option.type.choices for option in flags}
    assert {"seatings", "games_table", "sandbox"} <= set(choices)
    assert all(set(words) == set(CHECKS[key].choices) for key, words in choices.items())


def test_a_terminal_sees_a_bar(folder):
    """And nothing of it is left when the run is over."""
    ours, theirs = pty.openpty()
    command = [*PROGRAM, "tourney", *SLOW, "--games", "120", "--out", "run"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as process:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 1 << 16):
                seen += part
        except OSError:  # the other side has gone
            pass
        os.close(ours)
        assert process.stdout is not None
        assert b"TrueSkill" in process.stdout.read()
    assert process.returncode == 0
    assert re.search(rb"\d+/120 \[.*games/s.*greedy [\d.]+%", seen)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.4, "0 s"),
        (59.4, "59 s"),
        (60, "1 min"),
        (200, "3 min 20 s"),
        (7500, "2 h 5 min"),
        (3 * 86400 + 4 * 3600, "3 d 4 h"),
    ],
)
def test_times_are_said_in_two_units(seconds, text):
    assert clock(seconds) == text


def test_long_names_lose_their_middle():
    assert short("greedy", 10) == "greedy"
    assert short("./bots/a_very_long_name.py:Class", 20) == "./bots...me.py:Class"
    assert all(len(short("x" * n, 20)) <= 20 for n in range(60))
