"""Tables, and what else the pages have in common, as Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

MINUS = "\N{MINUS SIGN}"


def table(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """A table. Columns whose cells are all numbers (or empty) stand at the right."""
    lines = [[_cell(cell) for cell in row] for row in rows]
    columns = list(zip(*lines, strict=True)) if lines else [()] * len(head)
    aligned = ["---:" if all(_is_number(cell) for cell in column) else "---" for column in columns]
    return "\n".join("| " + " | ".join(line) + " |" for line in ([_cell(cell) for cell in head], aligned, *lines))


def decisions(game: ModuleType) -> str:
    """The numbers and names of the decisions in the RULES.md of a game."""
    text = (Path(str(game.__file__)).parent / "RULES.md").read_text(encoding="utf-8")
    found = re.findall(r"^(\d+)\. \*\*(.+?)\.?\*\*", text, re.MULTILINE)
    assert [int(number) for number, _ in found] == list(range(1, len(found) + 1))
    return ", ".join(f"**{number}** {name}" for number, name in found)


def _cell(content: Any) -> str:
    if isinstance(content, int) and content < 0:
        return f"{MINUS}{-content}"
    return str(content).replace("|", r"\|")


def _is_number(cell: str) -> bool:
    return not cell or cell.lstrip(MINUS).isdigit()
