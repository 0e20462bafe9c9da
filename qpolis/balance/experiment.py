"""The runs of a question: tournaments in folders of their own, played one after the other, then measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from qpolis.balance.measure import Measure
from qpolis.balance.measures import Games, all_measures
from qpolis.balance.question import FIELD, LEVEL, Cell, Question
from qpolis.balance.rivals import duels, skill
from qpolis.balance.trace import trace
from qpolis.tourney.plan import Plan, make_plan
from qpolis.tourney.records import collect
from qpolis.tourney.run import PLAN, Run, read_pieces
from qpolis.tourney.schedule import Team
from qpolis.tourney.tally import Tally

CELLS = "runs"  # the folder of a question's runs
THREADS = 2

Told = Callable[[Cell, Tally, int], None]  # a run, how it stands, and games that were played in those before it


@dataclass(frozen=True)
class Entry:
    """A measure of a mix, and which run it is from."""

    mix: int
    part: str
    level: str
    measure: Measure

    @property
    def key(self) -> tuple[str, str, str, str]:
        """What is measured, whatever the mix."""
        return self.part, self.level, self.measure.group, self.measure.name


@contextmanager
def opened(folder: Path, cell: Cell) -> Iterator[Run]:
    """The run of a cell, begun or resumed."""
    place = folder / CELLS / cell.folder
    there = (place / PLAN).exists()
    with Run.resume(place, {}) if there else Run.begin(place, make_plan(cell.definition)) as run:
        yield run


def play(folder: Path, cells: list[Cell], team: Team, told: Told) -> None:
    """Play what is left of some runs."""
    sizes = [cell.definition.games for cell in cells]
    before = 0
    for number, cell in enumerate(cells):
        team.ahead = sum(sizes[number + 1 :])
        with opened(folder, cell) as run:
            told(cell, run.tally, before)
            run.play(team, lambda tally: told(cell, tally, before))  # noqa: B023 (called at once)
            before += run.tally.games


def measured(folder: Path, cells: list[Cell], threads: int = THREADS) -> list[Entry]:
    """The measures of runs that were played to their end."""
    entries = []
    for cell in cells:
        with opened(folder, cell) as run:
            entries += [Entry(cell.mix, cell.part, cell.level, measure)
                        for measure in cell_measures(run.folder, run.plan, cell.part, threads)]
    return entries


def cell_measures(folder: Path, plan: Plan, part: str, threads: int = THREADS) -> list[Measure]:
    """What the games of one run say about its mix."""
    results = collect(plan, read_pieces(folder, moves=False), plan.blocks).results
    rivals = duels(plan, results, part)
    if part not in (LEVEL, FIELD):
        return rivals
    game = plan.load_game()
    games = Games(game, plan, results, trace(game, plan, read_pieces(folder, moves=True), threads))
    measures = all_measures(games)
    return [*measures, *skill(plan, results), *rivals] if part == FIELD else measures


def described(question: Question, cell: Cell) -> str:
    """A run in words, for people who wait for it."""
    what = {LEVEL: f"{cell.level} against itself", FIELD: "the field"}.get(cell.part, cell.part)
    return f"{question.mixes[cell.mix]}: {what}"
