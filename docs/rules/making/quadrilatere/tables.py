"""The tables and numbers of Quadrilatère."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from making.markdown import decisions, table
from making.quadrilatere.boards import UNIT
from making.quadrilatere.positions import game, played
from qpolis.games import quadrilatere
from qpolis.games.quadrilatere.codec import SIZES
from qpolis.games.quadrilatere.layout import (
    CLAIM,
    LEAVE,
    LENGTHS,
    MONUMENTS,
    PASS,
    SEATS,
    SIDE,
    SLIDE,
    SLOTS,
    STAGES,
    STAY,
    SUPPLY,
)

EXAMPLE = f"{UNIT} d4-d5 h8-i8 d4-d5>d3-d4"  # the first player can claim c3
KEYS = {
    "game": "the name of the game",
    "seat": "whose eyes these are, 0 or 1; both see the same",
    "slide": "`true`, or `false` in the variant without slides",
    "turn": "turns completed, those passed included; even when seat 0 is to move",
    "player": "the seat to decide; `null` when the game is over",
    "stage": "the step of the turn: "
    + ", ".join(f"`{stage}`" for stage in STAGES)
    + "; `null` when the game is over",
    "houses": "all houses on the board, by their ends; whoever placed them",
    "supply": "for each seat the houses left, by size",
    "monuments": "for each seat the monuments left",
    "places": "the occupied places, by their first square: `owner` is a seat, `squares` go line by line",
    "placed": "the house placed this turn, in its later steps; otherwise `null`",
    "slid": "`[from, to]` of the house slid this turn, in the claim step; otherwise `null`",
    "closed": "the places that can be claimed, each by its first square; empty but in the claim step",
}


def pieces() -> str:
    """What a player has."""
    rows: list[list[Any]] = [
        [f"{size} house", length, length - 1, count]
        for size, length, count in reversed(list(zip(SIZES, range(1, LENGTHS + 1), SUPPLY, strict=True)))
    ]
    return table(["", "slots", "crossings covered", "each player has"], [*rows, ["monument", "", "", MONUMENTS]])


def actions() -> str:
    """Notation and ids."""
    rows = [
        ["`c3-e3`", "place", "place a house: its two ends, the left or upper one first", f"0 to {SLIDE - 1}"],
        [
            "`c3-e3>d3-f3`",
            "slide",
            "slide a house: where it stands, and where it will",
            f"{SLIDE} to {STAY - 1}",
        ],
        ["`stay`", "slide", "slide nothing", STAY],
        [
            "`claim@c3`",
            "claim",
            "claim the place that has this as its first square, line by line",
            f"{CLAIM} to {LEAVE - 1}",
        ],
        ["`leave`", "claim", "claim nothing", LEAVE],
        ["`pass`", "place", "pass: the only action of who cannot place", PASS],
    ]
    read = game().action_of
    for text, _, _, ids in rows:
        first, _, last = str(ids).partition(" to ")
        assert int(first) <= read(str(text).strip("`")) <= int(last or first)
    return table(["text", "step", "meaning", "ids"], rows)


def order_of_houses() -> str:
    """In which order the ids of houses are: the first one of each kind of groove."""
    firsts = ["a2-b2", "a1-b1", "b1-b2", "a1-a2", "a2-c2", "a2-d2"]
    read = game().action_of
    assert sorted(firsts, key=read) == firsts
    return ", ".join(f"`{text}` {read(text)}" for text in firsts)


def observation() -> str:
    """Every key of an observation."""
    return table(["key", "what it is"], [[f"`{key}`", KEYS[key]] for key in game().new().observe(0)])


def example() -> str:
    """An observation."""
    seen = played(EXAMPLE).observe(0)
    lines = ",\n".join(f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in seen.items())
    return f"```json\n{{\n{lines}\n}}\n```"


TABLES: dict[str, Callable[[], str]] = {
    "pieces": pieces,
    "decisions": lambda: decisions(quadrilatere),
    "actions": actions,
    "observation": observation,
    "example": example,
}

NUMBERS: dict[str, Callable[[], str]] = {
    "order-of-houses": order_of_houses,
    "players": lambda: str(SEATS),
    "side": lambda: str(SIDE),
    "grooves": lambda: str(SIDE + 1),
    "slots-count": lambda: str(SLOTS),
    "houses": lambda: str(sum(SUPPLY)),
    "monuments": lambda: str(MONUMENTS),
}
