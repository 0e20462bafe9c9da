"""Who beats whom."""

from __future__ import annotations

import numpy as np

from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.figure_layout import EDGE, NAMES, TOP, axes_at, new_figure
from qpolis.report.plots.style import GREY, ON_DARK, ON_PALE, WIDTH, Axes, Figure, styled
from qpolis.report.plots.text import count, names, number, width

# Shares of 0, 1/4, 1/2, 3/4, 1: vermilion to blue over white, which colour-blind people tell apart.
SCALE = np.array(
    [(0.60, 0.24, 0.02), (0.93, 0.60, 0.36), (0.98, 0.98, 0.98), (0.45, 0.70, 0.90), (0.04, 0.31, 0.55)]
)
UNMET = np.array([1.0, 1.0, 1.0])
SELF = np.array([0.88, 0.88, 0.88])
FOOT = 0.75  # inches for the scale of colours and the footnote
WORDY, TEXTS = 10, 14  # up to so many bots, cells have small type; have texts at all


@styled()
def draw_crosstable(run: RatedRun) -> Figure:
    """A heat map of the shares, the bots in order of strength both ways."""
    ratings = run.ratings
    order, bots = ratings.order, len(ratings.bots)
    size = 9 if bots <= 20 else 8
    short = names(ratings.bots, NAMES - 0.3, size)
    labels = [f"{short[bot]}  {place}" for place, bot in enumerate(order, start=1)]
    left = EDGE + max(width(label, size) for label in labels) + 0.12
    across = min(1.5, (WIDTH - left - EDGE) / bots)
    down = float(np.clip(across, 0.19, 0.62))
    fit = all(width(name, size) < across - 0.1 for name in short)
    tops = [short[bot] if fit else str(place) for place, bot in enumerate(order, start=1)]
    height = TOP + 0.22 + down * bots + FOOT
    heading = f"How often the row finished ahead of the column, in {count(run.results.games, 'game')}"
    figure = new_figure(run.title, heading, height, _note(bots))
    axes = axes_at(figure, left, FOOT, across * bots, down * bots)
    _cells(axes, ratings.cross.share.value[np.ix_(order, order)])
    for place, (label, top) in enumerate(zip(labels, tops)):
        axes.text(-0.08 / across, place + 0.5, label, ha="right", va="center_baseline", size=size)
        axes.text(place + 0.5, -0.08 / down, top, ha="center", va="bottom", size=size)
    if bots <= TEXTS:
        _texts(axes, run, order, down)
    colour_scale(figure)
    return figure


def _note(bots: int) -> str:
    level = "Level counts as half. Empty: they did not meet."
    if bots > WORDY:
        return level + " Numbers are percent." * (bots <= TEXTS)
    return level + " ±: half of the 95% interval" + (", and the mean margin." if bots <= 6 else ".")


def colours(shares: np.ndarray) -> np.ndarray:
    """Red, green and blue of shares, white where unknown."""
    places = np.linspace(0, 1, len(SCALE))
    known = np.nan_to_num(shares, nan=0.5)
    mixed = np.stack([np.interp(known, places, SCALE[:, part]) for part in range(3)], axis=-1)
    return np.where(np.isnan(shares)[..., np.newaxis], UNMET, mixed)


def _cells(axes: Axes, shares: np.ndarray) -> None:
    """The coloured cells, the first row at the top."""
    fill = colours(shares)
    fill[np.diag_indices(len(shares))] = SELF
    axes.pcolormesh(
        np.arange(len(shares) + 1),
        np.arange(len(shares) + 1),
        fill,
        edgecolor="white",
        linewidth=1 if len(shares) <= 20 else 0.5,
    )
    axes.set_ylim(len(shares), 0)
    axes.set_axis_off()


def _texts(axes: Axes, run: RatedRun, order: np.ndarray, down: float) -> None:
    """The share in each cell; where there is room, its half-width and the margin in points below it."""
    cross, bots = run.ratings.cross, len(order)
    share, margin = cross.share, cross.margin.value
    half = (share.high - share.low) / 2
    tint = colours(share.value) @ (0.299, 0.587, 0.114)
    for row, one in enumerate(order):
        for column, other in enumerate(order):
            if one == other or np.isnan(share.value[one, other]):
                continue
            ink = ON_PALE if tint[one, other] > 0.5 else ON_DARK
            small = _small(bots, half[one, other], margin[one, other])
            lift = 0.075 * len(small) / down
            axes.text(
                column + 0.5,
                row + 0.5 - lift,
                _percent(share.value[one, other], bots),
                ha="center",
                va="center_baseline",
                color=ink,
                size=10 if bots <= WORDY else 8.5,
            )
            for line, text in enumerate(small):
                axes.text(
                    column + 0.5,
                    row + 0.5 - lift + (0.16 + 0.14 * line) / down,
                    text,
                    ha="center",
                    va="center_baseline",
                    color=ink,
                    size=7.5,
                )


def _percent(share: float, bots: int) -> str:
    """A share for a cell; small cells have no sign."""
    return f"{share:.0%}" if bots <= WORDY else f"{100 * share:.0f}"


def _small(bots: int, half: float, margin: float) -> list[str]:
    """What stands in small type below a share."""
    lines = []
    if bots <= WORDY and half < 0.5:
        lines.append(f"±{100 * half:.{int(half < 0.02)}f}")
    if bots <= 6 and np.isfinite(margin):
        lines.append(f"{number(margin, int(abs(margin) < 100), '+')} points")
    return lines


def colour_scale(figure: Figure, above: float = 0.38) -> None:
    """What the colours mean, at the lower right, some inches above the bottom."""
    axes = axes_at(figure, WIDTH - EDGE - 1.9, above, 1.9, 0.13)
    shares = np.linspace(0, 1, 61)
    axes.pcolormesh(np.linspace(0, 1, 62), [0, 1], colours(shares)[np.newaxis])
    axes.set_axis_off()
    for place, text, side in ((0, "0%", "left"), (0.5, "50%", "center"), (1, "100%", "right")):
        axes.text(place, -0.4, text, ha=side, va="top", size=8, color=GREY)
