"""Decisions as JSON lines: an object for each, and beside the file what it is about, as `NAME.schema.json`."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.dataset.columns import Lists, Table, Words
from qpolis.files import whole_file, write_file

SPARSE = "an object: `at`, the places of what is not zero, ascending, and `values`, what stands there"


_text = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False).encode


def schema_path(path: Path) -> Path:
    return path.with_name(f"{path.stem}.schema.json")


def write_jsonl(path: Path, facts: Mapping[str, Any], tables: Iterable[Table]) -> None:
    """Write tables as they come. The file that says what is in it is there first."""
    facts = {**facts, "columns": {name: dict(column) for name, column in facts["columns"].items()}}
    if observation := facts["columns"].get("observation"):
        observation["type"] = SPARSE
    with whole_file(path) as file:
        for table in tables:
            file.writelines(lines_of(table))
        write_file(schema_path(path), json.dumps(facts, indent=1).encode() + b"\n")


def lines_of(table: Table) -> Iterator[bytes]:
    columns = [_values(column) for column in table.values()]
    for row in zip(*columns):
        yield _text(dict(zip(table, row))).encode() + b"\n"


def _values(column: np.ndarray | Words | Lists) -> Iterable[Any]:
    """The cells of a column, as JSON has them."""
    if isinstance(column, np.ndarray) and column.ndim == 2:
        return _sparse(column)
    if isinstance(column, np.ndarray) and column.dtype == np.float32:
        return shortest(column)
    if isinstance(column, Lists) and column.items.dtype == np.float32:
        known = Lists(column.starts, np.array(shortest(column.items), object), column.known)
        return known.tolist()
    return column.tolist()


def _sparse(rows: np.ndarray) -> Iterator[dict[str, list[Any]]]:
    """Observations are nearly all zeros: the places and the values of the others."""
    where, at = np.nonzero(rows)
    starts = np.searchsorted(where, np.arange(len(rows) + 1)).tolist()
    places, values = at.tolist(), shortest(rows[where, at])
    for start, end in itertools.pairwise(starts):
        yield {"at": places[start:end], "values": values[start:end]}


def shortest(values: np.ndarray) -> list[float | int]:
    """Numbers of 32 bits that are written with as few digits as say them: 0.1, not 0.10000000149011612; 1, not
    1.0."""
    different, codes = np.unique(values, return_inverse=True)
    numbers: list[float | int] = [float(str(value)) for value in different]
    numbers = [int(number) if number == int(number) else number for number in numbers]
    return [numbers[code] for code in codes.tolist()]
