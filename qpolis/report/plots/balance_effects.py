"""What a building of each kind does for winning."""

from __future__ import annotations

from qpolis.balance.answer import Answer
from qpolis.balance.question import LEVEL
from qpolis.report.plots.balance_data import (
    estimates,
    games_of,
    known,
    left_out,
    level_names,
    levels_shown,
    measure_of,
    mix_names,
    mixes_shown,
    note,
    texts,
    title,
)
from qpolis.report.plots.balance_forest import (
    Group,
    Key,
    around_zero,
    dodged,
    dots,
    forest,
    inks,
    row_height,
    series,
)
from qpolis.report.plots.figure_layout import Column, set_x_axis
from qpolis.report.plots.style import GREY, Figure, styled
from qpolis.report.plots.text import shortened

COLUMNS = 4  # levels of play; if there are more, their numbers are left out
MARKS = 12  # for a kind of building, on all mixes; if there are more, fewer levels are shown


@styled()
def draw_effects(answer: Answer) -> Figure | None:
    """The effect of one more building of a kind, by mix, with a mark for each level of play."""
    mixes, kinds, levels = mixes_shown(answer), answer.categories, levels_shown(answer, MARKS)
    found = [
        estimates(measure_of(answer, mix, LEVEL, level, "effects", kind) for mix in mixes for kind in kinds)
        for level in levels
    ]
    if not any(map(known, found)):
        return None
    short = level_names(answer)
    looks = series(len(levels))
    columns = [
        Column(shortened(level, 0.9, 8), texts(one.value, sign="+"), ink)
        for level, one, ink in zip(levels, found, inks(looks))
    ]
    heads = mix_names(answer, 4.4) if len(mixes) > 1 else [""]
    figure, axes, y = forest(
        title(answer),
        "Which buildings help to win",
        [Group(heads[mix], kinds) for mix in mixes],
        columns if len(levels) <= COLUMNS else [],
        row_height(len(mixes) * len(kinds), len(levels)),
        xlabel="effect of such a building on the chance to win, in percentage points",
        note=note(
            "Against an average building, the seats being equal. Every bot plays against itself.",
            games_of(answer, [LEVEL], levels),
            left_out(answer, len(levels)),
        ),
        keys=[Key(short[LEVEL, level], how) for level, how in zip(levels, looks)],
    )
    set_x_axis(axes, *around_zero(found), sign="+")
    axes.axvline(0, color=GREY, linewidth=1.2, zorder=1)
    for one, how, aside in zip(found, looks, dodged(len(levels))):
        dots(axes, y + aside, one, [how] * len(y), thick=1.6)
    return figure
