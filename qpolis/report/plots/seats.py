"""Whether it matters where one sits."""

from __future__ import annotations

import numpy as np

from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.figure_layout import (
    COLOURS,
    Column,
    draw_intervals,
    draw_row_guides,
    row_figure,
    set_x_axis,
)
from qpolis.report.plots.style import GREY, INK, Figure, styled
from qpolis.report.plots.text import between, count, decimals, number


@styled()
def draw_seats(run: RatedRun) -> Figure:
    """The share of first places by seat, with a line where all seats are equal, and the Elo of sitting there."""
    wins, elo, seats = run.ratings.seat_wins, run.ratings.seat_elo, run.results.seats
    value, low, high = 100 * wins.value, 100 * wins.low, 100 * wins.high
    digits = [decimals(*ends) for ends in zip(low, high)]
    shares = [number(one, places) + "%" if np.isfinite(one) else "unknown" for one, places in zip(value, digits)]
    ranges = [between(first, last, places) for first, last, places in zip(low, high, digits)]
    fine = [decimals(*ends) for ends in zip(elo.low, elo.high)]
    elos = [number(one, places, "+") if np.isfinite(one) else "" for one, places in zip(elo.value, fine)]
    elo_ranges = [between(first, last, places, "+") for first, last, places in zip(elo.low, elo.high, fine)]
    equal = 100 / seats
    left, right = _window(np.concatenate((value, low, high, [equal])))
    figure, axes = row_figure(
        run.title,
        f"Share of wins by seat in {count(run.results.games, 'game')}",
        [f"seat {seat}" for seat in range(seats)],
        [
            Column("wins", shares, INK),
            Column("95% interval", ranges),
            Column("seat Elo", elos, INK),
            Column("95% interval", elo_ranges),
        ],
        0.45,
        xlabel="share of first places",
        note=f"Dashed: all seats equal ({equal:.{int(seats == 3)}f}%). A shared first place counts in parts. 95% "
        "intervals from a block bootstrap.",
    )
    set_x_axis(axes, left, right, unit="%", most=6)
    y = np.arange(seats)
    draw_row_guides(axes, seats)
    axes.axvline(equal, color=GREY, linewidth=1.2, linestyle=(0, (4, 2)), zorder=1)
    draw_intervals(axes, y, low, high, [COLOURS[0]] * seats)
    axes.scatter(value, y, s=30, color=COLOURS[0], zorder=3, clip_on=False, linewidth=0)
    return figure


def _window(ends: np.ndarray) -> tuple[float, float]:
    """A part of the axis with all of them, never narrower than 2 points."""
    ends = ends[np.isfinite(ends)]
    middle, half = (ends.min() + ends.max()) / 2, max(ends.max() - ends.min(), 2) * 0.55
    return max(float(middle - half), -1.0), min(float(middle + half), 101.0)
