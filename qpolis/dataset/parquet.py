"""Decisions as a Parquet file, with what it is about in its metadata."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.dataset.columns import COLUMNS, Lists, Table, Words
from qpolis.dataset.file_facts import KEY
from qpolis.files import whole_file
from qpolis.tourney.games_parquet import COMPRESSION, pyarrow


def write_parquet(path: Path, facts: Mapping[str, Any], tables: Iterable[Table], observation_size: int) -> None:
    """Write tables as they come, each a row group."""
    arrow = pyarrow()
    from pyarrow import parquet

    schema = schema_of(facts["columns"], observation_size).with_metadata({KEY: json.dumps(facts)})
    with (
        whole_file(path) as file,
        parquet.ParquetWriter(file, schema, compression=COMPRESSION) as writer,
    ):
        for table in tables:
            columns = [_array(arrow, column, field.type) for column, field in zip(table.values(), schema)]
            writer.write_table(arrow.Table.from_arrays(columns, schema=schema))


def schema_of(columns: Iterable[str], observation_size: int) -> Any:
    """The types of these columns, each with what it says."""
    arrow = pyarrow()
    types = {"list<int32>": arrow.list_(arrow.int32()), "list<float32>": arrow.list_(arrow.float32())}
    fields = []
    for name in columns:
        kind = COLUMNS[name].type
        type_ = types[kind] if kind in types else getattr(arrow, kind)()
        if name == "observation":
            type_ = arrow.list_(arrow.float32(), observation_size)
        fields.append(arrow.field(name, type_, metadata={"help": COLUMNS[name].help}))
    return arrow.schema(fields)


def _array(arrow: Any, column: np.ndarray | Words | Lists, type_: Any) -> Any:
    """A column as Arrow has it."""
    if isinstance(column, Words):
        return arrow.DictionaryArray.from_arrays(column.codes.astype(np.int32), list(column.words)).cast(type_)
    if isinstance(column, Lists):
        starts = arrow.array(column.starts.astype(np.int32))
        missing = None if column.known is None else arrow.array(~column.known)
        return arrow.ListArray.from_arrays(starts, arrow.array(column.items), mask=missing).cast(type_)
    if column.ndim == 2:
        return arrow.FixedSizeListArray.from_arrays(arrow.array(column.reshape(-1)), column.shape[1]).cast(type_)
    return arrow.array(column, type_)
