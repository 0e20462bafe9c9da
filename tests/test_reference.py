"""The reference of the Python face: docs/api.md is what the docstrings say, and their examples are true."""

from __future__ import annotations

import doctest
import importlib.util
import inspect
from pathlib import Path

import pytest

import qpolis

ROOT = Path(__file__).parent.parent
PUBLIC = [name for name in qpolis.__all__ if not name.startswith("_")]

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter


@pytest.fixture(scope="module")
def making():
    """docs/write_api.py, which makes the page."""
    spec = importlib.util.spec_from_file_location("write_api", ROOT / "docs" / "write_api.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def docstrings(making, name):
    """Those of a public name and of what it has, with what each is called."""
    thing = getattr(qpolis, name)
    yield name, inspect.getdoc(thing) or ""
    if inspect.isclass(thing):
        for member, value in making.members(thing):
            yield f"{name}.{member}", inspect.getdoc(value) or ""


def test_the_page_is_what_the_docstrings_say(making):
    assert making.page() == making.PAGE.read_text(encoding="utf-8"), "run `make reference`"


def test_every_public_name_and_argument_is_described(making):
    page = making.page()
    for name in PUBLIC:
        assert f"### qpolis.{name}\n" in page
        assert inspect.getdoc(getattr(qpolis, name))
    for function in (qpolis.tournament, qpolis.balance, qpolis.match, qpolis.bot, qpolis.check):
        described = making.text_of(function)
        for argument in inspect.signature(function).parameters.values():
            said = f"**{argument.name}" if argument.kind is argument.VAR_KEYWORD else argument.name
            assert any(line.startswith(f"- `{said}`: ") for line in described), (function, said)


@pytest.mark.parametrize("name", PUBLIC)
def test_examples_in_docstrings_are_true(making, name, folder):
    game = qpolis.load_game("quadropolis")
    known = {"qpolis": qpolis, "game": game, "state": game.new(seed=1)}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    said = []
    for where, text in docstrings(making, name):
        test = doctest.DocTestParser().get_doctest(text, dict(known), where, None, 0)
        runner.run(test, out=said.append)
    assert said == []
