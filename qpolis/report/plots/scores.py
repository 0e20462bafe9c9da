"""How the points of the game are spread, by bot."""

from __future__ import annotations

import numpy as np

from qpolis.engine.results import Results
from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.figure_layout import Column, bot_labels, bot_style, row_figure, set_x_axis
from qpolis.report.plots.style import INK, Axes, Figure, PolyCollection, styled
from qpolis.report.plots.text import count, number

MOST = 130  # bins across
SEEN = 0.005  # of the highest bar of a bot: lower ones cannot be seen
TALL = 0.82  # of a row: the highest bar


@styled()
def draw_scores(run: RatedRun) -> Figure:
    """A histogram for each bot on a common axis, with its mean."""
    results = run.results
    order, labels = bot_labels(run)
    fine, low, step = tally(len(order), results.who.ravel(), results.points.ravel())
    bars, start, wide = grouped(fine, low, step)
    end = start + bars.shape[1] * wide - 1
    means = _means(results)[order]
    texts = [number(mean, int(abs(mean) < 1000)) if np.isfinite(mean) else "no games" for mean in means]
    lost = (results.points.size - bars.sum()) / max(results.points.size, 1)
    note = (
        "Lines: means. Each row has its own height."
        + f" A bar is {wide:,} points." * (wide > 1)
        + f" {100 * lost:.2g}% of the scores lie beyond the axis." * bool(lost > 5e-7)
    )
    figure, axes = row_figure(
        run.title,
        f"Points of {count(len(order), 'bot')} in {count(results.games, 'game')}",
        labels,
        [Column("mean", texts, INK), Column("middle 90%", [_middle(fine[bot], low, step) for bot in order])],
        float(np.clip(3 / len(order), 0.28, 0.75)),
        xlabel="points of the game",
        note=note,
    )
    set_x_axis(axes, start - 0.5, end + 0.5, most=10, whole=True)
    base = np.arange(len(order)) + 0.5 - (1 - TALL) / 2
    axes.hlines(base, start - 0.5, end + 0.5, color="#bbbbbb", linewidth=0.6, zorder=0.5)
    edges = np.arange(bars.shape[1] + 1) * wide + start - 0.5
    _bars(axes, bars[order], base, edges, [bot_style(bot).colour for bot in order])
    shown = (means >= start) & (means <= end)
    axes.vlines(means[shown], base[shown] - TALL, base[shown], color=INK, linewidth=1.5)
    return figure


def tally(bots: int, who: np.ndarray, points: np.ndarray) -> tuple[np.ndarray, int, int]:
    """How often each bot (row) scored what (column), the points of the first column, and the points from one to
    the next: 1 if possible. Scores without measure are left out if the others can be counted better then."""
    if not len(points):
        return np.zeros((bots, 11), np.int64), 0, 1
    lowest, highest, step = int(points.min()), int(points.max()), 1
    while (highest - lowest) // step * bots > 4_000_000:
        step *= 10
    low = lowest // step * step
    across = (highest - low) // step + 1
    cells = points.astype(np.int64) - low
    if step > 1:
        cells //= step  # slow, and rarely needed
    cells += who.astype(np.int64) * across
    fine = np.bincount(cells, minlength=bots * across).reshape(bots, across)
    if step > 1:
        first, last = _shown(fine, step)
        near = (points >= low + first * step) & (points < low + (last + 1) * step)
        if not near.all():
            return tally(bots, who[near], points[near])
    return fine, low, step


def grouped(fine: np.ndarray, low: int, step: int) -> tuple[np.ndarray, int, int]:
    """Bars few enough to be seen, without the ends where none could be: counts of bots x bars, the points at which
    the first bar starts, and the points of a bar."""
    first, last = _shown(fine, step)
    wide = step
    for factor in (2, 2.5, 2) * 9:
        if (last - first + 1) * step <= MOST * wide:
            break
        wide = int(wide * factor)
    start = (low + first * step) // wide * wide
    columns = (low + np.arange(first, last + 1) * step - start) // wide
    bars = np.add.reduceat(fine[:, first : last + 1], np.flatnonzero(np.diff(columns, prepend=-1)), axis=1)
    return bars, start, wide


def _shown(fine: np.ndarray, step: int) -> tuple[int, int]:
    """The first and the last column with a bar that can be seen and that is not far off what its bot scores."""
    shown = []
    for counts in fine[fine.any(axis=1)]:
        below = np.cumsum(counts)
        early, late = np.searchsorted(below, (0.05 * below[-1], 0.95 * below[-1]))
        reach = 3 * max(late - early, 10 // step)
        start = max(early - reach, 0)
        seen = np.flatnonzero(counts[start : late + reach + 1] > SEEN * counts.max()) + start
        shown += [int(seen[0]), int(seen[-1])]
    return (min(shown), max(shown)) if shown else (0, fine.shape[1] - 1)


def _means(results: Results) -> np.ndarray:
    """Mean points by bot, NaN without games."""
    bots = len(results.bots)
    played = np.bincount(results.who.ravel(), minlength=bots)
    sums = np.bincount(results.who.ravel(), weights=results.points.ravel(), minlength=bots)
    return np.where(played > 0, sums / np.maximum(played, 1), np.nan)


def _middle(counts: np.ndarray, low: int, step: int) -> str:
    """The points between which nine games of ten are."""
    total = counts.sum()
    if not total:
        return ""
    first, last = np.searchsorted(np.cumsum(counts), (0.05 * total, 0.95 * total))
    return f"{number(low + first * step)} to {number(low + last * step + step - 1)}"


def _bars(axes: Axes, bars: np.ndarray, base: np.ndarray, edges: np.ndarray, colours: list[str]) -> None:
    """The outlines of the histograms, filled: one artist for all."""
    tops = base[:, np.newaxis] - TALL * bars / np.maximum(bars.max(axis=1, keepdims=True), 1)
    outlines = []
    for top, foot in zip(tops, base):
        heights = np.concatenate(([foot], np.repeat(top, 2), [foot]))
        outlines.append(np.column_stack((np.repeat(edges, 2), heights)))
    axes.add_collection(PolyCollection(outlines, facecolors=colours, alpha=0.75, linewidths=0), autolim=False)
