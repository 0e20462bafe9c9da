"""Signals that end a command: none is lost, whenever it comes, and a second Ctrl-C ends it at once."""

from __future__ import annotations

import gc
import signal
import subprocess
import sys
import weakref

import pytest

from qpolis import interrupts

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

def unlucky(player, blocks):
    come()
    return play(player, blocks)

ChunkPlayer.play = unlucky
"""
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
    (folder / "slow.py").write_text(
        "from qpolis import Bot\nclass Slow(Bot):\n    def choose(self, legal): return legal[0]\n"
    )
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


def test_no_number_of_interrupts_ends_the_program_of_somebody_else():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt), interrupts.listen(command=False):  # noqa: PT012
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGTERM) is before
        signal.raise_signal(signal.SIGINT)
    interrupts.check()  # nothing is left of them


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
