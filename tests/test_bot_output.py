"""What a bot prints, and how it crashed, reaches its author: on the terminal, in logs, in forfeits.txt."""

from __future__ import annotations

import re

import numpy as np
import pytest
from click.testing import CliRunner

from helpers.command_line import run
from helpers.programs import trouble
from helpers.tourneys import plan_of
from qpolis.cli.main import main
from qpolis.games import load_game
from qpolis.report.content import bot_output
from qpolis.report.content.forfeits import forfeits_text
from qpolis.report.content.outcome import Forfeit
from qpolis.report.finish import finish
from qpolis.sandbox.output import LONGEST_LINE, OutputLines
from qpolis.tourney import bot_logs
from qpolis.tourney.bot_logs import BotLogs, log_name
from qpolis.tourney.bot_loop import play_bots
from qpolis.tourney.chunk import encode
from qpolis.tourney.run import Run
from qpolis.tourney.traces import FIRST, first_traces
from qpolis.tourney.worker import ChunkPlayer

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter

TALKER = """
import sys
from qpolis import Bot
print("hello from the file")
class Talker(Bot):
    def observe(self, observation):
        self.seen = observation
    def choose(self, legal):
        print("I may choose", len(legal))
        print("to standard error", file=sys.stderr)
        return legal[0]
"""
CRASHER = """
from qpolis import Bot
def helper(legal):
    return legal[1000]
class Crasher(Bot):
    def choose(self, legal):
        print("about to crash")
        return helper(legal)
"""
TRACE = [
    r"Traceback \(most recent call last\):",
    '  File ".*/crasher.py", line 8, in choose',
    r"    return helper\(legal\)",
    '  File ".*/crasher.py", line 4, in helper',
    r"    return legal\[1000\]",
    "IndexError: list index out of range",
]


@pytest.fixture(autouse=True)
def bots(folder):
    """A bot that prints, and one that crashes."""
    (folder / "talker.py").write_text(TALKER)
    (folder / "crasher.py").write_text(CRASHER)
    return folder


def errors(*arguments):
    """The lines on standard error of a command."""
    return CliRunner().invoke(main, arguments).stderr.splitlines()


def has_trace(lines, prefix):
    """Is the whole traceback there, in one piece?"""
    found = [line.removeprefix(prefix) for line in lines if line.startswith(prefix)]
    plain = [line for line in found if not set(line.strip()) <= set("^~")]  # marks of Python 3.13
    return any(
        all(re.fullmatch(wanted, line) for wanted, line in zip(TRACE, plain[start:], strict=False))
        and len(plain[start:]) >= len(TRACE)
        for start in range(len(plain))
    )


# --- play and check -----------------------------------------------------------------------------------


def test_play_shows_what_bots_print():
    plain = CliRunner().invoke(main, ["play", "--bots", "./talker.py,random", "--seed", "3"])
    assert plain.exit_code == 0
    lines = plain.stderr.splitlines()
    decisions = len(re.findall(r"^seat 0: (?:\d@|[a-d]\d|discard)", plain.stdout, re.MULTILINE))
    assert lines.count("./talker.py (seat 0): hello from the file") == 1
    assert lines.count("./talker.py (seat 0): to standard error") == decisions
    assert (
        sum(bool(re.fullmatch(r"\./talker\.py \(seat 0\): I may choose \d+", line)) for line in lines) == decisions
    )


def test_what_is_printed_before_a_move_is_shown_before_it(folder):
    result = CliRunner().invoke(main, ["play", "--bots", "random,./talker.py"])
    assert re.search(r"to standard error\n(.*\n)*?seat 1: ", result.output)
    first_move = result.output.index("\nseat 1: ")
    assert result.output.index("to standard error") < first_move


def test_play_shows_the_whole_traceback_of_a_crash():
    lines = errors("play", "--bots", "random,./crasher.py")
    assert "./crasher.py (seat 1): about to crash" in lines
    assert has_trace(lines, "./crasher.py (seat 1): ")


def test_check_shows_the_whole_traceback_of_a_crash():
    assert has_trace(errors("check", "./crasher.py"), "./crasher.py (seat 0): ")


