"""The first start after an installation: nothing is compiled yet, and no bot is charged for that."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from helpers.plugin_games import ONE_VARIANT, village
from helpers.programs import program
from helpers.sizes import some
from qpolis.games import load_game
from qpolis.kernel import JIT
from qpolis.sandbox import host
from qpolis.sandbox.program import COMPILING, Forfeit, Limits, ProcessBot, Program

KERNEL = """
import numpy as np
from qpolis import verbs
from qpolis.policy import policy
@policy()
def first(rules, states, rng, params, scratch):
    actions = np.empty(rules[0].actions, verbs.ACTION)
    verbs.legal(rules[0], states[0], actions)
    verbs.apply(rules[0], states[0], np.int64(actions[0]), rng)
    return np.int64(actions[0])
"""
SEARCHER = """
import qpolis
class Searcher(qpolis.Bot):
    def __init__(self, info, *given):
        super().__init__(info, *given)
        self.game = qpolis.load_game(info.name, **info.options)
    def observe(self, observation):
        self.seen = observation
    def choose(self, legal):
        self.game.imagine(self.seen, seed=1).apply(legal[0])
        return legal[0]
"""
compiled_only = pytest.mark.skipif(not JIT, reason="nothing is compiled")


@compiled_only
@pytest.mark.long
@pytest.mark.parametrize("game", some(["./one.py", "quadrilatere"]))
@pytest.mark.parametrize(
    ("bot", "sandbox"), some([("policy", "auto"), ("searcher", "auto"), ("searcher", "off"), ("policy", "off")], 3)
)
def test_the_first_check_says_that_it_compiles_and_passes(tmp_path, bot, sandbox, game):
    """With a start limit in which nothing can be compiled."""
    (tmp_path / "mine.py").write_text({"policy": KERNEL, "searcher": SEARCHER}[bot])
    village(tmp_path / "one.py", *ONE_VARIANT)
    command = [sys.executable, "-m", "qpolis.cli", "check", "./mine.py", "--start-limit", "3"]
    done = subprocess.run(
        [*command, "--sandbox", sandbox, "--game", game],
        cwd=tmp_path,
        env={**os.environ, "QPOLIS_CACHE_DIR": str(tmp_path / "cache")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "compiling" in done.stderr
    assert "(first run only)" in done.stderr
    assert ("compiling first (first run only) ..." in done.stderr) == (bot == "policy")


def test_a_program_that_says_that_it_compiles_may_take_longer(tmp_path):
    """And one that does not, may not. It burns processor time, which a busy machine does not change."""
    burn = "def hello(message):\n    %swhile time.process_time() < 1.0: pass\n    say(type='hello', protocol=1)"
    game = load_game("quadropolis")
    with ProcessBot(program(tmp_path, burn % "say(type='compiling')\n    "), game, Limits(start=0.3)) as bot:
        bot.start(0, 0)
    with (
        ProcessBot(program(tmp_path, burn % "", "slow.py"), game, Limits(start=0.3)) as bot,
        pytest.raises(Forfeit, match=r"no hello within 0\.3 s"),
    ):
        bot.start(0, 0)


@pytest.mark.parametrize(
    ("rest", "reason"),
    [
        ("while True: pass", f"no hello within {0.2 * COMPILING:g} s"),
        ("say(type='compiling')", 'no hello: answered {"type":"compiling"}'),
    ],
)
def test_nobody_compiles_without_end(tmp_path, rest, reason):
    code = f"def hello(message):\n    say(type='compiling')\n    {rest}"
    with (
        ProcessBot(program(tmp_path, code), load_game("quadropolis"), Limits(start=0.2)) as bot,
        pytest.raises(Forfeit) as caught,
    ):
        bot.start(0, 0)
    assert caught.value.reason == reason


@compiled_only
def test_what_compiles_later_says_nothing(tmp_path, monkeypatch):
    """It would be taken for an answer."""
    monkeypatch.setenv("QPOLIS_CACHE_DIR", str(tmp_path / "cache"))
    late = SEARCHER.replace("import qpolis\n", "from qpolis import Bot\n").replace("(qpolis.Bot)", "(Bot)")
    late = late.replace("        self.game = ", "        import qpolis\n        self.game = ")
    (tmp_path / "late.py").write_text(late)
    game = load_game("quadrilatere")
    bot = Program((*host.COMMAND, str(tmp_path / "late.py"), "Searcher"))
    with ProcessBot(bot, game, Limits(decision=600.0, game=6000.0, sandbox="off")) as playing:
        playing.start(0, 0)
        state = game.new(seed=1)
        legal = state.legal()
        assert (
            playing.choose(state.observe_text(0), legal, [game.text(state, action) for action in legal])
            == legal[0]
        )
