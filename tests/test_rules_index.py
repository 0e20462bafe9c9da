"""The RULES.md of every game: its decisions are numbered, and the tests they name exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = sorted((ROOT / "qpolis/games").glob("*/RULES.md"))
DECISION = re.compile(r"^(\d+)\. (.*(?:\n(?!\d+\. |#|\n).*)*)", re.MULTILINE)


def decisions(page):
    return {int(number): text for number, text in DECISION.findall(page.read_text())}


def functions(path):
    """The names of the test functions in a file."""
    return {
        node.name
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }


def homes(page):
    """The files that a page says its tests are in."""
    said = re.search(r"Tests named without a file are in ([^.]*(?:\.py[^.]*)*)", page.read_text())
    return [ROOT / "tests" / name for name in re.findall(r"`(?:tests/)?(test_\w+\.py)`", said[1])]


def test_every_game_that_ships_has_a_page():
    assert [page.parent.name for page in PAGES] == ["arkadia", "quadrilatere", "quadropolis"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.parent.name)
class TestPage:
    def test_decisions_have_a_number_each(self, page):
        numbers = [int(number) for number, _ in DECISION.findall(page.read_text())]
        assert sorted(numbers) == list(range(1, len(numbers) + 1))

    def test_every_decision_names_a_test(self, page):
        without = [number for number, text in decisions(page).items() if not re.search(r"`(tests/)?test_", text)]
        assert not without

    def test_the_tests_exist(self, page):
        text = page.read_text()
        files = homes(page)
        assert files
        known = set().union(*map(functions, files))
        missing = [name for name in re.findall(r"`(test_\w+)`", text) if name not in known]
        missing += [path for path in re.findall(r"`(tests/\w+\.py)`", text) if not (ROOT / path).is_file()]
        assert not missing

    def test_tests_with_a_number_are_named_by_that_decision(self, page):
        texts = decisions(page)
        for name in set().union(*map(functions, homes(page))):
            if number := re.match(r"test_(\d+)_", name):
                assert f"`{name}`" in texts[int(number[1])]
