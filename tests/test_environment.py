"""docs/environment.md names every variable of the environment that the tree has, and no other."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/environment.md"
NAME = re.compile(r"(QPOLIS|RAY|NUMBA)_[A-Z_]*[A-Z]")
TABLE = re.compile(r"^\| (`.*?) \|", re.MULTILINE)
FOREIGN = {"PYTHONPATH"}  # variables of others by other names


def in_sources():
    """The variables that are texts of Python files, or words of make and shell."""
    found = set()
    for folder in ("qpolis", "tests", "benchmarks"):
        for path in (ROOT / folder).rglob("*.py"):
            texts = [
                node.value for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.Constant)
            ]
            found |= {text for text in texts if isinstance(text, str) and NAME.fullmatch(text)}
            keywords = (
                node.arg for node in ast.walk(ast.parse(path.read_bytes())) if isinstance(node, ast.keyword)
            )
            found |= {word for word in keywords if word and NAME.fullmatch(word)}
    for path in (ROOT / "Makefile", ROOT / ".ci/run"):
        found |= {match[0] for match in NAME.finditer(path.read_text())}
    return found


def test_the_page_names_every_variable():
    words = " ".join(TABLE.findall(PAGE.read_text(encoding="utf-8")))
    named = {name.partition("=")[0] for name in re.findall(r"`([A-Z_=a-z0-9]+)`", words)}
    found = in_sources()
    assert len(found) > 12
    assert named - FOREIGN == found


def test_variables_are_read_by_their_names():
    """Or the comparison above would miss them: what is read has a text for its name, or a constant."""
    for path in (ROOT / "qpolis").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"(?:os\.environ\.get|os\.environ\.pop|getenv)\(([^,)]*)", text):
            assert re.fullmatch(r'"[A-Z_]+"|[A-Z_]+', name), f"{path}: {name}"
