"""Bot specs: what they name, one text for each bot, and one line for each mistake."""

from __future__ import annotations

import os
import sys
from importlib import metadata

import pytest

from qpolis import Parameter, QpolisError
from qpolis.bots.random import random
from qpolis.registry import finder
from qpolis.registry.spec import resolve, split
from qpolis.sandbox import inspection

ONE = '''
from qpolis import Bot, Parameter
class Mine(Bot):
    """My first bot."""
    PARAMETERS = {"n": Parameter(3, "how many", 1, 9, True), "x": 0.5, "loud": False, "style": "calm"}
    def choose(self, legal): return legal[0]
'''
TWO = (
    ONE
    + """
class Other:
    def observe(self, observation): pass
    def choose(self, legal): return legal[0]
"""
)
KERNEL = '''
from qpolis.policy import policy
@policy(weight=2)
def heavy(rules, states, rng, params, scratch):
    """Heavy."""
    return 0
'''


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bots").mkdir()
    return tmp_path


def write(path, text=ONE, executable=False):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    if executable:
        os.chmod(path, 0o755)


def refusal(text):
    with pytest.raises(QpolisError) as caught:
        resolve(text)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- what specs name ----------------------------------------------------------------------------------


def test_a_shipped_bot():
    entrant = resolve("random")
    assert (entrant.spec, entrant.kind, entrant.origin) == ("random", "shipped", "qpolis")
    assert entrant.shipped.policy is random
    assert entrant.help == "Every legal action equally likely."
    assert entrant.program is None


def test_only_bots_of_the_package_are_bots():
    names = [candidate.name for candidate in finder.shipped()]
    assert "random" in names
    assert not {"host", "spec", "finder", "process", "loading", "__init__"} & set(names)
    assert all(resolve(name).shipped for name in names)


@pytest.mark.parametrize(
    "text",
    [
        "./my.py",
        "./my.py:Mine",
        "./sub/../my.py",
        "{here}/my.py",
        ".//my.py:Mine",
        "./my.py:n=3",
        "./my.py:Mine:n=3.0:x=.5:loud=false:style=calm",
    ],
)
def test_one_text_for_all_ways_to_write_a_bot(text, folder):
    write("my.py")
    (folder / "sub").mkdir()
    entrant = resolve(text.format(here=folder))
    assert (entrant.spec, entrant.kind, entrant.origin) == ("./my.py", "python", "./my.py")
    assert entrant.help == "My first bot."
    assert entrant.program.command[-2:] == (str(folder / "my.py"), "Mine")
    assert entrant.program.command[0] == sys.executable
    assert entrant.shipped is None
    assert not entrant.program.policy
    assert resolve(entrant.spec) == entrant


def test_parameters_are_ordered_and_typed():
    write("my.py")
    entrant = resolve("./my.py:style=bold=er:loud=true:x=1e-3:n=5")
    assert entrant.spec == "./my.py:n=5:x=0.001:loud=true:style=bold=er"
    assert entrant.program.parameters == {"n": 5, "x": 0.001, "loud": True, "style": "bold=er"}
    assert type(entrant.program.parameters["n"]) is int
    assert resolve(entrant.spec) == entrant


def test_a_file_elsewhere_has_an_absolute_text(folder, monkeypatch):
    write("my.py")
    write("deep/down/other.py")
    monkeypatch.chdir("deep")
    assert resolve("../my.py").spec == str(folder / "my.py")
    assert resolve("down/other.py").spec == "./down/other.py"


def test_a_bot_of_several():
    write("my.py", TWO)
    assert resolve("./my.py:Other").spec == "./my.py:Other"
    assert resolve("./my.py:Mine:n=4").spec == "./my.py:Mine:n=4"


def test_a_policy_in_a_file():
    write("bots/heavy.py", KERNEL)
    entrant = resolve("heavy:weight=3")
    assert (entrant.spec, entrant.kind, entrant.help) == ("heavy:weight=3", "kernel", "Heavy.")
    assert entrant.program.command[-2:] == (os.path.abspath("bots/heavy.py"), "heavy")
    assert entrant.program.parameters == {"weight": 3}
    assert entrant.program.policy


