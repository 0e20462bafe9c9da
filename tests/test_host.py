"""The host of Python bots: it speaks the protocol, whatever the bot does."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from pathlib import Path

import pytest

import qpolis
from qpolis import bots
from qpolis.kernel import JIT
from qpolis.sandbox import host, loading

HOST = [sys.executable, "-u", host.__file__]
GAME = qpolis.load_game("quadropolis")
HELLO = {
    "type": "hello",
    "protocol": 1,
    "parameters": {},
    "limits": {"decision": 10.0, "game": 300.0},
    "game": {"name": GAME.name, "title": GAME.title, "players": 2, "options": GAME.settings},
}
START = {"type": "start", "seat": 1, "seed": 5}
SEEN = GAME.new(0).observe(0)
LEGAL = GAME.new(0).legal()
CHOOSE = {"type": "choose", "observation": SEEN, "legal": LEGAL, "texts": [GAME.action_text(a) for a in LEGAL]}
END = {"type": "end", "observation": SEEN, "scores": [1, 2], "ranks": [1, 0], "end": "finished"}
QUIT = {"type": "quit"}


def talk(path, attribute, *messages):
    """What the host answers to these messages, and what it wrote to standard error."""
    text = "".join(json.dumps(message) + "\n" for message in messages)
    done = subprocess.run(
        [*HOST, str(path), attribute], input=text, capture_output=True, encoding="utf-8", timeout=300, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def write(folder, text, name="my_bot.py"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def bot(choose, more=""):
    """A file with a bot whose `choose` has this body, in line 4."""
    return f"import qpolis\nclass Mine(qpolis.Bot):\n  def choose(self, legal):\n    {choose}\n{more}"


def test_a_game_through_the_protocol(tmp_path):
    path = write(tmp_path, bot("print('thinking'); return legal[-1]"))
    answers, spoken = talk(path, "Mine", HELLO, START, CHOOSE, {"type": "news"}, CHOOSE, END, QUIT)
    assert answers == [{"type": "hello", "protocol": 1, "name": "Mine"}, *[{"action": LEGAL[-1]}] * 2]
    assert spoken == "thinking\n" * 2


def test_what_a_bot_is_given(tmp_path):
    path = write(
        tmp_path,
        """
class Mine:
    PARAMETERS = {"a": 1, "b": "text", "c": True}
    def __init__(self, info, seat, seed, parameters):
        self.seen = []
        print("made", info.name, info.players, info.options["mode"], seat, seed, parameters)
    def observe(self, observation):
        self.seen.append(observation["round"])
        print("observed", self.seen)
    def choose(self, legal):
        print("chooses", len(legal))
        return legal[0]
