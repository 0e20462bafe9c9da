"""A match: deals played between any bots, by the fastest loop that can seat them all."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from qpolis import interrupts
from qpolis.engine.policy_loop import play_policies
from qpolis.engine.results import Results
from qpolis.game import Game
from qpolis.registry.spec import Entrant
from qpolis.sandbox.program import Limits
from qpolis.tourney.bot_loop import OnDecision, OnOutput, Seatable, play_bots
from qpolis.tourney.records import GameRecord

LOOK = 0.5  # seconds between two looks whether a signal came


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


def play_record(
    game: Game,
    entrants: Sequence[Entrant],
    seed: int,
    limits: Limits = Limits(),
    on_output: OnOutput | None = None,
) -> GameRecord:
    """The first deal of a seed, entrant by entrant at the seats, with all that was done."""
    if all(entrant.shipped for entrant in entrants):
        played = interruptible(lambda: play_deals(game, entrants, seed, 0, 1, record=True))
    else:
        played = play_deals(game, entrants, seed, 0, 1, limits, on_output=on_output)
    return GameRecord(
        seed,
        0,
        [entrant.spec for entrant in entrants],
        played.actions_of(0).tolist(),
        played.points[0].tolist(),
        played.ranks[0].tolist(),
        played.ends[0].tolist(),
        {seat: reason for (_, seat), reason in played.reasons.items()},
    )


def interruptible(playing: Callable[[], Results]) -> Results:
    """Play in another thread: no signal reaches Python while compiled code runs in this one. Only for bots that
    run in this process: programs end with the thread that started them."""
    outcome: list[Any] = []

    def play() -> None:
        try:
            outcome.append(playing())
        except BaseException as error:  # raised again where it can be seen
            outcome.append(error)

    thread = threading.Thread(target=play, daemon=True)
    thread.start()
    while thread.is_alive():
        thread.join(LOOK)
        interrupts.check()
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    results: Results = outcome[0]
    return results


def seat(entrant: Entrant) -> Seatable:
    """What sits at the table for an entrant when decisions are made one by one."""
    chosen: Seatable | None = entrant.shipped or entrant.program or entrant.local
    assert chosen is not None  # every entrant is a shipped policy or has a program, or is debugged
    return chosen
