"""Games as Gymnasium knows them: one seat learns, bots sit at the others.

Importing this module registers all games. Gymnasium imports it for whoever writes its name before that of the
environment: `gymnasium.make("qpolis.environments.gymnasium_env:qpolis/Quadropolis-v0", opponents="heuristic")`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qpolis import games
from qpolis.environments.extras import extra
from qpolis.environments.opponents import Table
from qpolis.environments.rewards import LEAST as LAST
from qpolis.environments.rewards import rewards_of
from qpolis.errors import QpolisError
from qpolis.game import Game, Plain
from qpolis.games import load_game
from qpolis.space import LEAST, MOST, OBSERVATION

with extra("gymnasium"):
    import gymnasium

MASK = np.int8  # dtype of action masks, as spaces sample with them
OPPONENT = "heuristic"  # if none is named


class GameEnv(gymnasium.Env):
    """One seat of a game. A step is a decision of that seat, and all that follows until its next one.

    `opponents` are specs of bots: one for all other seats, or one for each, in turn order after the one that
    learns. `seat` is where it sits, or None to draw that anew for every game. Everything else is an option of the
    game. The reward comes at the end (`rewards.py`).

    An observation is what the seat sees. `info` says which actions are legal (`action_mask`) and where it sits
    (`seat`), and at the end its score and place. An action that is not legal ends the game, and the seat is last.
    The seed of `reset` gives the game of a tournament with that seed; the seat is drawn from it, too.
    """

    metadata = {"render_modes": ["human", "ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str | Game = games.DEFAULT_GAME,
        opponents: str | Sequence[str] = OPPONENT,
        seat: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = game if isinstance(game, Game) else load_game(game, **options)
        self.game.check_encodes()
        if seat is not None and seat not in range(self.game.players):
            raise QpolisError(f"no seat {seat!r}: the seats are 0 to {self.game.players - 1}; None draws one")
        self.render_mode = render_mode
        self._fixed_seat = seat
        self._table = Table(self.game, opponents)
        self.action_space = gymnasium.spaces.Discrete(self.game.action_count)
        self.observation_space = gymnasium.spaces.Box(LEAST, MOST, (self.game.observation_size,), OBSERVATION)

    def reset(self, *, seed: int | None = None, options: Plain | None = None) -> tuple[np.ndarray, Plain]:
        super().reset(seed=seed)
        table, draw = self._table, self.np_random
        seat = int(draw.integers(self.game.players)) if self._fixed_seat is None else self._fixed_seat
        table.begin(int(draw.integers(1 << 63)) if seed is None else seed, seat)
        while table.over:  # before the seat had anything to decide: no game to learn from
            table.begin(int(draw.integers(1 << 63)), seat)
        self._show()
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, Plain]:
        table = self._table
        if table.over:
            raise QpolisError("no game is being played: reset() begins one")
        if action not in table.legal:
            table.leave()
            return self._observation(), LAST, True, False, {**self._info(), "illegal": True}
        over = table.decide(int(action))
        self._show()
        if not over:
            return self._observation(), 0.0, False, False, self._info()
        state, seat = table.state, table.seat
        ended = {"score": state.scores()[seat], "place": state.ranks()[seat]}
        return self._observation(), rewards_of(state.ranks())[seat], True, False, {**self._info(), **ended}

    def action_masks(self) -> np.ndarray:
        """Of every action, whether it is legal: what masked PPO of sb3-contrib asks for."""
        mask = np.zeros(self.game.action_count, np.bool_)
        mask[self._table.legal] = True
        return mask

    def texts(self) -> dict[int, str]:
        """The legal actions as people write them."""
        return {action: self.game.action_text(action) for action in self._table.legal}

    def render(self) -> str | None:
        """The position as text: given back in the mode `ansi`, printed in the mode `human`."""
        if self.render_mode == "human":
            print(self._table.state)
            return None
        return str(self._table.state) if self.render_mode == "ansi" else None

    def close(self) -> None:
        self._table.close()

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def _observation(self) -> np.ndarray:
        return self._table.state.encode(self._table.seat)

    def _info(self) -> Plain:
        return {"action_mask": self.action_masks().astype(MASK), "seat": self._table.seat}


def _register() -> None:
    for name in games.names():
        title = "".join(word.capitalize() for word in name.split("_"))
        gymnasium.register(f"qpolis/{title}-v0", f"{__name__}:GameEnv", kwargs={"game": name})


_register()
