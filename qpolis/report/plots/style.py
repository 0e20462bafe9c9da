"""Matplotlib as the plots use it: figures without pyplot, one style, the same bytes each time.

All imports of matplotlib are here, so that its messages about folders and font caches can be held back.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any

from qpolis.files import make_folder, write_file


@contextmanager
def _hushed() -> Iterator[None]:
    """Without matplotlib's messages about a folder it may not write to, or a font cache that it makes."""
    logger = logging.getLogger("matplotlib")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(level)


with _hushed():
    import matplotlib
    from matplotlib.axes import Axes
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.collections import PolyCollection
    from matplotlib.figure import Figure
    from matplotlib.ft2font import FT2Font

__all__ = [
    "DPI",
    "FONT",
    "GREY",
    "INK",
    "ON_DARK",
    "ON_PALE",
    "PALE",
    "WIDTH",
    "Axes",
    "FT2Font",
    "Figure",
    "PolyCollection",
    "encode_figure",
    "styled",
    "write_images",
]

WIDTH = 9.0  # inches
DPI = 100  # pixels an inch
INK, GREY, PALE = "#222222", "#666666", "#dddddd"  # text, minor text, lines that guide the eye
ON_PALE, ON_DARK = "#212121", "#fefefe"  # text on coloured cells, which are the same on light and dark paper
FONT = Path(matplotlib.get_data_path(), "fonts", "ttf", "DejaVuSans.ttf")

_STYLE: dict[Any, Any] = {
    "figure.dpi": DPI,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "text.color": INK,
    "text.parse_math": False,  # a name with two dollar signs is no formula
    "axes.edgecolor": GREY,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.spines.left": False,
    "xtick.color": GREY,
    "ytick.color": GREY,
    "grid.color": PALE,
    "grid.linewidth": 0.8,
    "svg.hashsalt": "qpolis",  # names inside the file do not change from run to run
    "svg.fonttype": "path",  # looks the same where the font is missing
}
_LOCK = threading.RLock()  # settings of matplotlib are global: one thread at a time changes them


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib's own defaults with the changes of our style, whatever the user's settings are."""
    with _LOCK, matplotlib.rc_context({**matplotlib.rcParamsDefault, **_STYLE}):
        yield


def encode_figure(figure: Figure, suffixes: Sequence[str] = (".png", ".svg")) -> dict[str, bytes]:
    """The figure as a file's content by suffix; the same figure gives the same bytes."""
    made = {suffix: BytesIO() for suffix in suffixes}
    with styled():
        if ".png" in made:
            FigureCanvasAgg(figure).print_png(
                made[".png"], metadata={"Software": None}, pil_kwargs={"compress_level": 3}
            )
        if ".svg" in made:
            FigureCanvasSVG(figure).print_svg(made[".svg"], metadata={"Date": None, "Creator": None})
    return {suffix: file.getvalue() for suffix, file in made.items()}


def write_images(folder: Path, images: Mapping[str, Mapping[str, bytes]]) -> dict[Path, bytes]:
    """Write images, by stem and suffix, in place of earlier ones, and return the files with what is in them."""
    make_folder(folder)
    return {
        write_file(folder / f"{stem}{suffix}", content): content
        for stem, files in images.items()
        for suffix, content in files.items()
    }
