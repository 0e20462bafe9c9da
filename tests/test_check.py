"""`conformance/bots.py`: every shipped bot passes; each kind of bad bot fails at its step, with the reason."""

from __future__ import annotations

import pytest

from qpolis.conformance.bots import TITLES, check_bot
from qpolis.registry import finder
from qpolis.registry.spec import resolve
from qpolis.sandbox.program import Limits

FAST = Limits(decision=30.0)

GOOD = """
import random
from qpolis import Bot
class Mine(Bot):
    def __init__(self, info, seat, seed, parameters):
        super().__init__(info, seat, seed, parameters)
        self.random = random.Random(seed)
    def choose(self, legal):
        return self.random.choice(legal)
"""


def steps(tmp_path, text, **options):
    path = tmp_path / "mine.py"
    path.write_text(text)
    return list(check_bot(resolve(str(path)), "quadropolis", 2, **options))


@pytest.mark.parametrize("name", [candidate.name for candidate in finder.shipped()])
def test_every_shipped_bot_passes(name):
    spec = f"{name}:sims=100" if name == "mcts" else name  # what it checks does not depend on the budget
    done = list(check_bot(resolve(spec), "quadropolis", 2, limits=FAST))
    assert [step.number for step in done] == list(range(1, len(TITLES) + 1))
    assert not [str(step) for step in done if step.passed is False]


def test_a_good_bot_passes(tmp_path):
    done = steps(tmp_path, GOOD, limits=FAST)
    assert [step.passed for step in done] == [True] * 7
    assert "12 games" in done[1].detail
    assert all(str(step).startswith(f"{step.number} {TITLES[step.number - 1]}") for step in done)


@pytest.mark.parametrize(
    ("old", "new", "number", "words"),
    [
        (
            "self.random = random.Random(seed)",
            "raise OSError('no luck')",
            2,
            "deal 0: crash: OSError: no luck (mine",
        ),
        ("self.random.choice(legal)", "max(legal) + 1", 2, "players 2, mode classic, deal 0: illegal: chose "),
        ("return", "if self.info.players == 3: raise ValueError\n        return", 2, "players 3, mode classic"),
        ("random.Random(seed)", "random.Random()", 3, "take chance from the bot's seed only"),
        ("random.Random(seed)", "shared", 4, "keep nothing from one game to the next"),
    ],
    ids=["init", "illegal", "three", "chance", "memory"],
)
def test_bad_bots_fail_at_their_step(tmp_path, old, new, number, words):
    text = GOOD.replace(old, new)
    if new == "shared":
        text = "import random\nshared = random.Random(1)\n" + text
    done = steps(tmp_path, text, limits=FAST)
    failed = [step for step in done if step.passed is False]
    assert failed[0].number == number
    assert words in failed[0].detail
    assert "\n" not in failed[0].detail


def test_a_bot_that_does_not_start(tmp_path):
    path = tmp_path / "dead"
    path.write_text("#!/bin/sh\necho no idea >&2\nexit 3\n")
    path.chmod(0o755)
    (step,) = check_bot(resolve(str(path)), "quadropolis", 2, limits=FAST)
    assert (step.number, step.passed) == (1, False)
    assert step.detail == "exited with code 3: no idea"


def test_a_bot_that_dies_at_the_end_of_a_game(tmp_path):
    text = GOOD.replace(
        "    def choose",
        "    def observe(self, observation):\n"
        "        if observation['player'] is None: import os; os._exit(3)\n    def choose",
    )
    done = steps(tmp_path, text, limits=FAST)
    assert [step.number for step in done if step.passed is False] == [6]
    assert done[5].detail.startswith("after game 1: crash: exited with code 3")


def test_a_slow_bot_is_out_of_time(tmp_path):
    text = GOOD.replace("return self", "import time; time.sleep(60)\n        return self")
    done = steps(tmp_path, text, limits=Limits(decision=0.3))
    assert done[1].passed is False
    assert "timeout: no answer within 0.3 s" in done[1].detail
    assert [step.passed for step in done[2:]] == [None, None, None, False, False]
    assert done[3].detail == "not done, because it needs step 3"
