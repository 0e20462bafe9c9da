"""The games of a run in plan order, as ratings and reports read them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Results:
    """All games of a run in plan order: one row a game, one column a seat. The games of a block (one deal, all
    seatings of its bots) stand together."""

    bots: tuple[str, ...]  # specs
    who: np.ndarray  # int16: the bot at each seat, as an index of `bots`
    deals: np.ndarray  # int64, one a game: equal within a block, ascending
    points: np.ndarray  # int32
    ranks: np.ndarray  # int8: 0 is best, equals share
    decisions: np.ndarray  # int32
    ends: np.ndarray  # int8: indexes of ENDS

    @property
    def games(self) -> int:
        return len(self.who)

    @property
    def seats(self) -> int:
        return self.who.shape[1]
