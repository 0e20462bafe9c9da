"""What kinds of buildings winners' points come from."""

from __future__ import annotations

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.question import LEVEL
from qpolis.ratings.standing import Estimate
from qpolis.report.plots.balance_data import (
    estimates,
    games_of,
    known,
    left_out,
    measure_of,
    mix_names,
    mixes_shown,
    note,
    texts,
    title,
)
from qpolis.report.plots.balance_forest import Group, Key, dots, forest, row_height, window
from qpolis.report.plots.figure_layout import COLOURS, Column, SeriesStyle, set_x_axis
from qpolis.report.plots.style import INK, Figure, styled
from qpolis.report.plots.text import shortened

WHO = {"winners'": SeriesStyle(COLOURS[0], "-", "o"), "others'": SeriesStyle(COLOURS[1], "-", "D")}
JOINT = "#bbbbbb"
ASIDE = 0.12  # how far marks are from the middle of the row, so that their intervals can be told apart


@styled()
def draw_kinds(answer: Answer) -> Figure | None:
    """The parts of winners' and of others' points, by mix and kind, joined by a line."""
    mixes, kinds, level = mixes_shown(answer), answer.categories, answer.question.bots[0]
    won, lost = (_parts(answer, who) for who in WHO)
    if not known(won):
        return None
    heads = mix_names(answer, 4.4) if len(mixes) > 1 else [""]
    keys = [Key("of winners' points", WHO["winners'"]), Key("of the others' points", WHO["others'"])]
    figure, axes, y = forest(
        title(answer),
        "Where the points of winners come from",
        [Group(heads[mix], kinds) for mix in mixes],
        [
            Column("winners", texts(won.value, unit="%"), INK),
            Column("others", texts(lost.value, unit="%"), INK),
            Column("difference", texts(won.value - lost.value, sign="+")),
        ],
        row_height(len(won.value)),
        xlabel="part of the points that such buildings bring, without penalties",
        note=note(
            f"{shortened(level, 2)} against itself. The difference is in percentage points.",
            games_of(answer, [LEVEL], [level]),
            left_out(answer),
        ),
        keys=keys,
    )
    set_x_axis(axes, *window([won, lost], (0,), ends=(-1.5, 101)), unit="%")
    both = np.isfinite(won.value + lost.value)
    axes.plot(
        [won.value[both], lost.value[both]],
        [y[both] - ASIDE, y[both] + ASIDE],
        color=JOINT,
        linewidth=2.5,
        zorder=1.5,
    )
    dots(axes, y - ASIDE, won, [WHO["winners'"]] * len(y), thick=1.4)
    dots(axes, y + ASIDE, lost, [WHO["others'"]] * len(y), thick=1.4)
    return figure


def _parts(answer: Answer, who: str) -> Estimate:
    """By mix and kind."""
    level = answer.question.bots[0]
    return estimates(
        measure_of(answer, mix, LEVEL, level, "kinds", f"{kind}: part of {who} points")
        for mix in mixes_shown(answer)
        for kind in answer.categories
    )
