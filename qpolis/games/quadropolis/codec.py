"""Quadropolis states as JSON and back, in the terms of the rulebook. Keys and spellings are a contract."""

from __future__ import annotations

import functools
import hashlib
import json
import operator
import struct
from reprlib import repr
from typing import Any

import numpy as np

from qpolis.games.quadropolis.codec_form import check_form
from qpolis.games.quadropolis.layout import (
    DIGITS,
    NONE,
    POSITIONS,
    SIDE,
    SIDES,
    STATE,
    TURNS,
    TYPES,
)
from qpolis.games.quadropolis.tiles import PARK_ENERGY, Tile

Plain = dict[str, Any]
Kinds = dict[tuple[Any, ...], int]


def position_text(position: int) -> str:
    """The name of an architect's position, such as N2."""
    side, index = divmod(position, SIDE)
    return f"{SIDES[side]}{index + 1}"


POSITION_NAMES = [position_text(position) for position in range(POSITIONS)]


PRINTED = ("type", "inhabitants", "energy", "vp", "mayor")  # on a tile


def plain_tile(tile: Tile, with_holds: bool) -> Plain:
    """A tile; `with_holds`: see `writes_holds`."""
    plain = {name: getattr(tile, name) for name in PRINTED}
    return {**plain, "holds": tile.holds} if with_holds and tile.type == "park" else plain


def writes_holds(rules: np.record, tiles: list[Tile]) -> bool:
    """Whether parks are written with what they hold: they are if any in play holds other than the rules say."""
    return not all(tiles[kind].usual for kind in set(rules.tiles.flat) if kind != NONE)


def fill_city(
    built: np.ndarray, tall: np.ndarray, vp: np.ndarray, holds: np.ndarray, city: list[Plain | None]
) -> None:
    """The inverse of `Writer.city`, on arrays of zeros, for a city that was checked."""
    for square, building in enumerate(city):
        if building is not None:
            built[TYPES.index(building["type"])] |= 1 << square
            for floor in range(building["floors"]):
                tall[floor] |= 1 << square
            vp[square] = building["vp"]
            held = holds_of(building)
            for digit in range(DIGITS):
                holds[digit] |= ((held >> digit) & 1) << square


def holds_of(building: Plain) -> int:
    """What a building of a city holds. A park without the key holds what the rules say."""
    held: int = building.get("holds", PARK_ENERGY) if building["type"] == "park" else 0
    return held


def mix_digest(rules: np.record, tiles: list[Tile]) -> str:
    """A name for the tiles of a game by what they are, whatever file they came from."""
    with_holds = writes_holds(rules, tiles)
    played = [
        [None if kind == NONE else plain_tile(tiles[kind], with_holds) for kind in row]
        for row in rules.tiles.tolist()
    ]
    return hashlib.sha256(json.dumps(played).encode()).hexdigest()[:12]


class Field:
    """Where a field lies in the bytes of a state, row by row, and how to read a row of it."""

    def __init__(self, name: str) -> None:
        fields: Any = STATE.fields
        dtype, self.start = fields[name][:2]
        shape = dtype.shape or (1,)
        self.size = dtype.base.itemsize * shape[-1]
        self.read = struct.Struct(f"={shape[-1]}{dtype.base.char}").unpack

    def row(self, state: bytes, row: int = 0) -> bytes:
        start = self.start + row * self.size
        return state[start : start + self.size]


SCALARS = struct.Struct("=8b").unpack_from  # the first fields of a state: player, round_no, ... urbanist
POOL, SITE_KINDS, POSTS, BUILT, TALL, VP, PARK_HOLDS, INHABITANTS, ENERGY = map(
    Field, ("pool", "site", "posts", "built", "tall", "vp", "holds", "inhabitants", "energy")
)


