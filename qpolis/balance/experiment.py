"""The runs of a question: tournaments in folders of their own, played one after the other, then measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numpy as np

from qpolis.balance.duels import duels, skill
from qpolis.balance.measure import Measure
from qpolis.balance.measures import all_measures, histograms
from qpolis.balance.question import FIELD, LEVEL, Cell, Question
from qpolis.balance.question import KIND as QUESTION
from qpolis.balance.search import KIND as SEARCH
from qpolis.balance.trace import trace
from qpolis.balance.traced_run import TracedRun
from qpolis.errors import QpolisError
from qpolis.files import write_file
from qpolis.tourney.plan import make_plan
from qpolis.tourney.records import collect
from qpolis.tourney.repeats import Repeat, find_repeats
from qpolis.tourney.run import PLAN, Run, claim, read_chunks, saved_plan
from qpolis.tourney.schedule import WorkerPool
from qpolis.tourney.schema import KIND, is_sealed, read_table, says_the_same
from qpolis.tourney.tally import Tally

CELLS = "runs"  # the folder of a question's runs
THREADS = 2
COMMANDS = {SEARCH: "balance search", QUESTION: "balance"}  # by the kind of their plans
OLD_KEYS = {"targets": SEARCH, "within": QUESTION}  # tell the kind of a plan of 0.1.0, which does not say it


class PlanSource(Protocol):
    """What a plan is written from: a question, or a search."""

    def text(self) -> str: ...

    def table(self) -> dict[str, Any]: ...


Asked = TypeVar("Asked", bound=PlanSource)
OnProgress = Callable[[Cell, Tally, int], None]  # a run, how it stands, games that were played in those before it


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


def begin(folder: Path, asked: Asked) -> None:
    """A new folder for what is asked."""
    claim(folder)
    write_file(folder / PLAN, asked.text().encode())


def command_of(folder: Path) -> str:
    """The command whose run is in a folder, by its plan; `tourney` if there is none."""
    table = read_table(folder / PLAN) if (folder / PLAN).is_file() else {}
    kind = table.get(KIND, next((OLD_KEYS[key] for key in OLD_KEYS if key in table), None))
    return next((command for one, command in COMMANDS.items() if one == kind), "tourney")


def check_command(folder: Path, command: str) -> None:
    """Refuse to go on with what another command began."""
    if (other := command_of(folder)) != command:
        raise QpolisError(f"{folder}: is not of this command: go on with qpolis {other} --resume {folder}")


def resumed(folder: Path, read: Callable[[Path], Asked], command: str = "balance") -> Asked:
    """What was asked in a folder, if it is still the same."""
    if not (folder / PLAN).is_file():
        raise QpolisError(f"{folder}: there is nothing to resume: no {PLAN} in it")
    check_command(folder, command)
    asked = read(folder / PLAN)
    if not is_sealed(folder / PLAN) or not says_the_same(folder / PLAN, asked.table()):
        raise QpolisError(f"{folder / PLAN}: was changed since the run began")
    return asked


@contextmanager
def opened(folder: Path, cell: Cell) -> Iterator[Run]:
    """The run of a cell, begun or resumed."""
    place = folder / CELLS / cell.folder
    there = (place / PLAN).exists()
    with Run.resume(place, {}) if there else Run.begin(place, make_plan(cell.definition)) as run:
        yield run


def play(folder: Path, cells: list[Cell], pool: WorkerPool, on_progress: OnProgress) -> None:
    """Play what is left of some runs."""
    sizes = [cell.definition.games for cell in cells]
    before = 0
    for number, cell in enumerate(cells):
        pool.games_ahead = sum(sizes[number + 1 :])
        with opened(folder, cell) as run:
            run.play(pool, lambda tally: on_progress(cell, tally, before))  # noqa: B023 (called at once)
            before += run.tally.games


@dataclass(frozen=True)
class RunMeasures:
    """What the games of a run say about its mix."""

    cell: Cell
    games: int
    abnormal: int  # games that a bot did not play to the end
    measures: list[Measure]
    histograms: dict[str, np.ndarray]  # of levels and the field
    repeats: Sequence[Repeat] = ()  # groups of bots that played the same games again and again

    @property
    def entries(self) -> list[Entry]:
        return [Entry(self.cell.mix, self.cell.part, self.cell.level, measure) for measure in self.measures]


def measure_run(folder: Path, cell: Cell, threads: int = THREADS, of_tiles: bool = True) -> RunMeasures:
    """The measures of a run that was played to its end."""
    place = folder / CELLS / cell.folder
    plan = saved_plan(place)
    results = collect(plan, read_chunks(place, moves=False), plan.blocks)
    repeats = find_repeats(plan, results.hashes, results.finished)
    abnormal = int((~results.finished).sum())
    rivals = duels(plan, results, cell.part)
    if cell.part not in (LEVEL, FIELD):
        return RunMeasures(cell, results.games, abnormal, rivals, {}, repeats)
    game = plan.load_game()
    games = TracedRun(game, plan, results, trace(game, plan, read_chunks(place, moves=True), threads))
    measures = all_measures(games, of_tiles)
    if cell.part == FIELD:
        measures += [*skill(plan, results, game.chance), *rivals]
    return RunMeasures(cell, results.games, abnormal, measures, histograms(games), repeats)


def described(question: Question, cell: Cell) -> str:
    """A run in words, for people who wait for it."""
    what = {LEVEL: f"{cell.level} against itself", FIELD: "the field"}.get(cell.part, cell.part)
    return f"{question.mixes[cell.mix]}: {what}".removeprefix(": ")
