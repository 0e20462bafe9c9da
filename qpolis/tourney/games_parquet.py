"""The table of games as a Parquet file: the columns of `games.csv`, smaller and quicker to read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.engine.results import ENDS, Results
from qpolis.errors import QpolisError
from qpolis.files import whole_file
from qpolis.tourney.records import AT_A_TIME, COLUMNS

COMPRESSION = "zstd"
TYPES = ("int64", "int64", "int8", "string", "int32", "int8", "int32", "string")  # of COLUMNS


def pyarrow() -> Any:
    """The library, which is an extra of qpolis."""
    try:
        import pyarrow
    except ImportError:
        raise QpolisError("Parquet files need pyarrow: pip install 'qpolis[parquet]'") from None
    return pyarrow


def schema() -> Any:
    arrow = pyarrow()
    return arrow.schema([(name, getattr(arrow, kind)()) for name, kind in zip(COLUMNS, TYPES)])


def tables(results: Results) -> Iterator[Any]:
    """The rows of the table, a part at a time: a row for each game and seat, in plan order."""
    arrow, seats = pyarrow(), results.seats
    for first in range(0, results.games, AT_A_TIME):
        rows = slice(first, min(first + AT_A_TIME, results.games))
        numbers = np.arange(rows.start, rows.stop)
        columns = [
            np.repeat(numbers, seats),
            np.repeat(results.deals[rows], seats),
            np.tile(np.arange(seats), len(numbers)),
            _texts(arrow, results.who[rows], results.bots),
            results.points[rows].reshape(-1),
            results.ranks[rows].reshape(-1),
            results.decisions[rows].reshape(-1),
            _texts(arrow, results.ends[rows], ENDS),
        ]
        arrays = [
            arrow.array(column, field.type) if isinstance(column, np.ndarray) else column
            for column, field in zip(columns, schema())
        ]
        yield arrow.Table.from_arrays(arrays, schema=schema())


def _texts(arrow: Any, codes: np.ndarray, words: tuple[str, ...]) -> Any:
    return arrow.DictionaryArray.from_arrays(codes.reshape(-1).astype(np.int32), list(words)).cast(arrow.string())


def write_games(path: Path, results: Results) -> Path:
    """Write the table; the same bytes for the same games, of one version of pyarrow."""
    pyarrow()
    from pyarrow import parquet

    with whole_file(path) as file, parquet.ParquetWriter(file, schema(), compression=COMPRESSION) as writer:
        for table in tables(results):
            writer.write_table(table)
    return path


def differences(path: Path, results: Results) -> Iterator[str]:
    """What is different in such a file from the recorded results, in words; the first of each part of it."""
    arrow = pyarrow()
    from pyarrow import parquet

    try:
        with parquet.ParquetFile(path) as file:
            if file.schema_arrow.remove_metadata() != schema():
                yield f"its columns are not {', '.join(COLUMNS)}"
                return
            rows, wanted = file.metadata.num_rows, results.games * results.seats
            if rows != wanted:
                yield f"it has {rows:,} rows, not {wanted:,}"
                return
            found = file.read()
        for part in tables(results):
            first = int(part["game"][0].as_py()) * results.seats
            yield from _different_row(part, found.slice(first, part.num_rows))
    except (arrow.ArrowException, OSError, ValueError) as error:
        yield f"cannot be read: {str(error).splitlines()[0] if str(error) else type(error).__name__}"


def _different_row(right: Any, wrong: Any) -> Iterator[str]:
    """The first row of a part that is different, and in what."""
    if right.equals(wrong):
        return
    for name in COLUMNS:
        ours, theirs = right[name].to_pylist(), wrong[name].to_pylist()
        for row, (one, other) in enumerate(zip(ours, theirs)):
            if one != other:
                game, seat = right["game"][row].as_py(), right["seat"][row].as_py()
                yield f"game {game}, seat {seat}: {name} is {other}, not {one}"
                return
