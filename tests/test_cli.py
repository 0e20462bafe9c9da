"""The command line: what the commands print, and one line for what is wrong."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from helpers.command_line import refusal, results, run
from qpolis import load_game
from qpolis.cli.main import main
from qpolis.games import game_class
from qpolis.games.quadropolis.mix import MIXES
from qpolis.version import __version__

PROGRAM = [sys.executable, "-m", "qpolis.cli"]
BASE = (MIXES / "base.csv").read_bytes()
pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter


def options_of(command):
    return [parameter for parameter in command.params if isinstance(parameter, click.Option)]


OPTIONS = [(name, option) for name, command in main.commands.items() for option in options_of(command)]


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_lists_every_command(flag):
    output = run(flag)
    for name in ("bench", "bots", "check", "demo", "games", "new-bot", "play", "score"):
        assert re.search(rf"^  {name}  +\w", output, re.MULTILINE)


@pytest.mark.parametrize("name", main.commands)
def test_help_of_a_command_names_what_it_takes(name):
    output = run(name, "--help")
    assert output.startswith("Usage: qpolis " + name)
    assert main.commands[name].help.splitlines()[0] in output
    for parameter in main.commands[name].params:
        for text in parameter.opts if isinstance(parameter, click.Option) else [parameter.name.upper()]:
            assert text in output


@pytest.mark.parametrize(("command", "option"), OPTIONS, ids=lambda value: getattr(value, "name", value))
def test_every_option_is_explained(command, option):
    assert option.help, f"qpolis {command} {option.opts[0]} has no help"


@pytest.mark.parametrize("name", ["play", "demo"])
def test_games_are_chosen_alike(name):
    """By its flags, which are those of the game."""

    def flags(*arguments):
        return set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", run(name, *arguments, "--help"), re.MULTILINE))

    shown = flags()
    assert {"--game", "--players", "--mode", "--mix", "--option", "--seed"} <= shown
    assert "--slide" not in shown
    shown = flags("--game", "quadrilatere")
    assert {"--game", "--slide", "--option", "--seed"} <= shown
    assert not {"--players", "--mode", "--mix"} & shown


def test_version():
    assert run("--version") == f"qpolis, version {__version__}\n"


def test_help_and_version_need_no_compiler():
    code = (
        "import sys\nfrom click.testing import CliRunner\nfrom qpolis.cli.main import main\n"
        "for flag in ('--help', '--version'):\n    assert CliRunner().invoke(main, [flag]).exit_code == 0\n"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_program_is_the_same_command():
    done = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.endswith(f"version {__version__}\n")
    assert done.stderr == ""


# --- games, play, demo, bench -------------------------------------------------------------------------


def test_games_lists_the_game_with_all_options():
    lines = run("games").splitlines()
    assert any(line.startswith("quadropolis: Quadropolis") for line in lines)
    for name, option in game_class("quadropolis").options.items():
        line = next(line for line in lines if line.startswith(f"  {name} "))
        assert option.help in line
        assert f"default {option.default}" in line
        assert all(str(choice) in line for choice in option.choices)


def test_play_twice_is_the_same_game():
    first = run("play", "--seed", "3")
    assert run("play", "--seed", "3") == first
    assert run("play", "--seed", "4") != first
    assert run("play") == run("play", "--seed", "0")


def test_play_in_another_process_is_the_same_game():
    done = subprocess.run([*PROGRAM, "play", "--seed", "3"], capture_output=True, text=True, check=True)
    assert done.stdout == run("play", "--seed", "3")
    assert done.stderr in ("", "compiling (first run only) ...\n")


@pytest.mark.parametrize("mode", ["classic", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_play_shows_moves_and_results(mode, players):
    output = run("play", "--mode", mode, "--players", str(players), "--seed", "3")
    heading = output.splitlines()[0]
    for words in (f"players {players}", f"mode {mode}", "mix base", "seed 3"):
        assert words in heading
    rounds = 5 if mode == "expert" else 4
    for round in range(1, rounds + 1):
        assert f"\nround {round}, turn 1\n" in output
    assert f"round {rounds + 1}" not in output
    assert "\nthe game is over\n" in output
    shown = results(output)
    assert len(shown) == players
    best = max(points for points, _ in shown)
    assert all(points == best for points, place in shown if place == 1)
    assert min(place for _, place in shown) == 1


def test_moves_shown_can_be_replayed():
    output = run("play", "--mode", "expert", "--players", "3", "--seed", "11")
    game = load_game("quadropolis", mode="expert", players=3)
    state = game.new(11)
    for seat, text in re.findall(r"^seat (\d): (\d@[NESW]\d|[a-e]\d|discard)$", output, re.MULTILINE):
        assert state.player == int(seat)
        state.apply(game.parse(state, text))
    assert state.over
    assert results(output) == [(points, rank + 1) for points, rank in zip(state.scores(), state.ranks())]


def test_play_with_a_mix_file(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(BASE)
    mine, base = run("play", "--mix", str(path)), run("play")
    assert str(path) in mine.splitlines()[0]
    assert mine.splitlines()[1:] == base.splitlines()[1:]


def test_largest_seed():
    assert results(run("play", "--seed", str(2**128 - 1)))


@pytest.mark.parametrize(
    ("options", "players"),
    [
        ([], 2),
        (["--mode", "expert"], 2),
        (["--players", "4", "--seed", "9"], 4),
    ],
)
def test_demo_summarises_every_seat(options, players):
    output = run("demo", "--games", "50", *options)
    assert output.startswith("50 random games of Quadropolis")
    shares = re.findall(r"^(\d) .* (\d+\.\d)%$", output, re.MULTILINE)
    assert [int(seat) for seat, _ in shares] == list(range(players))
    assert sum(float(share) for _, share in shares) == pytest.approx(100, abs=0.2)


def test_demo_twice_is_the_same_but_for_the_speed():
    first, second = (run("demo", "--games", "50", "--seed", "5") for _ in range(2))
    assert re.sub(r".* games a second", "", first) == re.sub(r".* games a second", "", second)


def test_bench_prints_a_signature():
    output = run("bench", "--quick")
    assert re.fullmatch(r"signature [0-9a-f]{12}\n", output)
    assert run("bench", "--quick") == output


# --- errors -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["play", "demo"])
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "chess"], "unknown game 'chess' (known: "),
        (["--game", "quadropolys"], "did you mean 'quadropolis'?"),
        (["--game", ""], "unknown game ''"),
        (["--game", "two\nlines"], "unknown game 'two\\nlines'"),
        (["--mix", "bass"], "unknown mix 'bass', did you mean 'base'? (known: base, "),
        (["--mix", "absent.csv"], "absent.csv: cannot be read: "),
        (["--mix", "base:harbour+1"], "base: change 'harbour+1': unknown type 'harbour', did you mean 'harbor'?"),
        (["--mix", "."], "unknown mix '.'"),
        (["--mix", "./"], "./: cannot be read: "),
        (["--mix", "a" * 5000], "aaa"),
        (["--mix", "two\nlines.csv"], "cannot be read: "),
        (["--mode", "advanced"], "option mode: 'advanced' is not one of classic, expert"),
        (["--mode", "Expert"], "option mode: 'Expert' is not one of classic, expert"),
        (["--mode", ""], "option mode: ''"),
        (["--players", "1"], "option players: 1 is not one of 2, 3, 4"),
        (["--players", "5"], "option players: 5 is not one of 2, 3, 4"),
        (["--players", "-2"], "option players: -2 is not one of 2, 3, 4"),
        (["--players", "9" * 30], "is not one of 2, 3, 4"),
        (["--seed", "-1"], "seed -1 is not a whole number from 0 to 2**128 - 1"),
        (["--seed", str(2**128)], f"seed {2**128} is not a whole number"),
    ],
    ids=lambda value: " ".join(value)[:30].replace("\n", " ") if isinstance(value, list) else "",
)
def test_wrong_choice_gives_one_line(command, arguments, words):
    assert words in refusal(command, *arguments)


def test_bench_of_an_unknown_game_gives_one_line():
    assert "unknown game 'chess'" in refusal("bench", "--quick", "--game", "chess")


def test_wrong_mix_file_gives_one_line(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_bytes(BASE.replace(b"tower", b"twoer"))
    assert f"{path}: line 2: column type: 'twoer'" in refusal("play", "--mix", str(path))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["play", "--players", "two"], "'--players'"),
        (["play", "--players", "2.0"], "'--players'"),
        (["play", "--seed", "x"], "'--seed'"),
        (["play", "--seed", "9" * 5000], "'--seed'"),
        (["play", "--seed"], "'--seed'"),
        (["play", "--sed", "1"], "--sed"),
        (["play", "now"], "now"),
        (["demo", "--games", "0"], "'--games'"),
        (["demo", "--games", "-5"], "'--games'"),
        (["score"], "'FILE'"),
        (["plya"], "'plya'"),
    ],
    ids=lambda value: " ".join(value)[:30] if isinstance(value, list) else "",
)
def test_misuse_is_explained(arguments, words):
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 2, repr(result.exception)
    assert result.stdout == ""
    assert re.fullmatch(r"qpolis: .* \(see qpolis.* --help\)\n", result.stderr)
    assert words in result.stderr


@pytest.mark.parametrize("arguments", [["--seed", "-1"], ["--mode", "advanced"], ["--mix", "absent.csv"]], ids=str)
def test_errors_of_the_program_are_one_line(arguments):
    done = subprocess.run([*PROGRAM, "play", *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert re.fullmatch(r"qpolis: .*\n", done.stderr)


# --- the world around ---------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [["play"], ["games"], ["demo", "--games", "50"], ["--help"]], ids=" ".join)
def test_output_nobody_reads_leaves_no_traceback(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with open(writer, "wb") as pipe:
        done = subprocess.run([*PROGRAM, *arguments], stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert done.stderr in ("", "compiling (first run only) ...\n")
    assert done.returncode in (0, 1)  # 1: click's own answer while it prints help


def test_reader_that_leaves_after_one_line_leaves_no_traceback():
    command = [*PROGRAM, "play", "--mode", "expert", "--players", "4"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as play:
        assert play.stdout.readline().startswith("Quadropolis, players 4, mode expert")
        play.stdout.close()
        assert play.stderr.read() in ("", "compiling (first run only) ...\n")
        assert play.wait() == 0


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such file names")
def test_play_with_a_mix_whose_name_is_not_text(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff.csv"
    with open(path, "wb") as file:
        file.write(BASE)
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}  # what a terminal in a UTF-8 locale has
    done = subprocess.run([*PROGRAM, "play", "--mix", path], capture_output=True, env=strict, check=False)
    assert b"Traceback" not in done.stderr
    assert done.returncode == 0


def test_output_is_plain_ascii():
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii:strict"}
    for arguments in (["play"], ["games"], ["demo", "--games", "5"]):
        subprocess.run([*PROGRAM, *arguments], stdout=subprocess.DEVNULL, env=ascii_only, check=True)
