"""What OpenSpiel's players see: observations and information states, as tensors and as texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from qpolis import verbs
from qpolis.environments.extras import extra
from qpolis.space import OBSERVATION, Plane, size_of, split

with extra("openspiel"):
    import pyspiel

HISTORY, DIGEST = "history", "digest"
BITS = 128  # of a digest


class Observer:
    """What a player sees now: the planes of the game, or the observation as text. With `recalls`, what it saw so
    far as well, so that two states are alike for a player exactly if it cannot tell them apart:

    Without hidden information that is the history, the numbers of all actions and outcomes of chance, from 1, as
    parts of the largest one; after the last comes 0. Otherwise it is a digest of all that the player saw and did.
    """

    def __init__(self, game: Any, shows: bool, recalls: bool) -> None:
        self._shows, self._recalls = shows, recalls
        self._hidden = game.rules.hidden
        self._size = game.rules.observation_size
        self._largest = max(game.num_distinct_actions(), game.max_chance_outcomes())
        planes = game.rules.planes
        if recalls:
            length = game.max_game_length() + game.max_chance_nodes_in_history()
            planes = (*planes, Plane(DIGEST, (BITS,), "") if self._hidden else Plane(HISTORY, (length,), ""))
        self.tensor = np.zeros(size_of(planes), OBSERVATION) if shows else None
        self.dict: dict[str, np.ndarray] = {} if self.tensor is None else dict(split(planes, self.tensor))

    def set_from(self, state: Any, player: int) -> None:
        if self.tensor is None:
            return
        self.tensor[:] = 0
        if state.position is not None:
            game = state.position.game
            verbs.encode(game.rules[0], state.position.record, player, self.tensor[: self._size])
        if self._recalls and self._hidden:
            self.dict[DIGEST][:] = np.unpackbits(np.frombuffer(state.seen[player], np.uint8))
        elif self._recalls:
            history = np.array(state.history(), OBSERVATION)
            self.dict[HISTORY][: len(history)] = (history + 1) / self._largest

    def string_from(self, state: Any, player: int) -> str:
        if not self._shows:
            return ""
        if self._recalls and not self._hidden:
            return state.history_str()  # type: ignore[no-any-return]
        now = "" if state.position is None else state.position.observe_text(player)
        return f"{state.seen[player].hex()} {now}" if self._recalls else now


def make_observer(game: Any, kind: Any, params: Any) -> Observer | None:
    """An observer of the kind that OpenSpiel asks for. A game with hidden information does not tell what is public
    from what is private: none of only one of them."""
    if params:
        raise ValueError(f"observations have no parameters, and {params} were given")
    if kind is None:
        return Observer(game, shows=True, recalls=False)
    if game.rules.hidden and not (kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER):
        return None
    return Observer(game, kind.public_info, kind.perfect_recall)
