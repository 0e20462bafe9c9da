"""How many points are scored, and by how many a game is won."""

from __future__ import annotations

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import RunMeasures
from qpolis.balance.question import LEVEL
from qpolis.report.plots.balance_data import (
    estimates,
    left_out,
    mix_names,
    mixes_shown,
    note,
    run_of,
    texts,
    title,
)
from qpolis.report.plots.balance_forest import LINE, series, table
from qpolis.report.plots.figure_layout import (
    EDGE,
    TOP,
    Column,
    SeriesStyle,
    axes_at,
    new_figure,
    round_ticks,
    set_x_axis,
)
from qpolis.report.plots.style import GREY, WIDTH, Axes, Figure, styled
from qpolis.report.plots.text import number, shortened

UP, GAP = 2.7, 0.75  # inches of the axes, and between them
FOOT, BELOW = 0.5, 0.55  # inches for the footnote; for ticks and label
BARS = 70  # of a histogram
PANELS = {"points": ("points of a player", "of players"), "margin": ("winning margin in points", "of games")}
COLUMNS = {
    "mean points": "points",
    "spread": "spread of points",
    "winner": "winner's points",
    "margin": "winning margin",
}


@styled()
def draw_scores(answer: Answer) -> Figure | None:
    """The spread of points and of the winning margin: a histogram for each mix."""
    level = answer.question.bots[0]
    found = {mix: run_of(answer, mix, LEVEL, level) for mix in mixes_shown(answer)}
    runs = {mix: run for mix, run in found.items() if run and sum(run.histograms.get("points", ()))}
    if not runs:
        return None
    looks = series(max(runs) + 1)
    foot = FOOT + LINE * (len(runs) + 1) + 0.05
    remark = f"{shortened(level, 2)} against itself. Spread: the standard deviation of points."
    figure = new_figure(
        title(answer),
        "Points, and by how many games are won",
        TOP + 0.1 + UP + BELOW + foot,
        note(remark, sum(run.games for run in runs.values()), left_out(answer)),
    )
    across = (WIDTH - 2 * EDGE - GAP - 0.55) / 2
    for panel, (name, (xlabel, of)) in enumerate(PANELS.items()):
        axes = axes_at(figure, EDGE + 0.55 + panel * (across + GAP), foot + BELOW, across, UP)
        _histograms(axes, {mix: run.histograms[name] for mix, run in runs.items()}, looks)
        axes.set_xlabel(xlabel)
        axes.set_ylabel(f"share {of}")
    short = mix_names(answer, 3.5)
    table(
        figure,
        foot,
        [short[mix] for mix in runs],
        [looks[mix] for mix in runs],
        [Column(head, [_value(run, name) for run in runs.values()]) for head, name in COLUMNS.items()],
    )
    return figure


def _value(run: RunMeasures, name: str) -> str:
    """A measure of points, with its interval."""
    one = estimates([measure for measure in run.measures if (measure.group, measure.name) == ("scores", name)], 1)
    if not np.isfinite(one.value).any():
        return "unknown"
    half = (one.high[0] - one.low[0]) / 2
    return texts(one.value)[0] + (f" ±{number(half, 1 + (half < 0.05))}" if np.isfinite(half) else "")


def _histograms(axes: Axes, counts: dict[int, np.ndarray], looks: list[SeriesStyle]) -> None:
    """Outlines of the shares by points, the first one filled."""
    wide = bar_width(list(counts.values()))
    first = min(int(np.flatnonzero(one)[0]) for one in counts.values()) // wide
    last = max(int(np.flatnonzero(one)[-1]) for one in counts.values()) // wide
    edges = np.arange(first, last + 2) * wide - 0.5
    top = 0.0
    for number_, (mix, one) in enumerate(counts.items()):
        bars = np.bincount(np.arange(len(one)) // wide, one, minlength=last + 1)[first : last + 1]
        heights = 100 * bars / one.sum()
        top = max(top, heights.max())
        axes.stairs(heights, edges, color=looks[mix].colour, linewidth=1.6, zorder=3 - number_ / 10)
        axes.stairs(
            heights,
            edges,
            color=looks[mix].colour,
            fill=True,
            alpha=0.22 if len(counts) < 4 else 0.1,
            linewidth=0,
            zorder=1,
        )
    pad = 0.02 * (edges[-1] - edges[0])
    set_x_axis(axes, edges[0] - pad, edges[-1] + pad, whole=True)
    axes.set_ylim(0, top * 1.06)
    ticks = round_ticks(0, top * 1.06, 5)
    digits = int(len(ticks) > 1 and ticks[1] < 1)
    axes.set_yticks(ticks, [number(tick, digits) + "%" for tick in ticks])
    axes.grid(axis="y")
    axes.tick_params(length=3, color=GREY)


def bar_width(counts: list[np.ndarray]) -> int:
    """Points of a bar: so many that few games do not make ragged outlines, and that all bars can be seen."""
    longest = max(map(len, counts))
    least = 1.0
    for one in counts:
        below = np.cumsum(one)
        early, late = np.searchsorted(below, (0.25 * below[-1], 0.75 * below[-1]))
        least = max(least, 1.4 * (late - early) / below[-1] ** (1 / 3), longest / BARS / 2)
    return next(unit * 10**tens for tens in range(9) for unit in (1, 2, 5) if unit * 10**tens >= least * 0.999)
