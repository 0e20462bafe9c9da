"""Programs as bots: the protocol as documented, the games of the compiled loop, and no process left behind."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

import qpolis
from helpers.matches import first_legal, sometimes_illegal
from helpers.programs import gone, left_over, program, same
from helpers.sizes import sized
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import FINISHED
from qpolis.sandbox import launch
from qpolis.sandbox.child_process import ChildProcess, DeadlinePassed
from qpolis.sandbox.launch import Forfeit
from qpolis.sandbox.program import Limits, OutOfTurn, ProcessBot, Program
from qpolis.tourney import bot_loop
from qpolis.tourney.bot_loop import play_bots

PAGE = (Path(__file__).parent.parent / "docs" / "protocol.md").read_text()
CAT = [sys.executable, "-I", "-S", "-c", "import sys\nfor line in sys.stdin: print(line, end='', flush=True)"]


@pytest.fixture(scope="module")
def game():
    return qpolis.load_game("quadropolis")


def soon(seconds=30.0):
    return time.monotonic() + seconds


# --- the games ----------------------------------------------------------------------------------------


@pytest.mark.core
def test_policies_play_the_same_games_in_both_loops(variant):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    seats = [policy.configure() for policy in [random, first_legal, random, first_legal][:players]]
    games = sized(10, 4, 1)
    assert same(play_bots(game, seats, 2**64 - 3, 7, games), play_policies(game, seats, 2**64 - 3, 7, games))


@pytest.mark.core
def test_illegal_policies_end_the_same_way_in_both_loops():
    game = qpolis.load_game("quadropolis")
    seats = [random.configure(), sometimes_illegal.configure()]
    one, two = play_bots(game, seats, 3, 0, 2), play_policies(game, seats, 3, 0, 2)
    assert same(one, two)
    assert one.reasons == two.reasons


def test_programs_play_the_games_of_policies(variant, tmp_path, mark):
    mode, players = variant
    game = qpolis.load_game("quadropolis", mode=mode, players=players)
    good, dice = program(tmp_path), random.configure()
    programs = [good, dice, good, good][:players]
    policies = [first_legal.configure() if seat is good else dice for seat in programs]
    assert same(play_bots(game, programs, 5, 3, 3), play_policies(game, policies, 5, 3, 3))


@pytest.mark.parametrize(("seats", "first", "games"), [(1, 0, 1), (3, 0, 1), (2, -1, 1), (2, 0, -1)])
def test_wrong_batches_are_refused(game, seats, first, games):
    with pytest.raises(qpolis.QpolisError):
        play_bots(game, [Program(("no",))] * seats, 1, first, games)


@pytest.mark.parametrize("wrong", [{"decision": 0}, {"game": -1}, {"start": float("inf")}, {"memory": 0}])
def test_limits_are_above_zero(wrong):
    with pytest.raises(qpolis.QpolisError, match=f"limit {next(iter(wrong))}"):
        Limits(**wrong)


# --- the protocol -------------------------------------------------------------------------------------

LOG = """
log = open({file!r}, "a")
class Lines:
    def __iter__(self):
        for line in sys.__stdin__:
            log.write(json.dumps([os.getpid(), json.loads(line)]) + "\\n")
            log.flush()
            yield line
