"""Which strategy beats which."""

from __future__ import annotations

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.question import MATRIX
from qpolis.report.plots.balance_data import NOTHING, PLAIN, Ends, ahead, habit_names, mix_names, note, title
from qpolis.report.plots.crosstable import SELF, colour_scale, colours
from qpolis.report.plots.figure_layout import EDGE, TOP, axes_at, new_figure
from qpolis.report.plots.style import GREY, ON_DARK, ON_PALE, WIDTH, Axes, Figure, styled
from qpolis.report.plots.text import number, shortened, width

FOOT = 0.9  # inches for the scale of colours and the footnote
WORDY = 9  # up to so many strategies, cells have their half-widths too
MEAN = 0.6  # inches for the mean at the right
PALE, FAINT = 0.7, "#555555"  # how much of white an undecided cell has, and its ink


@styled()
def draw_matrix(answer: Answer, mix: int = 0) -> Figure | None:
    """A heat map of the shares on a mix, strategies in order of their mean share both ways."""
    shares = ahead(answer, mix, MATRIX)
    specs = list(dict.fromkeys(one for one, _ in shares))
    if not np.isfinite([share for share, _, _ in shares.values()]).any():
        return None
    means = _means(shares, specs)
    specs = [specs[place] for place in np.argsort(-np.nan_to_num(means, nan=-1), kind="stable")]
    means = _means(shares, specs)
    many = len(specs)
    words = habit_names(answer.question)
    labels = [shortened(words.get(spec, PLAIN), 1.6) for spec in specs]
    left = EDGE + max(map(width, labels)) + 0.12
    across = min(1.5, (WIDTH - left - EDGE - MEAN) / many)
    down = float(np.clip(across, 0.28, 0.42))
    fit = max(width(label, 8.5) for label in labels) < across - 0.06
    crown = 0.24 if fit else max(width(label, 8.5) for label in labels) + 0.14
    games = sum(run.games for run in answer.runs if (run.cell.mix, run.cell.part) == (mix, MATRIX))
    remark = f"{shortened(answer.question.player, 2)} with habits. Level counts as half. Pale: may be either way."
    figure = new_figure(
        title(answer), _heading(answer, mix), TOP + crown + down * many + FOOT, note(remark, games)
    )
    axes = axes_at(figure, left, FOOT, across * many, down * many)
    _cells(axes, shares, specs, down)
    for place, (label, mean) in enumerate(zip(labels, means)):
        axes.text(-0.08 / across, place + 0.5, label, ha="right", va="center_baseline")
        axes.text(place + 0.5, -0.08 / down, label, ha="center", va="bottom", size=8.5, rotation=0 if fit else 90)
        axes.text(many + MEAN / across, place + 0.5, number(mean, 1) + "%", ha="right", va="center_baseline")
    axes.text(many + MEAN / across, -0.08 / down, "mean", ha="right", va="bottom", size=8, color=GREY)
    colour_scale(figure, 0.55)
    return figure


def _heading(answer: Answer, mix: int) -> str:
    several = len(answer.question.mixes) > 1
    return "How often the row is ahead of the column" + (f": {mix_names(answer, 3, 12)[mix]}" if several else "")


def _means(shares: dict[tuple[str, str], Ends], specs: list[str]) -> np.ndarray:
    """The mean share of each strategy against those that it met."""
    means = []
    for one in specs:
        values = np.array([shares[one, two][0] for two in specs if (one, two) in shares])
        values = values[np.isfinite(values)]
        means.append(values.mean() if len(values) else np.nan)
    return np.array(means)


def _cells(axes: Axes, shares: dict[tuple[str, str], Ends], specs: list[str], down: float) -> None:
    """The coloured cells with their numbers, the first row at the top."""
    many = len(specs)
    ends = np.array([[shares.get((one, two), NOTHING) for two in specs] for one in specs])
    values, low, high = np.moveaxis(ends, 2, 0)
    undecided = ~((low > 50) | (high < 50))
    fill = colours(values / 100)
    fill[undecided] += (1 - fill[undecided]) * PALE
    fill[np.diag_indices(many)] = SELF
    axes.pcolormesh(np.arange(many + 1), np.arange(many + 1), fill, edgecolor="white", linewidth=1)
    axes.set_xlim(0, many)
    axes.set_ylim(many, 0)
    axes.set_axis_off()
    tint = fill @ (0.299, 0.587, 0.114)
    for row, column in zip(*np.nonzero(np.isfinite(values))):
        ink = FAINT if undecided[row, column] else ON_PALE if tint[row, column] > 0.5 else ON_DARK
        half = (high[row, column] - low[row, column]) / 2
        small = many <= WORDY and np.isfinite(half)
        lift = 0.07 / down if small else 0.0
        axes.text(
            column + 0.5,
            row + 0.5 - lift,
            number(values[row, column]) + "%" * (many <= WORDY),
            ha="center",
            va="center_baseline",
            color=ink,
            size=10 if many <= WORDY else 9,
        )
        if small:
            axes.text(
                column + 0.5,
                row + 0.5 + 0.1 / down,
                f"±{number(half, int(half < 2))}",
                ha="center",
                va="center_baseline",
                color=ink,
                size=7.5,
            )
