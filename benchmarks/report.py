"""The report of a tournament: how large it is, what writing it costs, and how long a browser takes to show it.

    python benchmarks/report.py                      # plays 10,000 games of greedy against heuristic first
    python benchmarks/report.py results/some-run     # takes a run that is there

The time is from the navigation to the standings on the screen, in Chromium without a window (QPOLIS_CHROMIUM says
which; needs Playwright for Python).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from helpers.browser import started
from qpolis.report import rewrite as written
from qpolis.report.content.outcome import outcome_of, read_tally
from qpolis.report.pages.games import SAMPLE
from qpolis.report.plots import svg_plots
from qpolis.tourney.run import read_chunks, saved_plan

BOTS, GAMES, REPEATS = "greedy,heuristic", "10000", 5


def play(folder: Path) -> None:
    """The run, as a user starts it."""
    begun = time.perf_counter()
    subprocess.run(
        [
            sys.executable,
            "-m",
            "qpolis.cli",
            "tourney",
            "--bots",
            BOTS,
            "--games",
            GAMES,
            "--quiet",
            "--out",
            str(folder),
        ],
        check=True,
    )
    print(f"qpolis tourney --bots {BOTS} --games {GAMES}: {time.perf_counter() - begun:.1f} s, report included")


def parts(folder: Path) -> None:
    """What a report takes at the end of a tournament, where ratings and plots are there already."""
    plan = saved_plan(folder)
    tally = read_tally(folder, plan)
    begun = time.perf_counter()
    outcome = outcome_of(plan, read_chunks(folder, moves=False), tally)
    rated = time.perf_counter()
    drawn = svg_plots(outcome.rated_run, written.DRAWN)
    plotted = time.perf_counter()
    shown = written.choose_games(plan, folder, outcome, SAMPLE)
    filmed = time.perf_counter()
    written.report_page(plan, folder, outcome, drawn, shown)
    done = time.perf_counter()
    print(
        f"ratings {rated - begun:.2f} s, plots {plotted - rated:.2f} s, {len(shown.films)} films "
        f"{filmed - plotted:.2f} s, page {done - filmed:.2f} s: the report adds {done - plotted:.2f} s to a run"
    )


def opened(path: Path) -> list[float]:
    """Seconds until the standings are on the screen, time after time, each in a new context."""
    times = []
    with started() as browser:
        for _ in range(REPEATS + 1):
            context = browser.new_context(viewport={"width": 1280, "height": 900})
            page = context.new_page()
            begun = time.perf_counter()
            page.goto(path.resolve().as_uri(), wait_until="commit")
            page.locator("table.standings tbody tr").first.wait_for(state="visible")
            page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
            times.append(time.perf_counter() - begun)
            context.close()
    return times[1:]  # the first starts parts of the browser


def measure(folder: Path) -> None:
    path = written.rewrite(folder, SAMPLE, ())
    print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")
    parts(folder)
    times = opened(path)
    print(f"standings on the screen after {np.median(times):.2f} s ({min(times):.2f} to {max(times):.2f})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, help="of a run, instead of playing one")
    folder = parser.parse_args().folder
    if folder:
        return measure(folder)
    with tempfile.TemporaryDirectory() as place:
        play(Path(place) / "run")
        measure(Path(place) / "run")


if __name__ == "__main__":
    main()
