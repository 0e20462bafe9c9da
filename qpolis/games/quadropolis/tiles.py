"""Tiles and mixes of them: what a tile shows, and in which deck, round and slot it lies."""

from __future__ import annotations

from dataclasses import dataclass, field

from qpolis.errors import QpolisError
from qpolis.games.quadropolis.layout import SEATS, TYPES

DECKS = ("both", "classic", "expert")
OUT = "out"  # the mark of a slot without a tile: the tile it names is never turned up
MARKS = {"all": 2, "3-4": 3, "4": 4, OUT: 99}  # fewest players with which the tile is turned up
ROUNDS_OF = {"classic": 4, "expert": 5}
EXPERT_ONLY = ("office", "monument")
TYPES_OF = {"classic": tuple(name for name in TYPES if name not in EXPERT_ONLY), "expert": TYPES}
LIMITS = {"inhabitants": 9, "energy": 9, "vp": 20, "mayor": 1}
HOLDS = 9  # most energy a park can hold
PARK_ENERGY = 1  # what it holds by the rules
VALUES = {"inhabitants": "inhabitants", "energy": "energy", "vp": "points"}  # what tiles show, in words


@dataclass(frozen=True)
class Tile:
    """What is printed on a tile."""

    type: str
    inhabitants: int
    energy: int
    vp: int
    mayor: bool

    @property
    def shows(self) -> str:
        """What is printed on it besides its type, in words."""
        parts = [
            f"{value} {name[:-1] if value == 1 and name.endswith('s') else name}"
            for field, name in VALUES.items()
            if (value := getattr(self, field))
        ]
        return ", ".join([*parts, *["mayor"] * self.mayor])

    @property
    def name(self) -> str:
        """Type and all, such as "tower 2 inhabitants"."""
        return f"{self.type} {self.shows}".rstrip()


@dataclass(frozen=True)
class MixRow:
    """A line of a mix: a tile, and in which deck and round and from how many players on it is used."""

    deck: str
    round: int
    mark: str
    tile: Tile
    origin: str = field(default="", compare=False)  # how it is known, as its file says: a comment

    @property
    def inferred(self) -> bool:
        """Whether its file says that something about it was concluded, not read."""
        return "inferred" in self.origin.lower()

    def serves(self, mode: str) -> bool:
        """Whether the line is a slot of this mode."""
        return self.deck in ("both", mode)


@dataclass(frozen=True)
class Mix:
    """A tile mix as its file lists it. `source` is what it was loaded by, and loads it again."""

    source: str
    rows: tuple[MixRow, ...]
    park_energy: int = PARK_ENERGY  # units a park holds without penalty

    def round_rows(self, mode: str, round: int) -> list[MixRow]:
        """The slots of one round (1-based), in the order of the file."""
        return [row for row in self.rows if row.round == round and row.serves(mode)]

    def tiles(self, mode: str, round: int, players: int = SEATS) -> list[Tile]:
        """The tiles in play in one round (1-based)."""
        return [row.tile for row in self.round_rows(mode, round) if players >= MARKS[row.mark]]

    @property
    def modes(self) -> list[str]:
        """The modes that can be played with it."""
        return [
            mode
            for mode, rounds in ROUNDS_OF.items()
            if all(self.tiles(mode, round) for round in range(1, rounds + 1))
        ]

    def check(self, mode: str) -> None:
        """A mix can serve one mode only; the mode that is played must be complete."""
        for round in range(1, ROUNDS_OF[mode] + 1):
            if not self.tiles(mode, round):
                raise QpolisError(
                    f"{self.source}: column round: no tile for round {round} of the {mode} mode "
                    f"(it needs rounds 1 to {ROUNDS_OF[mode]})"
                )