sys.stdin = Lines()
"""


@pytest.fixture(scope="module")
def transcript(game, tmp_path_factory):
    """What a program is sent in two games, and its process ids."""
    folder = tmp_path_factory.mktemp("log")
    file = folder / "log"
    bot = program(folder, LOG.format(file=str(file)), depth=3)
    play_bots(game, [random.configure(), bot], 5, 3, 2, Limits(sandbox="off"))  # it writes a file for us
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    return [message for _, message in lines], {pid for pid, _ in lines}


def test_a_process_plays_game_after_game(transcript):
    messages, processes = transcript
    assert len(processes) == 1
    order = "".join(message["type"][0] for message in messages)
    assert re.fullmatch("h(sc+e){2}q", order)


def test_what_is_sent_is_what_happens(transcript, game):
    messages, _ = transcript
    batch = play_policies(game, [random.configure(), first_legal.configure()], 5, 3, 2)
    ends = [message for message in messages if message["type"] == "end"]
    starts = [message for message in messages if message["type"] == "start"]
    chooses = [message for message in messages if message["type"] == "choose"]
    assert [end["scores"] for end in ends] == batch.points.tolist()
    assert [end["ranks"] for end in ends] == batch.ranks.tolist()
    assert {end["end"] for end in ends} == {"finished"}
    assert all(start["seat"] == 1 and 0 <= start["seed"] < 2**53 for start in starts)
    assert starts[0]["seed"] != starts[1]["seed"]
    assert len(chooses) == batch.decisions[:, 1].sum()
    for message in chooses:
        state = game.imagine(message["observation"])
        assert (state.player, message["observation"]["seat"]) == (1, 1)
        assert message["legal"] == state.legal()
        assert message["texts"] == [game.text(state, action) for action in state.legal()]


def shape(data, depth=3):
    """The keys of a message, and the types of what they hold."""
    if isinstance(data, dict) and depth:
        return {key: shape(value, depth - 1) for key, value in data.items()}
    return type(data).__name__


def examples(language):
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_page_shows_the_messages_that_are_sent(transcript):
    shown = [json.loads(text) for text in examples("json")]
    sent = {message["type"]: message for message in transcript[0]}
    for kind, message in sent.items():
        example = next(example for example in shown if example.get("type") == kind)
        for one in (example, message):
            one.pop("observation", None)
        assert shape(example) == shape(message), kind
        if kind == "hello":
            assert example == message
    answers = {"error", "compiling"}  # that a program may give
    assert {example["type"] for example in shown if "type" in example} == {*sent, *answers}


def test_the_page_shows_a_real_observation(game):
    state = game.new(7)
    for text in ("1@N2", "a1"):
        state.apply(game.parse(state, text))
    assert [json.loads(text) for text in examples("json") if '"site"' in text] == [state.observe(1)]


def test_the_page_tells_the_limits_as_they_are():
    limits = Limits()
    assert f"({limits.start:g} seconds)" in PAGE
    assert f"({limits.memory >> 30} GB)" in PAGE


def test_the_bot_of_the_page_plays(game, tmp_path, mark):
    file = tmp_path / "dice.py"
    file.write_text(examples("python")[0])
    dice = Program((sys.executable, str(file)))
    one, two = (play_bots(game, [dice, dice], 5, 3, 2) for _ in range(2))
    assert (one.ends == FINISHED).all()
    assert same(one, two)


def test_unknown_keys_are_ignored(game, tmp_path, mark):
    bot = program(tmp_path, "def choose(message): say(action=message['legal'][0], type='x', mood='fine')")
    assert (play_bots(game, [bot, random.configure()], 5, 3, 1).ends == FINISHED).all()


# --- one program --------------------------------------------------------------------------------------


def test_words_after_a_game_are_noticed_before_the_next(game, tmp_path, mark):
    bot = program(tmp_path, "def end(message): say(action=3)")
    with ProcessBot(bot, game, Limits(ponder=True)) as running:
        running.start(0, 1)
        assert running.choose(game.new(1).observe_text(0), [3, 4], ["a", "b"]) == 3
        running.end(game.new(1).observe_text(0), [1, 2], [1, 0], FINISHED)
        running._child.wait(soon())
        while not running._child.has_output():
            running._child.wait(soon())
        with pytest.raises(OutOfTurn):
            running.start(0, 2)


def test_a_child_that_does_not_read_is_late(mark):
    idler = [sys.executable, "-c", "import time; time.sleep(1e6)"]
    with ChildProcess(idler, 1 << 30) as child, pytest.raises(DeadlinePassed):
        child.send(b"x" * (1 << 20), soon(0.3))


def test_a_child_that_talks_while_we_send_blocks_nobody(mark):
    """Both pipes full: only one of the two may wait."""
    code = (
        "import sys\nfor _ in range(60): print('x' * 1000, flush=True)\n"
        "print(len(sys.stdin.readline()), flush=True)"
    )
    with ChildProcess([sys.executable, "-c", code], 1 << 30) as child:
        child.send(b"x" * (1 << 20) + b"\n", soon())
        lines = [child.line(soon()) for _ in range(61)]
    assert lines[-1] == b"%d" % ((1 << 20) + 1)


def test_lines_come_one_by_one(mark):
    with ChildProcess(CAT, 1 << 30) as child:
        child.send(b"one\ntwo\nthree", soon())
        assert child.line(soon()) == b"one"
        assert child.line(soon()) == b"two"
        with pytest.raises(DeadlinePassed):
            child.line(soon(0.05))
        child.send(b"\n", soon())
        assert child.line(soon()) == b"three"
        assert not child.has_output()


def test_memory_that_processes_share_counts_once(mark):
    code = (
        "import os, sys, time\neaten = b'x' * (200 << 20)\n"
        "for _ in range(3):\n    if not os.fork(): time.sleep(1e6)\n"
        "print('ready', flush=True)\ntime.sleep(1e6)"
    )
    with ChildProcess([sys.executable, "-c", code], 500 << 20) as child:
        assert child.line(soon()) == b"ready"
        child.check()
        child.memory = 100 << 20
        with pytest.raises(Forfeit, match="used more than 100 MB"):
            child.check()


def test_an_interrupt_while_a_process_starts_leaves_none_behind(mark, monkeypatch):
    """The process is there, but nobody has noted it yet."""
    started = []

    def popen(*arguments, **named):
        started.append(subprocess.Popen(*arguments, **named))
        signal.raise_signal(signal.SIGINT)
        return started[0]

    monkeypatch.setattr(launch, "subprocess", SimpleNamespace(Popen=popen, PIPE=subprocess.PIPE))
    with pytest.raises(KeyboardInterrupt):
        ChildProcess([sys.executable, "-I", "-S", "-c", "import time; time.sleep(1e6)"], 1 << 30)
    gc.collect()
    assert gone(mark)


def test_closing_twice_is_closing(mark):
    child = ChildProcess(CAT, 1 << 30)
    child.close(grace=10.0)
    child.close()


# --- when qpolis itself ends --------------------------------------------------------------------------

STARTS_CHILDREN = """
import os, sys
from qpolis.sandbox.child_process import ChildProcess
python = [sys.executable, "-I", "-S", "-c"]
sleeper = ChildProcess([*python, "import time; print(1, flush=True); time.sleep(1e6)"], 1 << 30)
reader = ChildProcess([*python, "import sys; print(1, flush=True); sys.stdin.read()"], 1 << 30)
print(sleeper.line(1e9), reader.line(1e9), flush=True)
{end}
"""


def test_children_end_with_the_interpreter(mark):
    subprocess.run([sys.executable, "-c", STARTS_CHILDREN.format(end="")], check=True, stdout=subprocess.PIPE)
    assert not left_over(mark)


def test_who_reads_its_input_ends_with_a_killed_qpolis(mark):
    code = STARTS_CHILDREN.format(end="sleeper.close()\nos.kill(os.getpid(), 9)")
    subprocess.run([sys.executable, "-c", code], check=False, stdout=subprocess.PIPE)
    assert gone(mark)


def test_an_interrupt_leaves_nothing_behind(game, tmp_path, mark):
    bot = program(tmp_path, f"def choose(message): os.kill({os.getpid()}, signal.SIGINT); time.sleep(1e6)")
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            play_bots(game, [bot, bot], 5, 3, 1, Limits(sandbox="off"))  # it has to reach us
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_error_of_ours_leaves_nothing_behind(game, tmp_path, mark, monkeypatch):
    monkeypatch.setattr(bot_loop, "settle", None)
    with pytest.raises(TypeError):
        play_bots(game, [program(tmp_path)] * 2, 5, 3, 1)
