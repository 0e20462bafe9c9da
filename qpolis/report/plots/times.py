"""How long the bots think."""

from __future__ import annotations

import numpy as np

from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.figure_layout import (
    Column,
    bot_labels,
    bot_style,
    draw_bot_marks,
    draw_intervals,
    draw_row_guides,
    row_figure,
)
from qpolis.report.plots.style import GREY, INK, Axes, Figure, styled
from qpolis.report.plots.text import count
from qpolis.tourney.times import quantiles

PARTS = (0.05, 0.25, 0.5, 0.75, 0.95)
UNITS = ((1e-6, "µs"), (1e-3, "ms"), (1.0, "s"))


@styled()
def draw_times(run: RatedRun) -> Figure:
    """The median, the middle half and the middle 90% of the time for a decision, by bot, on a logarithmic axis."""
    order, labels = bot_labels(run)
    counts = run.times[order]
    timed = counts.sum(axis=1) > 0
    spots = np.log10([quantiles(row, PARTS) / 1000 for row in counts])  # of seconds
    texts = [time_text(10 ** spot[2]) if yes else "not timed" for spot, yes in zip(spots, timed)]
    longest = [time_text(10 ** spot[4]) if yes else "" for spot, yes in zip(spots, timed)]
    heading = f"Time for a decision of {count(len(order), 'bot')}, {count(int(counts.sum()), 'decision')} timed"
    figure, axes = row_figure(
        run.title,
        heading,
        labels,
        [Column("median", texts, INK), Column("95% are below", longest)],
        float(np.clip(2 / len(order), 0.26, 0.45)),
        xlabel="time for a decision (logarithmic)",
        note="Thick: the middle half. Thin: the middle 90%. From bins of half an octave.",
    )
    _ruled(axes, spots[timed])
    draw_row_guides(axes, len(order))
    y, colours = np.arange(len(order)), [bot_style(bot).colour for bot in order]
    draw_intervals(axes, y, spots[:, 0], spots[:, 4], colours, thick=1.5)
    draw_intervals(axes, y, spots[:, 1], spots[:, 3], colours, thick=7, alpha=0.5)
    draw_bot_marks(axes, spots[timed, 2], y[timed], order[timed])
    return figure


def time_text(seconds: float) -> str:
    """A time with two digits and its unit."""
    rounded = float(f"{seconds:.1e}")
    scale, unit = next((pair for pair in reversed(UNITS) if rounded >= pair[0] * 0.999), UNITS[0])
    return f"{rounded / scale:.2g} {unit}" if rounded / scale < 99.5 else f"{rounded / scale:,.0f} {unit}"


def _ruled(axes: Axes, spots: np.ndarray) -> None:
    """Ticks at powers of ten, and at 2 and 5 times them if there are few."""
    low, high = (spots.min() - 0.2, spots.max() + 0.2) if len(spots) else (-6.1, 0.1)
    tens = np.arange(np.floor(low), np.ceil(high) + 1)
    ticks = np.add.outer(tens, np.log10((1, 2, 5)) if high - low < 2.5 else (0.0,)).ravel()
    ticks = ticks[(ticks >= low) & (ticks <= high)]
    axes.set_xlim(low, high)
    axes.set_xticks(ticks, [time_text(10**tick) for tick in ticks])
    axes.grid(axis="x")
    axes.tick_params(length=3, color=GREY)
