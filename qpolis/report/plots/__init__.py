"""The plots of a run, as PNG and SVG. Importing this imports matplotlib, which takes half a second.

`PLOTS` has them by name, which is the stem of their files: functions from the `RatedRun` to a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from qpolis.report.content.rated_run import RatedRun
from qpolis.report.plots.convergence import draw_convergence
from qpolis.report.plots.crosstable import draw_crosstable
from qpolis.report.plots.ratings import draw_ratings
from qpolis.report.plots.scores import draw_scores
from qpolis.report.plots.seats import draw_seats
from qpolis.report.plots.style import Figure, encode_figure, write_images
from qpolis.report.plots.times import draw_times

__all__ = ["PLOTS", "encode_figure", "svg_plots", "write_plots"]

PLOTS: Mapping[str, Callable[[RatedRun], Figure]] = MappingProxyType(
    {
        "ratings": draw_ratings,
        "convergence": draw_convergence,
        "crosstable": draw_crosstable,
        "scores": draw_scores,
        "seats": draw_seats,
        "times": draw_times,
    }
)


def write_plots(folder: Path, run: RatedRun) -> dict[Path, bytes]:
    """Write all plots into the folder, in place of earlier ones, and return the files with what is in them."""
    return write_images(folder, {name: encode_figure(draw(run)) for name, draw in PLOTS.items()})


def svg_plots(run: RatedRun, names: Iterable[str]) -> dict[str, bytes]:
    """Some plots as SVG, by name."""
    return {name: encode_figure(PLOTS[name](run), (".svg",))[".svg"] for name in names}