def test_a_bot_that_cannot_be_made_shows_its_traceback(folder):
    (folder / "new.py").write_text(
        "from qpolis import Bot\nclass New(Bot):\n    def __init__(self, *given): self.book = open('no.book')\n"
        "    def choose(self, legal): return legal[0]\n"
    )
    lines = errors("play", "--bots", "./new.py,random")
    assert any(line.endswith("self.book = open('no.book')") for line in lines)
    assert any("FileNotFoundError" in line for line in lines)


def test_a_program_that_dies_has_its_last_words_shown(folder):
    bot = trouble(folder, "print('no licence', file=sys.stderr, flush=True); os._exit(3)")
    game = load_game("quadropolis")
    heard = []
    played = play_bots(game, [bot, bot], 1, 0, 2, on_output=lambda *said: heard.append(said))
    assert (1, 0, "no licence") in heard
    assert played.traces[1, 0] == "no licence"


def test_the_terminal_is_not_flooded(folder, monkeypatch):
    monkeypatch.setattr(bot_output, "MOST_OUTPUT", 500)
    (folder / "loud.py").write_text(TALKER.replace("I may choose", "x" * 100))
    lines = errors("play", "--bots", "./loud.py,random")
    assert sum(map(len, lines)) < 1000
    assert lines[-1] == "./loud.py (seat 0): (what else it prints is not shown)"


# --- lines --------------------------------------------------------------------------------------------


def cut(*pieces):
    lines = []
    output = OutputLines(lines.append)
    for piece in pieces:
        output.feed(piece)
    output.end()
    return lines


def test_pieces_become_lines():
    assert cut(b"one\ntw", b"o\n", b"\n", b"last") == ["one", "two", "", "last"]
    assert cut(b"a\r\nb") == ["a", "b"]


def test_lines_are_printable():
    assert cut("\x1b[31mred\x07 ä\u202e\n\tindented".encode(), b"\xff") == [" [31mred  ä ", "    indented\ufffd"]


def test_long_lines_are_cut():
    wanted = ["x" * LONGEST_LINE + " ...", "y"]
    assert cut(b"x" * 10**6 + b"\ny") == wanted
    assert cut(*[b"x"] * 20_000, b"\ny") == wanted


# --- logs of tournaments ------------------------------------------------------------------------------


def played(folder, *flags):
    run("tourney", "--bots", "./talker.py,./crasher.py,random", "--games", "12", "--out", "here", *flags)
    return folder / "here"


def test_a_tournament_has_a_log_for_each_bot_that_prints(folder):
    logs = played(folder) / "logs"
    assert sorted(path.name for path in logs.iterdir()) == sorted(
        log_name(bot) for bot in ("./talker.py", "./crasher.py")
    )
    lines = (logs / log_name("./talker.py")).read_text().splitlines()
    for line in lines:
        assert re.match(r"game \d+, deal \d+, seat [01]: (hello|I may|to standard)", line)
    crash = (logs / log_name("./crasher.py")).read_text().splitlines()
    prefix = crash[0][: crash[0].index(": ") + 2]
    assert has_trace(crash, prefix)


def test_what_bots_print_is_in_nothing_that_must_be_the_same(folder):
    here = played(folder)
    for name in ("games.csv", "ratings.csv", "crosstable.csv", "plan.toml"):
        assert "about to crash" not in (here / name).read_text()


