"""The report of a run made again, from its plan and its journal."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from qpolis.balance.experiment import COMMANDS
from qpolis.errors import QpolisError
from qpolis.report.html.games import shown_games
from qpolis.report.html.tourney import DRAWN, REPORT, report_page
from qpolis.report.outcome import outcome_of
from qpolis.report.plots import svg_plots
from qpolis.tourney.files import write_file
from qpolis.tourney.run import PLAN, read_pieces, saved_plan
from qpolis.tourney.tally import Tally


def asked_by(folder: Path) -> str:
    """The command whose run is in a folder, by its plan."""
    try:
        text = (folder / PLAN).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return "tourney"  # which says what is wrong with the folder
    return next((command for key, command in COMMANDS.items() if f"\n{key} = " in f"\n{text}"), "tourney")


def rewrite(folder: Path, sample: int, asked: Sequence[int]) -> Path:
    """Write the report of a tournament with a sample of its games, and those that were asked for. Nothing is
    played, so another version of the engine does."""
    plan = saved_plan(folder)
    tally = Tally(plan)
    for piece in read_pieces(folder, moves=False):
        tally.add(piece)
    if not tally.complete():
        raise QpolisError(f"{tally.games:,} of {plan.games:,} games are there: go on with qpolis tourney --resume "
                          f"{shlex.quote(str(folder))}")
    outcome = outcome_of(plan, read_pieces(folder, moves=False), tally)
    shown = shown_games(plan, folder, outcome, sample, asked)
    page = report_page(plan, folder, outcome, svg_plots(outcome.material, DRAWN), shown)
    return write_file(folder / REPORT, page)
