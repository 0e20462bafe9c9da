"""What tests of tournaments share: a small plan, and a run of it that nobody disturbed."""

from __future__ import annotations

from qpolis.report.finish import finish
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import WorkerPool

TABLES = ("games.csv", "ratings.csv", "crosstable.csv", "seats.csv")


def silent(tally):
    """Somebody who does not want to be told."""


def plan_of(**keys):
    return make_plan(define({"bots": ["heuristic", "random", "greedy"], "games": 120, "seed": 5, **keys}))


def play_cup(folder):
    """Play the plan in this folder to its end."""
    with Run.begin(folder, plan_of()) as run:
        run.play(WorkerPool(1), silent)
        outcome = finish(run, 1.0, 1)
        assert not outcome.forfeits
    return folder
