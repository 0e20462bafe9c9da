"""Bots that fail in every way we could think of: each loses its game, for the right reason, and nothing else."""

from __future__ import annotations

import re
import sys

import pytest

import qpolis
from helpers.bad_bots import HELLOS, MEMORY, TROUBLES
from helpers.programs import program, same, stood, trouble
from qpolis.engine.results import ENDS, FINISHED, ILLEGAL, STOPPED
from qpolis.sandbox.program import Limits, Program
from qpolis.tourney.bot_loop import play_bots

SEED, FIRST = 11, 40


@pytest.fixture(scope="module")
def game():
    return qpolis.load_game("quadropolis")


@pytest.fixture(scope="module")
def undisturbed(game, tmp_path_factory):
    """The games as they are without trouble."""
    good = program(tmp_path_factory.mktemp("good"))
    return play_bots(game, [good, good], SEED, FIRST, 3)


@pytest.mark.parametrize("name", TROUBLES)
def test_trouble_costs_one_game(name, game, undisturbed, tmp_path, mark):
    code, end, reason, decisions, limits = TROUBLES[name]
    bad, good = trouble(tmp_path, code), program(tmp_path, name="good.py")
    batch = play_bots(game, [bad, good], SEED, FIRST, 3, limits or Limits())
    assert [ENDS[end] for end in batch.ends[1]] == [end, "stopped"]
    assert re.search(reason, batch.reasons[1, 0])
    assert batch.reasons[1, 0].isprintable()
    assert set(batch.reasons) == {(1, 0)}
    points, made = stood(game, SEED, FIRST + 1, decisions - (end == "illegal"))
    assert batch.points[1].tolist() == points
    assert batch.ranks[1].tolist() == [1, 0]
    assert batch.decisions[1].tolist() == [decisions, made[1]]
    for row in (0, 2):  # the second of these by a new process
        assert same(batch, undisturbed, slice(row, row + 1))


@pytest.mark.parametrize("name", HELLOS)
def test_who_does_not_start_forfeits_every_game(name, game, tmp_path, mark):
    code, end, reason = HELLOS[name]
    limits = Limits(start=1.0 if end == "timeout" else 60.0)
    batch = play_bots(game, [program(tmp_path, name="good.py"), program(tmp_path, code)], SEED, FIRST, 3, limits)
    for row in range(3):
        assert [ENDS[end] for end in batch.ends[row]] == ["stopped", end]
        assert re.search(reason, batch.reasons[row, 1])
        assert batch.ranks[row].tolist() == [0, 1]
        assert batch.points[row].tolist() == [0, 0]
        assert batch.decisions[row].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (("./no/such/program",), "cannot be started: ./no/such/program: No such file"),
        (("/",), "cannot be started: /: Permission denied"),
        (("a\0b",), "cannot be started: a b: "),
    ],
)
def test_what_is_no_program(command, reason, game, mark):
    batch = play_bots(game, [Program(command)] * 2, SEED, FIRST, 2)
    assert [ENDS[end] for end in batch.ends[0]] == ["crash", "stopped"]  # of two, the first in seat order
    assert batch.reasons[0, 0].startswith(reason)
    assert set(batch.reasons) == {(0, 0), (1, 0)}


@pytest.mark.parametrize(
    "code",
    [
        "def end(message): os._exit(4)",
        "def start(message):\n    global games\n    games += 1\n    if games > 1: time.sleep(0.2); os._exit(4)\n"
        "def end(message): os.close(0); os.close(1)",
    ],
)
def test_a_failure_between_games_changes_no_result(code, game, undisturbed, tmp_path, mark):
    bad, good = program(tmp_path, code), program(tmp_path, name="good.py")
    assert same(play_bots(game, [bad, good], SEED, FIRST, 3), undisturbed)


@pytest.mark.parametrize(
    "code",
    [
        "def trouble(message): time.sleep(0.5); good(message)",
        "def trouble(message): sys.stderr.write('x' * 10**7); good(message)",
        "def trouble(message): os.close(2); good(message)",
        "def trouble(message): say(action=message['legal'][0], comment='x' * 50000, why=[None])",
    ],
)
def test_what_is_odd_but_right_is_accepted(code, game, undisturbed, tmp_path, mark):
    bots = [program(tmp_path, code), program(tmp_path, name="good.py")]
    assert same(play_bots(game, bots, SEED, FIRST, 3), undisturbed)


def test_all_decisions_of_a_game_together_are_limited(game, tmp_path, mark):
    slow = program(
        tmp_path,
        "def choose(message):\n    until = time.process_time() + 0.3\n"
        "    while time.process_time() < until: pass\n    good(message)",
    )
    batch = play_bots(game, [program(tmp_path, name="good.py"), slow], SEED, FIRST, 1, Limits(game=1.0))
    assert [ENDS[end] for end in batch.ends[0]] == ["stopped", "timeout"]
    assert batch.reasons[0, 1] == "its decisions took more than 1 s in one game"
    assert batch.decisions[0, 1] <= 3


def test_the_same_trouble_with_four_players(tmp_path, mark):
    game = qpolis.load_game("quadropolis", players=4, mode="expert")
    good = program(tmp_path, name="good.py")
    batch = play_bots(game, [good, good, trouble(tmp_path, "say(action=-1)"), good], SEED, FIRST, 2)
    assert (batch.ends[0] == FINISHED).all()
    assert batch.ends[1].tolist() == [STOPPED, STOPPED, ILLEGAL, STOPPED]
    assert batch.ranks[1, 2] == 3


def test_the_limit_of_memory_holds_while_others_think(game, tmp_path, mark):
    """What it eats unseen is bounded by the system: it cannot get what it asks for."""
    if not sys.platform.startswith("linux"):
        pytest.skip("limits of another process are a feature of Linux")
    greedy = trouble(tmp_path, "good(message)\neaten = bytearray(3 * 2**30)")
    batch = play_bots(game, [greedy, program(tmp_path, name="good.py")], SEED, FIRST, 2, MEMORY)
    assert ENDS[batch.ends[1, 0]] in ("crash", "memory")
    assert re.search("MemoryError|used more than", batch.reasons[1, 0])


def test_a_word_at_the_end_of_a_game_costs_nothing(tmp_path, mark):
    """Whether a line printed after the end comes before or after the next question is chance: it must not decide
    anything."""
    game = qpolis.load_game("quadropolis")
    chatty = program(tmp_path, "def end(message):\n    print('game over', flush=True)\n")
    batch = play_bots(game, [chatty, program(tmp_path, name="other.py")], SEED, FIRST, 6)
    assert (batch.ends == FINISHED).all(), batch.reasons
