"""When games are decided."""

from __future__ import annotations

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.experiment import RunMeasures
from qpolis.balance.question import LEVEL
from qpolis.report.plots.balance_data import (
    estimates,
    left_out,
    level_names,
    levels_shown,
    mix_names,
    mixes_shown,
    note,
    run_of,
    title,
)
from qpolis.report.plots.balance_forest import LINE, series, table
from qpolis.report.plots.figure_layout import (
    DASHES,
    EDGE,
    TOP,
    Column,
    SeriesStyle,
    axes_at,
    new_figure,
    set_x_axis,
)
from qpolis.report.plots.style import GREY, WIDTH, Axes, Figure, styled
from qpolis.report.plots.text import between, decimals, number

UP = 2.9  # inches of the axes
FOOT, BELOW = 0.5, 0.55  # inches for the footnote; for ticks and label
MOST = 9  # lines
HALF = 50


@styled()
def draw_drama(answer: Answer) -> Figure | None:
    """The share of games that are decided by then: a line for each mix and level of play."""
    runs = _runs(answer)
    if not runs:
        return None
    looks = _looks(answer, runs)
    foot = FOOT + LINE * (len(runs) + 1) + 0.05
    remark = "Decided: from then on the winner leads to the end. Games with a shared win are left out."
    shown = left_out(answer, len(levels_shown(answer, MOST)))
    figure = new_figure(
        title(answer),
        "When games are decided",
        TOP + 0.1 + UP + BELOW + foot,
        note(remark, sum(run.games for run in runs), shown),
    )
    axes = axes_at(figure, EDGE + 0.6, foot + BELOW, WIDTH - 2 * EDGE - 0.7, UP)
    _axes(axes)
    for run, how in zip(runs, looks):
        counts = run.histograms["decided"]
        rising = 100 * np.cumsum(np.concatenate(([0], counts))) / counts.sum()
        axes.plot(
            np.linspace(0, 100, len(rising)), rising, color=how.colour, linestyle=how.dash, linewidth=1.8, zorder=3
        )
    table(
        figure,
        foot,
        _labels(answer, runs),
        looks,
        [
            Column("decided after, on average", _texts(runs, "decided after part of the game", 100, "%")),
            Column("lead changes a game", _texts(runs, "lead changes", 1, "")),
            Column("winner trailed at half-time", _texts(runs, "winner trailed at half-time", 100, "%")),
        ],
    )
    return figure


def _runs(answer: Answer) -> list[RunMeasures]:
    """Every bot against itself on every mix; fewer bots if there would be too many lines."""
    levels = levels_shown(answer, MOST)
    found = [run_of(answer, mix, LEVEL, level) for mix in mixes_shown(answer) for level in levels]
    return [run for run in found if run and sum(run.histograms.get("decided", ()))]


def _looks(answer: Answer, runs: list[RunMeasures]) -> list[SeriesStyle]:
    """Colours of mixes and dashes of levels; if there is one mix, levels have the colours."""
    bots, several = answer.question.bots, len(answer.question.mixes) > 1
    looks = []
    for run in runs:
        level = bots.index(run.cell.level)
        how = series(MOST + len(bots))[run.cell.mix if several else level]
        looks.append(how._replace(dash=DASHES[level % len(DASHES)]))
    return looks


def _labels(answer: Answer, runs: list[RunMeasures]) -> list[str]:
    several = len(answer.question.mixes) > 1
    mixes, levels = mix_names(answer, 1.9), level_names(answer, 1.2 if several else 3)
    return [f"{mixes[run.cell.mix]}: " * several + levels[LEVEL, run.cell.level] for run in runs]


def _texts(runs: list[RunMeasures], name: str, scale: float, unit: str) -> list[str]:
    """A measure of each run, with its interval."""
    said = []
    for run in runs:
        one = estimates(
            [measure for measure in run.measures if (measure.group, measure.name) == ("drama", name)], scale
        )
        value, low, high = (part[0] if len(part) else np.nan for part in (one.value, one.low, one.high))
        digits = decimals(low, high) if unit else 2
        span = f" ({between(low, high, digits)})" if between(low, high) else ""
        said.append(number(value, digits) + unit + span if np.isfinite(value) else "unknown")
    return said


def _axes(axes: Axes) -> None:
    set_x_axis(axes, 0, 100, unit="%", most=10)
    axes.set_ylim(0, 101)
    ticks = np.arange(0, 101, 25)
    axes.set_yticks(ticks, [f"{tick}%" for tick in ticks])
    axes.grid(axis="y")
    axes.axhline(HALF, color=GREY, linewidth=1, linestyle=(0, (4, 2)), zorder=1)
    axes.set_xlabel("part of the game that is over")
    axes.set_ylabel("games that are decided by then")
    axes.tick_params(length=3, color=GREY)
