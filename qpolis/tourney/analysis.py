"""The analysis of a recorded game: policies that can be asked decide again, with the random numbers they had, and
say what they thought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from qpolis.errors import IllegalAction, QpolisError
from qpolis.game import Game
from qpolis.policy import ConfiguredPolicy, Thought
from qpolis.registry.finder import shipped
from qpolis.registry.spec import resolve
from qpolis.sandbox.program import Forfeit
from qpolis.tourney.bot_loop import LiveGame, PolicySeat


@dataclass(frozen=True)
class Analysis:
    """A decision that was made once more."""

    thoughts: list[Thought]
    same: bool  # was the choice the one of the game? Not always, after a search by the clock


def analyse_game(
    game: Game, policies: Sequence[ConfiguredPolicy | None], seed: int, deal: int, actions: Sequence[int]
) -> Iterator[Analysis | None]:
    """Decision by decision what was thought; nothing where a bot cannot be asked. IllegalAction if the game cannot
    have been so."""
    live = LiveGame(game, seed)
    live.begin(deal)
    players = [
        PolicySeat(live, seat, who) if who and who.policy.thoughts else None for seat, who in enumerate(policies)
    ]
    for seat, player in enumerate(players):
        if player:
            player.start(live.seat_seed(deal, seat))
    seat, legal = live.advance()
    for action in actions:
        if action not in legal:
            raise IllegalAction(f"action {action} is not legal here")
        player = players[seat]
        yield _decide_again(player, legal, action) if player else None
        seat, legal = live.advance(action)


def shipped_policy(spec: str) -> ConfiguredPolicy | None:
    """The shipped policy that a spec names, if it is one. Reports and exports run nobody's code: other bots are
    not looked for."""
    if spec.partition(":")[0] not in {found.name for found in shipped()}:
        return None
    try:
        return resolve(spec).shipped
    except QpolisError:  # of another version of qpolis
        return None


def _decide_again(player: PolicySeat, legal: list[int], action: int) -> Analysis | None:
    try:
        same = player.choose(legal) == action
    except Forfeit:
        return None
    return Analysis(player.thoughts(), same)
