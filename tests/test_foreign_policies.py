"""Policies of somebody else, in processes of their own: the games of the compiled loop, and an end for whatever
goes wrong."""

from __future__ import annotations

import re

import numpy as np
import pytest

import qpolis
from helpers.programs import same
from helpers.sizes import some
from qpolis.bots.mcts import mcts
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import ENDS, FINISHED, STOPPED
from qpolis.kernel import JIT
from qpolis.sandbox.inspection import HOST
from qpolis.sandbox.program import Limits, Program
from qpolis.tourney.bot_loop import play_bots

HEAD = """
import os
import numpy as np
import qpolis
from qpolis import verbs
from qpolis.policy import Parameter, policy
"""

# Plays at random; its trouble comes at the fifth decision of deals with an odd stream, some of a run of deals.
TROUBLE = (
    HEAD
    + """
{before}

@policy(scratch=2)
def bad(rules, states, rng, params, scratch):
    \"\"\"Plays at random until it has its trouble.\"\"\"
    if scratch[0] == 0:
        scratch[1] = rng[0] & np.uint64(1)
    scratch[0] += 1
    if scratch[0] == 5 and scratch[1]:
        {trouble}
    return verbs.pick(rules[0], states[0], rng)
"""
)

GOOD = (
    HEAD
    + """
@policy(scratch=8, share=Parameter(0.5, low=0.0, high=1.0))
def calm(rules, states, rng, params, scratch):
    \"\"\"Plays at random, sometimes the first legal action.\"\"\"
    action = verbs.pick(rules[0], states[0], rng)
    if qpolis.rng.below(rng, 1000) < params[0] * 1000:
        actions = np.empty(rules[0].actions, verbs.ACTION)
        verbs.legal(rules[0], states[0], actions)
        return np.int64(actions[0])
    return action
"""
)


pytestmark = pytest.mark.skipif(not JIT, reason="about compiled code")


@pytest.fixture(scope="module")
def game():
    return qpolis.load_game("quadropolis")


def foreign(folder, text, attribute, **parameters):
    file = folder / "foreign.py"
    file.write_text(text)
    return Program((*HOST, str(file), attribute), parameters, policy=True)


def local(folder, text, attribute, **parameters):
    """The same policy in this process, for comparison: only a test may do this."""
    from qpolis.sandbox.loading import load

    file = folder / "foreign.py"
    file.write_text(text)
    return load(str(file), attribute).configure(**parameters)


def test_good_policies_play_the_games_of_the_compiled_loop(tmp_path, mark):
    game = qpolis.load_game("quadropolis", players=3, mode="expert")
    seats = [foreign(tmp_path, GOOD, "calm", share=0.25), random.configure(), foreign(tmp_path, GOOD, "calm")]
    here = [local(tmp_path, GOOD, "calm", share=0.25), random.configure(), local(tmp_path, GOOD, "calm")]
    for seed, first, games in ((5, 3, 20), (2**64 - 1, 9, 5), (2**100 + 7, 0, 5)):
        assert same(play_bots(game, seats, seed, first, games), play_policies(game, here, seed, first, games))
    assert play_bots(game, seats, 1, 0, 0).points.shape == (0, 3)


