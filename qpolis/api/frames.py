"""Tables as what their reader works with: frames of pandas or polars where these are installed, or else rows."""

from __future__ import annotations

import csv
import html
import importlib.util
import io
from collections.abc import Mapping, Sequence
from typing import Any

from qpolis.errors import QpolisError

PANDAS, POLARS, ROWS = KINDS = ("pandas", "polars", "rows")
SHOWN = 20  # rows that a notebook shows
# Columns of words, whatever is in them.
WORDS = {"bot", "opponent", "what", "end", "mix", "part", "level", "group", "measure", "unit", "verdict"}

Columns = Mapping[str, Sequence[Any]]


class Rows(list[dict[str, Any]]):
    """A table without pandas or polars: a list of its rows, each a dict, that a notebook shows as a table."""

    def _repr_html_(self) -> str:
        names = list(self[0]) if self else []
        head = "".join(f"<th>{html.escape(name)}</th>" for name in names)
        body = "".join(
            f"<tr>{''.join(f'<td>{html.escape(str(cell))}</td>' for cell in row.values())}</tr>"
            for row in self[:SHOWN]
        )
        more = f"<p>and {len(self) - SHOWN:,} more rows</p>" if len(self) > SHOWN else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def frame(columns: Columns, kind: str | None = None) -> Any:
    """Columns as a table of a kind; without one, of the first that is installed."""
    kind = kind or next((one for one in (PANDAS, POLARS) if importlib.util.find_spec(one)), ROWS)
    if kind == ROWS:
        lists = [column.tolist() if hasattr(column, "tolist") else column for column in columns.values()]
        return Rows(dict(zip(columns, row)) for row in zip(*lists))
    if kind not in KINDS:
        raise QpolisError(f"frame: {kind!r} is not one of {', '.join(KINDS)}")
    try:
        library = importlib.import_module(kind)
    except ImportError:
        raise QpolisError(f"{kind} is not installed: pip install 'qpolis[{kind}]'") from None
    return library.DataFrame(dict(columns))


def columns_of(text: str) -> Columns:
    """The columns of a CSV table that qpolis wrote, as numbers where they are; nan for what is not known."""
    heading, *rows = csv.reader(io.StringIO(text))
    return {
        name: cells if name in WORDS else numbers(cells)
        for name, cells in zip(heading, ([row[place] for row in rows] for place in range(len(heading))))
    }


def numbers(cells: list[str]) -> list[Any]:
    """Cells as whole numbers, or as numbers, if all of them are; or else as they are."""
    for read in (int, lambda cell: float(cell or "nan")):
        try:
            return [read(cell) for cell in cells]
        except ValueError:
            continue
    return cells
