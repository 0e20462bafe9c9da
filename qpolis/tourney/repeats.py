"""Games that repeat each other, move by move.

Bots that leave nothing to chance, in a game that leaves nothing to chance, play the same game on every deal. A
thousand such games say no more than the first, and no interval knows that.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qpolis.tourney.plan import Plan

MANY = 0.1  # part of the games of a group that is worth a word, if they repeat others
ODD = np.uint64(0x9E3779B97F4A7C15)  # tells seatings apart: the same moves of other bots are another game


@dataclass(frozen=True)
class Repeat:
    """A group of bots many of whose games repeat others of it."""

    bots: tuple[str, ...]
    games: int
    different: int


def find_repeats(plan: Plan, hashes: np.ndarray, whole: np.ndarray) -> list[Repeat]:
    """The groups that repeat many games, of the first games of a plan with these hashes. Only those count that are
    `whole`: played to their end by all bots."""
    games = np.flatnonzero(whole)
    blocks, seatings = np.divmod(games, plan.games_per_block)
    lineups = blocks % len(plan.lineups)
    keys = hashes[games] + (lineups * plan.games_per_block + seatings).astype(np.uint64) * ODD
    first = np.unique(keys, return_index=True)[1]
    played = np.bincount(lineups, minlength=len(plan.lineups))
    different = np.bincount(lineups[first], minlength=len(plan.lineups))
    return [
        Repeat(
            tuple(plan.bots[bot] for bot in np.unique(plan.seatings[lineup])),
            int(played[lineup]),
            int(different[lineup]),
        )
        for lineup in np.flatnonzero(played - different > MANY * played).tolist()
    ]
