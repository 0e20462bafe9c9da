"""The plots of a run, as PNG and SVG. Importing this imports matplotlib, which takes half a second.

`PLOTS` has them by name, which is the stem of their files: functions from the `Material` to a figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType

import numpy as np

from qpolis.errors import QpolisError
from qpolis.report.plots.canvas import Figure, encoded
from qpolis.report.plots.convergence import draw_convergence
from qpolis.report.plots.crosstable import draw_crosstable
from qpolis.report.plots.ratings import draw_ratings
from qpolis.report.plots.scores import draw_scores
from qpolis.report.plots.seats import draw_seats
from qpolis.report.plots.sheet import Material
from qpolis.report.plots.times import draw_times
from qpolis.tourney.files import write_file
from qpolis.tourney.ratings.standing import History, Ratings
from qpolis.tourney.results import Results

__all__ = ["PLOTS", "Material", "encoded", "write_plots"]

PLOTS: Mapping[str, Callable[[Material], Figure]] = MappingProxyType({
    "ratings": draw_ratings,
    "convergence": draw_convergence,
    "crosstable": draw_crosstable,
    "scores": draw_scores,
    "seats": draw_seats,
    "times": draw_times,
})


def write_plots(folder: Path, title: str, results: Results, ratings: Ratings, history: History,
                times: np.ndarray) -> list[Path]:
    """Write all plots into the folder, in place of earlier ones, and return the files. `times` is how often each
    bot (row) took how long for a decision (column): see `plots/times.py`."""
    material = Material(title, results, ratings, history, times)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise QpolisError(f"{folder}: cannot be made: {error.strerror}") from None
    return [write_file(folder / f"{name}{suffix}", content)
            for name, draw in PLOTS.items() for suffix, content in encoded(draw(material)).items()]
