"""What OpenSpiel's players see: observations and information states, as tensors and as texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from qpolis import verbs
from qpolis.environments.extras import extra
from qpolis.space import OBSERVATION, Plane, size_of, split

with extra("openspiel"):
    import pyspiel

HISTORY = "history"


class Observer:
    """What a player sees now; with `perfect_recall`, what it saw so far as well.

    Tensors are the planes of the game. Perfect recall adds the history: the numbers of all actions and outcomes of
    chance, from 1, as parts of the largest one; after the last comes 0. That is for games without hidden
    information: of the others there is only the text, which has a digest of all that the player saw.
    """

    def __init__(self, game: Any, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"observations have no parameters, and {params} were given")
        self._recalls = bool(kind and kind.perfect_recall)
        if kind and game.rules.hidden:
            single = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
            if not (kind.public_info and single):
                raise ValueError("what a player sees is not divided into public and private")
        self._hidden = game.rules.hidden
        self._size = game.rules.observation_size
        self._largest = max(game.num_distinct_actions(), game.max_chance_outcomes())
        planes = game.rules.planes
        if self._recalls and not self._hidden:
            length = game.max_game_length() + game.max_chance_nodes_in_history()
            planes = (*planes, Plane(HISTORY, (length,), "actions and outcomes so far"))
        self.tensor: np.ndarray | None = None
        self.dict: dict[str, np.ndarray] = {}
        if not (self._recalls and self._hidden):
            self.tensor = np.zeros(size_of(planes), OBSERVATION)
            self.dict = dict(split(planes, self.tensor))

    def set_from(self, state: Any, player: int) -> None:
        if self.tensor is None:
            return
        self.tensor[:] = 0
        if state.position is not None:
            game = state.position.game
            verbs.encode(game.rules[0], state.position.record, player, self.tensor[: self._size])
        if self._recalls:
            history = np.array(state.history(), OBSERVATION)
            self.dict[HISTORY][: len(history)] = (history + 1) / self._largest

    def string_from(self, state: Any, player: int) -> str:
        now = "" if state.position is None else state.position.observe_text(player)
        if not self._recalls:
            return now
        return f"{player} {state.seen[player].hex()} {now}" if self._hidden else state.history_str()
