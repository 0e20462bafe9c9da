"""Exports at scale: decisions a second in both formats, and memory at two sizes of runs.

    python benchmarks/export.py                    # 10,000 and 100,000 games of Quadropolis, some minutes
    python benchmarks/export.py --game arkadia --games 1000,10000

Each export runs in a process of its own, whose largest memory is told. Compile first (any export of the game): the
kernels are expected on disk.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from qpolis.dataset.export import export_decisions
from qpolis.dataset.recorded_run import RecordedRun
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import WorkerPool


def play(folder: Path, game: str, games: int) -> None:
    """A run of `heuristic` against `random`, without its tables."""
    plan = make_plan(define({"bots": ["heuristic", "random"], "games": games, "seed": 1, "game": game}))
    with Run.begin(folder, plan) as run:
        run.play(WorkerPool(1), lambda tally: None)


def measure(folder: Path, form: str) -> None:
    """Export a run and say how that went. The first part counts for the memory only: libraries and kernels are
    loaded there."""
    moments: list[tuple[float, float, int]] = []

    def note(games: int) -> None:
        moments.append((time.perf_counter(), time.process_time(), games))

    run = RecordedRun.open(folder)
    path = folder / f"decisions.{form}"
    written = export_decisions(run, path, form, run.played, on_games=note)
    seconds, processor, games = np.subtract(moments[-1], moments[0])
    decisions = games / written.games * written.decisions
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{form}: {written.games:,} games, {written.decisions:,} decisions: {decisions / seconds:,.0f} a second, "
        f"{decisions / processor:,.0f} a second of processor time, {written.bytes / written.decisions:.0f} bytes "
        f"each, {memory:.0f} MB of memory at most",
        flush=True,
    )
    path.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("--games", default="10000,100000", help="sizes of runs")
    parser.add_argument("--to", default="parquet,jsonl", help="formats")
    parser.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        measure(Path(given.measure[0]), given.measure[1])
        return
    for games in map(int, given.games.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            play(Path(folder) / "run", given.game, games)
            for form in given.to.split(","):
                command = [sys.executable, __file__, "--measure", str(Path(folder) / "run"), form]
                subprocess.run(command, check=True)


if __name__ == "__main__":
    main()
