"""Tournaments at scale: what workers bring, what a game costs beyond its kernels, a million games, a short run.

    python benchmarks/tourney.py                 # all of it, some ten minutes
    python benchmarks/tourney.py workers --games 3000
    python benchmarks/tourney.py overhead million short

Compile first (any `qpolis tourney` with these bots): the kernels are expected on disk.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from qpolis.engine.policy_loop import Loop
from qpolis.report.finish import finish
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import WorkerPool
from qpolis.tourney.tally import Tally

MEGABYTE = 1 << 20


def measured(bots: list[str], games: int, workers: int | None, seed: int) -> dict[str, Any]:
    """Play a tournament in this process and say what took how long: the whole, the finish, and the pace once a
    tenth of the games are played."""
    moments: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        plan = make_plan(define({"bots": bots, "games": games, "seed": seed}))
        with Run.begin(Path(folder) / "run", plan) as run:
            with WorkerPool(workers) as pool:
                run.play(pool, lambda tally: moments.append((time.perf_counter(), tally.games)))
            played = time.perf_counter()
            finish(run, played - begun, workers or 1)
            ended = time.perf_counter()
        size = sum(path.stat().st_size for path in Path(folder).rglob("*"))
    late = [moment for moment in moments if moment[1] > 0.1 * games]
    pace = (late[-1][1] - late[0][1]) / (late[-1][0] - late[0][0])
    return {"play": played - begun, "finish": ended - played, "pace": pace, "size": size, "games": moments[-1][1]}


def in_a_new_process(*arguments: Any) -> dict[str, Any]:
    command = [sys.executable, __file__, "--measure", json.dumps(arguments)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def workers(games: int, repeats: int = 3) -> None:
    """Two workers against one, mcts against greedy, one after the other."""
    ratios, wholes = [], []
    for seed in range(repeats):
        one, two = (in_a_new_process(["mcts", "greedy"], games, count, seed) for count in (1, 2))
        ratios.append(two["pace"] / one["pace"])
        wholes.append(one["play"] / two["play"])
        print(f"  one worker {one['pace']:.1f} games/s, two {two['pace']:.1f} games/s")
    print(
        f"two workers, mcts against greedy, {games} games: {np.median(ratios):.2f} times the games/s of one "
        f"({min(ratios):.2f} to {max(ratios):.2f}); with the start of Ray {np.median(wholes):.2f} times "
        f"({min(wholes):.2f} to {max(wholes):.2f})"
    )


def overhead(games: int, repeats: int = 5) -> None:
    """What a game of compiled bots costs beyond the time in kernels, in one process, journal included."""
    spent = 0.0
    original: Callable[..., int] = Loop.play

    def timed(*arguments: Any) -> int:
        nonlocal spent
        begun = time.perf_counter()
        try:
            return original(*arguments)
        finally:
            spent += time.perf_counter() - begun

    Loop.play = timed  # type: ignore[method-assign, assignment]
    costs, kernels = [], []
    for seed in range(repeats + 1):
        spent = 0.0
        with tempfile.TemporaryDirectory() as folder:
            plan = make_plan(define({"bots": ["heuristic", "random"], "games": games, "seed": seed}))
            with Run.begin(Path(folder) / "run", plan) as run:
                begun = time.perf_counter()
                run.play(WorkerPool(1), nothing)
                costs.append(1e6 * (time.perf_counter() - begun - spent) / games)
                kernels.append(1e6 * spent / games)
    Loop.play = original  # type: ignore[method-assign]
    print(
        f"beyond the kernels, heuristic against random, {games} games: {np.median(costs[1:]):.1f} us a game "
        f"({min(costs[1:]):.1f} to {max(costs[1:]):.1f}); in kernels {np.median(kernels[1:]):.1f} us"
    )


def nothing(tally: Tally) -> None:
    """Nobody wants to know."""


def family(root: int) -> dict[int, str]:
    """A process and all it started, with their names."""
    parents, names = {}, {}
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            status = Path("/proc", name, "status").read_text()
            names[int(name)] = Path("/proc", name, "cmdline").read_text().split("\0")[0].split()[0]
        except (OSError, IndexError):
            continue
        parents[int(name)] = int(next(line.split()[1] for line in status.splitlines() if line.startswith("PPid")))

    def ours(pid: int) -> bool:
        while pid > 1:
            if pid == root:
                return True
            pid = parents.get(pid, 0)
        return False

    return {pid: os.path.basename(name) for pid, name in names.items() if ours(pid)}


def resident(pid: int) -> int:
    try:
        return int(Path("/proc", str(pid), "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


def million(games: int) -> None:
    """Many games of heuristic against random on all cores: memory of every process, and what the finish takes."""
    command = [sys.executable, __file__, "--measure", json.dumps([["heuristic", "random"], games, None, 1])]
    seen: dict[str, list[tuple[float, int]]] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        begun = time.monotonic()
        while process.poll() is None:
            sizes: dict[str, int] = {}
            for pid, name in family(process.pid).items():
                sizes[name] = max(sizes.get(name, 0), resident(pid))
            for name, size in sizes.items():
                seen.setdefault(name, []).append((time.monotonic() - begun, size))
            time.sleep(0.5)
        assert process.stdout
        found = json.loads(process.stdout.read().splitlines()[-1])
    whole = found["play"] + found["finish"]
    played = found["games"]
    print(
        f"{played:,} games of heuristic against random: {whole:.1f} s, {played / whole:,.0f} games/s; "
        f"ratings, tables and plots {found['finish']:.2f} s, {found['finish'] / whole:.1%} of it; "
        f"{found['size'] / played:.0f} bytes a game on disk"
    )
    for name, sizes_of in sorted(seen.items(), key=lambda pair: -max(size for _, size in pair[1])):
        half = [size for moment, size in sizes_of if moment < whole / 2]
        print(
            f"  {name}: {max(half, default=0) / MEGABYTE:.0f} MB at most in the first half, "
            f"{max(size for _, size in sizes_of) / MEGABYTE:.0f} MB in all"
        )


def short(repeats: int = 5) -> None:
    """A short tournament as a user starts it, with the start of Python and all."""
    times = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            begun = time.perf_counter()
            subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "qpolis.cli",
                    "tourney",
                    "--bots",
                    "greedy,heuristic",
                    "--games",
                    "10000",
                    "--quiet",
                    "--out",
                    f"{folder}/run",
                ],
                check=True,
            )
            times.append(time.perf_counter() - begun)
    print(
        f"qpolis tourney --bots greedy,heuristic --games 10000: {np.median(times):.1f} s "
        f"({min(times):.1f} to {max(times):.1f})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="*", choices=["workers", "overhead", "million", "short", []], default=[])
    parser.add_argument("--games", type=int, help="instead of the usual number")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.measure:
        print(json.dumps(measured(*json.loads(given.measure))))
        return
    for what in given.what or ["short", "overhead", "million", "workers"]:
        if what == "short":
            short()
        elif what == "overhead":
            overhead(given.games or 100_000)
        elif what == "million":
            million(given.games or 1_000_000)
        else:
            workers(given.games or 1500)


if __name__ == "__main__":
    main()
