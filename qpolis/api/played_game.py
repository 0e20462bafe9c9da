"""One game that was played: to look at, to step through, to replay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from qpolis.engine.results import ENDS
from qpolis.errors import IllegalAction, QpolisError
from qpolis.files import write_file
from qpolis.game import Game, State
from qpolis.policy import Thought
from qpolis.report.content.replay import make_replay, thoughts_of
from qpolis.report.content.transcript import end_lines, move_lines, start_lines
from qpolis.report.pages.embedded import game_html
from qpolis.report.pages.watch import game_page
from qpolis.tourney.records import GameRecord


@dataclass(frozen=True)
class Move:
    """One decision: who made it, the action, and its notation."""

    seat: int
    bot: str
    action: int
    text: str


class PlayedGame:
    """A game that was played: `qpolis.match` and `Tournament.game` give it. A notebook shows it as a board with
    buttons to step through.

    >>> played = qpolis.match(["greedy", "random"], seed=3)
    >>> played.points, played.ranks, played.winners
    ([64, 8], [0, 1], [0])
    >>> played.moves[0]
    Move(seat=0, bot='greedy', action=30, text='2@S1')
    >>> played.state(-1).scores() == played.points
    True
    """

    def __init__(self, game: Game, record: GameRecord, heading: str) -> None:
        self.game = game
        self.heading = heading
        self._record = record

    def __repr__(self) -> str:
        said = ", ".join(f"{bot} {points}" for bot, points in zip(self.bots, self.points))
        return f"<{self.game.title}, {self.heading}: {said}>"

    def __str__(self) -> str:
        """The whole game as text, move by move."""
        lines = [*start_lines(self.game, self.heading, self.bots)]
        state = self.state(0)
        for action in self.actions:
            lines += move_lines(state, action)
            state.apply(action)
        record = self._record
        return "\n".join([*lines, *end_lines(state, record.points, record.ranks, record.ends, record.reasons)])

    def __len__(self) -> int:
        """How many decisions there were."""
        return len(self.actions)

    @property
    def bots(self) -> list[str]:
        """The specs of the bots, seat by seat."""
        return list(self._record.bots)

    @property
    def seed(self) -> int:
        """The seed of the run, or of the match."""
        return self._record.seed

    @property
    def deal(self) -> int:
        """The number of the deal in its run; 0 in a match."""
        return self._record.deal

    @property
    def actions(self) -> list[int]:
        """All that was decided, as action ids."""
        return list(self._record.actions)

    @property
    def points(self) -> list[int]:
        """Points by seat."""
        return list(self._record.points)

    @property
    def ranks(self) -> list[int]:
        """The place of each seat: 0 is best, equals share."""
        return list(self._record.ranks)

    @property
    def winners(self) -> list[int]:
        """The seats in the first place."""
        return [seat for seat, rank in enumerate(self.ranks) if rank == 0]

    @property
    def ends(self) -> list[str]:
        """How the game ended for each seat: `finished`, or what a bot forfeited it by."""
        return [ENDS[end] for end in self._record.ends]

    @property
    def reasons(self) -> dict[int, str]:
        """Why seats forfeited, if one did."""
        return dict(self._record.reasons)

    @cached_property
    def moves(self) -> list[Move]:
        """All decisions, with their notation."""
        return [
            Move(seat, self.bots[seat], action, self.game.text(state, action))
            for state, action in zip(self.states(), self.actions)
            if (seat := state.player) is not None
        ]

    def states(self) -> Iterator[State]:
        """The positions one after the other, each a copy: that before every decision, then the last one."""
        state = self._record.begin(self.game)
        yield state.copy()
        for number, action in enumerate(self.actions):
            try:
                state.apply(action)
            except IllegalAction as error:
                raise QpolisError(
                    f"{self.heading}: decision {number}: {error}: it was played by another version of the engine, "
                    "or its journal is damaged"
                ) from None
            yield state.copy()

    def state(self, number: int) -> State:
        """The position before a decision, by its number from 0; -1 is the last one."""
        at = number + len(self) + 1 if number < 0 else number
        if not 0 <= at <= len(self):
            raise QpolisError(f"no position {number}: those of this game are 0 to {len(self)}, or -1 for the last")
        return next(state for place, state in enumerate(self.states()) if place == at)

    def thoughts(self) -> list[list[Thought] | None]:
        """What the bots thought before each decision, as far as they can be asked: `mcts` is let think again."""
        found = thoughts_of(self.game, self._record)
        return [one.thoughts if one else None for one in found] or [None] * len(self)

    def page(self, path: str | Path, thoughts: bool = True) -> Path:
        """Write the game as a page for the browser, with what the bots thought; returns its path."""
        found = thoughts_of(self.game, self._record) if thoughts else []
        return write_file(Path(path), game_page(make_replay(self.game, self._record, self.heading, found)))

    def _repr_html_(self) -> str:
        return game_html(make_replay(self.game, self._record, self.heading))
