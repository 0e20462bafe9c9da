"""The report of a run made again, from its plan and its journal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from qpolis.files import write_file
from qpolis.report.content.outcome import read_outcome
from qpolis.report.pages.games import choose_games
from qpolis.report.pages.tourney import DRAWN, REPORT, report_page
from qpolis.report.plots import svg_plots


def rewrite(folder: Path, sample: int, asked: Sequence[int]) -> Path:
    """Write the report of a tournament with a sample of its games, and those that were asked for. Nothing is
    played, so another version of the engine does."""
    plan, outcome = read_outcome(folder)
    shown = choose_games(plan, folder, outcome, sample, asked)
    page = report_page(plan, folder, outcome, svg_plots(outcome.rated_run, DRAWN), shown)
    return write_file(folder / REPORT, page)
