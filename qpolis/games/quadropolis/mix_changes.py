"""Changes to a tile mix, carried out. docs/mixes.md tells what they mean; their text is read in change_text.py.

Every tile that is not changed keeps its slot in its round, so that the same seed lays it on the same square with
and without the changes: a tile that is taken out leaves a hole, and an added tile goes into one if there is any.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from qpolis.errors import QpolisError
from qpolis.games.quadropolis.change_text import FIELDS, Numbers, Values, parse_change
from qpolis.games.quadropolis.layout import SITE
from qpolis.games.quadropolis.tiles import EXPERT_ONLY, MARKS, OUT, ROUNDS_OF, Mix, MixRow, Tile

MOST_CHANGES = 100  # to one mix


def changed(start: Mix, texts: list[str], source: str | None = None) -> Mix:
    """The mix after these changes. A change that is wrong is named."""
    changes: list[Numbers | Values] = []
    for text in texts:
        with _naming(start, text):
            changes.append(parse_change(text))
    work = Changing(start)
    for change in sorted(changes, key=_turn):
        with _naming(start, str(change)):
            work.carry_out(change)
    return work.mix(source or ":".join([start.source, *map(str, changes)]))


@contextmanager
def _naming(start: Mix, text: str) -> Iterator[None]:
    try:
        yield
    except QpolisError as error:
        raise QpolisError(f"{start.source}: change {text!r}: {error}") from None


def _turn(change: Numbers | Values) -> tuple[int, bool]:
    """Tiles go out, then tiles come in, then values change; what has a round goes before what looks for one."""
    step = 2 if isinstance(change, Values) else int(change.number > 0)
    return step, change.place.round is None


class Changing:
    """A mix that is being changed."""

    def __init__(self, start: Mix) -> None:
        self.start = start
        self.rows = list(start.rows)
        used = [mode for mode in ROUNDS_OF if any(row.serves(mode) and row.mark != OUT for row in start.rows)]
        self.deck = used[0] if len(used) == 1 else "both"  # a mix can be for one mode only

    def mix(self, source: str) -> Mix:
        """What it has become."""
        return Mix(source, tuple(self.rows))

    def carry_out(self, change: Numbers | Values) -> None:
        if isinstance(change, Values):
            self._set(change)
        elif change.number > 0:
            self._add(change)
        else:
            self._remove(change)

    def _found(self, change: Numbers | Values) -> list[int]:
        return [i for i, row in enumerate(self.rows) if change.fits(row)]

    def _in_play(self, mode: str, round: int) -> int:
        """The tiles of a round with all players."""
        return sum(row.round == round and row.serves(mode) and row.mark != OUT for row in self.rows)

    # --- fewer tiles, and other values ---

    def _remove(self, change: Numbers) -> None:
        found = self._found(change)
        if len(found) < -change.number:
            raise QpolisError(
                f"{-change.number} cannot be taken out, where there "
                f"{'is' if len(found) == 1 else 'are'} {len(found) or 'none'}"
            )
        for _ in range(-change.number):
            i = min(self._found(change), key=self._order_of_removal)
            self.rows[i] = replace(self.rows[i], mark=OUT)

    def _order_of_removal(self, i: int) -> tuple[int, ...]:
        """Tiles of both decks and of all players first, from the round that has most of the type."""
        row = self.rows[i]
        left = sum(
            other.round == row.round and other.tile.type == row.tile.type and other.mark != OUT
            for other in self.rows
        )
        return row.deck != "both", MARKS[row.mark], -left, row.round, -i

    def _set(self, change: Values) -> None:
        found = self._found(change)
        if not found:
            raise QpolisError("there is no such tile")
        for i in found:
            tile = self.rows[i].tile
            old = int(getattr(tile, change.field))
            new = self._value(change, old, f"a {tile.type} of round {self.rows[i].round}")
            self.rows[i] = replace(self.rows[i], tile=tile.changed({change.field: new}))

    @staticmethod
    def _value(change: Values, old: int, which: str) -> int:
        new = old + change.value if change.relative else change.value
        if not 0 <= new <= FIELDS[change.field]:
            raise QpolisError(
                f"{which} with {old} {change.field} would have {new}, "
                f"which is not from 0 to {FIELDS[change.field]}"
            )
        return new

    # --- more tiles ---

    def _add(self, change: Numbers) -> None:
        place = change.place
        late = place.round is not None and place.round > ROUNDS_OF["classic"]
        deck = place.deck or ("expert" if late or change.type in EXPERT_ONLY else self.deck)
        modes = [mode for mode in ROUNDS_OF if deck in ("both", mode)]
        rounds = [place.round] if place.round else range(1, min(ROUNDS_OF[mode] for mode in modes) + 1)
        for added in range(change.number):
            full = {(mode, round): self._in_play(mode, round) for round in rounds for mode in modes}
            round = min(rounds, key=lambda round: max(full[mode, round] for mode in modes))
            mode = max(modes, key=lambda mode: full[mode, round])
            if full[mode, round] >= SITE:
                raise self._too_many(change, deck, round, mode, change.number - added)
            self._put(MixRow(deck, round, place.mark or "all", self._new(change, round)))

    def _new(self, change: Numbers, round: int) -> Tile:
        """What the brackets say, or the usual tile."""
        if change.shown is None:
            return self._usual(change.type, round)
        return self.start.blank(change.type).changed(change.shown)

    def _usual(self, kind: str, round: int) -> Tile:
        """The most common tile of a type in the mix at the start: in that round, or anywhere, or a blank one."""
        rows = [row for row in self.start.rows if row.tile.type == kind and row.mark != OUT and not row.tile.mayor]
        tiles = [row.tile for row in rows if row.round == round] or [row.tile for row in rows]
        return Counter(tiles).most_common(1)[0][0] if tiles else self.start.blank(kind)

    def _put(self, row: MixRow) -> None:
        """Put a tile into a hole of its round, else behind its round. A tile of both decks can take a hole of
        each. A mode that has holes never gets a new slot, so it has no more than 25."""
        single = [mode for mode in ROUNDS_OF if self._hole(row.round, mode) is not None]
        if row.deck == "both" and self._hole(row.round, "both") is None and single:
            for mode in ROUNDS_OF:
                self._put(replace(row, deck=mode))
            return
        hole, wide = self._hole(row.round, row.deck), self._hole(row.round, "both")
        if hole is not None:
            self.rows[hole] = row
        elif wide is not None:  # one of its modes: the other keeps the hole
            (other,) = (mode for mode in ROUNDS_OF if mode != row.deck)
            self.rows[wide : wide + 1] = [row, replace(self.rows[wide], deck=other)]
        else:
            last = max((i for i, other in enumerate(self.rows) if other.round <= row.round), default=-1)
            self.rows.insert(last + 1, row)

    def _hole(self, round: int, deck: str) -> int | None:
        return next(
            (i for i, row in enumerate(self.rows) if row.mark == OUT and row.round == round and row.deck == deck),
            None,
        )

    def _too_many(self, change: Numbers, deck: str, round: int, mode: str, left: int) -> QpolisError:
        """There is no room: say where, and what would make it."""
        placed = change.place.round is not None
        count = self._in_play(mode, round) + (left if placed else 1)
        also = "" if placed else ", and no round has more room"
        advice = f"; take out as many{self._to_remove(change, deck, round, left)}"
        for other, rounds in ROUNDS_OF.items():
            room = [SITE - self._in_play(other, i) for i in ([round] if placed else range(1, rounds + 1))]
            if deck == "both" and sum(room) >= left:
                where = replace(change.place, deck=other)
                advice += f", or add to the {other} deck only, as in {change.tiles}+{left}{where}"
        return QpolisError(
            f"round {round} would have {count} tiles in the {mode} mode, where a round has at most "
            f"{SITE}{also}{advice}"
        )

    def _to_remove(self, change: Numbers, deck: str, round: int, number: int) -> str:
        """An example of tiles that could go."""
        for own in dict.fromkeys(("both", deck)):
            types = Counter(
                row.tile.type
                for row in self.rows
                if row.round == round and row.mark != OUT and row.deck == own and row.tile.type != change.type
            )
            kind, count = max(types.items(), key=lambda item: item[1], default=("", 0))
            if count >= number:
                place = replace(change.place, mark=None, deck=None if own == "both" else own)
                return f", as in {kind}-{number}{place}"
        return ""
