"""What all results have: tables as frames, plots as figures, words, and the folder where everything is kept."""

from __future__ import annotations

import abc
import functools
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from qpolis.api.frames import Columns, frame
from qpolis.errors import unknown

if TYPE_CHECKING:
    from qpolis.report.plots.style import Figure

REPORT = "report.html"
PNG = "_repr_png_"  # what a notebook asks for, unless matplotlib was told of the notebook


class Result(abc.ABC):
    """What came out of a run. Tables are made when they are asked for."""

    folder: Path | None

    @property
    @abc.abstractmethod
    def summary(self) -> str:
        """What came out, in words and tables for people."""

    @property
    @abc.abstractmethod
    def tables(self) -> tuple[str, ...]:
        """The names of its tables, for `frame`."""

    @property
    @abc.abstractmethod
    def plots(self) -> tuple[str, ...]:
        """The names of its plots, for `plot`."""

    @abc.abstractmethod
    def _columns(self, table: str) -> Columns:
        """A table by its name."""

    @abc.abstractmethod
    def _figure(self, plot: str) -> Figure:
        """A plot by its name."""

    @property
    def report(self) -> Path | None:
        """The page with everything about the run, for the browser; None if nothing is kept."""
        return self.folder / REPORT if self.folder else None

    def frame(self, table: str, kind: str | None = None) -> Any:
        """A table of this run. `kind` is `pandas`, `polars` or `rows` (a list of dicts); without one it is the
        first of these that is installed."""
        if table not in self.tables:
            raise unknown("table", table, self.tables)
        return frame(self._columns(table), kind)

    def plot(self, name: str) -> Figure:
        """A plot of this run as a figure of matplotlib, which a notebook shows, and which can be changed and saved
        (`figure.savefig`)."""
        if name not in self.plots:
            raise unknown("plot", name, self.plots)
        figure = self._figure(name)
        setattr(figure, PNG, functools.partial(png_of, figure))
        return figure

    def __str__(self) -> str:
        return self.summary


def png_of(figure: Figure) -> bytes:
    from qpolis.report.plots.style import encode_figure

    return encode_figure(figure, (".png",))[".png"]


def given_keys(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that were given, without those that are None."""
    return {key: value for key, value in keys.items() if value is not None}
