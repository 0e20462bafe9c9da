"""Quadropolis states as JSON and back, in the terms of the rulebook. Keys and spellings are a contract."""

from __future__ import annotations

import functools
import hashlib
import json
import struct
from typing import Any

import numpy as np

from qpolis.games.quadropolis.layout import (
    DIGITS,
    FLOORS,
    NONE,
    NUMBERS,
    POSITIONS,
    SIDE,
    SIDES,
    SITE,
    STATE,
    TURNS,
    TYPES,
)
from qpolis.games.quadropolis.tiles import EXPERT_ONLY, HOLDS, PARK_ENERGY, Tile

Plain = dict[str, Any]
MOST = 1000  # inhabitants or energy of a seat, far beyond what a mix can give


def position_text(position: int) -> str:
    """The name of an architect's position, such as N2."""
    side, index = divmod(position, SIDE)
    return f"{SIDES[side]}{index + 1}"


POSITION_NAMES = [position_text(position) for position in range(POSITIONS)]


def plain_tile(tile: Tile, with_holds: bool) -> Plain:
    """A tile; `with_holds`: see `writes_holds`."""
    plain = {
        "type": tile.type,
        "inhabitants": tile.inhabitants,
        "energy": tile.energy,
        "vp": tile.vp,
        "mayor": tile.mayor,
    }
    return {**plain, "holds": tile.holds} if with_holds and tile.type == "park" else plain


def writes_holds(rules: np.record, tiles: list[Tile]) -> bool:
    """Whether parks are written with what they hold: they are if any in play holds other than the rules say."""
    return not all(tiles[kind].usual for kind in set(rules.tiles.flat) if kind != NONE)


def fill_city(
    built: np.ndarray,
    tall: np.ndarray,
    vp: np.ndarray,
    holds: np.ndarray,
    city: list[Plain | None],
    floors: int = FLOORS,
) -> None:
    """The inverse of `Writer.city`, on arrays of zeros."""
    for square, building in enumerate(city):
        if building is not None:
            highest = floors if building["type"] in ("tower", "office") else 1
            if not 1 <= building["floors"] <= highest or not 0 <= building["vp"] <= 100:
                raise ValueError(f"no building is like {building}")
            built[TYPES.index(building["type"])] |= 1 << square
            for floor in range(building["floors"]):
                tall[floor] |= 1 << square
            vp[square] = building["vp"]
            held = holds_of(building)
            if not 0 <= held <= HOLDS:
                raise ValueError(f"no building is like {building}")
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


def fill(rules: np.record, tiles: list[Tile], state: np.record, data: Plain) -> None:
    """The inverse of `Writer.text`, on a record of zeros. What does not fit raises, or describes differently."""
    players = int(rules.players)
    kinds = {tile: kind for kind, tile in enumerate(tiles)}

    def kind_of(tile: Plain | None) -> int:
        if tile is None:
            return NONE
        found = Tile(**{**tile, "holds": holds_of(tile)})
        if found not in kinds:
            raise ValueError(f"the mix has no tile {tile}")
        return kinds[found]

    _check_ranges(rules, data)
    over = data["player"] is None
    line, column = data["urbanist"] or (1, 1)
    state.round_no = data["round"] - 1
    state.player = NONE if over else data["player"]
    state.first = data["first"]
    state.mayor = data["mayor"]
    played = players if over else (data["player"] - data["first"]) % players
    state.plays = (data["turn"] - 1) * players + played
    state.site[:] = [kind_of(tile) for tile in data["site"]]
    state.posts = sum(1 << POSITION_NAMES.index(name) for name in data["architects"])
    state.urbanist = NONE if data["urbanist"] is None else (line - 1) * SIDE + column - 1
    for row, numbers in enumerate([data["pool"]] if rules.expert else data["pool"]):
        for number in numbers:
            state.pool[row, range(1, NUMBERS + 1).index(number)] += 1
    held = data["held"]
    if held is not None and held["architect"] not in range(1, int(rules.numbers) + 1):
        raise ValueError("held has an architect that does not exist")
    state.held = NONE if held is None else kind_of(held["tile"])
    state.architect = NONE if held is None else held["architect"] - 1
    _check_architects(rules, state)
    _check_parks(tiles, data)
    for seat, city in enumerate(data["cities"]):
        fill_city(state.built[seat], state.tall[seat], state.vp[seat], state.holds[seat], city, int(rules.floors))
    state.inhabitants[:players] = data["inhabitants"]
    state.energy[:players] = data["energy"]


def _check_ranges(rules: np.record, data: Plain) -> None:
    """Numbers that would point outside the record, and buildings of the other mode."""
    players = int(rules.players)
    if (data["mode"], data["players"]) != ("expert" if rules.expert else "classic", players):
        raise ValueError(f"mode {data['mode']!r} with {data['players']!r} players is another game")
    line, column = data["urbanist"] or (1, 1)
    limits = [
        ("round", data["round"] - 1, rules.rounds),
        ("turn", data["turn"] - 1, TURNS),
        ("player", data["player"] or 0, players),
        ("first", data["first"], players),
        ("mayor", data["mayor"], players),
        ("site", len(data["site"]) - SITE, 1),
        ("cities", len(data["cities"]) - players, 1),
        ("urbanist", line - 1, SIDE),
        ("urbanist", column - 1, SIDE),
    ]
    limits += [(key, amount, MOST) for key in ("inhabitants", "energy") for amount in data[key]]
    for key, value, most in limits:
        if not 0 <= value < most:
            raise ValueError(f"{key} is out of range")
    types = {square["type"] for city in data["cities"] for square in city if square}
    if not rules.expert and types & set(EXPERT_ONLY):
        raise ValueError("cities has an expert building in a classic city")


def _check_parks(tiles: list[Tile], data: Plain) -> None:
    """A park holds what a tile of the mix does."""
    known = {tile.holds for tile in tiles if tile.type == "park"}
    for city in data["cities"]:
        for building in city:
            if building and building["type"] == "park" and holds_of(building) not in known:
                raise ValueError(f"cities has a park that holds {holds_of(building)}, and the mix has none")


def _check_architects(rules: np.record, state: np.record) -> None:
    """What stands around the site and what is left must be what the turns of the round leave."""
    if state.player == NONE:
        if state.posts or state.pool.any():
            raise ValueError("pool or architects are left after the end")
        return
    played = int(state.plays) + int(state.held != NONE)
    if int(state.posts).bit_count() != played:
        raise ValueError(f"architects are not the {played} that were played")
    if (state.pool[:, rules.numbers :]).any() or state.pool.max() > (rules.players if rules.expert else 1):
        raise ValueError("pool has architects that do not exist")
    if rules.expert:
        left = [rules.numbers * rules.players - played]
    else:
        order = [(seat - state.first) % rules.players for seat in range(rules.players)]
        left = [rules.numbers - (played + rules.players - 1 - place) // rules.players for place in order]
    if state.pool.sum(axis=1)[: len(left)].tolist() != left:
        raise ValueError(f"pool does not have {left} architects")
