"""What bots thought in a game that was played before: policies that can be asked decide again, with the random
numbers they had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qpolis.errors import IllegalAction
from qpolis.game import Game
from qpolis.policy import Seated, Thought
from qpolis.rng import seat_seed
from qpolis.sandbox.program import Forfeit
from qpolis.tourney.bot_loop import PolicySeat, Table


@dataclass(frozen=True)
class Recalled:
    """A decision thought through again."""

    thoughts: list[Thought]
    same: bool  # was the choice the one of the game? Not always, after a search by the clock


def recall(game: Game, seats: Sequence[Seated | None], seed: int, deal: int,
           actions: Sequence[int]) -> Iterator[Recalled | None]:
    """Decision by decision what was thought; nothing where a bot cannot be asked. IllegalAction if the game cannot
    have been so."""
    table = Table(game)
    table.begin(seed, deal)
    players = [PolicySeat(table, seat, who) if who and who.policy.thoughts else None
               for seat, who in enumerate(seats)]
    for seat, player in enumerate(players):
        if player:
            player.start(int(seat_seed(np.uint64(seed), deal, seat)))
    seat, legal = table.advance()
    for action in actions:
        if action not in legal:
            raise IllegalAction(f"action {action} is not legal here")
        player = players[seat]
        yield again(player, legal, action) if player else None
        seat, legal = table.advance(action)


def again(player: PolicySeat, legal: list[int], action: int) -> Recalled | None:
    try:
        same = player.choose(legal) == action
    except Forfeit:
        return None
    return Recalled(player.thoughts(), same)
