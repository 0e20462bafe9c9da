"""What came out of a run: everything that its tables, plots and pages say, worked out once."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qpolis.engine.results import ENDS, Results
from qpolis.errors import QpolisError
from qpolis.ratings.rating import ratings as rate
from qpolis.ratings.sprt import Test
from qpolis.ratings.standing import Ratings
from qpolis.ratings.trueskill import history
from qpolis.report.content.rated_run import RatedRun
from qpolis.tourney.plan import Plan
from qpolis.tourney.records import collect
from qpolis.tourney.repeats import Repeat, find_repeats
from qpolis.tourney.run import read_chunks, saved_plan
from qpolis.tourney.tally import Tally


@dataclass(frozen=True)
class Forfeit:
    """A game that a bot did not play to its end."""

    game: int
    seat: int
    bot: str
    end: str
    reason: str
    trace: str = ""  # of the first games of each kind


@dataclass(frozen=True)
class Outcome:
    """What came out of a run, and the files that say so."""

    rated_run: RatedRun
    forfeits: list[Forfeit]
    repeats: list[Repeat]
    test: Test | None
    paths: list[Path] = field(default_factory=list)

    @property
    def results(self) -> Results:
        return self.rated_run.results

    @property
    def ratings(self) -> Ratings:
        return self.rated_run.ratings


def outcome_of(plan: Plan, chunks: Iterable[Results], tally: Tally) -> Outcome:
    """The outcome of a run that was played to its end, from its chunks."""
    results = collect(plan, chunks, tally.counted)
    rated_run = RatedRun(
        plan.definition.name, results, rate(results, plan.definition.seed), history(results), results.times
    )
    forfeits = [forfeit(results, *where, reason) for where, reason in results.reasons.items()]
    return Outcome(rated_run, forfeits, find_repeats(plan, results.hashes, results.finished), tally.test)


def read_tally(folder: Path, plan: Plan) -> Tally:
    """How far the run in a folder came, by its journal."""
    tally = Tally(plan)
    for chunk in read_chunks(folder, moves=False):
        tally.add(chunk)
    return tally


def missing_text(folder: Path, tally: Tally) -> str:
    """What to tell of a run that was not played to its end."""
    return (
        f"{tally.games:,} of {tally.plan.games:,} games are there: go on with qpolis tourney --resume "
        f"{shlex.quote(str(folder))}"
    )


def read_outcome(folder: Path) -> tuple[Plan, Outcome]:
    """What came out of the run in a folder, from its plan and its journal."""
    plan = saved_plan(folder)
    tally = read_tally(folder, plan)
    if not tally.complete():
        raise QpolisError(missing_text(folder, tally))
    return plan, outcome_of(plan, read_chunks(folder, moves=False), tally)


def first_forfeits(forfeits: Sequence[Forfeit]) -> dict[tuple[str, str], Forfeit]:
    """The first one of every bot and kind of end."""
    return {(item.bot, item.end): item for item in reversed(forfeits)}


def forfeit(results: Results, game: int, seat: int, reason: str) -> Forfeit:
    bot, end = results.bots[results.who[game, seat]], ENDS[results.ends[game, seat]]
    return Forfeit(game, seat, bot, end, reason, results.traces.get((game, seat), ""))
