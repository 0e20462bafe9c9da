"""How a player gets stronger while it is trained."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qpolis.learning.history import Generation
from qpolis.report.plots.figure_layout import BOTTOM, EDGE, TOP, axes_at, bot_style, new_figure
from qpolis.report.plots.style import GREY, INK, WIDTH, Axes, Figure, styled
from qpolis.report.plots.text import count

HIGH = 2.6  # inches of the upper part; the lower ones are half as high
GAP = 0.75


@styled()
def draw_learning(title: str, history: Sequence[Generation]) -> Figure:
    """Elo against bots that stay as they are, over the work done, and below it what was learned from."""
    minutes = np.array([one.minutes for one in history])
    height = TOP + HIGH + GAP + HIGH / 2 + BOTTOM
    figure = new_figure(
        title,
        f"Strength over {count(len(history), 'generation')}",
        height,
        "Bands: 95% intervals. Filled marks: became the champion. Losses are of games that were not learned from.",
    )
    left, across = 0.75, WIDTH - 0.75 - EDGE - 2.3
    top = axes_at(figure, left, BOTTOM + HIGH / 2 + GAP, across, HIGH)
    for number, (part, label) in enumerate(
        (("search", "mcts above mcts\nwithout a model"), ("instinct", "instinct above\ngreedy"))
    ):
        value, low, high = (
            np.array([getattr(one, f"elo_{part}{end}") for one in history]) for end in ("", "_low", "_high")
        )
        colour, dash, mark = bot_style(number)
        top.fill_between(minutes, low, high, color=colour, alpha=0.15, linewidth=0)
        top.plot(minutes, value, color=colour, linestyle=dash, linewidth=1.6)
        for one, x, y in zip(history, minutes, value):
            top.plot([x], [y], mark, color=colour, markersize=5, fillstyle="full" if one.promoted else "none")
        top.annotate(
            label, (minutes[-1], value[-1]), (8, 0), textcoords="offset points", color=colour, va="center"
        )
    top.axhline(0, color=GREY, linewidth=0.8)
    top.set_ylabel("Elo")
    _grid(top, minutes)
    names = (("win", "who wins (cross entropy)"), ("choice", "what is chosen (cross entropy)"))
    half = (across + 2.3 - GAP) / 2
    for number, (part, label) in enumerate(names):
        axes = axes_at(figure, left + number * (half + GAP), BOTTOM, half - 0.1, HIGH / 2)
        axes.plot(minutes, [getattr(one, part) for one in history], "o-", color=INK, markersize=3.5, linewidth=1.2)
        axes.set_title(label, loc="left", size=9)
        _grid(axes, minutes)
        axes.set_xlabel("minutes of work")
    return figure


def _grid(axes: Axes, minutes: np.ndarray) -> None:
    axes.grid(True, axis="y")
    axes.set_xlim(0, max(float(minutes[-1]) * 1.03, 0.1))
    axes.tick_params(length=0)
