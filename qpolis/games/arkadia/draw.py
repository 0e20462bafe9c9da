"""Arkadia in a terminal: the board, the castle, and what everybody has."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from qpolis.games.arkadia.layout import COLUMNS, FAMILY_NAMES, ROWS, TYPES
from qpolis.games.arkadia.notation import LETTERS, square_of

Plain = dict[str, Any]
SIGNS = dict(zip(TYPES, "hftmscy"))
INITIALS: dict[str | None, str] = {None: "-", **{family: family[0] for family in FAMILY_NAMES}}

LEGEND = """Buildings show their type (h house, f farm, t tavern, m mill, s smithy, c trade centre, y monastery)
and their family (r red, o olive, b black, s silver), in capitals when they are complete; = joins the squares of a
building that lie side by side. ## is the castle lot, ^ a camp, 0 to 3 are workers of the seats, n neutral ones.
The castle shows a family (- none) and how many blocks lie there. A card with * was taken openly: all know it."""


def draw(told: Plain, camps: Iterable[int]) -> str:
    """The position that `to_dict` told, as text, on a board with these camps."""
    cells = ["."] * (ROWS * COLUMNS)
    for square in camps:
        cells[square] = "^"
    joined = set()  # squares that continue to the right
    for square in map(square_of, told["lot"]):
        cells[square] = "##"
    for building in told["buildings"]:
        squares = [square_of(text) for text in building["squares"]]
        sign = SIGNS[building["type"]] + INITIALS[building["family"]]
        for square in squares:
            cells[square] = sign.upper() if building["complete"] else sign
        joined |= {square for square in squares if square + 1 in squares and (square + 1) % COLUMNS}
    for sign, places in zip([*map(str, range(told["players"])), "n"], [*told["workers"], told["neutral"]]):
        for text in places:
            cells[square_of(text)] = sign
    lines = ["    " + "  ".join(LETTERS)]
    for row in range(ROWS):
        line = "".join(
            f"{cells[square]:<2}{'=' if square in joined else ' '}"
            for square in range(row * COLUMNS, (row + 1) * COLUMNS)
        )
        lines.append(f"{row + 1:>2}  {line}".rstrip())
    return "\n".join([*lines, *_castle(told), *_players(told)])


def _castle(told: Plain) -> list[str]:
    ring = " ".join(f"{INITIALS[square['shows']]}{square['level']}" for square in told["castle"])
    level = min(min(square["level"] for square in told["castle"]), 2)
    stock = ", ".join(f"{count} {family}" for family, count in told["stock"][level].items() if count)
    display = ", ".join(card for card in told["display"] if card) or "empty"
    left = f"; turns left: {told['turns_left']}" if told["turns_left"] else ""
    return [
        f"castle: {ring}; blocks left on level {level + 1}: {stock or 'none'}",
        f"display: {display}; cards in the pile: {len(told['pile'])}{left}",
    ]


def _players(told: Plain) -> list[str]:
    """A table: what seals are worth today, and a line for each seat."""
    shown = [square["shows"] for square in told["castle"]]
    lines = [
        _line("", "gold", FAMILY_NAMES, ("workers", "neutral", "banners"), "cards"),
        _line("  worth", "", [shown.count(family) for family in FAMILY_NAMES], ("",) * 3, ""),
    ]
    for seat, seals in enumerate(told["seals"]):
        mark = ">" if seat == told["player"] else " "
        left = [told[name][seat] for name in ("own", "helpers", "banners")]
        lines.append(_line(f"{mark} seat {seat}", told["gold"][seat], seals.values(), left, _hand(told, seat)))
    return lines


def _line(who: str, gold: Any, seals: Iterable[Any], left: Iterable[Any], cards: str) -> str:
    families = "".join(f"{number:>7}" for number in seals)
    return f"{who:<8}{gold:>6}{families}{''.join(f'{number:>8}' for number in left)}   {cards}".rstrip()


def _hand(told: Plain, seat: int) -> str:
    """A seat's cards; those that all know of have a mark."""
    known = list(told["known"][seat])
    cards = []
    for card in told["hands"][seat]:
        cards.append(f"{card}*" if card in known else card)
        if card in known:
            known.remove(card)
    return ", ".join(cards) or "none"