TROUBLES = {
    "hangs": ("while True: scratch[0] = 5", "", "timeout", "no answer within 1 s"),
    "illegal": ("return np.int64(10**9)", "", "illegal", "which is not one of the legal actions"),
    "raises": ("raise ValueError('lost my way')", "", "crash", "ValueError: lost my way"),
    "writes-anywhere": ("np.empty(0, np.int64)[1 << 45] = 1", "", "crash", "killed by SIG(SEGV|BUS)"),
    "eats-memory": (
        "eaten = np.ones(1 << 22)\n"
        "        for _ in range(99): eaten = np.concatenate((eaten, eaten[: len(eaten) // 4]))\n"
        "        scratch[0] += np.uint8(eaten[-1])",
        "",
        "memory",
        "used more than 900|MemoryError",
    ),
    "aborts": (
        "abort()",
        "import ctypes\nabort = ctypes.CDLL(None).abort\nabort.argtypes = ()\nabort.restype = None",
        "crash",
        "killed by SIGABRT",
    ),
    "exits": (
        "leave(7)",
        "import ctypes\nleave = ctypes.CDLL(None)._exit\nleave.argtypes = (ctypes.c_int,)\nleave.restype = None",
        "crash",
        "exited with code 7",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", some(TROUBLES, 5))
def test_trouble_costs_the_games_it_comes_in(name, game, tmp_path, mark):
    trouble, before, end, reason = TROUBLES[name]
    limits = Limits(decision=1.0 if end == "timeout" else 10.0, memory=900 << 20)
    calm = TROUBLE.format(before="", trouble="pass")
    undisturbed = play_policies(game, [random.configure(), local(tmp_path, calm, "bad")], 5, 0, 6)
    illegal = TROUBLE.format(before="", trouble="return np.int64(-1)")
    (tmp_path / "other").mkdir()
    stopped = play_policies(game, [random.configure(), local(tmp_path / "other", illegal, "bad")], 5, 0, 6)
    seats = [random.configure(), foreign(tmp_path, TROUBLE.format(before=before, trouble=trouble), "bad")]
    batch = play_bots(game, seats, 5, 0, 6, limits)
    troubled = np.flatnonzero(stopped.ends[:, 0] != FINISHED)
    assert 0 < len(troubled) < 6
    for row in range(6):
        if row not in troubled:
            assert same(batch, undisturbed, slice(row, row + 1))
            continue
        assert [ENDS[end] for end in batch.ends[row]] == ["stopped", end], batch.reasons
        assert re.search(reason, batch.reasons[row, 1])
        assert batch.points[row].tolist() == stopped.points[row].tolist()
        assert batch.ranks[row].tolist() == [0, 1]
        assert batch.decisions[row].tolist() == [stopped.decisions[row, 0], 4 + (end == "illegal")]
    assert {row for row, _ in batch.reasons} == set(troubled.tolist())


LOADS = {
    "raises": ("raise ImportError('no such thing')", "bad", "crash", "ImportError: no such thing"),
    "exits": ("os._exit(3)", "bad", "crash", "exited with code 3"),
    "hangs": ("import time\ntime.sleep(1e6)", "bad", "timeout", "no hello within 1 s"),
    "is-missing": ("", "worse", "crash", "unknown bot of .*'worse'"),
    "does-not-compile": (
        "@policy()\ndef worse(rules, states, rng, params, scratch): return 'x'",
        "worse",
        "crash",
        "Error",
    ),
}


@pytest.mark.parametrize("name", LOADS)
def test_what_cannot_be_loaded_forfeits_every_game(name, game, tmp_path, mark):
    before, attribute, end, reason = LOADS[name]
    seats = [random.configure(), foreign(tmp_path, TROUBLE.format(before=before, trouble="pass"), attribute)]
    batch = play_bots(game, seats, 5, 0, 3, Limits(start=1.0 if end == "timeout" else 60.0))
    assert [ENDS[end] for end in batch.ends[:, 1]] == [end] * 3
    assert (batch.ranks == [0, 1]).all()
    assert (batch.decisions == 0).all()
    assert all(re.search(reason, batch.reasons[row, 1]) for row in range(3)), batch.reasons


def test_wrong_parameters_forfeit(game, tmp_path, mark):
    batch = play_bots(game, [foreign(tmp_path, GOOD, "calm", share=7), random.configure()], 5, 0, 1)
    assert "parameter share: 7 is not" in batch.reasons[0, 0]


def test_the_time_of_a_whole_game_is_limited(game, tmp_path, mark):
    slow = (
        HEAD
        + """
@policy()
def slow(rules, states, rng, params, scratch):
    for i in range(1 << 26):
        qpolis.rng.next64(rng)
    return verbs.pick(rules[0], states[0], rng)
"""
    )
    batch = play_bots(game, [random.configure(), foreign(tmp_path, slow, "slow")], 5, 0, 1, Limits(game=0.5))
    assert ENDS[batch.ends[0, 1]] == "timeout"
    assert batch.reasons[0, 1] == "its decisions took more than 0.5 s in one game"


def test_two_foreign_policies_and_who_is_to_blame(game, tmp_path, mark):
    (tmp_path / "other").mkdir()
    seats = [
        foreign(tmp_path, TROUBLE.format(before="", trouble="raise ValueError('one')"), "bad"),
        foreign(tmp_path / "other", TROUBLE.format(before="", trouble="raise ValueError('two')"), "bad"),
    ]
    batch = play_bots(game, seats, 5, 0, 8)
    assert {(seat, reason.split()[1]) for (_, seat), reason in batch.reasons.items()} == {(0, "one"), (1, "two")}


WRITES = ("states[-2] = states[0]", "states[-1000].player = 1", "rules[0].players = 1", "rng[10] = rng[0]")


@pytest.mark.long
@pytest.mark.parametrize("trouble", some(WRITES, 2))
def test_what_it_writes_where_it_should_not_harms_nobody_else(trouble, game, tmp_path, mark):
    """The game is in another process: all that was played agrees with its record, or the seat forfeited."""
    bad = foreign(tmp_path, TROUBLE.format(before="", trouble=trouble), "bad")
    batch = play_bots(game, [bad, random.configure()], 5, 0, 8)
    start = 0
    for deal, length in enumerate(batch.lengths.tolist()):
        state = game.new(5, deal)
        for action in batch.actions[start : start + length].tolist():
            state.apply(action)
        start += length
        assert state.scores() == batch.points[deal].tolist()
        assert state.over == (batch.ends[deal, 0] == FINISHED)
    assert (batch.ends[:, 1] <= STOPPED).all()


PARAMS = (
    HEAD
    + """
@policy(share=0.5)
def restless(rules, states, rng, params, scratch):
    \"\"\"Writes on its own parameters.\"\"\"
    params[0] += 1.0
    actions = np.empty(rules[0].actions, verbs.ACTION)
    count = verbs.legal(rules[0], states[0], actions)
    return np.int64(actions[np.int64(params[0]) % count])
"""
)


def test_parameters_are_new_in_every_game(game, tmp_path):
    seats = [local(tmp_path, PARAMS, "restless"), random.configure()]
    whole = play_policies(game, seats, 3, 0, 4)
    for deal in range(4):
        assert play_policies(game, seats, 3, deal, 1).points[0].tolist() == whole.points[deal].tolist()


def test_our_own_bots_have_no_limits(game, tmp_path, mark):
    """A slow shipped policy is not the fault of the one it plays against, nor its own."""
    good = foreign(tmp_path, GOOD, "calm")
    batch = play_bots(game, [mcts.configure(ms=130), good], 3, 0, 1, Limits(decision=0.1))
    assert (batch.ends == FINISHED).all(), batch.reasons


LEAK = (
    HEAD
    + """
@policy(scratch=8)
def leaky(rules, states, rng, params, scratch):
    \"\"\"Takes memory and never gives it back.\"\"\"
    with numba.objmode():
        grab()
    return verbs.pick(rules[0], states[0], rng)
""".replace("@policy", "import numba\nHOARD = []\ndef grab():\n    HOARD.append(b'x' * (100 << 20))\n\n@policy")
)


def test_memory_is_the_fault_of_the_stranger(game, tmp_path, mark):
    bad = foreign(tmp_path, LEAK, "leaky")
    batch = play_bots(game, [mcts.configure(ms=60), bad], 3, 0, 1, Limits(memory=900 << 20))
    assert [ENDS[end] for end in batch.ends[0]] == ["stopped", "memory"], batch.reasons
