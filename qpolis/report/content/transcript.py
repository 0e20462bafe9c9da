"""A game as lines of text: its start, its moves, its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from qpolis.engine.results import ENDS
from qpolis.game import Game, State, settings_text


def start_lines(game: Game, which: str, bots: Sequence[str]) -> Iterator[str]:
    """The heading of a game that is shown move by move."""
    yield ", ".join(filter(None, [game.title, settings_text(game.settings), which]))
    yield from (f"seat {seat} is {bot}" for seat, bot in enumerate(bots))
    if game.legend:
        yield game.legend


def move_lines(state: State, action: int) -> Iterator[str]:
    """A position, if the game shows it, and what is done there."""
    if state.game.shows(state):
        yield f"\n{state}\n"
    yield f"seat {state.player}: {state.game.text(state, action)}"


def end_lines(
    state: State, points: Sequence[int], ranks: Sequence[int], ends: Sequence[int], reasons: Mapping[int, str]
) -> Iterator[str]:
    """The last position and what came out."""
    yield f"\n{state}\n"
    yield from (f"seat {seat} forfeits ({ENDS[ends[seat]]}): {reason}" for seat, reason in reasons.items())
    for seat in range(state.game.players):
        yield f"seat {seat}: {points[seat]} points, place {ranks[seat] + 1}"
