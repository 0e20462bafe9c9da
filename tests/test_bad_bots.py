"""Bots that fail in every way we could think of: each loses its game, for the right reason, and nothing else."""

from __future__ import annotations

import re
import sys

import pytest

import qpolis
from helpers.programs import program, same, stood, trouble
from qpolis.engine.results import ENDS, FINISHED, ILLEGAL, STOPPED
from qpolis.sandbox.program import Limits, Program
from qpolis.tourney.bot_loop import play_bots

SEED, FIRST = 11, 40
HUNG = Limits(decision=1.0)  # only where the bot never answers
MEMORY = Limits(memory=500 << 20)

# name: (trouble, end, reason, decisions answered before it, limits)
TROUBLES = {
    "raises": ("raise ValueError('lost my way')", "crash", "code 1: ValueError: lost my way", 2, None),
    "exits": ("os._exit(0)", "crash", r"exited with code 0", 2, None),
    "exits-3": ("print('no idea', file=sys.stderr)\nsys.exit(3)", "crash", "code 3: no idea", 2, None),
    "dies": ("os.kill(os.getpid(), signal.SIGSEGV)", "crash", r"killed by SIGSEGV", 2, None),
    "reports-crash": (
        "say(type='error', end='crash', message='ValueError: a\\nb')",
        "crash",
        "ValueError: a b",
        2,
        None,
    ),
    "reports-memory": ("say(type='error', end='memory', message='MemoryError')", "memory", "MemoryError", 2, None),
    "reports-nothing": ("say(type='error')", "crash", "None", 2, None),
    "unknown-id": ("say(action=10**6)", "illegal", "chose 1000000, which is not one of the legal", 3, None),
    "negative": ("say(action=-1)", "illegal", "chose -1", 3, None),
    "bool": ("say(action=True)", "illegal", "chose true", 3, None),
    "float": ("say(action=float(message['legal'][0]))", "illegal", r"chose [0-9]+\.0", 3, None),
    "string": ("say(action=str(message['legal'][0]))", "illegal", r'chose "[0-9]+"', 3, None),
    "null": ("say(action=None)", "illegal", "chose null", 3, None),
    "list": ("say(action=message['legal'])", "illegal", "chose ", 3, None),
    "huge-number": (
        "print('{\"action\": ' + '9' * 9999 + '}', flush=True)",
        "illegal",
        "not a JSON object",
        3,
        None,
    ),
    "no-action": ("say(answer=3)", "illegal", 'answered without an action: {"answer":3}', 3, None),
    "no-object": ("print(message['legal'][0], flush=True)", "illegal", "not a JSON object: [0-9]+", 3, None),
    "garbage": ("print('let me think\\x07', flush=True)", "illegal", "not a JSON object: let me think", 3, None),
    "empty-line": ("print(flush=True)", "illegal", "not a JSON object", 3, None),
    "not-utf-8": ("os.write(1, b'\\xff\\xfe\\n')", "illegal", "not a JSON object", 3, None),
    "nested": ("print('[' * 50000, flush=True)", "illegal", "not a JSON object", 3, None),
    "deep": ("print('{\"a\":' * 900 + '0' + '}' * 900, flush=True)", "illegal", "answered without", 3, None),
    "long-line": ("print('x' * 10**7, flush=True)", "illegal", "printed more than 65536 bytes", 3, None),
    "endless-line": ("while True: os.write(1, b'x' * 65536)", "illegal", "printed more than 65536 bytes", 3, None),
    "endless-lines": (
        "line = json.dumps({'action': message['legal'][0]}).encode() + b'\\n'\n"
        "while True: os.write(1, line * 1000)",
        "illegal",
        "out of turn|printed more",
        4,
        None,
    ),
    "twice": (
        "line = json.dumps({'action': message['legal'][0]}).encode() + b'\\n'\nos.write(1, line + line)",
        "illegal",
        "spoke out of turn",
        4,
        None,
    ),
    "closes-output": ("os.close(1)\ntime.sleep(1e6)", "crash", "closed its standard output", 2, None),
    "closes-input": ("os.close(0)\ngood(message)\ntime.sleep(1e6)", "crash", "closed its standard input", 3, None),
    "sleeps": ("print('hm', file=sys.stderr)\ntime.sleep(1e6)", "timeout", "no answer within 1 s: hm", 2, HUNG),
    "spins": ("while True: pass", "timeout", "no answer within 1 s", 2, HUNG),
    "ignores-signals": (
        "for number in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}:\n"
        "    signal.signal(number, signal.SIG_IGN)\nwhile True: pass",
        "timeout",
        "no answer within 1 s",
        2,
        HUNG,
    ),
    "stuck-in-c": ("re.match('(a+)+$', 'a' * 99 + 'b')", "timeout", "no answer within 1 s", 2, HUNG),
    "stops": ("os.kill(os.getpid(), signal.SIGSTOP)", "timeout", "no answer within 1 s", 2, HUNG),
    "half-a-line": ("sys.stdout.write('{')\nsys.stdout.flush()\ntime.sleep(1e6)", "timeout", "no answer", 2, HUNG),
    "endless-errors": ("while True: os.write(2, b'x' * 65536)", "timeout", "no answer within 1 s: xxx", 2, HUNG),
    "eats-memory": (
        "eaten = []\nwhile True: eaten.append(b'x' * 2**20)",
        "memory",
        "used more than 500 MB",
        2,
        MEMORY,
    ),
    "child-eats-memory": (
        "if os.fork():\n    time.sleep(1e6)\neaten = []\nwhile True: eaten.append(b'x' * 2**20)",
        "memory",
        "used more than 500 MB",
        2,
        MEMORY,
    ),
    "children": (
        "for _ in range(3):\n    if not os.fork(): time.sleep(1e6)\nsys.exit(5)",
        "crash",
        "exited with code 5",
        2,
        None,
    ),
    "breeds": (
        "for _ in range(2000):\n    if not os.fork(): time.sleep(1e6)\ntime.sleep(1e6)",
        "memory",
        "started more than 512 processes|used more than",
        2,
        Limits(sandbox="off"),  # in a sandbox there are never so many
    ),
    "daemon": (
        "if not os.fork():\n    os.setsid()\n    if os.fork(): os._exit(0)\n"
        "    for pipe in (0, 1, 2): os.close(pipe)\n    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    time.sleep(1e6)\nos.wait()\nsay(action='bye')",
        "illegal",
        'chose "bye"',
        3,
        None,
    ),
}


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


HELLOS = {
    "exits-at-start": ("raise SystemExit('no licence')", "crash", "exited with code 1: no licence"),
    "no-hello": ("def hello(message): time.sleep(1e6)", "timeout", "no hello within 1 s"),
    "garbage": ("print('Welcome!', flush=True)", "crash", "no hello: answered with what is not a JSON obj"),
    "no-type": ("def hello(message): say(protocol=1)", "crash", r"no hello: answered {\"protocol\":1}"),
    "other-protocol": ("def hello(message): say(type='hello', protocol=2)", "crash", "speaks protocol 2, not 1"),
    "no-protocol": ("def hello(message): say(type='hello')", "crash", "speaks protocol null, not 1"),
    "true-protocol": ("def hello(message): say(type='hello', protocol=True)", "crash", "speaks protocol true"),
    "reports": (
        "def hello(message): say(type='error', end='crash', message='ImportError: x')",
        "crash",
        "ImportError: x",
    ),
    "flood": ("while True: print('x' * 1000)", "crash", "no hello: "),
}


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
