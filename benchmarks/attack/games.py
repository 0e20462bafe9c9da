"""Millions of random games of all games in real runs, each verified: legal, settled as recorded, memory flat."""

from __future__ import annotations

import contextlib
import io
import resource
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.attack.commands import call
from benchmarks.attack.outcome import Outcome, Setting, resident

GAMES = 10_000_000
AT_ONCE = 200_000  # in one run
GROWTH = 128 << 20  # bytes of memory, once every variant was played
VARIANTS = (
    ("quadropolis", "--mode", "classic", "--players", "2"),
    ("arkadia", "--setup", "standard", "--players", "2"),
    ("quadrilatere", "--slide", "on"),
    ("quadropolis", "--mode", "expert", "--players", "4"),
    ("arkadia", "--setup", "intro", "--flip", "on", "--players", "4"),
    ("quadrilatere", "--slide", "off"),
)


def attack_by_games(setting: Setting) -> Iterator[Outcome]:
    """Runs of all variants in turn, in this one process."""
    total, played, sizes = setting.number(GAMES), 0, []
    runs = max(len(VARIANTS), round(total / AT_ONCE))
    found, games = Counter[str](), Counter[str]()
    for number in setting.tries("runs", runs):
        name, *options = VARIANTS[number % len(VARIANTS)]
        words = ["--game", name, *options, "--bots", "random", "--seatings", "mirror"]
        words += ["--games", str(-(-total // runs)), "--seed", str(setting.seed + number)]
        some, faults = play_and_verify(setting.folder / "run", words)
        found.update(f"{name}: {fault}" for fault in faults)
        games[name] += some
        played += some
        if number >= len(VARIANTS) - 1:
            sizes.append(resident())
    grown = max(sizes) - sizes[0]
    if grown > GROWTH:
        found[f"memory grew by {grown >> 20} MB"] += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    shares = ", ".join(f"{count:,} of {name}" for name, count in games.items())
    held = f"all legal, none forfeited, `verify` plays all again with the same points, ranks and hashes ({shares})"
    memory = (
        f"memory after each of {number + 1} runs: {sizes[0] >> 20} MB when all variants had been played, from "
        f"then on at most {max(sizes) >> 20} MB (allowed: {GROWTH >> 20} MB more); peak within a run {peak} MB"
    )
    result = ", ".join(f"{what}: {count}" for what, count in found.items()) or held
    yield Outcome(f"Random games in {len(VARIANTS)} variants", played, f"{result}; {memory}", not found)


def play_and_verify(run: Path, words: list[str]) -> tuple[int, list[str]]:
    """How many games a run played, and what is wrong with it."""
    faults = []
    with contextlib.redirect_stdout(io.StringIO()) as said:
        if code := call(["tourney", *words, "--workers", "1", "--quiet", "--out", str(run)]):
            faults.append(f"exit code {code}")
        elif (run / "forfeits.txt").exists():
            faults.append("forfeits")
        elif code := call(["verify", str(run)]):
            faults.append(f"verify: {said.getvalue().splitlines()[0]}")
    games = last_game(run / "games.csv") if not faults else 0
    if not faults and f"{games:,} games played again" not in said.getvalue():
        faults.append("not all games were verified")
    shutil.rmtree(run, ignore_errors=True)
    return games, faults


def last_game(path: Path) -> int:
    """How many games a table has: they are numbered from 0."""
    with path.open("rb") as file:
        file.seek(-min(path.stat().st_size, 1000), 2)
        return int(file.read().splitlines()[-1].split(b",")[0]) + 1
