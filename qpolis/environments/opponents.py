"""A table where one seat is played from outside, and bots play the others."""

from __future__ import annotations

from collections.abc import Sequence

from qpolis.engine.policy_loop import NOBODY
from qpolis.engine.results import FINISHED, STOPPED
from qpolis.errors import QpolisError
from qpolis.game import Game, State
from qpolis.registry.spec import Entrant, resolve
from qpolis.rng import keys
from qpolis.sandbox.program import Forfeit, Limits
from qpolis.tourney.bot_loop import LiveGame, PolicySeat, ProgramSeat

DEAL = 0  # of a tournament whose seed is that of the game

Player = PolicySeat | ProgramSeat


def find_opponents(specs: str | Sequence[str], game: Game) -> list[Entrant]:
    """The bots at all seats but one: a spec for all of them, or one for each."""
    others = game.players - 1
    each = [specs] * others if isinstance(specs, str) else list(specs)
    if len(each) != others:
        raise QpolisError(f"{len(each)} opponents, and {others} seats for them at {game.name}")
    return [resolve(spec) for spec in each]


class Table:
    """Games one after the other. `legal` is what the outer seat can do: nothing when the game is over."""

    def __init__(self, game: Game, opponents: str | Sequence[str]) -> None:
        self._opponents = find_opponents(opponents, game)
        self._live = LiveGame(game, seed=0)
        self._made: dict[tuple[int, int], Player] = {}  # by seat and opponent: where the outer seat is may change
        self._seated: dict[int, Player] = {}
        self.seat = 0
        self.legal: list[int] = []

    @property
    def over(self) -> bool:
        return not self.legal

    @property
    def state(self) -> State:
        """A copy of the position."""
        return self._live.state.copy()

    def begin(self, seed: int, seat: int) -> None:
        """Set up the game of a seed, with the first opponent after `seat`, and play until that has to decide."""
        self.leave()
        live = self._live
        live.key = keys(seed)
        live.begin(DEAL)
        self.seat = seat
        places = [(seat + 1 + number) % live.game.players for number in range(len(self._opponents))]
        self._seated = {place: self._player(place, number) for number, place in enumerate(places)}
        for place, player in self._seated.items():
            try:
                player.launch()
                player.start(live.seat_seed(DEAL, place))
            except Forfeit as forfeit:
                raise self._failed(place, forfeit) from None
        self._go_on(*live.advance())

    def decide(self, action: int) -> bool:
        """A legal action of the outer seat, and all that follows until its next one; is the game over?"""
        self._go_on(*self._live.advance(action))
        return self.over

    def leave(self) -> None:
        """End the game, wherever it is; a seat that gave it up is the only one not told anything more."""
        state, seated, self._seated = self._live.state, self._seated, {}
        if seated:
            end = FINISHED if state.over else STOPPED
            for player in seated.values():
                player.end(state.scores(), state.ranks(), end)
        self.legal = []

    def close(self) -> None:
        """End the processes of opponents that have some."""
        self._seated, self.legal = {}, []
        made, self._made = self._made, {}
        for player in made.values():
            player.quit()
        for player in made.values():
            player.close()

    def _player(self, seat: int, number: int) -> Player:
        if (seat, number) not in self._made:
            found = self._opponents[number]
            if found.shipped:
                self._made[seat, number] = PolicySeat(self._live, seat, found.shipped)
            else:
                assert found.program is not None  # only who debugs has others
                self._made[seat, number] = ProgramSeat(self._live, seat, found.program, Limits())
        return self._made[seat, number]

    def _go_on(self, seat: int, legal: list[int]) -> None:
        while seat not in (self.seat, NOBODY):
            try:
                action = self._seated[seat].choose(legal)
            except Forfeit as forfeit:
                raise self._failed(seat, forfeit) from None
            seat, legal = self._live.advance(action)
        self.legal = legal
        if self.over:
            self.leave()

    def _failed(self, seat: int, forfeit: Forfeit) -> QpolisError:
        """Whoever learns against a bot that fails would learn nothing: it is not taken for a game that was won."""
        number = (seat - self.seat - 1) % self._live.game.players
        self._seated, self.legal = {}, []
        return QpolisError(f"opponent {self._opponents[number].spec} at seat {seat} failed: {forfeit.reason}")
