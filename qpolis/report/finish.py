"""The end of a run: its tables, plots and report, all made from its plan and its journal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from qpolis.engine.results import Results
from qpolis.files import csv_text, write_file
from qpolis.ratings.csv_tables import crosstable_csv, ratings_csv, seats_csv
from qpolis.ratings.standing import Ratings
from qpolis.report.content.forfeits import forfeits_text
from qpolis.report.content.outcome import Outcome, outcome_of
from qpolis.report.pages.tourney import REPORT, report_page
from qpolis.report.plots import write_plots
from qpolis.tourney import games_parquet
from qpolis.tourney.definition import CSV, PARQUET
from qpolis.tourney.plan import Plan
from qpolis.tourney.records import games_csv
from qpolis.tourney.run import Run
from qpolis.tourney.times import quantiles, total

GAMES, RATINGS, CROSSTABLE, SEATS = "games.csv", "ratings.csv", "crosstable.csv", "seats.csv"
GAMES_PARQUET = "games.parquet"
PARTS = (0.5, 0.95, 0.99)  # of decisions, for which the time is said
TIMING, FORFEITS, PLOTS = "timing.csv", "forfeits.txt", "plots"


def finish(run: Run, seconds: float, workers: int) -> Outcome:
    """Write everything about a run that was played to its end. `seconds` is the time it took here."""
    plan, folder = run.plan, run.folder
    outcome = outcome_of(plan, run.chunks(), run.tally)
    texts = tables_of(outcome.ratings)
    if not (run.was_complete and (folder / TIMING).is_file()):  # or else nothing was played now that took time
        texts[TIMING] = timing_csv(
            plan.bots,
            outcome.rated_run.times,
            {"seconds": seconds, "workers": workers, "work_seconds": run.tally.seconds},
        )
    if outcome.forfeits:
        texts[FORFEITS] = forfeits_text(outcome.forfeits)
    games = [write_games(folder / name, outcome.results) for name in games_tables(plan)]
    for name, text in texts.items():
        write_file(folder / name, text.encode())
    plots = write_plots(folder / PLOTS, outcome.rated_run)
    drawn = {path.stem: content for path, content in plots.items() if path.suffix == ".svg"}
    report = write_file(folder / REPORT, report_page(plan, folder, outcome, drawn))
    return replace(outcome, paths=[*games, *(folder / name for name in texts), report, *plots])


def games_tables(plan: Plan) -> list[str]:
    """The files in which the games of a run are listed."""
    asked = plan.definition.games_table
    return [GAMES] * (asked != PARQUET) + [GAMES_PARQUET] * (asked != CSV)


def write_games(path: Path, results: Results) -> Path:
    if path.name == GAMES_PARQUET:
        return games_parquet.write_games(path, results)
    return write_file(path, games_csv(results))


def tables_of(ratings: Ratings) -> dict[str, str]:
    """The tables that say the ratings of a run: the same for the same games."""
    return {RATINGS: ratings_csv(ratings), CROSSTABLE: crosstable_csv(ratings), SEATS: seats_csv(ratings)}


def timing_csv(bots: tuple[str, ...], times: np.ndarray, run: dict[str, float]) -> str:
    """Everything that depends on the clock: about the run, and about the decisions of each bot."""
    rows: list[list[object]] = [["", what, f"{value:.3f}".rstrip("0").rstrip(".")] for what, value in run.items()]
    for bot, counts in zip(bots, times):
        rows.append([bot, "decisions_timed", int(counts.sum())])
        if counts.sum():
            rows.append([bot, "mean_us", f"{1000 * total(counts) / counts.sum():.3g}"])
            rows += [
                [bot, f"p{100 * part:.0f}_us", f"{1000 * taken:.3g}"]
                for part, taken in zip(PARTS, quantiles(counts, PARTS))
            ]
    return csv_text(["bot", "what", "value"], rows)
