"""The text of a change to a tile mix: `TYPE+N`, `TYPE-N` or `TYPE=VALUEFIELD`, with `[FIELDS]` and `@PLACE`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from qpolis.errors import QpolisError, unknown
from qpolis.games.quadropolis.layout import ROUNDS, SITE, TYPES
from qpolis.games.quadropolis.tiles import DECKS, EXPERT_ONLY, HOLDS, LIMITS, MARKS, OUT, ROUNDS_OF, MixRow

FORM = (
    "a change is TYPE+N, TYPE-N or TYPE=VALUEFIELD, as in harbor+2, park-1@3, tower[2inhabitants]+1 or "
    "tower=+1inhabitants@1"
)
CHANGE = re.compile(
    r"\w+(?:\[(?P<shown>[^][]*)\])?"
    r"(?:(?P<number>[+-][0-9]+)|=(?P<value>[+-]?[0-9]+)(?P<field>\w*))"
)
SHOWN = re.compile(r"(?P<value>[0-9]*)(?P<field>\w*)")
FIELDS = {**LIMITS, "holds": HOLDS}
MOST = SITE * sum(ROUNDS_OF.values())  # tiles of a mix


@dataclass(frozen=True)
class Place:
    """Where a change applies: a round, a mark of players, a deck; None is anywhere."""

    round: int | None = None
    mark: str | None = None
    deck: str | None = None

    def __str__(self) -> str:
        text = "/".join([str(self.round or ""), self.mark or "", self.deck or ""]).rstrip("/")
        return f"@{text}" if text else ""

    def has(self, row: MixRow) -> bool:
        return all(
            mine in (None, its)
            for mine, its in ((self.round, row.round), (self.mark, row.mark), (self.deck, row.deck))
        )


@dataclass(frozen=True)
class Change:
    """What both kinds of changes have: a type of building, what its tiles show (None: anything), and where."""

    type: str
    shown: dict[str, int] | None
    place: Place

    @property
    def tiles(self) -> str:
        """The tiles it is about, as a text."""
        if self.shown is None:
            return self.type
        fields = [name if name == "mayor" and value else f"{value}{name}" for name, value in self.shown.items()]
        return f"{self.type}[{','.join(fields)}]"

    def fits(self, row: MixRow) -> bool:
        """Whether it is about this tile."""
        return (
            row.mark != OUT
            and row.tile.type == self.type
            and self.place.has(row)
            and all(getattr(row.tile, name) == value for name, value in (self.shown or {}).items())
        )


@dataclass(frozen=True)
class Numbers(Change):
    """So many more tiles, or fewer."""

    number: int

    def __str__(self) -> str:
        return f"{self.tiles}{self.number:+}{self.place}"


@dataclass(frozen=True)
class Values(Change):
    """Another value on the tiles: a new one, or so much more or less."""

    field: str
    value: int
    relative: bool

    def __str__(self) -> str:
        value = f"{self.value:+}" if self.relative else str(self.value)
        return f"{self.tiles}={value}{self.field}{self.place}"


def parse_change(text: str) -> Numbers | Values:
    """Read a change. The errors do not name it."""
    if not text:
        raise QpolisError(f"nothing between two colons or after the last one; {FORM}")
    what, at, where = text.partition("@")
    kind = re.split(r"\W", what, maxsplit=1)[0]
    if kind not in TYPES:
        raise unknown("type", kind, TYPES)
    found = CHANGE.fullmatch(what)
    if found is None:
        raise QpolisError(f"not understood; {FORM}")
    place = _place(where) if at else Place()
    if kind in EXPERT_ONLY and place.deck not in (None, "expert"):
        raise QpolisError(f"{kind} tiles belong to the expert deck, not to {place.deck!r}")
    shown = None if found["shown"] is None else _shown(kind, found["shown"])
    if found["number"]:
        return Numbers(kind, shown, place, _within(found["number"], 1, MOST))
    return _values(kind, shown, place, found["value"], found["field"])


def _values(kind: str, shown: dict[str, int] | None, place: Place, value: str, field: str) -> Values:
    _check_field(kind, field)
    relative = value[0] in "+-"
    return Values(kind, shown, place, field, _within(value, int(relative), FIELDS[field]), relative)


def _within(text: str, low: int, high: int) -> int:
    """A number, signed if its text is, whose size is within limits."""
    digits = text.lstrip("+-")
    if len(digits) > 6 or not low <= int(digits) <= high:
        raise QpolisError(f"{digits} is not a whole number from {low} to {high}")
    return int(text)


def _check_field(kind: str, field: str) -> None:
    if field not in FIELDS:
        raise unknown("field", field, FIELDS)
    if field == "mayor" and kind != "tower":
        raise QpolisError(f"only a tower can show the mayor, not a {kind}")
    if field == "holds" and kind != "park":
        raise QpolisError(f"only a park holds energy, not a {kind}")


def _shown(kind: str, text: str) -> dict[str, int]:
    """The fields in brackets, in the order of the columns."""
    shown: dict[str, int] = {}
    for part in text.split(","):
        found = SHOWN.fullmatch(part)
        if found is None or not (found["value"] or found["field"] == "mayor"):
            raise QpolisError(f"{part!r} in brackets is not a value and a field, as in tower[2inhabitants,1vp]")
        field = found["field"]
        _check_field(kind, field)
        if field in shown:
            raise QpolisError(f"{field} stands twice in brackets")
        shown[field] = _within(found["value"] or "1", 0, FIELDS[field])
    return {field: shown[field] for field in FIELDS if field in shown}


def _place(text: str) -> Place:
    """ROUND/MARK/DECK, of which each can be empty or left out at the end."""
    parts = text.split("/")
    if len(parts) > 3 or not any(parts):
        raise QpolisError(f"{'@' + text!r} is not a place: @ROUND/MARK/DECK, as in @3, @3/4, @/3-4 or @//expert")
    number, mark, deck = [*parts, "", ""][:3]
    if number and number not in [str(round + 1) for round in range(ROUNDS)]:
        raise QpolisError(f"round {number!r} is not one of 1 to {ROUNDS}")
    marks = [known for known in MARKS if known != OUT]
    if mark and mark not in marks:
        raise QpolisError(f"mark {mark!r} is not one of {', '.join(marks)}")
    if deck and deck not in DECKS:
        raise QpolisError(f"deck {deck!r} is not one of {', '.join(DECKS)}")
    round = int(number) if number else None
    if round and round > ROUNDS_OF["classic"] and deck not in ("", "expert"):
        raise QpolisError(f"round {round} exists in the expert deck only, not in {deck!r}")
    return Place(round, mark or None, deck or None)
