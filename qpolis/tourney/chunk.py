"""A piece of a run: some whole blocks as they were played, and as bytes that travel and are kept."""

from __future__ import annotations

import itertools
import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from qpolis.clock import BINS
from qpolis.engine.batch import ENDS
from qpolis.errors import QpolisError, one_line
from qpolis.game import Game
from qpolis.kernel import kernel
from qpolis.rng import mix64

# The arrays of a piece as they are kept, little end first.
KEPT = {"games": "<i8", "points": "<i4", "ranks": "<i1", "decisions": "<i4", "ends": "<i1", "lengths": "<i4",
        "hashes": "<u8", "actions": "<i4", "times": "<i8"}
ROWS = ("games", "points", "ranks", "decisions", "ends", "lengths", "hashes")  # those with a row a game
SIZE = struct.Struct("<I")
UNREADABLE = "its journal is damaged: a record of it is not what a tournament writes"
FASTEST = 1  # of zlib's levels: the others take longer than the games


@dataclass(frozen=True)
class Piece:
    """Some games: a row each, a column a seat. They stand in the order they were played in."""

    games: np.ndarray  # their numbers in the plan
    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray
    ends: np.ndarray
    lengths: np.ndarray  # in actions
    hashes: np.ndarray  # of what was done and what came out
    actions: np.ndarray  # one game after the other; empty if they are not kept
    times: np.ndarray  # by bot: how many decisions took how long, of the games that were timed
    reasons: tuple[tuple[int, int, str], ...]  # of forfeits: number of the game, seat, one line
    seconds: float  # that it took

    @classmethod
    def empty(cls, bots: int, seats: int) -> Piece:
        """No games at all."""
        table, column = np.zeros((0, seats), np.int64), np.zeros(0, np.int64)
        return cls(column, table, table, table, table, column, column.astype(np.uint64), column,
                   np.zeros((bots, BINS), np.int64), (), 0.0)

    def without_moves(self) -> Piece:
        return replace(self, actions=self.actions[:0])

    def only(self, chosen: np.ndarray) -> Piece:
        """Some of the games: those where `chosen` is true."""
        actions = self.actions[np.repeat(chosen, self.lengths)] if len(self.actions) else self.actions
        return replace(self, actions=actions, **{name: getattr(self, name)[chosen] for name in ROWS})

    def sorted(self) -> Piece:
        """The games in plan order, without their actions."""
        order = np.argsort(self.games)
        return replace(self.without_moves(), **{name: getattr(self, name)[order] for name in ROWS})

    def moves(self, row: int) -> np.ndarray:
        """The actions of the game in a row."""
        start = int(self.lengths[:row].sum())
        return self.actions[start : start + int(self.lengths[row])]

    def encode(self) -> bytes:
        """The piece as bytes: how long the first part is; what is where as JSON, and the arrays; the actions,
        which are most of it and not needed often. Both parts are compressed."""
        arrays = {name: np.ascontiguousarray(getattr(self, name), form) for name, form in KEPT.items()}
        actions = arrays.pop("actions")
        head = {"shapes": {name: array.shape for name, array in arrays.items()}, "reasons": self.reasons,
                "seconds": self.seconds}
        text = json.dumps(head).encode()
        body = b"".join([SIZE.pack(len(text)), text, *(array.tobytes() for array in arrays.values())])
        first = zlib.compress(body, FASTEST)
        return SIZE.pack(len(first)) + first + zlib.compress(actions.tobytes(), FASTEST)

    @classmethod
    def decode(cls, content: bytes, moves: bool = True) -> Piece:
        """The inverse of `encode`, with or without the actions."""
        try:
            return cls._decode(content, moves)
        except (ValueError, LookupError, TypeError, struct.error, zlib.error, RecursionError, MemoryError):
            raise QpolisError(UNREADABLE) from None

    @classmethod
    def _decode(cls, content: bytes, moves: bool) -> Piece:
        (middle,) = SIZE.unpack_from(content)
        middle += SIZE.size
        body = zlib.decompress(content[SIZE.size : middle])
        (size,) = SIZE.unpack_from(body)
        start = SIZE.size + size
        head: dict[str, Any] = json.loads(body[SIZE.size : start])
        arrays = {}
        for name, shape in head["shapes"].items():
            arrays[name] = np.frombuffer(body, KEPT[name], int(np.prod(shape)), start).reshape(shape)
            start += arrays[name].nbytes
        actions = zlib.decompress(content[middle:]) if moves else b""
        return cls(**arrays, actions=np.frombuffer(actions, KEPT["actions"]), seconds=head["seconds"],
                   reasons=tuple((int(game), int(seat), one_line(text)) for game, seat, text in head["reasons"]))

    def check(self, games: int, bots: int, seats: int) -> None:
        """An error if this cannot be a piece of such a run: a journal may be anybody's."""
        rows = len(self.games)
        tables = ("points", "ranks", "decisions", "ends")
        whole = (all(getattr(self, name).shape == (rows, seats) for name in tables)
                 and all(getattr(self, name).shape == (rows,) for name in ("games", "lengths", "hashes"))
                 and self.times.shape == (bots, BINS) and isinstance(self.seconds, int | float)
                 and len(self.actions) in (0, self.lengths.sum()))
        bounds = ((self.games, games), (self.ranks, seats), (self.ends, len(ENDS)), (self.lengths, np.inf),
                  (self.decisions, np.inf), (self.times, np.inf))
        if not whole or any(((part < 0) | (part >= bound)).any() for part, bound in bounds) or any(
                game not in self.games or seat not in range(seats) for game, seat, _ in self.reasons):
            raise QpolisError(UNREADABLE)


def join(pieces: Sequence[Piece]) -> Piece:
    """Several pieces of one run as one."""
    columns = {item.name: [getattr(piece, item.name) for piece in pieces] for item in fields(Piece)}
    whole: dict[str, Any] = {"times": np.sum(columns.pop("times"), axis=0), "seconds": sum(columns.pop("seconds")),
                             "reasons": tuple(itertools.chain.from_iterable(columns.pop("reasons")))}
    return Piece(**whole | {name: np.concatenate(arrays) for name, arrays in columns.items()})


def hashed(game: Game, deals: np.ndarray, lengths: np.ndarray, actions: np.ndarray, points: np.ndarray,
           ranks: np.ndarray) -> np.ndarray:
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
