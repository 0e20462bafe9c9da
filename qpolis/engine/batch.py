"""What comes out of playing some games, whichever loop played them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

# How a game ended for a seat: it was played out; another seat forfeited; or this seat did, and why.
ENDS = ("finished", "stopped", "illegal", "crash", "timeout", "memory")
FINISHED, STOPPED, ILLEGAL, CRASH, TIMEOUT, MEMORY = range(len(ENDS))


@dataclass(frozen=True)
class Batch:
    """The outcome of some games: one row a game, one column a seat."""

    points: np.ndarray
    ranks: np.ndarray  # 0 is best, equals share; a seat that forfeited is last, the others as they stood
    decisions: np.ndarray
    ends: np.ndarray  # indexes of ENDS
    lengths: np.ndarray  # of each game, in actions
    actions: np.ndarray  # of all games, one after the other; empty if they were not recorded
    times: np.ndarray  # by seat: how many decisions took how long (clock.py says which bins)
    reasons: Mapping[tuple[int, int], str] = field(default_factory=dict)  # of forfeits: (row, seat) -> one line
