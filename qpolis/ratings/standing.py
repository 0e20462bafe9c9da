"""The types that ratings are handed on in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Estimate:
    """Numbers with their 95% intervals, all arrays of one shape; NaN where nothing is known."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray


@dataclass(frozen=True)
class Crosstable:
    """How each bot (row) did against each other (column), over all games both were in: arrays of bots x bots."""

    games: np.ndarray
    wins: np.ndarray  # the row was ahead
    draws: np.ndarray
    share: Estimate  # of the points of comparison: 1 ahead, 1/2 level, 0 behind
    margin: Estimate  # points of the game by which the row was ahead


@dataclass(frozen=True)
class Ratings:
    """Everything said about the bots of a run. Arrays are by bot unless said otherwise."""

    bots: tuple[str, ...]
    games: np.ndarray
    wins: np.ndarray  # first places; a shared one counts in parts
    place: np.ndarray  # mean place, 1 is best; equals share the mean of their places
    points: np.ndarray  # mean points of the game
    mu: np.ndarray  # TrueSkill
    sigma: np.ndarray
    elo: Estimate  # Plackett-Luce, against the mean of the field
    seat_elo: Estimate  # by seat: the advantage of sitting there
    seat_wins: Estimate  # by seat: share of first places
    difference: Estimate  # bots x bots: Elo of the row above the column
    better: np.ndarray  # bots x bots: probability that the row is stronger than the column
    cross: Crosstable
    cycles: tuple[tuple[int, ...], ...]  # bots that beat each other in a circle, beyond chance

    @property
    def conservative(self) -> np.ndarray:
        """TrueSkill's score that a bot surely reaches."""
        return self.mu - 3 * self.sigma

    @property
    def order(self) -> np.ndarray:
        """The bots from the strongest to the weakest."""
        return np.argsort(-self.elo.value, kind="stable")


@dataclass(frozen=True)
class History:
    """TrueSkill in the course of a run: a row each time, a column a bot."""

    games: np.ndarray  # played by then
    mu: np.ndarray
    sigma: np.ndarray
