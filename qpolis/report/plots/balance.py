"""The plots about the balance of mixes, as PNG and SVG. Importing this imports matplotlib.

`PLOTS` has those of all mixes together, `MIX_PLOTS` those of one mix, by name, which is the stem of their files:
functions from the `Answer` to a figure, or to nothing if there is nothing to show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from qpolis.balance.answer import Answer
from qpolis.report.plots.balance_changes import draw_changes
from qpolis.report.plots.balance_drama import draw_drama
from qpolis.report.plots.balance_effects import draw_effects
from qpolis.report.plots.balance_habits import draw_habits
from qpolis.report.plots.balance_kinds import draw_kinds
from qpolis.report.plots.balance_ladder import draw_ladder
from qpolis.report.plots.balance_matrix import draw_matrix
from qpolis.report.plots.balance_scores import draw_scores
from qpolis.report.plots.balance_seats import draw_seats
from qpolis.report.plots.balance_tiles import draw_tiles
from qpolis.report.plots.figure_layout import HEADING
from qpolis.report.plots.style import Figure, encode_figure, write_images

__all__ = ["MIX_PLOTS", "PLOTS", "Drawing", "drawings", "figures", "write_balance_plots"]

PLOTS: Mapping[str, Callable[[Answer], Figure | None]] = MappingProxyType(
    {
        "seats": draw_seats,
        "kinds": draw_kinds,
        "effects": draw_effects,
        "tiles": draw_tiles,
        "scores": draw_scores,
        "drama": draw_drama,
        "habits": draw_habits,
        "ladder": draw_ladder,
    }
)
MIX_PLOTS: Mapping[str, Callable[[Answer, int], Figure | None]] = MappingProxyType(
    {
        "matrix": draw_matrix,
        "changes": draw_changes,
    }
)


def figures(answer: Answer) -> Iterator[tuple[str, Figure]]:
    """The plots that have something to show, with the stems of their files. Those of a mix end with its number,
    if it is not the first."""
    for name, draw in PLOTS.items():
        if figure := draw(answer):
            yield name, figure
    for name, draw_mix in MIX_PLOTS.items():
        for mix in range(len(answer.question.mixes)):
            if figure := draw_mix(answer, mix):
                yield f"{name}-{mix}" if mix else name, figure


class Drawing(NamedTuple):
    """A plot that was drawn."""

    heading: str
    files: dict[str, bytes]  # content by suffix


def drawings(answer: Answer) -> dict[str, Drawing]:
    """The plots by the stems of their files."""
    return {name: Drawing(heading_of(figure), encode_figure(figure)) for name, figure in figures(answer)}


def heading_of(figure: Figure) -> str:
    """What a figure says at its top, which a page says beside it."""
    return next((text.get_text() for text in figure.texts if text.get_gid() == HEADING), "")


def write_balance_plots(folder: Path, drawn: Mapping[str, Drawing]) -> list[Path]:
    """Write plots into the folder, in place of earlier ones, and return the files."""
    return list(write_images(folder, {name: drawing.files for name, drawing in drawn.items()}))
