"""Signals that end a command: none is lost, whenever it comes, and a second Ctrl-C ends it at once."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import time
import weakref

import filelock
import pytest

from qpolis import interrupts
from qpolis.sandbox.bot_cache import BotCache
from qpolis.sandbox.child_process import ChildProcess

PATIENCE = 300
# The command line in which a signal comes at a moment that Python does not tell anybody about.
UNLUCKY = """
import signal, sys, weakref

class Unlucky:
    def __del__(self):
        signal.raise_signal(signal.{signal})

def come():
    Unlucky()

class Finder:
    "Asked for every module that is imported."
    def find_spec(self, name, path=None, target=None):
        if name == "{module}":
            come()

sys.meta_path.insert(0, Finder())
{before}
from qpolis.cli.main import main
main({arguments})
"""
IN_A_TASK = """
from qpolis.tourney.worker import ChunkPlayer
play = ChunkPlayer.play

def unlucky(player, *given):
    come()
    return play(player, *given)

ChunkPlayer.play = unlucky
"""
IN_A_STEP = """
import os
from {module} import {kind}
step = {kind}.{step}

def unlucky(*given):
    if os.path.exists("steps"):
        return step(*given)
    with open("steps", "a", buffering=1) as file:
        print("begun", file=file)
        signal.raise_signal(signal.SIGINT)
        step(*given)
        print("ended", file=file)

{kind}.{step} = unlucky
"""
SLOW = "from qpolis import Bot\nclass Slow(Bot):\n    def choose(self, legal): return legal[0]\n"
TOURNEY = ["tourney", "--bots", "random,heuristic", "--games", "10000000", "--workers", "1", "--out", "run"]
STOPPED = "stopped: {games} of 10,000,000 games are kept; go on with\n  qpolis tourney --resume run\n"


def said(code: int, arguments: list[str], module: str = "", before: str = "", number: str = "SIGINT") -> str:
    """What a command prints that an unlucky signal ends with this exit code: standard error without the news that
    something is compiled."""
    program = UNLUCKY.format(signal=number, module=module, before=before, arguments=arguments)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == code, done.stderr
    return "".join(line for line in done.stderr.splitlines(keepends=True) if not line.startswith("compiling "))


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
@pytest.mark.parametrize("module", ["qpolis.tourney.schedule", "qpolis.report.content.progress"])
def test_a_signal_within_an_import_stops_a_run(folder, module, number, code):
    assert said(code, TOURNEY, module, number=number) == STOPPED.format(games=0)


@pytest.mark.parametrize("bot", ["random", "./slow.py"])
def test_a_signal_within_a_task_stops_a_run(folder, bot):
    """Of bots that play in another thread, and of those that play in this one."""
    (folder / "slow.py").write_text(SLOW)
    arguments = [*TOURNEY[:2], f"{bot},heuristic", *TOURNEY[3:]]
    assert said(130, arguments, before=IN_A_TASK) == STOPPED.format(games=0)


def test_a_signal_within_an_import_stops_a_question(folder):
    arguments = ["balance", "--bots", "random", "--games", "1000000", "--workers", "1", "--out", "run"]
    assert said(130, arguments, "qpolis.report.content.progress") == (
        "stopped: what was played is kept; go on with\n  qpolis balance --resume run\n"
    )


def test_a_signal_within_an_import_stops_random_games(folder):
    assert said(130, ["demo", "--games", "10000000"], "qpolis.engine.policy_loop").strip() == ""


def test_a_signal_is_noted_when_a_callback_swallows_it():
    class Gone:
        pass

    gone = Gone()
    reference = weakref.ref(gone, lambda _: signal.raise_signal(signal.SIGINT))
    with interrupts.listen():
        interrupts.check()
        del gone
        gc.collect()
        assert reference() is None
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()
    interrupts.check()  # the next command has not been interrupted


def test_a_signal_is_only_noted_while_signals_are_held():
    done = []
    with interrupts.listen():
        with pytest.raises(KeyboardInterrupt), interrupts.hold():  # noqa: PT012
            with interrupts.hold():
                done.append("inner")
            signal.raise_signal(signal.SIGINT)
            done.append("outer")
        assert done == ["inner", "outer"]
        with pytest.raises(KeyboardInterrupt):
            interrupts.check()


def test_a_signal_is_heard_while_a_bot_thinks(mark):
    silent = [sys.executable, "-c", "import sys; sys.stdin.read()"]
    with (  # noqa: PT012
        ChildProcess(silent, 1 << 30) as child,
        interrupts.listen(),
        pytest.raises(KeyboardInterrupt),
        interrupts.hold(),
    ):
        signal.raise_signal(signal.SIGINT)
        child.line(time.monotonic() + PATIENCE)


def test_a_signal_is_heard_while_another_process_prepares_the_same_bot(tmp_path):
    cache = BotCache(tmp_path / "bot" / "cache", tmp_path / "bot" / "note")
    (tmp_path / "bot").mkdir()
    with (  # noqa: PT012
        filelock.FileLock(tmp_path / "bot" / "lock"),
        interrupts.listen(),
        pytest.raises(KeyboardInterrupt),
        interrupts.hold(),
    ):
        signal.raise_signal(signal.SIGINT)
        cache.preparation().__enter__()


@pytest.mark.parametrize(
    ("module", "name"),
    [
        ("qpolis.tourney.journal", "Journal.append"),
        ("qpolis.tourney.tally", "Tally.add"),
        ("qpolis.sandbox.program", "ProcessBot.close"),
    ],
)
def test_a_step_in_which_a_signal_comes_is_done_to_its_end(folder, module, name):
    (folder / "slow.py").write_text(SLOW)
    kind, step = name.split(".")
    before = IN_A_STEP.format(module=module, kind=kind, step=step)
    assert "stopped: " in said(130, [*TOURNEY[:2], "./slow.py,random", *TOURNEY[3:]], before=before)
    assert (folder / "steps").read_text() == "begun\nended\n"


def test_signals_wait_while_they_are_deferred():
    done = []
    with interrupts.listen():
        with pytest.raises(KeyboardInterrupt), interrupts.defer():  # noqa: PT012
            signal.raise_signal(signal.SIGINT)
            done.append("all")
        assert done == ["all"]


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts.listen():
            signal.raise_signal(signal.SIGINT)
            interrupts.check()
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("context", ["interrupts.listen()", "interrupts.defer()"])
def test_a_second_interrupt_ends_at_once(context):
    program = f"""
import signal
from qpolis import interrupts

with interrupts.listen(), {context}:
    for time in ("first", "second", "third"):
        try:
            print(time, flush=True)
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            pass
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stdout.split(), done.stderr) == (130, ["first", "second"], "")
