"""A match: deals played between any bots, by the fastest loop that can seat them all."""

from __future__ import annotations

from collections.abc import Sequence

from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import Results
from qpolis.game import Game
from qpolis.registry.spec import Entrant
from qpolis.sandbox.program import Limits
from qpolis.tourney.bot_loop import OnDecision, OnOutput, Seatable, play_bots


def play_deals(
    game: Game,
    entrants: Sequence[Entrant],
    seed: int,
    first: int,
    games: int,
    limits: Limits = Limits(),
    step: int = 1,
    record: bool = False,
    on_output: OnOutput | None = None,
) -> Results:
    """Play the `games` deals `first`, `first + step`, ..., entrant by entrant at the seats; `record` keeps what
    they did. The games are the same whichever loop plays them; only what fails differs: shipped policies are
    trusted, everything else has limits."""
    shipped = [entrant.shipped for entrant in entrants if entrant.shipped]
    if len(shipped) == len(entrants):
        return play_policies(game, shipped, seed, first, games, step, record)
    return play_stepwise(game, entrants, seed, first, games, limits, step=step, on_output=on_output)


def play_stepwise(
    game: Game,
    entrants: Sequence[Entrant],
    seed: int,
    first: int,
    games: int,
    limits: Limits = Limits(),
    on_decision: OnDecision | None = None,
    step: int = 1,
    on_output: OnOutput | None = None,
) -> Results:
    """The same games decision by decision: slower, and `on_decision` is called with each; `on_output` with each
    line that a program prints."""
    if any(entrant.program for entrant in entrants):
        game.warm()  # here, and kept on disk: not in a bot's own time
    seats = [seat(entrant) for entrant in entrants]
    return play_bots(game, seats, seed, first, games, limits, on_decision, step, on_output)


def seat(entrant: Entrant) -> Seatable:
    """What sits at the table for an entrant when decisions are made one by one."""
    chosen: Seatable | None = entrant.shipped or entrant.program or entrant.local
    assert chosen is not None  # every entrant is a shipped policy or has a program, or is debugged
    return chosen
