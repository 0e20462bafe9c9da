"""Time is processor time: of the whole family of a bot, only while it is asked, whatever else the machine does."""

from __future__ import annotations

import signal
import subprocess
import sys

import psutil
import pytest

import qpolis
from helpers.programs import gone, program, same, trouble
from qpolis.bots.random import random
from qpolis.engine.results import ENDS, FINISHED
from qpolis.sandbox import stopwatch
from qpolis.sandbox.process_tree import ProcessTree
from qpolis.sandbox.program import Limits, Overloaded, ProcessBot
from qpolis.tourney import bot_loop
from qpolis.tourney.bot_loop import play_bots

# Counts in a thread all the time; says with each answer how far it has come.
COUNTS = """
import threading
count = 0
def run():
    global count
    while True: count += 1
def hello(message):
    threading.Thread(target=run, daemon=True).start()
    say(type="hello", protocol=1)
"""


@pytest.fixture(scope="module")
def game():
    return qpolis.load_game("quadropolis")


def family(bot: ProcessBot) -> list[psutil.Process]:
    """The process that was started, and in a sandbox the bot that it started in turn."""
    started = psutil.Process(bot._child.pid)
    return [started, *started.children(recursive=True)]


def used(bot: ProcessBot) -> float:
    """The processor time of all its processes."""
    return sum(sum(process.cpu_times()[:2]) for process in family(bot))


def settled(bot: ProcessBot) -> float:
    """The same once they are stopped."""
    while any(process.status() != psutil.STATUS_STOPPED for process in family(bot)):
        pass
    return used(bot)


def burn(seconds: float) -> None:
    """Let processor time of ours pass."""
    begun = psutil.Process().cpu_times().user
    while psutil.Process().cpu_times().user < begun + seconds:
        pass


def test_a_bot_that_is_not_asked_does_not_run(game, tmp_path, mark):
    with ProcessBot(program(tmp_path, COUNTS), game, Limits()) as bot:
        bot.start(0, 1)
        for _ in range(2):
            bot.choose(game.new(1).observe_text(0), [3, 4], ["a", "b"])
            before = settled(bot)
            burn(0.1)
            assert settled(bot) == before


def test_who_may_ponder_runs_on(game, tmp_path, mark):
    with ProcessBot(program(tmp_path, COUNTS), game, Limits(ponder=True)) as bot:
        bot.start(0, 1)
        bot.choose(game.new(1).observe_text(0), [3, 4], ["a", "b"])
        before = used(bot)
        while used(bot) < before + 0.1:
            assert all(process.status() != psutil.STATUS_STOPPED for process in family(bot))


def test_all_processes_of_a_bot_are_charged(game, tmp_path, mark):
    """None of them alone uses what is allowed."""
    busy = (
        "children = []\nfor _ in range(4):\n    child = os.fork()\n    if not child:\n"
        "        while time.process_time() < 0.5: pass\n        os._exit(0)\n    children.append(child)\n"
        "for child in children: os.waitpid(child, 0)\ngood(message)"
    )
    bots = [trouble(tmp_path, busy), random.configure()]
    batch = play_bots(game, bots, 11, 40, 2, Limits(decision=1.0))
    assert ENDS[batch.ends[1, 0]] == "timeout"
    assert (play_bots(game, bots, 11, 40, 2, Limits(decision=30.0)).ends == FINISHED).all()


def test_who_sleeps_is_late_in_the_end(game, tmp_path, mark, monkeypatch):
    monkeypatch.setattr(stopwatch, "MARGIN", 0.1)
    bots = [trouble(tmp_path, "time.sleep(1e6)"), random.configure()]
    batch = play_bots(game, bots, 11, 40, 2, Limits(decision=0.5))
    assert batch.reasons == {(1, 0): "no answer within 0.5 s"}


@pytest.mark.parametrize("counted", [True, False])
def test_a_game_on_a_busy_machine_is_played_again(game, tmp_path, mark, monkeypatch, counted):
    """The first process never answers, as if it got no processor; the next one does."""
    first = tmp_path / "first"
    hangs = (
        f"if not os.path.exists({str(first)!r}):\n"
        f"    open({str(first)!r}, 'w').close()\n"
        "    time.sleep(1e6)\ngood(message)"
    )
    starved = iter(range(0, 10**9, 10**6))
    monkeypatch.setattr(stopwatch, "MARGIN", 0.1)
    monkeypatch.setattr(ProcessTree, "run_delay", lambda tree: float(next(starved)) if counted else None)
    if not counted:
        monkeypatch.setattr(stopwatch, "STARVED", 0.0)
    seen = []
    seats = [trouble(tmp_path, hangs), random.configure()]
    limits = Limits(decision=0.5, sandbox="off")  # it has to remember that it was started before
    batch = play_bots(game, seats, 11, 40, 3, limits, lambda *told: seen.append(told[3]))
    good = play_bots(game, [program(tmp_path, name="good.py"), random.configure()], 11, 40, 3)
    assert first.exists()
    assert same(batch, good)
    assert seen == batch.actions.tolist() == good.actions.tolist()
    assert batch.times.sum() == good.times.sum()


def test_a_machine_that_stays_busy_is_told(game, tmp_path, mark, monkeypatch):
    starved = iter(range(0, 10**9, 10**6))
    monkeypatch.setattr(stopwatch, "MARGIN", 0.01)
    monkeypatch.setattr(bot_loop, "DOUBLINGS", 2)
    monkeypatch.setattr(ProcessTree, "run_delay", lambda tree: float(next(starved)))
    sleeper = program(tmp_path, "def choose(message): time.sleep(1e6)")
    with pytest.raises(Overloaded, match="the machine is too busy"):
        play_bots(game, [sleeper, random.configure()], 11, 40, 1, Limits(decision=0.05))


def test_a_stopped_program_ends_with_a_killed_qpolis(mark):
    code = """
import os, sys
from qpolis.sandbox.child_process import ChildProcess
code = "import sys; print(1, flush=True); sys.stdin.read()"
child = ChildProcess([sys.executable, "-I", "-S", "-c", code], 1 << 30)
child.line(1e9)
child.pause()
os.kill(os.getpid(), 9)
"""
    ended = subprocess.run([sys.executable, "-c", code], check=False)
    assert ended.returncode == -signal.SIGKILL
    assert gone(mark)
