"""Bots of all three kinds play in the sandbox: what they need is there, and what they must not have is not."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from qpolis.bots.random import random
from qpolis.engine.results import FINISHED
from qpolis.errors import QpolisError
from qpolis.games import load_game
from qpolis.kernel import user_cache
from qpolis.registry.spec import resolve
from qpolis.sandbox import cores, levels
from qpolis.sandbox.program import Limits
from qpolis.tourney.bot_loop import play_bots
from tests.helpers.programs import program

pytestmark = pytest.mark.skipif(not levels.best(), reason="no sandbox on this machine")
ON = Limits(sandbox="on")

# A bot that says what it should not have found, or plays.
SPY = """
import os
HIDDEN, NOTES, HELPER = {hidden!r}, {notes!r}, {helper!r}  # the first by a word that is short enough to be said
def opens(path):
    try:
        os.close(os.open(path, os.O_RDONLY))
        return True
    except OSError:
        return False
class Spy:
    def __init__(self, info, seat, seed, parameters):
        pass
    def observe(self, observation):
        pass
    def choose(self, legal):
        found = [word for word, path in HIDDEN.items() if opens(path)]
        if open(HELPER).read() != "mine":
            found.append("a helper that is not mine")
        try:
            if len([name for name in os.listdir("/proc") if name.isdigit()]) > 2:
                found.append("processes of others")
        except PermissionError:
            pass
        found += [name for name in os.environ if name.startswith(("RAY", "SSH", "PYTEST", "SECRET"))]
        if len(os.sched_getaffinity(0)) != 1:
            found.append("more than one core")
        for note in NOTES:
            try:
                open(note, "w").close()
            except OSError:
                pass
        if found:
            raise RuntimeError(" ".join(found))
        return legal[0]
"""


@pytest.fixture
def game():
    return load_game("quadropolis", players=2)


def test_bots_see_themselves_and_nothing_of_ours(tmp_path, game, monkeypatch):
    bots, run = tmp_path / "bots", tmp_path / "results" / "run"
    bots.mkdir()
    run.mkdir(parents=True)
    secret = run / "plan.toml"
    secret.write_text("seed = 1")
    helper = bots / "helper.txt"
    helper.write_text("mine")
    monkeypatch.setenv("SECRET", "1")
    hidden = {
        "plan": str(secret),
        "run": str(run),
        "tests": os.path.abspath("tests"),
        "cache": str(user_cache() / "cores"),
    }
    places = [bots, tmp_path, user_cache(), user_cache() / "kernels", Path(sys.prefix), Path.cwd()]
    notes = [place / f"note-{uuid.uuid4().hex}" for place in places]
    spy = bots / "spy.py"
    spy.write_text(SPY.format(hidden=hidden, notes=[str(note) for note in notes], helper=str(helper)))
    bot = resolve(str(spy), "on").program
    batch = play_bots(game, [bot, random.configure()], 1, 0, 2, ON)
    assert (batch.ends == FINISHED).all(), batch.reasons
    assert not [note for note in notes if note.exists()]
    batch = play_bots(game, [bot, random.configure()], 1, 0, 1, Limits(sandbox="off", ponder=True))
    assert [note.exists() for note in notes] == [True] * len(notes)
    for note in notes:
        note.unlink()
    (reason,) = batch.reasons.values()
    more = ["more than one core"] if len(os.sched_getaffinity(0)) > 1 else []
    for word in ("plan", "run", "tests", "cache", "processes of others", "SECRET", *more):
        assert word in reason  # the spy has eyes


def test_what_a_bot_writes_is_gone_with_its_process(tmp_path, game):
    text = """
import os
class Notes:
    def __init__(self, info, seat, seed, parameters):
        paths = ["/tmp/n", "/dev/shm/n", os.path.expanduser("~/n")]
        self.found = [path for path in paths if os.path.exists(path)]
        for path in paths if os.environ["HOME"] == "/tmp" else paths[2:]:  # with Landlock home is all it has
            open(path, "w").close()
    def observe(self, observation):
        pass
    def choose(self, legal):
        if self.found:
            raise RuntimeError(f"found {self.found}")
        return legal[0]
"""
    path = tmp_path / "notes.py"
    path.write_text(text)
    bot = resolve(str(path)).program
    for _ in range(3):
        batch = play_bots(game, [bot, random.configure()], 1, 0, 1, ON)
        assert (batch.ends == FINISHED).all(), batch.reasons


def test_a_program_plays_in_the_sandbox(tmp_path, game):
    batch = play_bots(game, [program(tmp_path), random.configure()], 1, 0, 2, ON)
    assert (batch.ends == FINISHED).all(), batch.reasons


def test_without_a_sandbox_on_refuses_and_auto_plays_on(tmp_path, game, monkeypatch):
    monkeypatch.setattr(levels, "best", lambda: None)
    bot = program(tmp_path)
    with pytest.raises(QpolisError, match="no sandbox on this machine"):
        play_bots(game, [bot, random.configure()], 1, 0, 1, ON)
    assert (play_bots(game, [bot, random.configure()], 1, 0, 1, Limits()).ends == FINISHED).all()
    assert levels.announcement("auto", ["a", "b"]).startswith("warning: no sandbox on this machine")
    assert levels.announcement("off", ["a", "b"]).startswith("warning: sandbox off: a, b")


def test_same_games_in_and_out_of_the_sandbox(tmp_path, game):
    bots = [resolve("hoarder", "off").program, resolve("tidy", "off").program]
    inside, outside = (play_bots(game, bots, 5, 0, 2, Limits(sandbox=setting)) for setting in ("on", "off"))
    assert (inside.ends == FINISHED).all(), inside.reasons
    assert (inside.points == outside.points).all()
    assert (inside.actions == outside.actions).all()


def test_processes_claim_different_cores(tmp_path):
    code = "from qpolis.sandbox.cores import own_core; print(*own_core(), flush=True); input()"
    command, fresh = [sys.executable, "-c", code], {**os.environ, "QPOLIS_CACHE_DIR": str(tmp_path)}
    usable = sorted(os.sched_getaffinity(0))
    claimed = []
    with contextlib.ExitStack() as stack:
        for _ in range(len(usable) + 1):
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=fresh)
            stack.enter_context(process)
            stack.callback(process.stdin.close)
            claimed.append(int(process.stdout.readline()))
    assert sorted(claimed[:-1]) == usable  # and then there are no more
    assert claimed[-1] in usable
    assert cores.own_core() == cores.own_core()


def test_a_bot_may_load_the_game_in_the_middle_of_a_decision(tmp_path, game):
    """Its cache knows nothing of that, and can be read only by now: the kernels are there that were lent to it."""
    text = """
class Late:
    def __init__(self, info, seat, seed, parameters):
        self.info, self.game = info, None
    def observe(self, observation):
        pass
    def choose(self, legal):
        import qpolis
        self.game = self.game or qpolis.load_game(self.info.name, **self.info.options)
        assert self.game.new(1, 0).legal()
        from qpolis.kernel import kernel_folder, lent_kernels
        assert kernel_folder() and lent_kernels(), "it compiles"
        return legal[0]
"""
    path = tmp_path / "late.py"
    path.write_text(text)
    batch = play_bots(game, [resolve(str(path)).program, random.configure()], 1, 0, 1, ON)
    assert (batch.ends == FINISHED).all(), batch.reasons
