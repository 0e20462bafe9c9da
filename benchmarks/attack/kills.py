"""Runs that are killed again and again, and resumed: they must end with the same bytes."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.attack.commands import COMMAND, environment, marked, qpolis
from benchmarks.attack.outcome import Outcome, Setting, counted

KILLS = 1000
TABLES = ("games.csv", "ratings.csv", "crosstable.csv")
FOREIGN = """
from qpolis import Bot

class First(Bot):
    def choose(self, legal):
        return legal[self.seed % len(legal)]
"""
# (name, workers, arguments)
RUNS = (
    ("shipped bots, 1 worker", 1, ["--bots", "greedy,heuristic,random", "--games", "30000"]),
    ("a foreign bot, 1 worker", 1, ["--bots", "./first.py,random", "--games", "60"]),
    ("shipped bots, 2 workers", 2, ["--bots", "greedy,heuristic,random", "--games", "30000"]),
    ("a foreign bot, 2 workers", 2, ["--bots", "./first.py,random", "--games", "60"]),
)
SHARES = (0.4, 0.3, 0.2, 0.1)  # of the kills: two workers are slow to start
AGAIN = 12  # kills of a run at most, before it is played to its end


def attack_by_kills(setting: Setting) -> Iterator[Outcome]:
    (setting.folder / "first.py").write_text(FOREIGN)
    for (name, workers, words), share in zip(RUNS, SHARES):
        yield kill_runs(
            setting, name, ["--seed", "7", "--workers", str(workers), *words], setting.number(round(KILLS * share))
        )


def kill_runs(setting: Setting, name: str, words: list[str], kills: int) -> Outcome:
    """Kill runs of these arguments so often in all."""
    chance = setting.random(name)
    folder, undisturbed = setting.folder, setting.folder / "undisturbed"
    qpolis(["tourney", *words, "--quiet", "--out", str(undisturbed)], folder).check_returncode()  # compiles
    shutil.rmtree(undisturbed)
    begun = time.monotonic()
    qpolis(["tourney", *words, "--quiet", "--out", str(undisturbed)], folder).check_returncode()
    longest = time.monotonic() - begun
    wanted = contents(undisturbed)
    done, runs, different = 0, 0, 0
    numbers = counted(f"kills, {name}", kills)
    while done < kills:
        run = folder / f"run-{runs}"
        runs += 1
        for _ in range(min(chance.randrange(1, AGAIN), kills - done)):
            if not kill_once(run, words, folder, moment(chance, longest)):
                break  # it ended before
            done += 1
            next(numbers)
        again = resume_words(run, words)
        ended = qpolis(again, folder)
        different += ended.returncode != 0 or contents(run) != wanted
        shutil.rmtree(run, ignore_errors=True)
    for _ in numbers:
        pass
    shutil.rmtree(undisturbed)
    result = f"{runs - different:,} of {runs:,} runs, resumed to their end, have the bytes of an undisturbed one"
    return Outcome(f"SIGKILL at a random moment: {name}", done, result, different == 0)


def moment(chance: random.Random, longest: float) -> float:
    """Mostly soon after the start, where files are made and read; sometimes anywhere."""
    return chance.uniform(0, longest) if chance.random() < 0.6 else chance.uniform(0.3, 0.7) * longest


def resume_words(run: Path, words: list[str]) -> list[str]:
    if (run / "plan.toml").exists():
        place = words.index("--workers")
        return ["tourney", "--resume", str(run), "--quiet", *words[place : place + 2]]
    return ["tourney", *words, "--quiet", "--out", str(run)]


def kill_once(run: Path, words: list[str], folder: Path, after: float) -> bool:
    """Start or resume a run, and kill all its processes after so many seconds. False if it had ended."""
    mark = f"qpolis-attack-{os.getpid()}-{time.monotonic_ns()}"
    started = subprocess.Popen(
        [*COMMAND, *resume_words(run, words)],
        cwd=folder,
        env=environment(QPOLIS_ATTACK_MARK=mark),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        started.wait(after)
        return False
    except subprocess.TimeoutExpired:
        os.killpg(started.pid, signal.SIGKILL)
        return True
    finally:
        started.wait()
        for process in marked(mark):  # workers and bots that have groups of their own
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)


def contents(run: Path) -> list[bytes]:
    """The tables of a run; of one that has none, nothing."""
    return [(run / name).read_bytes() for name in TABLES if (run / name).exists()]
