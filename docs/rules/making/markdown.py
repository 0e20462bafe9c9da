"""Tables as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

MINUS = "\N{MINUS SIGN}"


def table(head: Sequence[Any], rows: Iterable[Sequence[Any]]) -> str:
    """A table. Columns whose cells are all numbers (or empty) stand at the right."""
    lines = [[_cell(cell) for cell in row] for row in rows]
    columns = list(zip(*lines, strict=True)) if lines else [()] * len(head)
    aligned = ["---:" if all(_is_number(cell) for cell in column) else "---" for column in columns]
    return "\n".join("| " + " | ".join(line) + " |" for line in ([_cell(cell) for cell in head], aligned, *lines))


def _cell(content: Any) -> str:
    if isinstance(content, int) and content < 0:
        return f"{MINUS}{-content}"
    return str(content).replace("|", r"\|")


def _is_number(cell: str) -> bool:
    return not cell or cell.lstrip(MINUS).isdigit()