class Writer:
    """Writes states of one game as JSON. Bots are shown many states, each much like the one before: the parts of a
    text are remembered by the bytes they were made of, which is several times faster than to write all anew."""

    def __init__(self, rules: np.record, tiles: list[Tile]) -> None:
        self.mix = mix_digest(rules, tiles)
        self.expert = bool(rules.expert)
        self.players = int(rules.players)
        self.squares = int(rules.squares)
        self.writes_holds = writes_holds(rules, tiles)
        self.tiles = [
            *(_text(plain_tile(tile, self.writes_holds)) for tile in tiles),
            "null",
        ]  # the last is that of NONE
        remember = functools.lru_cache(4096)
        self.site = remember(self._site)
        self.architects = remember(self._architects)
        self.pool = remember(self._pool)
        self.city = remember(self._city)
        self.amounts = remember(self._amounts)

    def text(self, state: np.record) -> str:
        """The whole state."""
        raw = state.tobytes()
        player, round_no, plays, first, mayor, held, architect, urbanist = SCALARS(raw)
        seats = range(self.players)
        pools = [self.pool(POOL.row(raw, row)) for row in (seats if not self.expert else (0,))]
        cities = [self.city(*[field.row(raw, seat) for field in (BUILT, TALL, VP, PARK_HOLDS)]) for seat in seats]
        parts = {
            "mix": f'"{self.mix}"',
            "mode": '"expert"' if self.expert else '"classic"',
            "players": self.players,
            "round": round_no + 1,
            "turn": min(plays // self.players + 1, TURNS),
            "player": "null" if player == NONE else player,
            "first": first,
            "mayor": mayor,
            "site": self.site(SITE_KINDS.row(raw)),
            "architects": self.architects(POSTS.row(raw)),
            "urbanist": "null" if urbanist == NONE else [i + 1 for i in divmod(urbanist, SIDE)],
            "pool": pools[0] if self.expert else _list(pools),
            "held": "null" if held == NONE else f'{{"tile":{self.tiles[held]},"architect":{architect + 1}}}',
            "cities": _list(cities),
            "inhabitants": self.amounts(INHABITANTS.row(raw)),
            "energy": self.amounts(ENERGY.row(raw)),
        }
        return "{" + ",".join([f'"{key}":{value}' for key, value in parts.items()]) + "}"

    def _site(self, kinds: bytes) -> str:
        return _list([self.tiles[kind] for kind in SITE_KINDS.read(kinds)])

    def _architects(self, posts: bytes) -> str:
        (mask,) = POSTS.read(posts)
        return _list([f'"{name}"' for i, name in enumerate(POSITION_NAMES) if (mask >> i) & 1])

    def _pool(self, row: bytes) -> str:
        """The numbers of the architects left."""
        return _list([str(number) for number, left in enumerate(POOL.read(row), 1) for _ in range(left)])

    def _city(self, built: bytes, tall: bytes, vp: bytes, holds: bytes) -> str:
        """A city as a row-major list of null or {type, floors, vp}, parks with holds if that is written."""
        city = ["null"] * self.squares
        heights, points, digits = TALL.read(tall), VP.read(vp), PARK_HOLDS.read(holds)
        for name, mask in zip(TYPES, BUILT.read(built)):
            for square in range(self.squares):
                if (mask >> square) & 1:
                    floors = sum((height >> square) & 1 for height in heights)
                    held = sum(((squares >> square) & 1) << digit for digit, squares in enumerate(digits))
                    more = f',"holds":{held}' if self.writes_holds and name == "park" else ""
                    city[square] = f'{{"type":"{name}","floors":{floors},"vp":{points[square]}{more}}}'
        return _list(city)

    def _amounts(self, row: bytes) -> str:
        return _list([str(amount) for amount in INHABITANTS.read(row)[: self.players]])


def _list(texts: list[str]) -> str:
    return "[" + ",".join(texts) + "]"


def _text(data: Any) -> str:
    return json.dumps(data, separators=(",", ":"))


def kinds_of(tiles: list[Tile]) -> Kinds:
    """The kind of each tile, by what is printed on it and what it holds."""
    return {(*(getattr(tile, name) for name in PRINTED), tile.holds): kind for kind, tile in enumerate(tiles)}


def fill(rules: np.record, kinds: Kinds, state: np.record, data: Plain) -> None:
    """The inverse of `Writer.text`, on a record of zeros. What does not fit raises, or describes differently."""
    check_form(rules, data)
    players = int(rules.players)
    over = data["player"] is None
    state.round_no = data["round"] - 1
    state.player = NONE if over else data["player"]
    state.first = data["first"]
    state.mayor = data["mayor"]
    played = players if over else (data["player"] - data["first"]) % players
    state.plays = (data["turn"] - 1) * players + played
    state.site[:] = [NONE if tile is None else _kind("site", kinds, tile) for tile in data["site"]]
    state.posts = functools.reduce(operator.or_, map(_post, data["architects"]), 0)
    line, column = data["urbanist"] or (0, 0)
    state.urbanist = NONE if data["urbanist"] is None else (line - 1) * SIDE + column - 1
    pool = state.pool
    for row, numbers in enumerate([data["pool"]] if rules.expert else data["pool"]):
        for number in numbers:
            pool[row, number - 1] += 1
    held = data["held"]
    state.held = NONE if held is None else _kind("held", kinds, held.get("tile"))
    state.architect = NONE if held is None else held["architect"] - 1
    for city, built, tall, vp, holds in zip(data["cities"], state.built, state.tall, state.vp, state.holds):
        fill_city(built, tall, vp, holds, city)
    state.inhabitants[:players] = data["inhabitants"]
    state.energy[:players] = data["energy"]


def _kind(key: str, kinds: Kinds, tile: Any) -> int:
    try:
        return kinds[(*(tile[name] for name in PRINTED), holds_of(tile))]
    except (KeyError, TypeError, IndexError):
        raise ValueError(f"{key}: the mix has no tile {repr(tile)}") from None


def _post(name: Any) -> int:
    if name not in POSITION_NAMES:
        raise ValueError(f"architects: {repr(name)} is not one of N1 to W5")
    return 1 << POSITION_NAMES.index(name)
