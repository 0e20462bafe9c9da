"""The commands about bots: what they print, and one line for each mistake."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from helpers.command_line import refusal, results, run
from helpers.programs import left_over
from qpolis.cli.main import main
from qpolis.conformance.bots import TITLES
from qpolis.registry import finder
from qpolis.registry.bot_templates import TEMPLATES

MINE = '''
from qpolis import Bot, Parameter
class Mine(Bot):
    """My first bot."""
    PARAMETERS = {"n": Parameter(3, "how many", 1, 9, True), "loud": False}
    def choose(self, legal): return legal[self.parameters["n"] % len(legal)]
'''
pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A working directory without bots."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(path, text=MINE, executable=False):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if executable:
        os.chmod(path, 0o755)


def test_a_signal_that_ends_us_ends_our_bots(folder, mark):
    """Also a program that neither reads nor ends."""
    hello = '{"type": "hello", "protocol": 1}'
    write("hang", f"#!/bin/sh\necho '{hello}'\nwhile :; do :; done\n", executable=True)
    command = [sys.executable, "-m", "qpolis.cli", "play", "--bots", "./hang,random", "--time-limit", "600"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        deadline = time.monotonic() + 300
        while len(left_over(mark)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.terminate()
    assert process.returncode == 128 + signal.SIGTERM


# --- play ---------------------------------------------------------------------------------------------


def test_play_between_bots():
    write("my bot.py")
    output = run("play", "--bots", "./my bot.py:n=4, random", "--seed", "3")
    assert output.splitlines()[1:3] == ["seat 0 is ./my bot.py:n=4", "seat 1 is random"]
    assert len(results(output)) == 2
    assert "forfeits" not in output
    assert run("play", "--bots", "./my bot.py:n=4,random", "--seed", "3") == output


def test_play_is_the_first_deal_of_a_seed():
    """Also for random players, who are the default."""
    explicit = run("play", "--bots", "random,random", "--seed", "3").splitlines()
    assert explicit[1:3] == ["seat 0 is random", "seat 1 is random"]
    assert run("play", "--seed", "3").splitlines() == [explicit[0], *explicit[3:]]


def test_play_shows_a_forfeit():
    write("bad.py", MINE.replace("return", "assert '@' in self.info.text(legal[0]), 'oh no'; return"))
    output = run("play", "--bots", "random,./bad.py", "--seed", "3")
    (line,) = re.findall("^seat . forfeits.*$", output, re.MULTILINE)
    assert re.fullmatch(r"seat 1 forfeits \(crash\): AssertionError: oh no \(bad.py, line 6\)", line)
    assert [place for _, place in results(output)] == [1, 2]


def test_limits_are_kept():
    write("slow.py", "import time\n" + MINE.replace("return legal", "time.sleep(60); return legal"))
    output = run("play", "--bots", "./slow.py,random", "--time-limit", "0.2")
    assert "seat 0 forfeits (timeout): no answer within 0.2 s" in output
    write("fat.py", MINE.replace("return legal", "x = bytearray(400 << 20); return legal"))
    output = run("play", "--bots", "./fat.py,random", "--memory-limit", "150")
    assert "seat 0 forfeits (memory): " in output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--bots", "random"], "--bots: 1 for 2 seats"),
        (["--bots", "random,random,random"], "--bots: 3 for 2 seats (--players changes their number)"),
        (["--bots", "random,random", "--players", "4"], "--bots: 2 for 4 seats"),
        (["--bots", "random,"], "an empty bot spec"),
        (["--bots", "random,rndom"], "unknown bot 'rndom', did you mean 'random'?"),
        (["--bots", "random,./absent.py"], "./absent.py: no such file"),
        (["--bots", "random,./mine.py:n=x"], "parameter n: 'x' is not a whole number from 1 to 9"),
        (["--bots", "random,./mine.py:m=1"], "unknown parameter of ./mine.py 'm'"),
        (["--bots", "random,./broken.py"], "./broken.py: SyntaxError"),
        (["--time-limit", "0"], "'--time-limit'"),
        (["--time-limit", "nan"], "limit decision: nan is not a number above 0"),
        (["--memory-limit", "lots"], "'--memory-limit'"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_mistakes_at_play(arguments, words):
    write("mine.py")
    write("broken.py", "(")
    assert words in refusal("play", *arguments)


# --- bots ---------------------------------------------------------------------------------------------


def test_bots_lists_everything(folder):
    write("bots/mine.py")
    write("bots/two.py", MINE + MINE.replace("class Mine", "class Other"))
    write("bots/random.py")
    write("bots/broken.py", "x = 1\ny = (")
    write("bots/helper.py", "x = 1")
    write("bots/prog.pl", "#!/usr/bin/perl\n", executable=True)
    lines = run("bots").splitlines()
    shipped = [line for line in lines if re.match(r"random +compiled +qpolis +Every legal action", line)]
    assert len(shipped) == 1
    at = [bool(re.fullmatch(r"mine +Python +bots/mine.py +My first bot\.", line)) for line in lines].index(True)
    assert lines[at + 1 : at + 3] == ["  n=3: how many; a whole number from 1 to 9", "  loud=false: true or false"]
    for pattern in (
        r"two:Mine +Python +bots/two.py",
        r"two:Other +Python +bots/two.py",
        r"random +hidden +bots/random.py +another random is in qpolis$",
        r"broken +broken +bots/broken.py +SyntaxError: .* \(broken.py, line 2\)$",
        r"helper +broken +bots/helper.py +no bot in it",
        r"prog +program +bots/prog.pl",
    ):
        assert [line for line in lines if re.match(pattern, line)], pattern


def test_bots_without_a_folder():
    """Those of qpolis, and the examples."""
    names = [line.split()[0] for line in run("bots").splitlines() if line[0] != " "]
    assert names == [found.name for found in (*finder.shipped(), *finder.in_examples())]
    assert {"greedy", "heuristic", "mcts", "random", "hoarder", "magpie", "net", "spiel", "tidy"} <= set(names)


# --- new-bot ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", TEMPLATES)
def test_new_bot_says_what_next(kind):
    output = run("new-bot", "my_bot", "--kind", kind)
    (path,) = os.listdir("bots")
    assert output.startswith(f"wrote bots/{path}, ")
    commands = re.findall("^  qpolis (.*)$", output, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["check", "play"]
    assert results(run(*commands[1].split()))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["random"], "there is a bot 'random' already, in qpolis"),
        (["mine"], "there is a bot 'mine' already, in bots/mine.py"),
        (["my-bot"], "'my-bot' is not a name for a bot"),
        (["2nd"], "'2nd' is not a name for a bot"),
        (["class"], "'class' is not a name for a bot"),
        (["np"], "'np' is not a name for a bot"),
        (["none"], "'none' is not a name for a bot"),
        (["range", "--kind", "kernel"], "'range' is not a name for a bot"),
        (["numpy"], "'numpy' is not a name for a bot"),
        (["_x"], "'_x' is not a name for a bot"),
        (["../x"], "'../x' is not a name for a bot"),
        ([""], "'' is not a name for a bot"),
        (["notes", "--kind", "program"], "bots/notes: exists already"),
        (["x" * 300], "cannot be written"),
        (["x", "--kind", "cobol"], "'--kind'"),
        ([], "'NAME'"),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else "",
)
def test_mistakes_at_new_bot_write_nothing(arguments, words):
    write("bots/mine.py")
    write("bots/notes", "not a bot")
    assert words in refusal("new-bot", *arguments)
    assert sorted(os.listdir("bots")) == ["mine.py", "notes"]


def test_new_bot_where_nothing_can_be_written():
    write("bots", "a file")
    assert "bots: not a folder" in refusal("new-bot", "x")


# --- check --------------------------------------------------------------------------------------------


def check(*arguments):
    result = CliRunner().invoke(main, ["check", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout.splitlines()


def test_check_of_a_good_bot():
    write("bots/mine.py")
    code, lines = check("mine:n=4", "--seed", str(2**128 - 1))
    assert code == 0
    assert lines[0] == "mine:n=4, from bots/mine.py, plays quadropolis"
    assert [line.split("  ")[0] for line in lines[1:]] == [f"{i} {title}" for i, title in enumerate(TITLES, 1)]
    assert all(re.search("  (ok|-) ", line + " ") for line in lines[1:])


def test_check_of_a_bad_bot():
    write("mine.py", MINE.replace("legal[", "-legal["))
    code, lines = check("./mine.py", "--games", "3")
    assert code == 1
    assert re.fullmatch(
        r"2 plays whole games .* FAIL +players 2, mode classic, deal 0: illegal: chose -\d+, .*", lines[2]
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rndom"], "unknown bot 'rndom', did you mean 'random'?"),
        (["./absent.py"], "./absent.py: no such file"),
        (["random", "--game", "chess"], "unknown game 'chess'"),
        (["random", "--games", "1"], "'--games'"),
        (["random", "--seed", "-1"], "seed -1 is not a whole number"),
        ([], "'SPEC'"),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_mistakes_at_check(arguments, words):
    assert words in refusal("check", *arguments)
