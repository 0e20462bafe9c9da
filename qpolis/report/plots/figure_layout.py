"""The sheet of paper all plots share: heading, footnote, rows with names, axes in inches, colours of the bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.style import GREY, PALE, WIDTH, Axes, Figure
from qpolis.report.plots.text import names, number, shortened, width

EDGE = 0.15  # inches of white around everything
TOP, BOTTOM = 0.72, 0.85  # inches for the heading; for ticks, label and footnote
HEADING = "heading"  # the name of the heading's parts in an SVG, where a page with headings of its own drops them
NAMES = 2.5  # inches that names may take

# Blue, vermilion, green, pink, orange, sky, indigo, brown, dark grey: any two differ clearly for people with
# protanopia, deuteranopia and tritanopia too (CIE76 above 14, with full loss of a cone).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#332288", "#661100", "#444444")
DASHES = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)))
MARKS = "osD^"


class SeriesStyle(NamedTuple):
    """How a bot looks, in all plots."""

    colour: str
    dash: str | tuple[int, tuple[float, ...]]
    mark: str


def bot_style(bot: int) -> SeriesStyle:
    """Colours repeat with other dashes and marks."""
    cycle = bot // len(COLOURS)
    return SeriesStyle(COLOURS[bot % len(COLOURS)], DASHES[cycle % len(DASHES)], MARKS[cycle % len(MARKS)])


def new_figure(title: str, heading: str, height: float, note: str = "") -> Figure:
    """An empty figure with a heading, the title of the run below it, and a footnote."""
    figure = Figure(figsize=(WIDTH, height))
    room = WIDTH - 2 * EDGE
    left = EDGE / WIDTH
    figure.text(
        left, 1 - 0.13 / height, shortened(heading, room / 1.13, 12), size=12, weight="bold", va="top", gid=HEADING
    )
    figure.text(left, 1 - 0.38 / height, shortened(title, room), color=GREY, va="top", gid=HEADING)
    figure.text(left, 0.1 / height, note, size=8, color=GREY, va="bottom")
    return figure


def axes_at(figure: Figure, left: float, bottom: float, across: float, up: float) -> Axes:
    """Axes at a place in inches from the lower left corner."""
    wide, high = figure.get_size_inches()
    return figure.add_axes((left / wide, bottom / high, across / wide, up / high))


def round_ticks(low: float, high: float, most: int) -> np.ndarray:
    """Round numbers from low to high at even distances, at most that many or a few more."""
    rough = max((high - low) / most, 1e-9)
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough * 0.999)
    return np.arange(np.ceil(low / step - 1e-9), np.floor(high / step + 1e-9) + 1) * step


def set_x_axis(
    axes: Axes, low: float, high: float, *, most: int = 8, sign: str = "-", unit: str = "", whole: bool = False
) -> None:
    """Limits and evenly spaced ticks of the x axis."""
    ticks = round_ticks(low, high, most)
    if whole:
        ticks = np.unique(np.round(ticks))
    step = ticks[1] - ticks[0] if len(ticks) > 1 else 1
    digits = max(0, int(np.ceil(-np.log10(step) - 1e-9)))
    axes.set_xlim(low, high)
    axes.set_xticks(ticks, [number(tick, digits, sign) + unit for tick in ticks])
    axes.grid(axis="x")


class Column(NamedTuple):
    """Texts at the right of the rows."""

    head: str
    texts: Sequence[str]
    colour: str | Sequence[str] = GREY  # of all, or one by one

    def ink(self, place: int) -> str:
        """The colour of a text."""
        return self.colour if isinstance(self.colour, str) else self.colour[place]


def row_figure(
    title: str,
    heading: str,
    labels: Sequence[str],
    columns: Sequence[Column],
    row: float,
    *,
    xlabel: str,
    note: str = "",
    above: float = 0.0,
) -> tuple[Figure, Axes]:
    """A figure with a row for each label: names at the left, columns of text at the right, axes between them with
    the rows at y = 0, 1, ... from the top. Some inches above the rows can be kept free."""
    up = max(row * len(labels), 0.5)
    height = TOP + 0.12 + up + BOTTOM - (0 if note else 0.15) + above
    top = height - TOP - 0.12 - above
    figure = new_figure(title, heading, height, note)
    left = EDGE + max(map(width, labels)) + 0.15
    ends = [WIDTH - EDGE]
    for column in reversed(columns):
        wide = max(width(column.head, 8), *map(width, column.texts))
        ends.append(ends[-1] - wide - 0.2)
    axes = axes_at(figure, left, top - up, ends[-1] - left, up)
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.set_yticks([])
    axes.set_xlabel(xlabel)
    axes.tick_params(length=3)

    def say(x: float, y: float, text: str, **how: Any) -> None:
        if text:
            figure.text(
                x / WIDTH, (top - up * (y + 0.5) / len(labels)) / height, text, va="center_baseline", **how
            )

    for place, label in enumerate(labels):
        say(left - 0.12, place, label, ha="right")
    for column, end in zip(columns, reversed(ends[:-1])):
        head = -0.5 - 0.1 * len(labels) / up
        say(end, head, column.head, ha="right", size=8, color=GREY)
        for place, text in enumerate(column.texts):
            say(end, place, text, ha="right", color=column.ink(place))
    return figure, axes


def bot_labels(run: RatedRun) -> tuple[np.ndarray, list[str]]:
    """The bots from the strongest to the weakest, and their names for the left of rows."""
    order = run.ratings.order
    short = names(run.ratings.bots, NAMES)
    return order, [short[bot] for bot in order]


def draw_row_guides(axes: Axes, count: int) -> None:
    """Faint lines along the rows."""
    across = axes.get_yaxis_transform()
    axes.hlines(np.arange(count), 0, 1, transform=across, color=PALE, linewidth=0.8, zorder=0.5)


def draw_bot_marks(axes: Axes, x: np.ndarray, y: np.ndarray, bots: np.ndarray, size: float = 26) -> None:
    """A mark of each bot in its colour and shape."""
    cycles = bots // len(COLOURS)
    for cycle in np.unique(cycles):
        of = cycles == cycle
        axes.scatter(
            x[of],
            y[of],
            s=size,
            c=[bot_style(bot).colour for bot in bots[of]],
            marker=bot_style(bots[of][0]).mark,
            zorder=3,
            clip_on=False,
            linewidth=0,
        )


def draw_intervals(
    axes: Axes,
    y: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    colours: Sequence[str],
    thick: float = 2,
    alpha: float = 1,
) -> None:
    """Lines from low to high, cut off with an arrow head where they leave the axes; none where unknown."""
    left, right = axes.get_xlim()
    known = ~(np.isnan(low) | np.isnan(high)) & (high >= left) & (low <= right)
    colour = np.array(colours)
    axes.hlines(
        y[known],
        np.maximum(low, left)[known],
        np.minimum(high, right)[known],
        colors=colour[known],
        linewidth=thick,
        alpha=alpha,
        zorder=2,
    )
    for beyond, place, mark in ((known & (low < left), left, "<"), (known & (high > right), right, ">")):
        if beyond.any():
            axes.scatter(
                np.full(beyond.sum(), place),
                y[beyond],
                s=24,
                c=list(colour[beyond]),
                marker=mark,
                zorder=3,
                clip_on=False,
                linewidth=0,
            )
