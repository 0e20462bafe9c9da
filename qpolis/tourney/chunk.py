"""A chunk of a run: the results of some whole blocks, in the order they were played in, as bytes that travel and
are kept."""

from __future__ import annotations

import json
import struct
import zlib
from typing import Any

import numpy as np

from qpolis.clock import BINS
from qpolis.engine.results import ENDS, Results
from qpolis.errors import QpolisError, one_line
from qpolis.game import Game
from qpolis.kernel import kernel
from qpolis.rng import mix64
from qpolis.tourney.traces import clean

# The columns of a chunk as they are kept, little end first, by the names they have in a journal.
KEPT = {
    "games": "<i8",
    "points": "<i4",
    "ranks": "<i1",
    "decisions": "<i4",
    "ends": "<i1",
    "lengths": "<i4",
    "hashes": "<u8",
    "actions": "<i4",
    "times": "<i8",
}
NAMES = {"games": "numbers"}  # of columns that are called otherwise in a journal
ACTION_BYTES = 4
SIZE = struct.Struct("<I")
NONSENSE = (  # what bytes of anybody's can lead to
    *(ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError, MemoryError),
    *(struct.error, zlib.error),
)
UNREADABLE = "its journal is damaged: a record of it is not what a tournament writes"
FASTEST = 1  # of zlib's levels: the others take longer than the games
MARK, MARK_AT = b"\x78\x01", SIZE.size  # what zlib writes first at that level: all chunks have it at this place
MOST_BYTES = 1 << 28  # of a part of a chunk when it is inflated: some ten times what a task of some seconds fills


def encode(chunk: Results) -> bytes:
    """A chunk as bytes: how long the first part is; what is where as JSON, and the columns; the actions, which are
    most of it and not needed often. Both parts are compressed."""
    arrays = {
        name: np.ascontiguousarray(getattr(chunk, NAMES.get(name, name)), form) for name, form in KEPT.items()
    }
    actions = arrays.pop("actions")
    head = {
        "shapes": {name: array.shape for name, array in arrays.items()},
        "reasons": [(number, seat, reason) for (number, seat), reason in chunk.reasons.items()],
        "traces": [(number, seat, trace) for (number, seat), trace in chunk.traces.items()],
        "seconds": chunk.seconds,
    }
    text = json.dumps(head).encode()
    body = b"".join([SIZE.pack(len(text)), text, *(array.tobytes() for array in arrays.values())])
    if max(len(body), actions.nbytes) > MOST_BYTES:
        raise QpolisError(f"{chunk.games:,} games at a time are more than a record of the journal can hold")
    first = zlib.compress(body, FASTEST)
    return SIZE.pack(len(first)) + first + zlib.compress(actions.tobytes(), FASTEST)


def decode(content: bytes, moves: bool = True) -> Results:
    """The inverse of `encode`, with or without the actions."""
    try:
        return _decode(content, moves)
    except NONSENSE:
        raise QpolisError(UNREADABLE) from None


def _decode(content: bytes, moves: bool) -> Results:
    (middle,) = SIZE.unpack_from(content)
    middle += SIZE.size
    body = inflate(content[SIZE.size : middle], MOST_BYTES)
    (size,) = SIZE.unpack_from(body)
    start = SIZE.size + size
    head: dict[str, Any] = json.loads(body[SIZE.size : start])
    arrays: dict[str, Any] = {}
    for name, shape in head["shapes"].items():
        array = np.frombuffer(body, KEPT[name], int(np.prod(shape)), start)
        arrays[NAMES.get(name, name)] = array.reshape(shape)
        start += array.nbytes
    if len(arrays) != len(KEPT) - 1:  # all but the actions
        raise ValueError("columns are missing")
    actions = inflate(content[middle:], int(arrays["lengths"].sum()) * ACTION_BYTES) if moves else b""
    return Results(
        **arrays,
        actions=np.frombuffer(actions, KEPT["actions"]),
        seconds=head["seconds"],
        reasons={(int(number), int(seat)): one_line(text) for number, seat, text in head["reasons"]},
        traces={(int(number), int(seat)): clean(text) for number, seat, text in head.get("traces", ())},
    )


def inflate(content: bytes, most: int) -> bytes:
    """What was compressed, if it is no more than so many bytes: more is not even looked at."""
    if not 0 <= most <= MOST_BYTES:
        raise ValueError("too large")
    stream = zlib.decompressobj()
    inflated = stream.decompress(content, most + 1)
    if len(inflated) > most or not stream.eof:
        raise ValueError("too large, or not whole")
    return inflated


def check_possible(chunk: Results, games: int, bots: int, seats: int) -> None:
    """An error if this cannot be a chunk of a run of so many games: a journal may be anybody's."""
    rows = chunk.numbers.size
    tables = (chunk.points, chunk.ranks, chunk.decisions, chunk.ends)
    whole = (
        all(table.shape == (rows, seats) for table in tables)
        and all(column.shape == (rows,) for column in (chunk.numbers, chunk.lengths, chunk.hashes))
        and chunk.times.shape == (bots, BINS)
        and isinstance(chunk.seconds, int | float)
        and len(chunk.actions) in (0, chunk.lengths.sum())
    )
    bounds = (
        (chunk.numbers, games),
        (chunk.ranks, seats),
        (chunk.ends, len(ENDS)),
        (chunk.lengths, np.inf),
        (chunk.decisions, np.inf),
        (chunk.times, np.inf),
    )
    if (
        not whole
        or any(((part < 0) | (part >= bound)).any() for part, bound in bounds)
        or any(number not in chunk.numbers or seat not in range(seats) for number, seat in chunk.reasons)
        or any(key not in chunk.reasons for key in chunk.traces)
    ):
        raise QpolisError(UNREADABLE)


def game_hashes(
    game: Game, deals: np.ndarray, lengths: np.ndarray, actions: np.ndarray, points: np.ndarray, ranks: np.ndarray
) -> np.ndarray:
    """A number for each game that stands for its start, all that was done, and what came out. In a game without
    chance all deals start alike, so games that repeat each other have the same number."""
    hashes = np.zeros(len(lengths), np.uint64)
    hash_games(deals if game.chance else np.zeros_like(deals), lengths, actions, points, ranks, hashes)
    return hashes


@kernel
def hash_games(starts, lengths, actions, points, ranks, hashes):
    """The numbers of games that begin with these starts."""
    at = 0
    for row in range(lengths.shape[0]):
        value = mix64(np.uint64(starts[row]) + np.uint64(1))
        for _ in range(lengths[row]):
            value = mix64(value ^ np.uint64(actions[at] + 1))
            at += 1
        for seat in range(points.shape[1]):
            value = mix64(value ^ np.uint64(points[row, seat]))
            value = mix64(value ^ np.uint64(ranks[row, seat] + 1))
        hashes[row] = value