""",
    )
    _, spoken = talk(path, "Mine", {**HELLO, "parameters": {"a": 3}}, START, CHOOSE, END, START, END, QUIT)
    made = "made quadropolis 2 classic 1 5 {'a': 3, 'b': 'text', 'c': True}"
    assert spoken.splitlines() == [
        made,
        "observed [1]",
        f"chooses {len(LEGAL)}",
        "observed [1, 1]",
        made,
        "observed [1]",
    ]


def test_texts_of_actions(tmp_path):
    path = write(tmp_path, bot("print(self.info.text(legal[3])); return legal[3]"))
    assert talk(path, "Mine", HELLO, START, CHOOSE)[1] == CHOOSE["texts"][3] + "\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("raise ValueError('no\\nidea')", "ValueError: no (my_bot.py, line 4)"),
        ("sys.exit(0)", "SystemExit: 0 (my_bot.py, line 4)"),
        ("raise KeyboardInterrupt", "KeyboardInterrupt (my_bot.py, line 4)"),
        ("return self.choose(legal)", "RecursionError: maximum recursion depth exceeded (my_bot.py, line 4)"),
        ("return deep(legal)", "IndexError: list index out of range (my_bot.py, line 6)"),
        ("raise Bad", "Bad: (its message cannot be made) (my_bot.py, line 4)"),
    ],
)
def test_what_a_bot_raises_is_an_answer(tmp_path, body, message):
    more = (
        "import sys\ndef deep(legal): return legal[1000]\nclass Bad(Exception):\n  def __str__(self): return 1 / 0"
    )
    path = write(tmp_path, bot(body, more))
    answers, _ = talk(path, "Mine", HELLO, START, CHOOSE, END, START, CHOOSE, QUIT)
    assert [answer.pop("trace")[:9] for answer in answers[1:]] == ["Traceback"] * 2
    assert answers[1:] == [{"type": "error", "end": "crash", "message": message}] * 2


def test_too_much_memory_is_said(tmp_path):
    path = write(tmp_path, bot("raise MemoryError"))
    assert talk(path, "Mine", HELLO, START, CHOOSE)[0][1]["end"] == "memory"


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("return 10 ** 5000", "a huge number"),
        ("return Whole()", 7),
    ],
)
def test_strange_answers_are_passed_on(tmp_path, body, answer):
    path = write(tmp_path, bot(body, "class Whole:\n  def __index__(self): return 7"))
    assert talk(path, "Mine", HELLO, START, CHOOSE)[0][1] == {"action": answer}


@pytest.mark.parametrize(
    ("body", "choice"),
    [
        ("return None", "None"),
        ("return 'e4'", "'e4', a str"),
        ("return 1.0", "1.0, a float"),
        ("return True", "True, a bool"),
        ("return 'x' * 1000", f"'{'x' * 79} ..., a str"),
    ],
)
def test_answers_that_are_no_whole_numbers_are_refused_in_words(tmp_path, body, choice):
    path = write(tmp_path, bot(body))
    answer = talk(path, "Mine", HELLO, START, CHOOSE)[0][1]
    assert (answer["type"], answer["end"]) == ("error", "illegal")
    assert answer["message"].startswith(
        f"choose returned {choice}: it must return one of the ints in legal, such as "
    )


def test_a_bot_that_cannot_be_made_says_so_when_asked(tmp_path):
    path = write(tmp_path, bot("return legal[0]", "  def __init__(self, *a): raise OSError('no file')"))
    answers, _ = talk(path, "Mine", HELLO, START, CHOOSE, QUIT)
    assert answers[1]["message"] == "OSError: no file (my_bot.py, line 5)"


def test_what_fails_after_the_end_spoils_no_other_game(tmp_path):
    more = (
        "  def observe(self, observation):\n    if self.seed == 5 and hasattr(self, 'x'): raise ValueError\n"
        "    self.x = 1"
    )
    path = write(tmp_path, bot("return legal[0]", more))
    answers, spoken = talk(path, "Mine", HELLO, START, CHOOSE, END, {**START, "seed": 6}, CHOOSE, END, QUIT)
    assert answers[1:] == [{"action": LEGAL[0]}] * 2
    assert "ValueError" in spoken


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = (", "SyntaxError: '(' was never closed (my_bot.py, line 2)"),
        ("\n1 / 0", "ZeroDivisionError: division by zero (my_bot.py, line 2)"),
        ("import nowhere", "ModuleNotFoundError: No module named 'nowhere' (my_bot.py, line 1)"),
        ("import helper", "NameError: name 'oops' is not defined (helper.py, line 1)"),
        ("exit(3)", "SystemExit: 3 (my_bot.py, line 1)"),
        (bot("1").replace("Mine", "Yours"), "unknown bot of {path} 'Mine' (known: Yours)"),
        ("Mine = 3", f"Mine of {{path}} is not a bot: {loading.NEEDED}"),
    ],
)
def test_a_file_that_does_not_load_answers_the_hello(tmp_path, text, message):
    write(tmp_path, "oops", "helper.py")
    path = write(tmp_path, text)
    answers, _ = talk(path, "Mine", HELLO, QUIT)
    answers[0].pop("trace", None)  # where there is one
    assert answers == [{"type": "error", "end": "crash", "message": message.format(path=path)}]


def test_unknown_parameters_answer_the_hello(tmp_path):
    path = write(tmp_path, bot("return legal[0]", "  PARAMETERS = {'boldness': 0.5}"))
    answers, _ = talk(path, "Mine", {**HELLO, "parameters": {"boldnes": 1}}, QUIT)
    assert "unknown parameter of Mine 'boldnes', did you mean 'boldness'?" in answers[0]["message"]


def test_prints_of_other_programs_are_harmless_and_nothing_is_read(tmp_path):
    path = write(tmp_path, bot("os.system('echo hi; cat'); return legal[0]", "import os"))
    answers, spoken = talk(path, "Mine", HELLO, START, CHOOSE, CHOOSE, QUIT)
    assert answers[1:] == [{"action": LEGAL[0]}] * 2
    assert spoken == "hi\nhi\n"


def test_a_plain_bot_loads_neither_compiler_nor_arrays_nor_our_random(tmp_path):
    """And finds helpers beside it, which hide nothing of Python's own."""
    write(tmp_path, "raise ValueError", "random.py")
    write(tmp_path, "raise ValueError", "math.py")
    write(tmp_path, "x = 5", "helper.py")
    path = write(
        tmp_path,
        bot(
            "return legal[0]",
            """
import sys, random, math
from helper import x
assert random.Random(x) and math.pi
assert not {"numba", "numpy", "click"} & set(sys.modules)
assert qpolis.__file__ == WHERE
""".replace("WHERE", repr(qpolis.__file__)),
        ),
    )
    answers, _ = talk(path, "Mine", HELLO, START, CHOOSE, QUIT)
    assert answers[1] == {"action": LEGAL[0]}
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["helper.py", "math.py", "my_bot.py", "random.py"]


