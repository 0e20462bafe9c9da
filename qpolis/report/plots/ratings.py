"""Elo of the bots with intervals."""

from __future__ import annotations

import numpy as np

from qpolis.ratings.standing import Estimate
from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.figure_layout import (
    Column,
    bot_labels,
    bot_style,
    draw_bot_marks,
    draw_intervals,
    draw_row_guides,
    row_figure,
    set_x_axis,
)
from qpolis.report.plots.style import GREY, INK, Figure, styled
from qpolis.report.plots.text import between, count, decimals, number


@styled()
def draw_ratings(run: RatedRun) -> Figure:
    """Elo with 95% intervals, the strongest at the top."""
    ratings, elo = run.ratings, run.ratings.elo
    order, labels = bot_labels(run)
    value, low, high = elo.value[order], elo.low[order], elo.high[order]
    digits = [decimals(*ends) for ends in zip(low, high)]
    texts = [
        number(one, places, "+") if not np.isnan(one) else "unknown" if games else "no games"
        for one, places, games in zip(value, digits, ratings.games[order])
    ]
    ranges = [between(first, last, places, "+") for first, last, places in zip(low, high, digits)]
    left, right = window(elo)
    note = "Bars: 95% intervals from a block bootstrap."
    if ((value < left) | (value > right) | (low < left) | (high > right)).any():
        note += " Arrow heads: it goes on beyond the axis."
    figure, axes = row_figure(
        run.title,
        f"Elo of {count(len(order), 'bot')} after {count(run.results.games, 'game')}",
        labels,
        [Column("Elo", texts, INK), Column("95% interval", ranges)],
        float(np.clip(2 / len(order), 0.26, 0.45)),
        xlabel="Elo above the mean of the field",
        note=note,
    )
    set_x_axis(axes, left, right, sign="+")
    y = np.arange(len(order))
    draw_row_guides(axes, len(order))
    axes.axvline(0, color=GREY, linewidth=1, zorder=1)
    colours = [bot_style(bot).colour for bot in order]
    draw_intervals(axes, y, low, high, colours)
    inside, nearest = (value >= left) & (value <= right), np.clip(value, left, right)
    draw_intervals(
        axes, y, np.where(inside, np.nan, np.minimum(value, nearest)), np.maximum(value, nearest), colours
    )
    draw_bot_marks(axes, value[inside], y[inside], order[inside])
    return figure


def window(elo: Estimate) -> tuple[float, float]:
    """The part of the axis to show: not stretched by a few bots far away from all others, nor by intervals much
    wider than the field."""
    values = np.sort(elo.value[np.isfinite(elo.value)])
    if not len(values):
        return -100.0, 100.0
    core = _crowd(values)
    reach = max(core[-1] - core[0], 400.0)
    shown = np.isfinite(elo.value) & (elo.value >= core[0]) & (elo.value <= core[-1])
    low = np.nanmin(np.append(elo.low[shown], core[0]))
    high = np.nanmax(np.append(elo.high[shown], core[-1]))
    low, high = max(low, core[0] - reach), min(high, core[-1] + reach)
    middle, half = (low + high) / 2, max((high - low) * 0.54, 10.0)
    return float(middle - half), float(middle + half)


def _crowd(values: np.ndarray) -> np.ndarray:
    """Sorted values without those that are far away from all others."""
    while len(values) > 3:
        below, above = values[1] - values[0], values[-1] - values[-2]
        if below >= above and below > 3 * max(values[-1] - values[1], 200):
            values = values[1:]
        elif above > below and above > 3 * max(values[-2] - values[0], 200):
            values = values[:-1]
        else:
            break
    return values
