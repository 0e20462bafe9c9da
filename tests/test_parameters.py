"""Parameters of bots, options of games and keys of files: one way to declare and to check them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import qpolis
from qpolis.bot import Parameter
from qpolis.errors import QpolisError
from qpolis.game import Option
from qpolis.parameters import Key, Retired, checked, declared, in_use

COLOURS = Key((), items=Key(""), words="a list of colours")


def test_authors_import_them_from_where_they_always_did():
    assert qpolis.Parameter is Parameter
    assert issubclass(Option, Parameter)
    assert issubclass(Key, Parameter)


@pytest.mark.parametrize(
    ("declaration", "given", "value"),
    [
        (Parameter("a", choices=("a", "b")), "b", "b"),
        (Parameter(2, choices=(2, 4)), "4", 4),
        (Option(True, "", (True, False)), "off", False),
        (Option(True, "", (True, False)), "false", False),
        (Option(5, "size", low=3, high=9), "7", 7),
        (Option(0.5), "2", 2.0),
        (Option("base"), Path("mine.csv"), "mine.csv"),
        (Option(None), [1], [1]),
        (Key(0, "", 0, 2**64 - 1, whole=True), 2**64 - 1, 2**64 - 1),
        (Key(1.0), 3, 3.0),
        (COLOURS, ["red ", "blue"], ("red", "blue")),
        (Key({}), {"a": 1}, {"a": 1}),
    ],
)
def test_what_can_be_given(declaration, given, value):
    assert declaration.takes(given)
    assert declaration.value("x", given) == value
    assert type(declaration.value("x", given)) is type(value)


@pytest.mark.parametrize(
    ("declaration", "given", "message"),
    [
        (Parameter(1, "", 0, 5), "six", "parameter x: 'six' is not a number from 0 to 5"),
        (Parameter(1, "", 0, 5, whole=True), float("inf"), "parameter x: inf is not a whole number from 0 to 5"),
        (Parameter("a", choices=("a", "b")), "c", "parameter x: 'c' is not one of a, b"),
        (Parameter(True), 1, "parameter x: 1 is not true or false"),
        (Option(True, "", (True, False)), 0, "option x: 0 is not one of on, off"),
        (Option(5, "size", low=3, high=9), "2", "option x: '2' is not a whole number from 3 to 9"),
        (Key(0, "", 1, 9, whole=True), "5", 'x: "5" is not a whole number from 1 to 9'),
        (Key(0, "", 1, 9, whole=True), True, "x: true is not a whole number from 1 to 9"),
        (Key(0, "", 1, 9, whole=True), 5.0, "x: 5.0 is not a whole number from 1 to 9"),
        (Key(0.0, "", 1, 9, unit="MB"), 0.5, "x: 0.5 is not a number of MB from 1 to 9"),
        (Key(True), "true", 'x: "true" is not true or false'),
        (Key("", allows=bool), "", 'x: "" is not a text'),
        (COLOURS, [], "x: [] is not a list of colours"),
        (COLOURS, "red", 'x: "red" is not a list of colours'),
        (COLOURS, ["red", 5], 'x: ["red", 5] is not a list of colours'),
    ],
)
def test_what_cannot(declaration, given, message):
    assert not declaration.takes(given)
    with pytest.raises(QpolisError) as error:
        declaration.value("x", given)
    assert str(error.value) == message


def test_all_of_them_together():
    takes = declared({"n": 3, "loud": False, "name": Parameter("a", choices=("a", "b"))})
    assert checked("parameter of it", takes, {"n": "4"}) == {"n": 4, "loud": False, "name": "a"}
    with pytest.raises(QpolisError, match="unknown parameter of it 'nmae', did you mean 'name'"):
        checked("parameter of it", takes, {"nmae": "b"})


def test_a_bot_starts_without_what_is_heavy():
    code = "import sys, qpolis.bot; print([name for name in ('numpy', 'numba', 'click') if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "[]\n"


RETIRED = {"lamps": Retired(True, "nobody plays in the dark"), "seats": Retired(2, "there are two chairs")}


def test_what_was_taken_out_may_be_named_with_the_value_that_is_left():
    assert in_use("option of chess", RETIRED, {"clock": 5, "lamps": "on", "seats": 2}) == {"clock": 5}
    assert in_use("option of chess", RETIRED, {"clock": 5}) == {"clock": 5}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"lamps": "off"}, "option of chess 'lamps' was taken out, it is always on: nobody plays in the dark"),
        ({"lamps": 1}, "option of chess 'lamps' was taken out, it is always on: nobody plays in the dark"),
        ({"seats": True}, "option of chess 'seats' was taken out, it is always 2: there are two chairs"),
    ],
)
def test_what_was_taken_out_says_why(given, message):
    with pytest.raises(QpolisError) as error:
        in_use("option of chess", RETIRED, given)
    assert str(error.value) == message
