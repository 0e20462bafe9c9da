"""A position of a game as OpenSpiel knows it."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np

from qpolis import verbs
from qpolis.environments.extras import extra
from qpolis.environments.openspiel_observer import BITS
from qpolis.environments.rewards import rewards_of
from qpolis.game import Game, State
from qpolis.rng import stream

with extra("openspiel"):
    import pyspiel

SET_UP = -1  # what a chance node follows if no action: the start of the game
_STILL = stream(0)  # the chance of a state that nothing is drawn for
_UNMOVED = _STILL.tobytes()


def set_up(game: Game) -> State | None:
    """The start of a game in which nothing is drawn for it; else None."""
    state = _set_up_with(game, _STILL.copy())
    return state if state.chance.tobytes() == _UNMOVED else None


def _digest(*parts: bytes) -> bytes:
    return hashlib.blake2b(b":".join(parts), digest_size=BITS // 8).digest()


def _set_up_with(game: Game, chance: np.ndarray) -> State:
    state = State(game, np.zeros(1, game.state_dtype), chance)
    verbs.set_up(game.rules[0], state.record, chance)
    return state


class SpielState(pyspiel.State):
    """A decision, or a chance node after the set-up or the action that draws something.

    qpolis draws inside of actions, from a stream of random numbers. Here an action is tried with a stream that is
    not used otherwise: if it draws from it, a chance node follows, and each of its outcomes, which are equally
    likely, is a stream of its own. So nothing in a state knows what will be drawn.

    What is in `__dict__` is what a clone and a serialised state have.
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.position: State | None = game.start and game.start.copy()  # None before it is drawn
        self.waiting: int | None = SET_UP if self.position is None else None  # what the chance node follows
        self.drawn = 0  # chance nodes so far
        self.seen = tuple(_digest(b"%d" % seat) for seat in range(game.rules.players))  # what each seat saw so far
        self._see()

    def stand_at(self, position: State) -> None:
        """Be at a position of the same game."""
        self.position = State(position.game, position.array.copy(), _STILL.copy())
        self.waiting = None
        self._see()

    # -- whose turn it is, and what can be done -----------------------------------------------------------

    def current_player(self) -> int:
        if self.waiting is not None:
            return pyspiel.PlayerId.CHANCE  # type: ignore[no-any-return]
        seat = self._position.player
        return pyspiel.PlayerId.TERMINAL if seat is None else seat  # type: ignore[no-any-return]

    def is_terminal(self) -> bool:
        return self.waiting is None and self._position.over

    def _legal_actions(self, player: int) -> list[int]:
        return self._position.legal()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return self.get_game().chance_outcomes  # type: ignore[no-any-return]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return f"chance {action}"
        return self._position.game.action_text(action)

    # -- what happens --------------------------------------------------------------------------------------

    def _apply_action(self, action: int) -> None:
        if self.waiting is None:
            self._decide(action)
        else:
            self._draw(action)

    def _decide(self, action: int) -> None:
        after = self._position.copy()
        after.apply(action)
        if after.chance.tobytes() != _UNMOVED:
            self.waiting = action
        else:
            self._go_on(after, action)

    def _draw(self, outcome: int) -> None:
        game, action = self.get_game(), self.waiting
        assert action is not None
        chance = stream(game.chance_seed, self.drawn, outcome)
        if self.position is None:
            after = _set_up_with(game.rules, chance)
        else:
            after = State(game.rules, self.position.array.copy(), chance)
            after.apply(action)
        after.chance[:] = _STILL
        self.drawn += 1
        self.waiting = None
        self._go_on(after, action)

    def _go_on(self, after: State, action: int) -> None:
        mover = None if self.position is None else self.position.player
        self.position = after
        self._see(mover, action)

    def _see(self, mover: int | None = None, action: int = SET_UP) -> None:
        """Note what every seat sees, and what the one that decided knows it did."""
        if self.position is None or not self.position.game.hidden:
            return
        self.seen = tuple(
            _digest(
                before, b"%d" % action if seat == mover else b"", self.position.concealed(seat).array.tobytes()
            )
            for seat, before in enumerate(self.seen)
        )

    def resample_from_infostate(self, player: int, sampler: Any) -> SpielState:
        """What `player` cannot tell from this one: all that is hidden is drawn anew. Its history is the same."""
        other: SpielState = self.clone()
        if other.position is not None:
            chance = stream(int(sampler() * (1 << 53)))
            verbs.determinize(other.position.game.rules[0], other.position.record, player, chance)
        return other

    # -- the end -------------------------------------------------------------------------------------------

    def returns(self) -> list[float]:
        if not self.is_terminal():
            return [0.0] * len(self.seen)
        return rewards_of(self._position.ranks())

    def __str__(self) -> str:
        if self.position is None:
            return "to be set up"
        waits = (
            f"\nafter {self.position.game.action_text(self.waiting)}: chance" if self.waiting is not None else ""
        )
        return f"{self.position}{waits}"

    def __reduce__(self) -> Any:
        from qpolis.environments.openspiel_games import state_again

        game = self.get_game()
        return state_again, (game.reference, pyspiel.serialize_game_and_state(game, self))

    @property
    def _position(self) -> State:
        assert self.position is not None, "nothing is set up before chance was asked"
        return self.position
