"""Ratings as CSV text: bots in the order of strength, fixed decimals, an empty cell for what is not known."""

from __future__ import annotations

import math

import numpy as np

from qpolis.files import csv_text
from qpolis.ratings.standing import Estimate, Ratings

RATINGS = ("bot", "games", "wins", "place", "points", "elo", "elo_low", "elo_high", "mu", "sigma", "conservative")
CROSSTABLE = (
    "bot",
    "opponent",
    "games",
    "wins",
    "draws",
    "losses",
    "share",
    "share_low",
    "share_high",
    "margin",
    "margin_low",
    "margin_high",
    "elo",
    "elo_low",
    "elo_high",
    "better",
)
SEATS = ("seat", "games", "wins", "wins_low", "wins_high", "elo", "elo_low", "elo_high")


def ratings_csv(ratings: Ratings) -> str:
    """A row for each bot."""
    rows = []
    for i in ratings.order:
        rows.append(
            [
                ratings.bots[i],
                str(ratings.games[i]),
                number(ratings.wins[i], 2),
                number(ratings.place[i], 4),
                number(ratings.points[i], 3),
                *three(ratings.elo, i, 2),
                *(number(array[i], 4) for array in (ratings.mu, ratings.sigma, ratings.conservative)),
            ]
        )
    return csv_text(RATINGS, rows)


def crosstable_csv(ratings: Ratings) -> str:
    """A row for each ordered pair of bots that met."""
    cross = ratings.cross
    rows = []
    for i in ratings.order:
        for j in ratings.order:
            if cross.games[i, j]:
                losses = cross.games[i, j] - cross.wins[i, j] - cross.draws[i, j]
                rows.append(
                    [
                        ratings.bots[i],
                        ratings.bots[j],
                        str(cross.games[i, j]),
                        *(number(count, 2) for count in (cross.wins[i, j], cross.draws[i, j], losses)),
                        *three(cross.share, (i, j), 5),
                        *three(cross.margin, (i, j), 3),
                        *three(ratings.difference, (i, j), 2),
                        number(ratings.better[i, j], 5),
                    ]
                )
    return csv_text(CROSSTABLE, rows)


def seats_csv(ratings: Ratings) -> str:
    """A row for each seat, counted from 0; wins is the share of first places."""
    # Every game has one first place, shared or not.
    games = str(round(float(ratings.wins.sum())))
    rows = [
        [str(seat), games, *three(ratings.seat_wins, seat, 5), *three(ratings.seat_elo, seat, 2)]
        for seat in range(len(ratings.seat_elo.value))
    ]
    return csv_text(SEATS, rows)


def number(value: float, decimals: int) -> str:
    """A number with so many decimals; no minus sign on a zero."""
    if math.isnan(value):
        return ""
    text = f"{value:.{decimals}f}"
    return text.lstrip("-") if float(text) == 0 else text


def three(estimate: Estimate, at: int | np.integer | tuple[int, ...], decimals: int) -> list[str]:
    """Value and interval."""
    return [number(array[at], decimals) for array in (estimate.value, estimate.low, estimate.high)]
