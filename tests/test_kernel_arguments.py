"""Kernels are called with few arguments: what belongs together travels in a named tuple."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import qpolis
from qpolis.bots.mcts import AT, PARAMETERS, mcts
from qpolis.search.mcts import Settings

MOST = 10
PACKAGE = Path(qpolis.__file__).parent


def kernels(text: str) -> Iterator[ast.FunctionDef]:
    """The functions with the decorator `kernel`."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            names = {part.id for part in node.decorator_list if isinstance(part, ast.Name)}
            if "kernel" in names:
                yield node


def too_many(folder: Path) -> list[str]:
    return [
        f"{path.name}: {kernel.name}"
        for path in sorted(folder.rglob("*.py"))
        for kernel in kernels(path.read_text())
        if len(kernel.args.args) > MOST
    ]


def test_no_kernel_has_too_many_arguments(tmp_path):
    assert sum(len(list(kernels(path.read_text()))) for path in PACKAGE.rglob("*.py")) > 100
    assert too_many(PACKAGE) == []
    arguments = ", ".join(f"a{number}" for number in range(MOST + 1))
    (tmp_path / "bad.py").write_text(f"@kernel\ndef many({arguments}):\n    pass\n")
    assert too_many(tmp_path) == ["bad.py: many"]


def test_settings_of_the_search_are_bound_by_their_names():
    assert set(mcts.parameters) == set(PARAMETERS) == set(Settings._fields)
    given = mcts.params({name: parameter.default for name, parameter in PARAMETERS.items()})
    for name, parameter in PARAMETERS.items():
        assert given[getattr(AT, name)] == parameter.default
    with pytest.raises(TypeError, match="other"):
        Settings(**dict.fromkeys((*PARAMETERS, "other"), 0))
