"""What `qpolis balance` costs: one mix with all measures, and several mixes.

    python benchmarks/balance.py                # both, some minutes
    python benchmarks/balance.py one --runs 5
    python benchmarks/balance.py mixes

Compile first (any `qpolis balance`): the kernels are expected on disk.
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

MIXES = ["base", "base:harbor+1:park-1", "base:shop+1:tower-1", "base:tower=+1vp"]
SAID = re.compile(r"played in (.*), measured in (.*)")


def seconds(text: str) -> float:
    """A time as people read it: 1 min 5 s."""
    units = {"s": 1, "min": 60, "h": 3600}
    words = text.split()
    return sum(float(number) * units[unit] for number, unit in zip(words[::2], words[1::2]))


def ask(games: int, mixes: list[str]) -> tuple[float, float, float]:
    """The time of a whole command, of its games, and of everything after them."""
    flags = [part for mix in mixes for part in ("--mix", mix)]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "qpolis.cli",
            "balance",
            "--bots",
            "greedy,heuristic",
            "--games",
            str(games),
            *flags,
            "--out",
            str(Path(folder) / "run"),
        ]
        begun = time.perf_counter()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        whole = time.perf_counter() - begun
    found = SAID.search(done.stdout)
    assert found
    return whole, seconds(found[1]), seconds(found[2])


def shown(values: list[float]) -> str:
    return f"{statistics.median(values):.1f} s ({min(values):.1f} to {max(values):.1f})"


def one(runs: int) -> None:
    """One mix, 20,000 games of greedy and heuristic, all measures."""
    times = [ask(20_000, MIXES[:1]) for _ in range(runs)]
    whole, games, measures = map(list, zip(*times))
    ratio = [after / play for _, play, after in times]
    print(
        f"one mix, 20,000 games, {runs} runs: whole command {shown(whole)}, games {shown(games)}, measures, "
        f"tables and plots {shown(measures)}: {statistics.median(ratio):.2f} times the games ({min(ratio):.2f} "
        f"to {max(ratio):.2f})"
    )


def several(runs: int) -> None:
    """The time by the number of mixes, and how far it is from a straight line."""
    counts = np.array([1, 2, 4])
    times = np.array([[ask(6_000, MIXES[:count])[0] for count in counts] for _ in range(runs)])
    median = np.median(times, axis=0)
    slope, start = np.polyfit(counts, median, 1)
    words = ", ".join(f"{count}: {time:.1f} s" for count, time in zip(counts, median))
    worst = np.abs(median - (start + slope * counts)).max() / median.max()
    print(
        f"6,000 games a mix, {runs} runs, by the number of mixes: {words}; {slope:.1f} s a mix and {start:.1f} "
        f"s to start with, at most {worst:.1%} off the line"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["one", "mixes", []], help="default: both")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    for name, act in (("one", one), ("mixes", several)):
        if not given.what or name in given.what:
            act(given.runs)


if __name__ == "__main__":
    main()
