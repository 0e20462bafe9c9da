"""The end of a run: its tables and plots, all made from its plan and its journal."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qpolis.report.plots import write_plots
from qpolis.tourney.batch import ENDS
from qpolis.tourney.files import csv_text, write_file
from qpolis.tourney.plan import Plan
from qpolis.tourney.ratings.rating import ratings as rate
from qpolis.tourney.ratings.standing import Ratings
from qpolis.tourney.ratings.tables import crosstable_csv, ratings_csv, seats_csv
from qpolis.tourney.ratings.trueskill import history
from qpolis.tourney.records import collect, games_csv
from qpolis.tourney.repeats import Repeat
from qpolis.tourney.results import Results
from qpolis.tourney.run import Run
from qpolis.tourney.times import quantiles, total

GAMES, RATINGS, CROSSTABLE, SEATS = "games.csv", "ratings.csv", "crosstable.csv", "seats.csv"
PARTS = (0.5, 0.95, 0.99)  # of decisions, for which the time is said
TIMING, FORFEITS, PLOTS = "timing.csv", "forfeits.txt", "plots"


@dataclass(frozen=True)
class Forfeit:
    """A game that a bot did not play to its end."""

    game: int
    seat: int
    bot: str
    end: str
    reason: str


@dataclass(frozen=True)
class Outcome:
    """What came out of a run, and the files that say so."""

    results: Results
    ratings: Ratings
    forfeits: list[Forfeit]
    repeats: list[Repeat]
    paths: list[Path]


def finish(run: Run, seconds: float, workers: int) -> Outcome:
    """Write everything about a run that was played to its end. `seconds` is the time it took here."""
    plan, folder = run.plan, run.folder
    records = collect(plan, run.pieces(), run.tally.counted)
    results = records.results
    ratings, texts = tables_of(plan, results)
    forfeits = [forfeit(results, *reason) for reason in records.reasons]
    texts[TIMING] = timing_csv(plan.bots, records.times, {"seconds": seconds, "workers": workers,
                                                          "work_seconds": run.tally.seconds})
    if forfeits:
        texts[FORFEITS] = "".join(f"game {item.game}, seat {item.seat}, {item.bot}: {item.end}: {item.reason}\n"
                                  for item in forfeits)
    write_file(folder / GAMES, games_csv(results))
    for name, text in texts.items():
        write_file(folder / name, text.encode())
    plots = write_plots(folder / PLOTS, plan.definition.name, results, ratings, history(results), records.times)
    return Outcome(results, ratings, forfeits, records.repeats,
                   [folder / GAMES, *(folder / name for name in texts), *plots])


def tables_of(plan: Plan, results: Results) -> tuple[Ratings, dict[str, str]]:
    """The ratings of a run, and the tables that say them: the same for the same games."""
    ratings = rate(results, plan.definition.seed)
    return ratings, {RATINGS: ratings_csv(ratings), CROSSTABLE: crosstable_csv(ratings), SEATS: seats_csv(ratings)}


def forfeit(results: Results, game: int, seat: int, reason: str) -> Forfeit:
    return Forfeit(game, seat, results.bots[results.who[game, seat]], ENDS[results.ends[game, seat]], reason)


def timing_csv(bots: tuple[str, ...], times: np.ndarray, run: dict[str, float]) -> str:
    """Everything that depends on the clock: about the run, and about the decisions of each bot."""
    rows: list[list[object]] = [["", what, f"{value:.3f}".rstrip("0").rstrip(".")] for what, value in run.items()]
    for bot, counts in zip(bots, times):
        rows.append([bot, "decisions_timed", int(counts.sum())])
        if counts.sum():
            rows.append([bot, "mean_us", f"{1000 * total(counts) / counts.sum():.3g}"])
            rows += [[bot, f"p{100 * part:.0f}_us", f"{1000 * taken:.3g}"]
                     for part, taken in zip(PARTS, quantiles(counts, PARTS))]
    return csv_text(["bot", "what", "value"], rows)
