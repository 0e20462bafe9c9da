"""The tiles that decide games."""

from __future__ import annotations

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.measure import Measure
from qpolis.balance.question import LEVEL
from qpolis.report.plots.balance_data import (
    estimates,
    measure_of,
    mix_names,
    note,
    run_of,
    texts,
    title,
)
from qpolis.report.plots.balance_forest import Group, around_zero, dots, forest, row_height
from qpolis.report.plots.figure_layout import COLOURS, Column, SeriesStyle, set_x_axis
from qpolis.report.plots.style import GREY, INK, Figure, styled
from qpolis.report.plots.text import names, number, shortened

MOST = 12  # of each sort
LABEL = 3.0  # inches
EFFECT = ": effect"
HELP, HURT = SeriesStyle(COLOURS[0], "-", "o"), SeriesStyle(COLOURS[1], "-", "D")


@styled()
def draw_tiles(answer: Answer) -> Figure | None:
    """The tiles of the first mix with the greatest effects on winning, for better and for worse."""
    level = answer.question.bots[0]
    run = run_of(answer, 0, LEVEL, level)
    best, worst = _extremes(run.measures if run else [])
    shown = [*best, *worst]
    if not run or not shown:
        return None
    effects = estimates(shown)
    stems = [measure.name.removesuffix(EFFECT) for measure in shown]
    taken = [measure_of(answer, 0, LEVEL, level, "tiles", f"{stem}: taken") for stem in stems]
    place = [measure_of(answer, 0, LEVEL, level, "tiles", f"{stem}: place in the round") for stem in stems]
    labels = names(stems, LABEL)
    groups = [Group("Help most", labels[: len(best)]), Group("Hurt most", labels[len(best) :])]
    figure, axes, y = forest(
        title(answer),
        "The tiles that help and hurt most" + _where(answer),
        [group for group in groups if group.labels],
        [
            Column("effect", texts(effects.value, sign="+"), INK),
            Column("taken", _shares(taken)),
            Column("taken as", _ordinals(place)),
        ],
        row_height(len(shown)),
        xlabel="effect of the tile on the chance to win, in percentage points",
        note=note(
            f"{shortened(level, 2)} against itself. Effects are against an average tile of the round; "
            "intervals are for each tile alone. Taken as: its place in the round.",
            run.games,
        ),
    )
    set_x_axis(axes, *around_zero([effects]), sign="+")
    axes.axvline(0, color=GREY, linewidth=1.2, zorder=1)
    dots(axes, y, effects, [HELP] * len(best) + [HURT] * len(worst))
    return figure


def _extremes(measures: list[Measure]) -> tuple[list[Measure], list[Measure]]:
    """The measures of the tiles that help most, from the best, and of those that hurt most, the worst last."""
    found = [
        measure
        for measure in measures
        if measure.group == "tiles" and measure.name.endswith(EFFECT) and np.isfinite(measure.value)
    ]
    found.sort(key=lambda measure: -measure.value)
    best = [measure for measure in found if measure.value > 0]
    worst = [measure for measure in found if measure.value < 0]
    return best[:MOST], worst[-MOST:]


def _where(answer: Answer) -> str:
    return f": {mix_names(answer)[0]}" if len(answer.question.mixes) > 1 else ""


def _shares(measures: list[Measure | None]) -> list[str]:
    return [number(100 * measure.value) + "%" if measure else "" for measure in measures]


def _ordinals(measures: list[Measure | None]) -> list[str]:
    return [f"no. {number(measure.value, 1)}" if measure else "" for measure in measures]