def test_logs_tell_games_apart(folder):
    """Each game says its own seat and deal."""
    (folder / "once.py").write_text(
        "from qpolis import Bot\nclass Once(Bot):\n"
        "    def __init__(self, info, seat, seed, given):\n        print('seed', seed, 'seat', seat)\n"
        "    def choose(self, legal): return legal[0]\n"
    )
    run("tourney", "--bots", "./once.py,random", "--games", "6", "--out", "here")
    lines = (folder / "here/logs" / log_name("./once.py")).read_text().splitlines()
    found = [
        re.fullmatch(r"game (\d), deal (\d), seat (\d): seed (\d+) seat (\d)", line).groups() for line in lines
    ]
    assert sorted(int(game) for game, *_ in found) == list(range(6))
    assert all(int(deal) == int(game) // 2 and seat == told for game, deal, seat, _, told in found)


def test_logs_are_capped(folder, monkeypatch):
    monkeypatch.setattr(bot_logs, "MOST_BYTES", 1000)
    (folder / "here").mkdir()
    logs, others = BotLogs(folder / "here"), BotLogs(folder / "here")
    for number in range(100):
        logs.write("bot", "game 1", f"line {number}")
        others.write("bot", "game 2", f"line {number}")
    text = (folder / "here/logs/bot.log").read_text()
    assert 900 < len(text) < 1100
    assert text.splitlines()[-1] == "no more is kept: this is 1,000 bytes"


def test_logs_are_not_written_through_links(folder):
    (folder / "here").mkdir()
    (folder / "mine").write_text("")
    (folder / "here/logs").mkdir()
    (folder / "here/logs/bot.log").symlink_to(folder / "mine")
    BotLogs(folder / "here").write("bot", "game 1", "line")
    assert (folder / "mine").read_text() == ""


def test_a_log_that_cannot_be_written_stops_nothing(folder):
    (folder / "here").mkdir()
    (folder / "here/logs").write_text("a file")
    BotLogs(folder / "here").write("bot", "game 1", "line")
    BotLogs(folder / "absent").write("bot", "game 1", "line")
    assert not (folder / "absent").exists()


def test_names_of_logs_are_names_of_files():
    assert log_name("tidy") == "tidy.log"
    names = [
        log_name(bot) for bot in ("./a.py:x=1", "./a.py:x=2", "../../etc/passwd", "a/b", "a-b", "ä", "x" * 500)
    ]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z0-9_=][A-Za-z0-9_=.-]{0,100}\.log", name) for name in names)


# --- forfeits.txt -------------------------------------------------------------------------------------


def test_forfeits_have_tracebacks(folder):
    text = (played(folder) / "forfeits.txt").read_text()
    lines = text.splitlines()
    heads = [line for line in lines if line.startswith("game ")]
    assert len(heads) == 8  # all its games
    assert all(
        re.fullmatch(r"game \d+, seat [01], \./crasher\.py: crash: IndexError: .* \(crasher.py, line 4\)", line)
        for line in heads
    )
    assert has_trace(lines, "    ")
    assert text.count("Traceback") == 1
    assert text.count(f"    the same as in {heads[0].split(',')[0]}") == 7


@pytest.mark.usefixtures("unreported")
def test_forfeits_are_the_same_whoever_plays(folder):
    (folder / "counts.py").write_text(
        CRASHER.replace("legal[1000]", "legal[1000 + legal[0]] or len(legal)").replace("Crasher", "Counts")
    )
    texts = []
    for number, pieces in enumerate((1, 2, 5)):
        plan = plan_of(bots=["./crasher.py", "./counts.py", "random"], games=12)
        with Run.begin(folder / f"run{number}", plan) as one:
            player = ChunkPlayer.prepare(plan)
            for blocks in reversed(range(0, plan.blocks, pieces)):
                one.keep(encode(player.play(np.arange(blocks, min(blocks + pieces, plan.blocks)))))
            finish(one, 1.0, 1)
        texts.append((folder / f"run{number}/forfeits.txt").read_text())
    assert texts[0] == texts[1] == texts[2]
    assert "Traceback" in texts[0]


def test_only_the_first_of_a_kind_have_tracebacks():
    traces = {(number, number % 2): f"trace {number}" for number in reversed(range(100))}
    kept = first_traces(traces, lambda number, seat: seat)
    assert list(kept) == [(number, number % 2) for number in range(2 * FIRST)]


def test_a_traceback_is_written_once():
    forfeits = [Forfeit(number, 0, "bot", "crash", "oh no", "one\n  two") for number in (3, 5)]
    forfeits += [Forfeit(7, 1, "other", "timeout", "late", "one\n  two"), Forfeit(8, 0, "bot", "crash", "oh no")]
    assert forfeits_text(forfeits).splitlines() == [
        "game 3, seat 0, bot: crash: oh no",
        "    one",
        "      two",
        "game 5, seat 0, bot: crash: oh no",
        "    the same as in game 3",
        "game 7, seat 1, other: timeout: late",
        "    one",
        "      two",
        "game 8, seat 0, bot: crash: oh no",
    ]
