"""Runs played to their end, for the commands and for Python: who plays them, and who hears how far they are."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from qpolis.report.content.progress import Progress, standing
from qpolis.tourney.ahead import compiled_ahead
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import Say, WorkerPool, check_reachable, silent

# What ends a run (matplotlib) is imported when it ends: games begin before.
if TYPE_CHECKING:
    from qpolis.balance.answer import Answer
    from qpolis.balance.question import Cell, Question
    from qpolis.balance.search import Search
    from qpolis.report.content.balance_lines import Summary
    from qpolis.report.content.balance_search import SearchOutcome
    from qpolis.report.content.outcome import Outcome


@dataclass(frozen=True)
class Answered:
    """An answer, its words, the files that say it, and the seconds it took to play and to measure."""

    answer: Answer
    summary: Summary
    paths: Sequence[Path]
    playing: float
    measuring: float


@dataclass
class Session:
    """Plays runs with one pool of workers and one progress bar at a time. For questions, use it in a
    `with`: their runs share the workers."""

    workers: int | None = None  # all cores
    address: str | None = None  # of a cluster
    say: Say = silent  # told what happens that is no progress
    quiet: bool = False
    pool: WorkerPool = field(init=False)

    def __post_init__(self) -> None:
        if self.address is not None:
            check_reachable(self.address)
        self.pool = WorkerPool(self.workers, self.address, self.say)

    def __enter__(self) -> Session:
        self.pool.__enter__()
        return self

    def __exit__(self, *error: object) -> None:
        self.pool.__exit__(*error)

    @property
    def threads(self) -> int:
        return self.workers or os.cpu_count() or 1

    @contextmanager
    def _progress(self, total: int, before: int = 0, until: bool = False) -> Iterator[Progress]:
        progress = Progress(total, before, self.quiet, until)
        try:
            yield progress
        finally:
            progress.close()

    def play_run(self, run: Run) -> tuple[Outcome, float]:
        """Play what is left of a tournament, and write all its files; also the seconds it took."""
        begun = time.monotonic()
        plan, before = run.plan, run.tally.games
        with compiled_ahead(plan):
            with self._progress(plan.games, before, bool(plan.definition.sprt)) as progress, self.pool:
                run.play(self.pool, lambda tally: progress(tally.games, standing(tally)))
            seconds = time.monotonic() - begun
            from qpolis.report.finish import finish

            return finish(run, seconds, self.threads), seconds

    def play_cells(self, folder: Path, runs: Sequence[Cell], words: Callable[[Cell], str]) -> None:
        """Play what is left of some runs of a question."""
        from qpolis.balance.experiment import play

        with self._progress(sum(run.definition.games for run in runs)) as progress:
            play(
                folder,
                list(runs),
                self.pool,
                lambda cell, tally, before: progress(before + tally.games, words(cell)),
            )

    def answer(self, folder: Path, question: Question) -> Answered:
        """Play a question, and write what came out."""
        from qpolis.balance.experiment import described
        from qpolis.balance.question import cells

        begun = time.monotonic()
        runs = cells(question)
        self.play_cells(folder, runs, lambda cell: described(question, cell))
        return self._conclude(folder, question, runs, begun)

    def search(self, folder: Path, wanted: Search) -> tuple[SearchOutcome, Answered]:
        """Search for a mix, confirm what was found on fresh deals, and write what came out."""
        from qpolis.balance.experiment import measure_run
        from qpolis.balance.question import cells
        from qpolis.balance.search import confirmation, search_mixes
        from qpolis.report.content.balance_search import SearchOutcome

        begun = time.monotonic()
        found = search_mixes(
            wanted,
            lambda runs, words: self.play_cells(folder, runs, lambda cell: words),
            lambda run: measure_run(folder, run, self.threads, of_tiles=False).measures,
        )
        question = confirmation(wanted, found.mix)
        runs = cells(question, "confirm-")
        self.play_cells(folder, runs, lambda cell: "confirmation on fresh deals")
        outcome = SearchOutcome(wanted, found)
        return outcome, self._conclude(folder, question, runs, begun, outcome)

    def _conclude(
        self,
        folder: Path,
        question: Question,
        runs: Sequence[Cell],
        begun: float,
        search: SearchOutcome | None = None,
    ) -> Answered:
        from qpolis.report.content.balance_summary import summarize
        from qpolis.report.finish_balance import finish_balance, read_answer

        played = time.monotonic()
        answer = read_answer(folder, question, runs, self.threads)
        summary = summarize(answer)
        paths = finish_balance(folder, answer, summary, search)
        return Answered(answer, summary, paths, played - begun, time.monotonic() - played)
