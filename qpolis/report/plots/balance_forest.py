"""Rows in groups with marks and intervals, and the keys that say what the marks are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from qpolis.ratings.standing import Estimate
from qpolis.report.plots.figure_layout import (
    COLOURS,
    EDGE,
    Column,
    SeriesStyle,
    bot_style,
    draw_intervals,
    row_figure,
)
from qpolis.report.plots.style import GREY, INK, PALE, WIDTH, Axes, Figure
from qpolis.report.plots.text import shortened, width

LINE = 0.22  # inches from a line of a key to the next
SWATCH = 0.3  # inches for a mark in a key
BAND = "#eeeeee"  # where a difference does not matter
UNITED = (0, (4, 2))  # dashes of the line where all are equal


class Group(NamedTuple):
    """Rows under a head, which may be empty."""

    head: str
    labels: Sequence[str]


class Key(NamedTuple):
    """What a mark or line stands for."""

    label: str
    look: SeriesStyle


def forest(
    title: str,
    heading: str,
    groups: Sequence[Group],
    columns: Sequence[Column],
    row: float,
    *,
    xlabel: str,
    note: str,
    keys: Sequence[Key] = (),
) -> tuple[Figure, Axes, np.ndarray]:
    """A figure with rows in groups: names at the left, columns at the right, axes between them. Returns also the y
    of every row. The columns have a text for each row."""
    labels: list[str] = []
    places: list[int] = []
    heads: list[tuple[int, str]] = []
    for group in groups:
        if group.head:
            heads.append((len(labels), group.head))
            labels.append("")
        places += range(len(labels), len(labels) + len(group.labels))
        labels += group.labels
    lines = _lines(keys)
    spaced = [_spaced(column, places, len(labels)) for column in columns]
    figure, axes = row_figure(
        title, heading, labels, spaced, row, xlabel=xlabel, note=note, above=LINE * len(lines)
    )
    axes.hlines(places, 0, 1, transform=axes.get_yaxis_transform(), color=PALE, linewidth=0.8, zorder=0.5)
    for place, head in heads:
        _headed(figure, axes, place, head)
    show_key(figure, lines, figure.get_size_inches()[1] - 0.72)
    return figure, axes, np.array(places, float)


def _spaced(column: Column, places: Sequence[int], count: int) -> Column:
    """The column with empty texts beside the heads."""
    spread, inks = [""] * count, [GREY] * count
    for place, number in enumerate(places):
        spread[number], inks[number] = column.texts[place], column.ink(place)
    return Column(column.head, spread, inks)


def _headed(figure: Figure, axes: Axes, place: int, head: str) -> None:
    """The head of a group at the left, over the lines of the axes."""
    low, high = axes.get_ylim()
    box = axes.get_position()
    y = box.y0 + box.height * (place + 0.08 - low) / (high - low)
    figure.text(
        EDGE / WIDTH,
        y,
        shortened(head, 4.5),
        weight="bold",
        va="center_baseline",
        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5},
    )


def _lines(keys: Sequence[Key]) -> list[list[Key]]:
    """Keys in lines that fit."""
    lines: list[list[Key]] = []
    end = np.inf
    for key in keys:
        wide = SWATCH + width(key.label) + 0.3
        if end + wide > WIDTH - 2 * EDGE:
            lines.append([])
            end = 0.0
        lines[-1].append(key)
        end += wide
    return lines


def show_key(figure: Figure, lines: Sequence[Sequence[Key]], top: float) -> None:
    """Marks and what they stand for, from some inches above the bottom down."""
    height = figure.get_size_inches()[1]
    for line, keys in enumerate(lines):
        x, y = EDGE, top - LINE * (line + 0.5)
        for key in keys:
            swatch(figure, x, y, key.look)
            figure.text((x + SWATCH) / WIDTH, y / height, key.label, va="center_baseline")
            x += SWATCH + width(key.label) + 0.3


def swatch(figure: Figure, x: float, y: float, how: SeriesStyle, line: bool = False) -> None:
    """A mark with a stroke, or a line, at a place in inches."""
    wide, height = figure.get_size_inches()
    axes = figure.add_axes((x / wide, (y - 0.07) / height, (SWATCH - 0.08) / wide, 0.14 / height))
    axes.set_axis_off()
    axes.set_xlim(0, 1)
    axes.set_ylim(-1, 1)
    axes.plot([0, 1], [0, 0], color=how.colour, linewidth=1.8, linestyle=how.dash if line else "-")
    if not line:
        axes.scatter([0.5], [0], s=26, color=how.colour, marker=how.mark, linewidth=0, zorder=3)


def series(count: int) -> list[SeriesStyle]:
    """Looks that differ in colour and in mark, as they do for bots only after nine."""
    marks = "osD^vP"
    return [
        SeriesStyle(COLOURS[number % len(COLOURS)], bot_style(number).dash, marks[number % len(marks)])
        for number in range(count)
    ]


def inks(looks: Sequence[SeriesStyle]) -> list[str]:
    """Colours of texts in columns, one for each look: INK if there is only one, or colours too light to read."""
    return [how.colour for how in looks] if len(looks) in (2, 3) else [INK] * len(looks)


def dodged(count: int) -> np.ndarray:
    """How far marks that share a row are from its middle."""
    step = min(0.22, 0.72 / max(count, 1))
    return (np.arange(count) - (count - 1) / 2) * step


def row_height(count: int, marks: int = 1) -> float:
    """Inches of a row: some for each mark, less if there are many rows."""
    return float(np.clip(4.5 / max(count, 1), max(0.22, 0.09 * marks + 0.06), max(0.36, 0.12 * marks + 0.1)))


def dots(axes: Axes, y: np.ndarray, estimate: Estimate, looks: Sequence[SeriesStyle], thick: float = 2) -> None:
    """Marks with their intervals, each in its look; a value beyond the axes is an arrow head at its end."""
    left, right = axes.get_xlim()
    colours = [how.colour for how in looks]
    draw_intervals(axes, y, estimate.low, estimate.high, colours, thick)
    value = estimate.value
    away = np.isfinite(value) & ((value < left) | (value > right))
    nearest = np.clip(value, left, right)
    beyond = np.where(away, np.minimum(value, nearest), np.nan)
    draw_intervals(axes, y, beyond, np.maximum(value, nearest), colours, thick)
    for place in np.flatnonzero(np.isfinite(value) & ~away).tolist():
        axes.scatter(
            value[place],
            y[place],
            s=30,
            color=colours[place],
            marker=looks[place].mark,
            zorder=3,
            clip_on=False,
            linewidth=0,
        )


def window(
    found: Iterable[Estimate],
    also: Sequence[float] = (),
    least: float = 2.0,
    ends: tuple[float, float] = (-np.inf, np.inf),
) -> tuple[float, float]:
    """A part of the axis with all values and intervals, and some other numbers."""
    parts = [np.ravel(part) for one in found for part in (one.value, one.low, one.high)]
    numbers = np.concatenate([*parts, np.array(also, float)])
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return -least, least
    middle, half = (numbers.min() + numbers.max()) / 2, max(np.ptp(numbers), least) * 0.54
    return max(float(middle - half), ends[0]), min(float(middle + half), ends[1])


def around_zero(
    found: Sequence[Estimate], also: Sequence[float] = (), most: float = np.inf
) -> tuple[float, float]:
    """A part of the axis with 0 and all values, at most so far from it; long intervals are cut off."""
    values = np.concatenate([one.value for one in found])
    reach = min(1.8 * float(np.nanmax(np.abs(values), initial=5.0)), most)
    return window(found, (0, *also), ends=(-1.04 * reach, 1.04 * reach))


def table(
    figure: Figure, top: float, labels: Sequence[str], looks: Sequence[SeriesStyle], columns: Sequence[Column]
) -> None:
    """A key with a line for each label and columns of texts, from some inches above the bottom down."""
    height = figure.get_size_inches()[1]
    end = WIDTH - EDGE
    for column in reversed(columns):
        figure.text(
            end / WIDTH,
            (top - LINE / 2) / height,
            column.head,
            ha="right",
            va="center_baseline",
            size=8,
            color=GREY,
        )
        for line, text in enumerate(column.texts, start=1):
            figure.text(end / WIDTH, (top - LINE * (line + 0.5)) / height, text, ha="right", va="center_baseline")
        end -= max(width(column.head, 8), *map(width, column.texts)) + 0.3
    for line, (label, how) in enumerate(zip(labels, looks), start=1):
        y = top - LINE * (line + 0.5)
        swatch(figure, EDGE, y, how, line=True)
        figure.text(
            (EDGE + SWATCH) / WIDTH, y / height, shortened(label, end - EDGE - SWATCH), va="center_baseline"
        )
