"""Runs that are killed again and again, and resumed: they must end with the same bytes."""

from __future__ import annotations

import random
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from benchmarks.attack.commands import Command, call, naming
from benchmarks.attack.outcome import Outcome, Setting

KILLS = 1000
TABLES = ("games.csv", "ratings.csv", "crosstable.csv", "seats.csv")
FOREIGN = """
from qpolis import Bot

class First(Bot):
    def choose(self, legal):
        return legal[self.seed % len(legal)]
"""
SHIPPED = ["--bots", "greedy,heuristic,random", "--games", "3000"]
FOREIGN_RUN = ["--bots", "{folder}/first.py,random", "--games", "24"]
# (name, workers, arguments, part of the kills: two workers are slow to start)
RUNS = (
    ("shipped bots, 1 worker", 1, SHIPPED, 0.5),
    ("a foreign bot, 1 worker", 1, FOREIGN_RUN, 0.4),
    ("shipped bots, 2 workers", 2, SHIPPED, 0.05),
    ("a foreign bot, 2 workers", 2, FOREIGN_RUN, 0.05),
)
AGAIN = 8  # kills of a run on average, before it is played to its end
AFRESH = 0.1  # part of the commands that are new processes
# (a file that is there, what the run does from then on), the last first
PHASES = (
    ("report.html", "in runs that were complete"),
    ("games.csv", "writing tables and plots"),
    ("plan.toml", "playing and rating"),
    ("", "before the plan was there"),
)


def attack_by_kills(setting: Setting) -> Iterator[Outcome]:
    return _kill(setting, 1)


def attack_workers_by_kills(setting: Setting) -> Iterator[Outcome]:
    return _kill(setting, 2)


def _kill(setting: Setting, workers: int) -> Iterator[Outcome]:
    """The runs with so many workers."""
    (setting.folder / "first.py").write_text(FOREIGN)
    call(["tourney", *SHIPPED, "--quiet", "--workers", "1", "--out", str(setting.folder / "warm")])
    for name, words, share in ((name, words, share) for name, many, words, share in RUNS if many == workers):
        words = [word.format(folder=setting.folder) for word in words]
        yield kill_runs(
            setting, name, ["--seed", "7", "--workers", str(workers), *words], setting.number(round(KILLS * share))
        )


def kill_runs(setting: Setting, name: str, words: list[str], kills: int) -> Outcome:
    """Kill runs of these arguments so often in all."""
    chance = setting.random(name)
    folder, undisturbed = setting.folder, setting.folder / "undisturbed"
    longest = play_through(undisturbed, words, folder)
    wanted = contents(undisturbed)
    run, alike, phases = folder / "run", Counter[bool](), Counter[str]()
    for _ in setting.tries(f"kills, {name}", kills):
        while not kill_once(run, words, folder, moment(chance, longest), chance.random() < AFRESH):  # it had ended
            alike[ends_alike(run, words, folder, wanted)] += 1
        phases[phase(run)] += 1
        if chance.random() < 1 / AGAIN:
            alike[ends_alike(run, words, folder, wanted)] += 1
    alike[ends_alike(run, words, folder, wanted)] += 1
    shutil.rmtree(undisturbed)
    left = len(naming(folder))
    where = ", ".join(f"{phases[name]} {name}" for _, name in reversed(PHASES) if phases[name])
    result = (
        f"{alike[True]:,} of {alike.total():,} runs, resumed to their end, have the bytes of an undisturbed one; "
        f"{left or 'no'} process{'es' * (left != 1)} left; kills: {where}"
    )
    title = f"SIGKILL at a random moment: {name}"
    return Outcome(title, phases.total(), result, not alike[False] and not left)


def play_through(undisturbed: Path, words: list[str], folder: Path) -> float:
    """Play a run that nobody disturbs; the seconds it takes when everything is compiled."""
    for _ in range(2):
        shutil.rmtree(undisturbed, ignore_errors=True)
        begun = time.monotonic()
        if Command(["tourney", *words, "--quiet", "--out", str(undisturbed)], folder).wait() != 0:
            raise RuntimeError(f"a run that nobody disturbs failed: {words}")
    return time.monotonic() - begun


def moment(chance: random.Random, longest: float) -> float:
    """Mostly while games are played, which comes first; sometimes anywhere."""
    return chance.uniform(0, 0.4 if chance.random() < 0.6 else 1.0) * longest


def phase(run: Path) -> str:
    """What was going on in a run when it was killed, by the files that are there."""
    return next(what for file, what in PHASES if (run / file).exists() or not file)


def resume_words(run: Path, words: list[str]) -> list[str]:
    if (run / "plan.toml").exists():
        place = words.index("--workers")
        return ["tourney", "--resume", str(run), "--quiet", *words[place : place + 2]]
    return ["tourney", *words, "--quiet", "--out", str(run)]


def kill_once(run: Path, words: list[str], folder: Path, after: float, afresh: bool) -> bool:
    """Start or resume a run, and kill all its processes after so many seconds. False if it had ended."""
    command = Command(resume_words(run, words), folder, afresh)
    if command.wait(after) is not None:
        return False
    command.kill()
    return True


def ends_alike(run: Path, words: list[str], folder: Path, wanted: list[bytes]) -> bool:
    """Does the run, resumed to its end, have these tables? It is removed."""
    ended = Command(resume_words(run, words), folder).wait()
    alike = ended == 0 and contents(run) == wanted
    shutil.rmtree(run, ignore_errors=True)
    return alike


def contents(run: Path) -> list[bytes]:
    """The tables of a run; of one that has none, nothing."""
    return [(run / name).read_bytes() for name in TABLES if (run / name).exists()]