def test_a_program():
    write("my prögram", "#!/bin/sh\n", executable=True)
    entrant = resolve("./my prögram:depth=3:b=1.50:c=true:d=x y:e=1e999:a=-2:f=2.0:g=:h=1_0")
    assert entrant.kind == "program"
    assert entrant.program.command == (os.path.abspath("my prögram"),)
    values = {"a": -2, "b": 1.5, "c": True, "d": "x y", "depth": 3, "e": "1e999", "f": 2, "g": "", "h": "1_0"}
    assert entrant.program.parameters == values
    assert [type(value) for value in entrant.program.parameters.values()] == [type(v) for v in values.values()]
    assert entrant.spec == "./my prögram:a=-2:b=1.5:c=true:d=x y:depth=3:e=1e999:f=2:g=:h=1_0"
    assert resolve(entrant.spec) == entrant


def test_names_in_the_folder_of_bots():
    write("bots/mine.py")
    write("bots/my-other.py", TWO)
    write("bots/prog.pl", "#!/usr/bin/perl\n", executable=True)
    write("bots/bare", "#!/bin/sh\n", executable=True)
    write("bots/notes.txt", "not a bot")
    write("bots/_helper.py")
    assert resolve("mine").spec == "mine"
    assert resolve("mine").origin == "bots/mine.py"
    assert resolve("my-other:Other").spec == "my-other:Other"
    assert resolve("prog:a=1").spec == "prog:a=1"
    assert resolve("bare").program.command == (os.path.abspath("bots/bare"),)
    assert {candidate.name for candidate in finder.in_folder()} == {"mine", "my-other", "prog", "bare"}


def test_the_first_of_one_name_is_meant():
    write("bots/random.py")
    write("bots/mine.pl", executable=True)
    write("bots/mine.py")
    assert resolve("random").shipped
    assert resolve("./bots/random.py").kind == "python"
    assert resolve("mine").kind == "python"


def test_entry_points(folder, monkeypatch):
    write("site/their_bots.py", TWO)
    write("site/theirs-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    write(
        "site/theirs-1.0.dist-info/entry_points.txt",
        "[qpolis.bots]\nguest = their_bots:Other\nwhole = their_bots\ngone = their_bots:Gone\nlost = nowhere:X\n",
    )
    monkeypatch.syspath_prepend(str(folder / "site"))
    monkeypatch.setenv("PYTHONPATH", str(folder / "site"), prepend=os.pathsep)
    assert [entry.name for entry in metadata.entry_points(group=finder.GROUP)]
    entrant = resolve("guest")
    assert (entrant.spec, entrant.origin, entrant.kind) == ("guest", "package theirs", "python")
    assert entrant.program.command[-2:] == ("their_bots", "Other")
    assert resolve("whole:Mine").spec == "whole:Mine"
    assert "several bots, say which: whole:Mine, whole:Other" in refusal("whole")
    assert "'Mine' is not of the form KEY=VALUE" in refusal("guest:Mine")
    assert "unknown bot of their_bots 'Gone'" in refusal("gone")
    assert "there is no module nowhere" in refusal("lost")


