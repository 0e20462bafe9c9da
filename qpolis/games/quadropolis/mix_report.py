"""A tile mix, and the difference of two, as lines for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from qpolis.games.quadropolis.layout import TYPES
from qpolis.games.quadropolis.provenance import inferred_text
from qpolis.games.quadropolis.tiles import MARKS, OUT, PARK_ENERGY, ROUNDS_OF, VALUES, Mix, Tile

Marked = tuple[str, Tile]  # a tile and its mark


def show_lines(mix: Mix, mode: str, players: int) -> list[str]:
    """A table of the tiles in play by round: each type, and under it what its tiles show."""
    mix.check(mode)
    rounds = range(1, ROUNDS_OF[mode] + 1)
    tiles = [mix.tiles(mode, round, players) for round in rounds]
    table = [("round", [*map(str, rounds), "all"])]
    for kind in TYPES:
        kinds = sorted({tile for laid in tiles for tile in laid if tile.type == kind}, key=_order)
        if kinds:
            table.append((kind, _totals(sum(tile.type == kind for tile in laid) for laid in tiles)))
        if kinds and kinds != [Tile(kind, 0, 0, 0, False)]:
            table += [
                (f"  {tile.shows or 'blank'}", _totals(laid.count(tile) for laid in tiles)) for tile in kinds
            ]
    table.append(("tiles", _totals(len(laid) for laid in tiles)))
    for field, name in VALUES.items():
        table.append((name, _totals(sum(getattr(tile, field) for tile in laid) for laid in tiles)))
    width = max(len(name) for name, _ in table) + 1
    lines = [name.ljust(width) + "".join(f"{cell:>5}" for cell in cells) for name, cells in table]
    rule = "-" * len(lines[0])
    lines = [f"{mix.source}, {mode}, {players} players", "", lines[0], rule, *lines[1:-4], rule, *lines[-4:]]
    if mix.park_energy != PARK_ENERGY:
        lines.append(f"a park holds {mix.park_energy} energy, not {PARK_ENERGY}")
    return [*lines, inferred] if (inferred := inferred_text(mix, mode)) else lines


def _totals(counts: Iterator[int]) -> list[str]:
    row = list(counts)
    return [str(count or ".") for count in [*row, sum(row)]]


def _order(tile: Tile) -> tuple[int, ...]:
    return tile.inhabitants, tile.energy, tile.vp, tile.mayor


def diff_lines(first: Mix, second: Mix) -> list[str]:
    """Which tiles the second mix has and the first has not, by round, and the other way round."""
    lines = []
    for round in range(1, max(ROUNDS_OF.values()) + 1):
        parts = []
        for sign, changes in (("-", _missing(first, second, round)), ("+", _missing(second, first, round))):
            parts += [f"{sign} {_tile_text(number, tile, marks)}" for tile, marks, number in changes]
        if parts:
            lines.append(f"round {round}: {'; '.join(parts)}")
    if first.park_energy != second.park_energy:
        lines.append(f"parks: hold {second.park_energy} energy, not {first.park_energy}")
    if not lines:
        return ["the same tiles" if _slots(first) == _slots(second) else "the same tiles, in other slots"]
    return [*lines, *_total_lines(first, second)]


def _missing(mine: Mix, other: Mix, round: int) -> list[tuple[Tile, list[str], int]]:
    """What a round of mine has more: tiles, with the marks and decks that are not usual, and how many."""
    more = {mode: _marked(mine, mode, round) - _marked(other, mode, round) for mode in ROUNDS_OF}
    both = more["classic"] & more["expert"]
    found = []
    for deck, tiles in (("both", both), *((mode, more[mode] - both) for mode in ROUNDS_OF)):
        for (mark, tile), number in sorted(tiles.items(), key=lambda item: _place(item[0])):
            marks = [mark] * (mark != "all") + [deck] * (deck != "both" and round <= ROUNDS_OF["classic"])
            found.append((tile, marks, number))
    return found


def _place(marked: Marked) -> tuple[object, ...]:
    mark, tile = marked
    return TYPES.index(tile.type), _order(tile), MARKS[mark]


def _marked(mix: Mix, mode: str, round: int) -> Counter[Marked]:
    return Counter((row.mark, row.tile) for row in mix.round_rows(mode, round) if row.mark != OUT)


def _tile_text(number: int, tile: Tile, marks: list[str]) -> str:
    times = f"{number} x " if number > 1 else ""
    return f"{times}{tile.name}" + (f" ({', '.join(marks)})" if marks else "")


def _slots(mix: Mix) -> list[list[Marked | None]]:
    """What lies in which slot, by mode and round; what the empty ones at the end say is nothing."""
    slots = []
    for mode, rounds in ROUNDS_OF.items():
        for round in range(1, rounds + 1):
            laid = [None if row.mark == OUT else (row.mark, row.tile) for row in mix.round_rows(mode, round)]
            while laid and laid[-1] is None:
                laid.pop()
            slots.append(laid)
    return slots


def _total_lines(first: Mix, second: Mix) -> Iterator[str]:
    """How many tiles of each mode differ, and the sums that do."""
    for mode, count in ROUNDS_OF.items():
        rounds = range(1, count + 1)
        gone, new = (
            sum((_marked(mine, mode, round) - _marked(other, mode, round)).total() for round in rounds)
            for mine, other in ((first, second), (second, first))
        )
        sums = [
            [sum(getattr(tile, field) for round in rounds for tile in mix.tiles(mode, round)) for field in VALUES]
            for mix in (first, second)
        ]
        changes = [f"{name} {old} -> {now}" for name, old, now in zip(VALUES.values(), *sums) if old != now]
        yield ", ".join([f"{mode}: {gone} out", f"{new} in", *changes])
