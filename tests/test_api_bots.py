"""Bots that are asked from Python, and bots that play in this process to be debugged."""

from __future__ import annotations

import gc
import traceback

import pytest

import qpolis

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
LAST = """
from qpolis import Bot, Parameter

class Last(Bot):
    "Takes the last action."
    PARAMETERS = {"back": Parameter(1, "how far from the end", 1, 2, whole=True)}

    def observe(self, observation):
        self.seen = observation

    def choose(self, legal):
        assert self.seen["seat"] == self.seat and self.info.text(legal[0])
        print("choosing", self.parameters["back"])
        return legal[-min(len(legal), self.parameters["back"])]
"""
BROKEN = """
class Broken:
    def __init__(self, *given): pass
    def observe(self, observation): pass
    def choose(self, legal):
        return helper(legal)

def helper(legal):
    return legal[10**6]
"""


@pytest.fixture
def bots(folder):
    """Bots of somebody else."""
    (folder / "last.py").write_text(LAST)
    (folder / "broken.py").write_text(BROKEN)


@pytest.fixture
def state():
    return qpolis.load_game("quadropolis").new(seed=3)


class First(qpolis.Bot):
    def choose(self, legal):
        return legal[0]


def test_a_shipped_bot_is_asked_and_says_what_it_thought(state):
    before = state.to_dict()
    with qpolis.bot("mcts:sims=50", seed=4) as bot:
        first = bot.choose(state)
        thoughts = bot.thoughts
    assert first in state.legal()
    assert max(thoughts, key=lambda one: one.visits).action == first
    again = qpolis.bot("mcts:sims=50", seed=4)
    assert (again.choose(state), again.thoughts) == (first, thoughts)
    assert state.to_dict() == before
    while not state.over:
        state.apply(state.legal()[0])
    with pytest.raises(qpolis.QpolisError, match="the game is over"):
        again.choose(state)


def test_a_bot_of_others_answers_from_its_process_which_ends(bots, state, mark, capfd):
    with qpolis.bot("./last.py:back=2", seed=4) as bot:
        assert bot.choose(state) == state.legal()[-2]
        assert bot.choose(state) == state.legal()[-2]
        other = qpolis.load_game("quadrilatere").new(seed=1)
        assert bot.choose(other) == other.legal()[-2]
    assert "./last.py:back=2 (seat 0): choosing 2" in capfd.readouterr().err
    forgotten = qpolis.bot("./last.py")
    assert forgotten.choose(state) == state.legal()[-1]
    del forgotten
    gc.collect()  # `mark` sees that no process is left


def test_a_bot_of_others_that_fails_says_why_and_can_be_asked_again(bots, state, mark):
    with qpolis.bot("./broken.py") as bot:
        for _ in range(2):
            with pytest.raises(qpolis.QpolisError, match=r"crash: IndexError: .* \(broken.py, line 9\)"):
                bot.choose(state)


def test_debugged_bots_play_the_games_of_the_sandbox(bots, mark):
    keys = {"games": 6, "seed": 2, "quiet": True}
    fair = qpolis.tournament(["./last.py", "random", "greedy"], workers=1, out="run", **keys)
    debugged = qpolis.tournament(["./last.py", "random", "greedy"], debug=True, **keys)
    assert debugged.games.equals(fair.games)
    assert debugged.ratings.equals(fair.ratings)
    assert debugged.game(3).actions == fair.game(3).actions
    assert (debugged.folder, debugged.report) == (None, None)
    assert "not kept" in debugged.summary


def test_what_a_debugged_bot_raises_and_prints_passes_through(bots, folder, state, capsys):
    with pytest.raises(IndexError) as caught:
        qpolis.match(["./broken.py", "random"], debug=True)
    frames = traceback.extract_tb(caught.value.__traceback__)
    assert [(frame.name, frame.lineno) for frame in frames[-2:]] == [("choose", 6), ("helper", 9)]
    assert frames[-1].filename == str(folder / "broken.py")
    with pytest.raises(IndexError):
        qpolis.bot("./broken.py", debug=True).choose(state)
    capsys.readouterr()
    assert qpolis.bot("./last.py", debug=True).choose(state) == state.legal()[-1]
    assert capsys.readouterr().out == "choosing 1\n"


def test_a_file_is_loaded_anew_each_time_it_is_debugged(bots, folder, state):
    bot = "./last.py"
    assert qpolis.bot(bot, debug=True).choose(state) == state.legal()[-1]
    (folder / "last.py").write_text(LAST.replace("legal[-min", "legal[-3 * min"))
    assert qpolis.bot(bot, debug=True).choose(state) == state.legal()[-3]


def test_classes_play_in_this_process_only(folder):
    played = qpolis.match([First, "random"], debug=True)
    assert (played.bots, len(played.moves)) == (["First", "random"], len(played))
    run = qpolis.tournament([First, "random"], games=4, debug=True, quiet=True, challenger=None)
    assert run.bots == ["First", "random"]
    for play in (qpolis.match, qpolis.tournament):
        with pytest.raises(qpolis.QpolisError, match="bot First: a class plays in this process only, with debug"):
            play([First, "random"])
    with pytest.raises(qpolis.QpolisError, match="writes nothing: it takes no out"):
        qpolis.tournament([First, "random"], debug=True, out="run")
    with pytest.raises(qpolis.QpolisError, match="dict is not a bot"):
        qpolis.match([dict, "random"], debug=True)
    assert sorted(folder.iterdir()) == []


def test_an_illegal_choice_of_a_debugged_bot_is_an_error_that_says_so():
    class Text(First):
        def choose(self, legal):
            return str(legal[0])

    class Far(First):
        def choose(self, legal):
            return 10**6

    for bot, message in ((Text, "Text: choose returned '.*', a str"), (Far, "Far chose 1000000, which is not")):
        with pytest.raises(qpolis.IllegalAction, match=message):
            qpolis.match([bot, "random"], debug=True)
