"""Searches for mixes, played to their end or stopped."""

from __future__ import annotations

from qpolis.balance.experiment import measure_run, play
from qpolis.balance.question import cells
from qpolis.balance.search import (
    confirmation,
    search_mixes,
)
from qpolis.report.finish_balance import read_answer
from qpolis.tourney.schedule import WorkerPool


def run(folder, search, stop_after=None):
    """Search in a folder; `stop_after` so many rungs somebody interrupts it."""
    rungs_played = 0

    def play_runs(runs, words):
        nonlocal rungs_played
        rungs_played += 1
        if stop_after is not None and rungs_played > stop_after:
            raise KeyboardInterrupt
        with WorkerPool(1) as pool:
            play(folder, runs, pool, lambda *_: None)

    found = search_mixes(search, play_runs, lambda cell: measure_run(folder, cell, 2, of_tiles=False).measures)
    question = confirmation(search, found.mix)
    runs = cells(question, "confirm-")
    play_runs(runs, "")
    return found, read_answer(folder, question, runs, 2)
