"""Whether a game of Quadropolis can lead to a position that somebody describes.

The checks are necessary, not sufficient: no position of a game is refused, and little passes that no game reaches.
A position does not tell which tiles a city was built of, nor who played where; what it tells has to fit together.
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from qpolis.games.quadropolis.layout import (
    CITY,
    NONE,
    NUMBERS,
    OFFICE,
    OPEN,
    PARK,
    POINTED,
    POSITIONS,
    SITE,
    STATE,
    TOWER,
    TURNS,
    TYPES,
)
from qpolis.games.quadropolis.tiles import PARK_ENERGY, Tile

STACKED = (TOWER, OFFICE)
Sort = tuple[
    int, int, int
]  # what a tile is told by, once it is built: type, printed points (NONE in stacks), holds
FIELDS = tuple(STATE.names or ())
SUBSETS = range(1 << NUMBERS)  # sets of architects, as masks
# What a seat received is bounded in these directions of (inhabitants, energy): each alone, sum, difference.
DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1))
LOOKS_AT = [[int(POINTED[number, position]) for number in range(NUMBERS)] for position in range(POSITIONS)]
SEEN_FROM = [
    [position for position in range(POSITIONS) if not int(OPEN[square]) >> position & 1] for square in range(SITE)
]


def refuse(wrong: bool, reason: str) -> None:
    if wrong:
        raise ValueError(reason)


class Built(NamedTuple):
    """What a city tells about the tiles it was built of."""

    tiles: int
    sorts: Counter[Sort]
    stacks: tuple[tuple[int, int, int], ...]  # type, floors and printed points of each
    needs: tuple[int, ...]  # by set of architects: how many tiles only they can have placed


class Laid(NamedTuple):
    """The tiles of some rounds, and what can be had from them."""

    sorts: Counter[Sort]
    most: dict[Sort, list[list[int]]]  # by direction and number of tiles: how far they lead at most
    points: dict[int, list[int]]  # by type that is stacked and number of tiles: their sums of points, as a mask
    mayors: int


class Checker:
    """Checks the positions of one game. What it needs to know about cities and rounds it finds out once."""

    def __init__(self, rules: np.record, tiles: list[Tile]) -> None:
        self.tiles = tiles
        self.expert, self.rounds = bool(rules.expert), int(rules.rounds)
        self.types, self.points = rules.type.tolist(), rules.vp.tolist()
        self.players, self.numbers = int(rules.players), int(rules.numbers)
        self.laid = [Counter(kind for kind in row if kind != NONE) for row in rules.tiles.tolist()]
        eligible = rules.eligible.tolist()
        self.reached = [
            sum((eligible[number] >> square & 1) << number for number in range(self.numbers))
            for square in range(CITY)
        ]
        self.built = functools.lru_cache(4096)(self._built)
        self.of_rounds = functools.cache(self._of_rounds)

    def check(self, record: np.record) -> None:
        """Raise ValueError for what cannot be."""
        state = SimpleNamespace(**dict(zip(FIELDS, record.item(), strict=True)))  # numbers of Python are faster
        over = state.player == NONE
        self._check_architects(state)
        self._check_clock(state, over)
        taken = self.laid[state.round_no] if over else self._taken(state)
        if not over:
            self._check_pointed(state, taken.total() + (state.held != NONE))
        cities = [
            self.built(*(part[seat].tobytes() for part in (state.built, state.tall, state.vp, state.holds)))
            for seat in range(self.players)
        ]
        self._check_tiles(state, cities, taken)
        self._check_received(state, cities)
        self._check_places(state, cities)
        self._check_mayor(state, cities, taken)

    # --- the round ---

    def _check_architects(self, state: SimpleNamespace) -> None:
        """What stands around the site and what is left must be what the turns of the round leave."""
        if state.player == NONE:
            refuse(bool(state.posts) or bool(state.pool.any()), "pool or architects are left after the end")
            return
        played = state.plays + (state.held != NONE)
        refuse(state.posts.bit_count() != played, f"architects are not the {played} that were played")
        most = self.players if self.expert else 1
        refuse(bool(state.pool.max() > most), "pool has architects that do not exist")
        if self.expert:
            left = [self.numbers * self.players - played]
        else:
            order = [(seat - state.first) % self.players for seat in range(self.players)]
            left = [self.numbers - (played + self.players - 1 - place) // self.players for place in order]
        found = state.pool.sum(axis=1)[: len(left)].tolist()
        refuse(found != left, f"pool does not have {' and '.join(map(str, left))} architects")
        refuse(
            state.held != NONE and not self.expert and bool(state.pool[state.player, state.architect]),
            "held has an architect that is still in the pool",
        )

    def _check_clock(self, state: SimpleNamespace, over: bool) -> None:
        refuse(state.round_no == 0 and state.first != 0, "first is not seat 0, which starts the first round")
        started = bool(state.plays) or state.held != NONE
        if over:
            refuse(state.round_no != self.rounds - 1, "player is null, but round is not the last one")
            refuse(bool((state.site != NONE).any()), "site is not empty after the end")
            refuse(state.held != NONE, "held is not null after the end")
        refuse((state.urbanist != NONE) != (started and not over), "urbanist does not fit the architects played")

    def _taken(self, state: SimpleNamespace) -> Counter[int]:
        """The tiles that were taken in this round, without the one that is held."""
        taken = self.laid[state.round_no].copy()
        taken.subtract(kind for kind in state.site.tolist() if kind != NONE)
        key = "site"
        if min(taken.values(), default=0) >= 0 and state.held != NONE:
            key = "held"
            taken[state.held] -= 1
        wrong = next((kind for kind, count in taken.items() if count < 0), None)
        if wrong is not None:
            raise ValueError(f"{key} has a {self.tiles[wrong].name} more than round {state.round_no + 1}")
        return +taken

    def _check_pointed(self, state: SimpleNamespace, taken: int) -> None:
        """Every architect points at a square that is empty now, and the last one at that of the urbanist."""
        posts = [position for position in range(POSITIONS) if state.posts >> position & 1]
        if not posts:
            refuse(taken > 0, "site lacks tiles that nobody took")
            return
        played = self._played(state)
        empty = [kind == NONE for kind in state.site.tolist()]
        numbers = [number for number in range(self.numbers) if played[number]]
        allowed = {
            position: sum(1 << number for number in numbers if empty[LOOKS_AT[position][number]])
            for position in posts
        }
        room = sums_of_sets(played)
        needs = within_sets(allowed.values())
        refuse(any(map(int.__gt__, needs, room)), "architects point at tiles that are still on the site")
        pointed = {LOOKS_AT[position][number] for position in posts for number in numbers}
        refuse(taken > sum(empty[square] for square in pointed), "site lacks tiles that no architect points at")
        last = self._last_numbers(state, played)
        for position in SEEN_FROM[state.urbanist]:
            number = LOOKS_AT[position].index(state.urbanist)
            if number in last and allowed.get(position, 0) >> number & 1:
                others = within_sets(allowed[other] for other in posts if other != position)
                rest = sums_of_sets([count - (n == number) for n, count in enumerate(played)])
                if not any(map(int.__gt__, others, rest)):
                    return
        raise ValueError("urbanist is not where the last architect can have pointed at")

    def _played(self, state: SimpleNamespace) -> list[int]:
        """How many architects of each number were played in this round."""
        left = state.pool.sum(axis=0).tolist()
        return [self.players * (number < self.numbers) - count for number, count in enumerate(left)]

    def _last_numbers(self, state: SimpleNamespace, played: Sequence[int]) -> list[int]:
        """The numbers that the last architect can have."""
        if state.held != NONE:
            return [state.architect]
        if self.expert:
            return [number for number, count in enumerate(played) if count]
        before = (state.player - 1) % self.players
        return [number for number in range(self.numbers) if not state.pool[before, number]]

    # --- the cities ---

    def _turns(self, state: SimpleNamespace, seat: int) -> tuple[int, int]:
        """The turns that a seat has ended, in earlier rounds and in this one."""
        place = (seat - state.first) % self.players
        return TURNS * state.round_no, (state.plays + self.players - 1 - place) // self.players

    def _check_tiles(self, state: SimpleNamespace, cities: Sequence[Built], taken: Counter[int]) -> None:
        """There are as many tiles of each sort as were laid and taken."""
        past = self.of_rounds(state.round_no)
        there = past.sorts.copy()
        for kind, count in taken.items():
            there[self._sort(kind)] += count
        used: Counter[Sort] = Counter()
        for seat, city in enumerate(cities):
            refuse(
                city.tiles > sum(self._turns(state, seat)),
                f"cities: seat {seat} built more tiles than it had turns",
            )
            used.update(city.sorts)
        for sort, count in used.items():
            if count > there[sort]:
                kind, points, holds = sort
                shown = f" with {points} points" if points > 0 else ""
                shown += f" that hold {holds}" if kind == PARK and holds != PARK_ENERGY else ""
                raise ValueError(f"cities: {count} tiles {TYPES[kind]}{shown}, where {there[sort]} were there")
        plays = TURNS * self.players
        most = sum(min(plays, laid.total()) for laid in self.laid[: state.round_no]) + min(plays, taken.total())
        refuse(sum(city.tiles for city in cities) > most, "cities: more tiles than were taken")

    def _check_received(self, state: SimpleNamespace, cities: Sequence[Built]) -> None:
        """Inhabitants, energy and printed points of stacks are what such tiles can have brought."""
        laid = self.of_rounds(state.round_no + 1)
        every: Counter[Sort] = Counter()
        for seat, city in enumerate(cities):
            self._check_brought(
                laid, city.sorts, int(state.inhabitants[seat]), int(state.energy[seat]), f"seat {seat}"
            )
            every.update(city.sorts)
            for kind, floors, points in city.stacks:
                refuse(
                    not laid.points[kind][floors] >> points & 1, f"cities: no {TYPES[kind]} has {points} points"
                )
        self._check_brought(laid, every, int(state.inhabitants.sum()), int(state.energy.sum()), "all together")
        for kind in STACKED:
            points = sum(points for city in cities for type, _, points in city.stacks if type == kind)
            refuse(
                not laid.points[kind][every[kind, NONE, 0]] >> points & 1,
                f"cities: all {TYPES[kind]}s together cannot have {points} points",
            )

    @staticmethod
    def _check_brought(laid: Laid, sorts: Counter[Sort], inhabitants: int, energy: int, whose: str) -> None:
        tables = [(laid.most[sort], count) for sort, count in sorts.items()]
        for index, (first, second) in enumerate(DIRECTIONS):
            if first * inhabitants + second * energy > sum(table[index][count] for table, count in tables):
                key = "energy" if not first else "inhabitants" if not second else "inhabitants and energy"
                had = " and ".join([str(inhabitants)] * bool(first) + [str(energy)] * bool(second))
                raise ValueError(f"{key}: {whose} cannot have {had} of the tiles in cities")

    def _check_places(self, state: SimpleNamespace, cities: Sequence[Built]) -> None:
        """Every tile can have been placed with an architect that its player played."""
        played = self._played(state) if state.player != NONE else [self.players] * NUMBERS
        if state.held != NONE:
            played[state.architect] -= 1
        rounds = state.round_no
        for seat, city in enumerate(cities):
            _, now = self._turns(state, seat)
            if self.expert:
                counts = [rounds * min(TURNS, self.players) + min(now, count) for count in played]
            else:
                mine = state.pool[seat].tolist()
                if state.held != NONE and state.player == seat:
                    mine[state.architect] = 1
                counts = [rounds + 1 - left for left in mine]
            room = sums_of_sets(counts)
            refuse(
                any(map(int.__gt__, city.needs, room)),
                f"cities: seat {seat} had not the architects for its squares",
            )
        if self.expert:
            room = sums_of_sets([rounds * self.players + count for count in played])
            needs = map(sum, zip(*(city.needs for city in cities), strict=True))
            refuse(
                any(map(int.__gt__, needs, room)), "cities: there were not the architects for all their squares"
            )

    def _check_mayor(self, state: SimpleNamespace, cities: Sequence[Built], taken: Counter[int]) -> None:
        """Who holds the mayor, or held it when the round began, is seat 0 or placed a tower that shows it."""
        first, mayor = state.first, state.mayor
        if first != 0:
            refuse(not self.of_rounds(state.round_no).mayors, "first is not seat 0, but no tile showed the mayor")
            refuse(not cities[first].sorts[TOWER, NONE, 0], f"first is seat {first}, which has no tower")
        if mayor != first:
            shown = any(self.tiles[kind].mayor for kind in taken)
            refuse(not shown, "mayor is not the first player, but no tile of this round was taken that shows it")
            refuse(not cities[mayor].sorts[TOWER, NONE, 0], f"mayor is seat {mayor}, which has no tower")
            refuse(not self._turns(state, mayor)[1], f"mayor is seat {mayor}, which had no turn in this round")

    # --- found out once ---

    def _sort(self, kind: int) -> Sort:
        type, points = self.types[kind], self.points[kind]
        return type, NONE if type in STACKED else points, self.tiles[kind].holds

    def _built(self, built: bytes, tall: bytes, points: bytes, holds: bytes) -> Built:
        heights = np.frombuffer(tall, np.int32).tolist()
        digits = np.frombuffer(holds, np.int32).tolist()
        shown = np.frombuffer(points, np.int8).tolist()
        sorts: Counter[Sort] = Counter()
        stacks, masks = [], []
        for type, mask in enumerate(np.frombuffer(built, np.int32).tolist()):
            for square in range(CITY):
                if mask >> square & 1:
                    floors = sum(height >> square & 1 for height in heights)
                    if type in STACKED:
                        stacks.append((type, floors, shown[square]))
                    held = sum((mask >> square & 1) << digit for digit, mask in enumerate(digits))
                    sorts[type, NONE if type in STACKED else shown[square], held] += floors
                    masks += [self.reached[square] | (1 << floor if floor else 0) for floor in range(floors)]
        return Built(sorts.total(), sorts, tuple(stacks), tuple(within_sets(masks)))

    def _of_rounds(self, rounds: int) -> Laid:
        """What lay on the site in the first so many rounds."""
        kinds = [kind for laid in self.laid[:rounds] for kind in laid.elements()]
        sorts = Counter(map(self._sort, kinds))
        most = {}
        for sort in sorts:
            same = [self.tiles[kind] for kind in kinds if self._sort(kind) == sort]
            most[sort] = [
                [0, *accumulate(sorted((a * tile.inhabitants + b * tile.energy for tile in same), reverse=True))]
                for a, b in DIRECTIONS
            ]
        points = {}
        for type in STACKED:
            masks = [1]
            for kind in kinds:
                if self.types[kind] == type:
                    vp = self.tiles[kind].vp
                    masks = [a | b << vp for a, b in zip([*masks, 0], [0, *masks], strict=True)]
            points[type] = masks
        return Laid(sorts, most, points, sum(self.tiles[kind].mayor for kind in kinds))


def sums_of_sets(counts: Sequence[int]) -> list[int]:
    """By set of architects: how many there are of them."""
    sums = [0]
    for count in counts:
        sums += [below + count for below in sums]
    return sums


def within_sets(masks: Iterable[int]) -> list[int]:
    """By set of architects: how many of these sets are within it."""
    counts = [0] * len(SUBSETS)
    for mask in masks:
        counts[mask] += 1
    for bit in (1 << number for number in range(NUMBERS)):
        for subset in SUBSETS:
            if subset & bit:
                counts[subset] += counts[subset ^ bit]
    return counts