def test_spaces_and_other_letters_in_paths(tmp_path):
    folder = tmp_path / "мои боты"
    folder.mkdir()
    path = write(folder, bot("return legal[0]"), "mein böt.py")
    assert talk(path, "Mine", HELLO, START, CHOOSE)[0][1] == {"action": LEGAL[0]}


def test_a_policy_is_wrapped():
    state = qpolis.load_game("quadropolis").new(3)
    choose = {"type": "choose", "state": base64.b64encode(state.array.tobytes()).decode()}
    answers, _ = talk(Path(bots.__file__).with_name("random.py"), "random", HELLO, START, choose, QUIT)
    *announced, hello, choice = answers
    assert announced in ([], [{"type": "compiling"}])  # kernels of earlier runs may be there
    assert hello["name"] == "random"
    assert choice["action"] in state.legal()


# --- inspecting ---------------------------------------------------------------------------------------


def inspect(*arguments):
    done = subprocess.run(
        [*HOST, "--inspect", *map(str, arguments)], capture_output=True, text=True, timeout=300, check=True
    )
    return json.loads(done.stdout)


def test_inspect_lists_what_a_file_defines(tmp_path):
    path = write(
        tmp_path,
        '''
import qpolis
from qpolis import Bot, Parameter
from qpolis.bots.random import random as other
from qpolis.policy import policy
print("noise")
class _Base(Bot):
    def choose(self, legal): return legal[0]
class Helper: pass
class NoChoice(Bot): pass
class One(_Base):
    """The first.

    More."""
    PARAMETERS = {"n": Parameter(3, "how many", 1, 9, True), "loud": False}
class Two:
    def observe(self, observation): pass
    def choose(self, legal): pass
Alias = Two
@policy(weight=2)
def third(rules, states, rng, params, scratch):
    """The third."""
    return 0
''',
    )
    one, two, third = inspect(path)["bots"]
    assert (one["name"], one["kind"], one["help"]) == ("One", "python", "The first.")
    assert one["parameters"]["n"] == {
        "default": 3,
        "help": "how many",
        "low": 1,
        "high": 9,
        "whole": True,
        "choices": [],
    }
    assert one["parameters"]["loud"]["default"] is False
    assert (two["name"], two["kind"], two["help"], two["parameters"]) == ("Two", "python", "", {})
    assert (third["name"], third["kind"], third["help"]) == ("third", "kernel", "The third.")
    assert inspect(path, "Two") == {"bots": [two]}
    assert inspect("qpolis.bots.random", "random")["bots"][0]["kind"] == "kernel"


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1 / 0", "ZeroDivisionError: division by zero (my_bot.py, line 1)"),
        ("\x00", "SyntaxError: source code string cannot contain null bytes"),
        (
            bot("return 1", "  PARAMETERS = {'a': []}"),
            "parameter a of Mine: the default is not a number, true, false or a text",
        ),
        (
            bot("return 1", "  PARAMETERS = {'a': qpolis.Parameter(7, '', 0, 5)}"),
            "parameter a: 7 is not a number from 0 to 5",
        ),
        (
            bot("return 1", "  PARAMETERS = {'a': qpolis.Parameter(1, 5)}"),
            "parameter a of Mine: its help is not a text",
        ),
        (
            bot("return 1", "  PARAMETERS = {'a': qpolis.Parameter(1, '', 'x')}"),
            "parameter a of Mine: its range is not two numbers",
        ),
        (bot("return 1", "  PARAMETERS = 5"), "AttributeError: 'int' object has no attribute 'items'"),
    ],
)
def test_inspect_says_why_a_file_is_no_use(tmp_path, text, error):
    assert inspect(write(tmp_path, text)) == {"error": error}


def test_an_absent_file_or_module():
    assert inspect("/nowhere/bot.py")["error"].startswith("FileNotFoundError")
    assert inspect("nowhere.at_all")["error"] == "there is no module nowhere"


@pytest.mark.skipif(not JIT, reason="about compiled code")
@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return rules[0].nothing", "policy p: no record of quadropolis has a field 'nothing'"),
        ("return nothing(3)", "'nothing' is not defined"),
        ("return 'a' + 1", "(my_bot.py, line 4)"),
    ],
)
def test_errors_of_the_compiler_are_one_line(tmp_path, body, message):
    path = write(
        tmp_path,
        f"from qpolis.policy import policy\n@policy()\ndef p(rules, states, rng, params, scratch):\n    {body}\n",
    )
    answer = talk(path, "p", HELLO)[0][-1]["message"]
    assert answer.endswith(message)
    assert len(answer) < 350


def test_load_in_this_process(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = write(tmp_path, bot("return 1"), "loaded here.py")
    assert loading.load(str(path), "Mine").__name__ == "Mine"
    del sys.modules["qpolis_bot_loaded_here"]
