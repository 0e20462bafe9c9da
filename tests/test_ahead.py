"""Compiling ahead in a second process: of use when there is something to compile, and never in the way."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from qpolis.kernel import JIT
from qpolis.tourney import ahead
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan

pytestmark = pytest.mark.skipif(not JIT, reason="nothing is compiled with NUMBA_DISABLE_JIT=1")


@pytest.fixture
def plan():
    return make_plan(
        define({"name": "ahead", "bots": ["random", "heuristic"], "games": 4, "game": "quadrilatere"})
    )


def test_only_for_shipped_bots_that_are_not_compiled(plan, monkeypatch):
    monkeypatch.setattr(ahead, "_processors", lambda: 2)
    for compiled in (False, True):
        monkeypatch.setattr(ahead, "is_compiled", lambda game, policies, compiled=compiled: compiled)
        assert ahead._worthwhile(plan) is not compiled
    monkeypatch.setattr(ahead, "is_compiled", lambda game, policies: False)
    monkeypatch.setattr(ahead, "_processors", lambda: 1)
    assert not ahead._worthwhile(plan)


def test_it_does_what_a_tournament_does(plan):
    ahead.compile_all(plan.text())
    assert ahead.is_compiled(plan.load_game(), [])


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_is_left_of_it(plan, mark, monkeypatch, fails):
    """Neither of one that works on nor of one that failed."""
    monkeypatch.setattr(ahead, "_worthwhile", lambda plan: True)
    if fails:
        monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(KeyboardInterrupt), ahead.compiled_ahead(plan):
        raise KeyboardInterrupt


def test_it_ends_with_the_process_that_started_it(mark):
    """Closing its input is all that the death of that process does."""
    code = (
        "import time; from qpolis.tourney import ahead; ahead.compile_all = lambda text: time.sleep(600); "
        "ahead.main()"
    )
    helper = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, env=dict(os.environ))
    helper.stdin.write(b"a plan\0")
    helper.stdin.flush()
    helper.stdin.close()
    assert helper.wait(60) == 0
