"""A run with its ratings: what its plots and tables are made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qpolis.engine.results import Results
from qpolis.ratings.standing import History, Ratings


@dataclass(frozen=True)
class RatedRun:
    """Results, ratings, their history and thinking times. All of them know the bots by the same numbers."""

    title: str
    results: Results
    ratings: Ratings
    history: History
    times: np.ndarray  # bots x 64, decisions by time: see `qpolis/clock.py`

    def __post_init__(self) -> None:
        if self.results.bots != self.ratings.bots or len(self.times) != len(self.ratings.bots):
            raise ValueError("results, ratings and times are of different bots")
