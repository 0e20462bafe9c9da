"""Rows of duels, with a mark for each mix."""

from __future__ import annotations

from collections.abc import Sequence

from qpolis.balance.answer import Answer
from qpolis.ratings.standing import Estimate
from qpolis.report.plots.balance_data import mix_names, mixes_shown, texts, title
from qpolis.report.plots.balance_forest import (
    UNITED,
    Group,
    Key,
    dodged,
    dots,
    forest,
    inks,
    row_height,
    series,
    window,
)
from qpolis.report.plots.figure_layout import Column, set_x_axis
from qpolis.report.plots.style import GREY, Figure
from qpolis.report.plots.text import between

COLUMNS = 4  # mixes; if there are more, their numbers are left out


def draw_duels(
    answer: Answer, heading: str, groups: Sequence[Group], shares: Sequence[Estimate], *, xlabel: str, note: str
) -> Figure:
    """Shares by mix (in percent, one for each row), around a line at a half."""
    mixes = mixes_shown(answer)
    looks, heads = series(len(mixes)), mix_names(answer, 0.9, 8)
    many = sum(len(group.labels) for group in groups)
    columns = [
        Column("share" if len(mixes) == 1 else heads[mix], texts(one.value, unit="%"), ink)
        for mix, one, ink in zip(mixes, shares, inks(looks))
    ]
    if len(mixes) == 1:
        columns.append(Column("95% interval", [between(*ends, 1) for ends in zip(shares[0].low, shares[0].high)]))
    keys = [Key(name, how) for name, how in zip(mix_names(answer), looks)] if len(mixes) > 1 else []
    figure, axes, y = forest(
        title(answer),
        heading,
        groups,
        columns if len(mixes) <= COLUMNS else [],
        row_height(many, len(mixes)),
        xlabel=xlabel,
        note=note,
        keys=keys,
    )
    set_x_axis(axes, *window(shares, (50,), least=4, ends=(-1, 101)), unit="%")
    axes.axvline(50, color=GREY, linewidth=1.2, linestyle=UNITED, zorder=1)
    for one, how, aside in zip(shares, looks, dodged(len(mixes))):
        dots(axes, y + aside, one, [how] * many, thick=1.6)
    return figure