# --- mistakes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "an empty bot spec"),
        (":n=1", "an empty bot spec"),
        ("rndom", "unknown bot 'rndom', did you mean 'random'?"),
        ("random\n", "unknown bot 'random\\n'"),
        ("random:x=1", "unknown parameter of random 'x' (known: none)"),
        ("random:Mine", "'Mine' is not of the form KEY=VALUE"),
        ("random:", "nothing between or after its ':'"),
        ("my.py", "unknown bot 'my.py': for the file of this name, write ./my.py"),
        ("./my.py:n", "unknown bot of ./my.py 'n' (known: Mine)"),
        ("./my.py::n=1", "nothing between or after its ':'"),
        ("./my.py:n=1:", "'' is not of the form KEY=VALUE"),
        ("./my.py:n=1:Mine", "'Mine' is not of the form KEY=VALUE"),
        ("./my.py:=1", "'=1' is not of the form KEY=VALUE"),
        ("./my.py:n=1:n=2", "the parameter n is given twice"),
        ("./my.py:nn=1", "unknown parameter of ./my.py 'nn', did you mean 'n'?"),
        ("./my.py:n=10", "parameter n: '10' is not a whole number from 1 to 9"),
        ("./my.py:n=1.5", "parameter n: '1.5' is not a whole number from 1 to 9"),
        ("./my.py:n=", "parameter n: '' is not a whole number"),
        ("./my.py:x=nan", "parameter x: 'nan' is not a number"),
        ("./my.py:loud=yes", "parameter loud: 'yes' is not true or false"),
        ("./mi.py", "./mi.py: no such file, did you mean './my.py'?"),
        ("/nowhere/at/all.py", "/nowhere/at/all.py: no such file"),
        ("./nul\0.py", "no such file"),
        ("./" + "a" * 5000 + ".py", "no such file"),
        (".", "a folder, not a bot"),
        ("bots/", "a folder, not a bot"),
        ("./odd:name.py", "./odd:name.py: a path in a bot spec cannot have a ':' in it"),
        ("./odd:name.py:Mine", "./odd:name.py: a path in a bot spec cannot have a ':' in it"),
        (
            "./notes.txt",
            "./notes.txt: may not be executed: a bot is a .py file, or a program (chmod +x ./notes.txt)",
        ),
        ("./two.py", "./two.py: several bots, say which: ./two.py:Mine, ./two.py:Other"),
        ("./empty.py", "./empty.py: no bot in it: a bot is a class with the methods"),
        ("./broken.py", "./broken.py: SyntaxError: '(' was never closed (broken.py, line 2)"),
        ("./fails.py", "./fails.py: RuntimeError: not today (fails.py, line 2)"),
        ("./exits.py", "./exits.py: did not load: exited with code 3"),
        ("/dev/null", "/dev/null: not a file"),
    ],
    ids=lambda value: value[:20].replace("\0", "0"),
)
def test_mistakes_are_one_line(text, words):
    write("my.py")
    write("two.py", TWO)
    write("odd:name.py")
    write("notes.txt")
    write("empty.py", "x = 1\n")
    write("broken.py", "x = 1\ny = (\n")
    write("fails.py", "\nraise RuntimeError('not today')\n")
    write("exits.py", "import os\nos._exit(3)\n")
    assert words in refusal(text)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read():
    write("my.py")
    os.chmod("my.py", 0)
    assert "./my.py: cannot be read: Permission denied" in refusal("./my.py")


def test_a_file_that_does_not_end_loading(monkeypatch):
    monkeypatch.setattr(inspection, "PATIENCE", 0.5)
    write("endless.py", "while True: pass\n")
    assert "./endless.py: did not load within 0.5 s" in refusal("./endless.py")


def test_a_file_is_looked_at_again_when_it_changed():
    write("my.py", "import helper\n" + ONE)
    write("helper.py", "oops")
    assert "NameError" in refusal("./my.py")
    write("helper.py", "fine = 1")
    assert resolve("./my.py").spec == "./my.py"


def test_split():
    assert split("a") == ("a", None, {})
    assert split("a:b") == ("a", "b", {})
    assert split("a:b:c=d=e") == ("a", "b", {"c": "d=e"})


@pytest.mark.parametrize(
    ("parameter", "given", "value"),
    [
        (Parameter(1), "2", 2.0),
        (Parameter(1, whole=True), 2.0, 2),
        (Parameter(True), "false", False),
        (Parameter(True), False, False),
        (Parameter("a"), 5, "5"),
        (Parameter(0.5, "", 0, 1), "1", 1.0),
    ],
)
def test_values_of_parameters(parameter, given, value):
    assert parameter.value("p", given) == value
    assert type(parameter.value("p", given)) is type(value)


@pytest.mark.parametrize(
    ("parameter", "given"),
    [
        (Parameter(1), "one"),
        (Parameter(1), None),
        (Parameter(1), "inf"),
        (Parameter(1, high=float("inf"), whole=True), "inf"),
        (Parameter(True), "1"),
        (Parameter(True), 1.5),
        (Parameter(1), 10**400),
    ],
)
def test_wrong_values_of_parameters(parameter, given):
    with pytest.raises(QpolisError):
        parameter.value("p", given)
