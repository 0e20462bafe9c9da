"""Foreign policies under a supervisor: the games of the compiled loop, and an end for whatever goes wrong."""

from __future__ import annotations

import re

import numpy as np
import pytest

import qpolis
from helpers.programs import same
from qpolis.bots.mcts import mcts
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import ENDS, FINISHED
from qpolis.kernel import JIT
from qpolis.sandbox.program import Limits
from qpolis.sandbox.supervisor import ForeignPolicy, Supervisor, possible

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
    return ForeignPolicy(str(file), attribute, parameters)


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
    with Supervisor(game, seats) as supervisor:
        assert same(supervisor.play(5, 3, 50), play_policies(game, here, 5, 3, 50))
        child = supervisor._child.pid
        assert same(supervisor.play(2**64 - 1, 9, 4100), play_policies(game, here, 2**64 - 1, 9, 4100))  # two jobs
        assert supervisor.play(1, 0, 0).points.shape == (0, 3)
        assert supervisor._child.pid == child


TROUBLES = {
    "hangs": ("while True: scratch[0] = 5", "", "timeout", "no answer within 1 s"),
    "illegal": ("return np.int64(10**9)", "", "illegal", "chose an action that is not legal"),
    "raises": ("raise ValueError('lost my way')", "", "crash", "ValueError: lost my way"),
    "aborts": (
        "abort()",
        "import ctypes\nabort = ctypes.CDLL(None).abort\nabort.argtypes = ()\nabort.restype = None",
        "crash",
        "killed by SIGABRT",
    ),
    "writes-anywhere": ("np.empty(0, np.int64)[1 << 45] = 1", "", "crash", "killed by SIG(SEGV|BUS)"),
    "eats-memory": (
        "eaten = np.ones(1 << 22)\n"
        "        for _ in range(99): eaten = np.concatenate((eaten, eaten[: len(eaten) // 4]))\n"
        "        scratch[0] += np.uint8(eaten[-1])",
        "",
        "memory",
        "used more than 900|MemoryError",
    ),
    "exits": (
        "leave(7)",
        "import ctypes\nleave = ctypes.CDLL(None)._exit\nleave.argtypes = (ctypes.c_int,)\nleave.restype = None",
        "crash",
        "exited with code 7",
    ),
}


@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_costs_the_games_it_comes_in(name, game, tmp_path, mark):
    trouble, before, end, reason = TROUBLES[name]
    limits = Limits(decision=1.0 if end == "timeout" else 10.0, memory=900 << 20)
    calm = TROUBLE.format(before="", trouble="pass")
    undisturbed = play_policies(game, [random.configure(), local(tmp_path, calm, "bad")], 5, 0, 6)
    illegal = TROUBLE.format(before="", trouble="return np.int64(-1)")
    (tmp_path / "other").mkdir()
    stopped = play_policies(game, [random.configure(), local(tmp_path / "other", illegal, "bad")], 5, 0, 6)
    seats = [random.configure(), foreign(tmp_path, TROUBLE.format(before=before, trouble=trouble), "bad")]
    with Supervisor(game, seats, limits) as supervisor:
        batch = supervisor.play(5, 0, 6)
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
    "hangs": ("import time\ntime.sleep(1e6)", "bad", "timeout", "was not loaded and compiled within 9 s"),
    "is-missing": ("", "worse", "crash", "unknown bot of .*'worse'"),
    "is-no-policy": (
        "class worse(qpolis.Bot):\n    def choose(self, legal): pass",
        "worse",
        "crash",
        "worse of .* is not a policy",
    ),
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
    with Supervisor(game, seats, Limits(start=3.0 if end == "timeout" else 60.0)) as supervisor:
        batch = supervisor.play(5, 0, 3)
    assert [ENDS[end] for end in batch.ends[:, 1]] == [end] * 3
    assert (batch.ranks == [0, 1]).all()
    assert (batch.decisions == 0).all()
    assert all(re.search(reason, batch.reasons[row, 1]) for row in range(3)), batch.reasons


def test_wrong_parameters_forfeit(game, tmp_path, mark):
    with Supervisor(game, [foreign(tmp_path, GOOD, "calm", share=7), random.configure()]) as supervisor:
        assert "parameter share: 7 is not" in supervisor.play(5, 0, 1).reasons[0, 0]


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
    with Supervisor(game, [random.configure(), foreign(tmp_path, slow, "slow")], Limits(game=0.5)) as supervisor:
        batch = supervisor.play(5, 0, 1)
    assert ENDS[batch.ends[0, 1]] == "timeout"
    assert batch.reasons[0, 1] == "its decisions took more than 0.5 s in one game"


def test_a_spoilt_state_is_noticed(game):
    state = game.new(3)
    while not state.over:
        assert possible(game, state.array)
        state.apply(state.legal()[-1])
    noise = np.random.default_rng(1)
    for _ in range(50):
        spoilt = np.frombuffer(noise.bytes(state.array.nbytes), state.array.dtype).copy()
        assert not possible(game, spoilt)


def test_two_foreign_policies_and_who_is_to_blame(game, tmp_path, mark):
    (tmp_path / "other").mkdir()
    seats = [
        foreign(tmp_path, TROUBLE.format(before="", trouble="raise ValueError('one')"), "bad"),
        foreign(tmp_path / "other", TROUBLE.format(before="", trouble="raise ValueError('two')"), "bad"),
    ]
    with Supervisor(game, seats) as supervisor:
        batch = supervisor.play(5, 0, 8)
    assert {(seat, reason.split()[1]) for (_, seat), reason in batch.reasons.items()} == {(0, "one"), (1, "two")}


def test_rules_cannot_be_changed(game, tmp_path, mark):
    """Compiled code does not ask whether an array may be written."""
    bad = foreign(tmp_path, TROUBLE.format(before="", trouble="rules[0].players = 1"), "bad")
    with Supervisor(game, [bad, random.configure()]) as supervisor:
        batch = supervisor.play(5, 0, 8)
    failed = batch.ends[:, 0] != FINISHED
    assert failed.any()
    assert not failed.all()
    assert {ENDS[end] for end in batch.ends[failed, 0]} == {"crash"}
    assert batch.ranks[failed].tolist() == [[1, 0]] * int(failed.sum())


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
    with Supervisor(game, [mcts.configure(ms=250), good], Limits(decision=0.1)) as supervisor:
        batch = supervisor.play(3, 0, 1)
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
    with Supervisor(game, [mcts.configure(ms=60), bad], Limits(memory=900 << 20)) as supervisor:
        batch = supervisor.play(3, 0, 1)
    assert [ENDS[end] for end in batch.ends[0]] == ["stopped", "memory"], batch.reasons
