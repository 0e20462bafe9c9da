"""Cheats that worked once must fail, with the settings that users have; and each must succeed where it could."""

from __future__ import annotations

import numpy as np
import psutil
import pytest

import qpolis
from helpers.cheating import harm, reached, starving, surroundings, wait_until_stopped
from helpers.cheats import CHEATS, CHILDREN, COMPILED
from helpers.sizes import some
from qpolis.bots.greedy import greedy
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import ENDS
from qpolis.kernel import JIT
from qpolis.policy import compile_policy
from qpolis.rng import WORDS, chance_stream, keys, stream
from qpolis.sandbox import levels
from qpolis.sandbox.loading import load

pytestmark = pytest.mark.skipif(not JIT or not levels.best(), reason="about the sandbox, and compiled code")


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_fails(name, folder, mark):
    cheat = CHEATS[name]
    with surroundings() as around:
        assert reached(cheat, folder / "now", around) == set()
        assert not around.visits
        assert around.decoy.poll() is None


@pytest.mark.parametrize("name", CHEATS)
def test_a_cheat_has_eyes(name, folder, mark):
    """It succeeds in all its ways under conditions that used to be all there were."""
    cheat = CHEATS[name]
    with surroundings() as around:
        try:
            ways = {way.format(folder=folder / "old", cache=around.cache) for way in cheat.ways}
            assert reached(cheat, folder / "old", around, **cheat.old) == ways
        finally:
            around.clean(folder / "old")


# -- compiled ones ---------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("name", some(["writes", "states", "streams"]))
def test_a_compiled_cheat_fails(name, folder, mark):
    assert harm(COMPILED[name], folder / "now") == []


def inside(folder, name):
    """The policy in this process, next to the match loop: only a test may do this."""
    path = folder / "cheat.py"
    path.write_text(COMPILED[name].text)
    return load(str(path), "cheat").configure()


def test_a_policy_beside_the_stream_of_chance_would_find_it(folder):
    """In memory as it once was: streams of seats, and then that of chance, a row each."""
    game = qpolis.load_game("quadropolis")
    streams = np.zeros((4, WORDS), np.uint64)
    state = game.new(3, 1)
    streams[0], streams[3] = stream(1), state.chance
    policy = inside(folder, "streams")
    cheat = compile_policy(policy.policy, game)
    rest = game.rules, np.array([state.record]), streams[0], policy.params, np.zeros(1, np.uint8)
    with pytest.raises(ValueError, match="cheated"):
        cheat(*rest)
    streams[3] = chance_stream(keys(4), 1)
    cheat(*rest)


def test_a_policy_beside_the_true_state_would_see_it(folder):
    game = qpolis.load_game("arkadia")
    seats = [inside(folder, "states"), random.configure()]
    with pytest.raises(ValueError, match="cheated"):
        play_policies(game, seats, 3, 0, 4)


def test_a_wrong_index_beside_the_true_state_would_change_it(folder):
    game = qpolis.load_game("quadropolis")
    cheated, honest = (
        play_policies(game, [one, greedy.configure()], 3, 0, 10).points[:, 1].mean()
        for one in (inside(folder, "writes"), random.configure())
    )
    assert cheated < honest - 10


# -- one that takes the processor ------------------------------------------------------------------------------


def test_busy_children_do_not_run_while_the_opponent_thinks(folder, mark):
    counts = []

    def stopped(processes):
        counts.append(len(processes))
        wait_until_stopped(processes)

    results = starving(folder / "now", stopped)
    assert max(counts) >= CHILDREN // 2
    assert ENDS[results.ends[0, 1]] in ("finished", "stopped"), results.reasons


def test_busy_children_would_run_if_they_may(folder, mark):
    ran = []

    def running(processes):
        if not ran:
            before = sum(sum(process.cpu_times()) for process in processes)
            while sum(sum(process.cpu_times()) for process in processes) < before + 0.1:
                assert all(process.status() != psutil.STATUS_STOPPED for process in processes)
            ran.append(len(processes))

    starving(folder / "old", running, 2, ponder=True, sandbox="off")
    assert ran == [3]
