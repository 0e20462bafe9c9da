"""How the tiles of a mix are known: which marks of players were concluded, not read off the tiles.

The column `source` of a mix file says so, line by line. Marks decide which tiles are turned up with 2 and 3
players; with 4 all are, so nothing rests on them.
"""

from __future__ import annotations

from typing import NamedTuple

from qpolis.games.quadropolis.layout import SEATS
from qpolis.games.quadropolis.tiles import OUT, ROUNDS_OF, Mix

SHARED = min(ROUNDS_OF.values())  # rounds that both modes have


class Inferred(NamedTuple):
    """Tiles of a mode whose marks are inferred. Rounds of both modes share most of their tiles, so that the totals
    of a round leave little open; in a round of one mode only there is nothing to conclude from."""

    concluded: int
    guessed: int


def inferred_marks(mix: Mix, mode: str) -> Inferred:
    rounds = [row.round for row in mix.rows if row.inferred and row.mark != OUT and row.serves(mode)]
    guessed = sum(round > SHARED for round in rounds)
    return Inferred(len(rounds) - guessed, guessed)


def inferred_text(mix: Mix, mode: str) -> str:
    """How many marks of a mode are inferred, in words; empty if none is."""
    marks = inferred_marks(mix, mode)
    if not any(marks):
        return ""
    guess = f", those of round {SHARED + 1} ({marks.guessed}) a guess" if marks.guessed else ""
    return f"inferred player marks of {mode} tiles: {sum(marks)}{guess}"


def inferred_texts(mix: Mix) -> list[str]:
    """The same of all modes."""
    return [text for mode in mix.modes if (text := inferred_text(mix, mode))]


def notes(mix: Mix, mode: str, players: int) -> tuple[str, ...]:
    """What games with these settings rest on."""
    text = inferred_text(mix, mode)
    if not text or players == SEATS:
        return ()
    return (f"{text}; they decide which tiles are in play with {players} players",)
