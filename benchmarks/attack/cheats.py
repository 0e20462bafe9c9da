"""Bots that cheat, again and again: none may reach its aim. That each of them could is a test of its own."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator

import psutil

from benchmarks.attack.commands import qpolis
from benchmarks.attack.outcome import Outcome, Setting, counted
from helpers.cheating import harm, reached, starving, surroundings, wait_until_stopped
from helpers.cheats import CHEATS, CHILDREN, COMPILED
from qpolis.engine.results import ENDS

RUNS = 25  # of each cheat
CLUSTERS = 2  # of Ray, whose ports are tried
# A bot that knocks at all ports of this machine, as those that Ray listens at are drawn.
PORTS = "range(1024, 1 << 16)"


def attack_by_cheats(setting: Setting) -> Iterator[Outcome]:
    runs = setting.number(RUNS)
    for name, cheat in CHEATS.items():
        found = Counter[str]()
        for _ in counted(f"cheats, {name}", runs):
            with surroundings() as around:
                found.update(reached(cheat, setting.folder / name, around))
                found["reached a server"] += len(around.visits)
                found["ended another process"] += around.decoy.poll() is not None
            shutil.rmtree(setting.folder / name)
        ways = f" in all {len(cheat.ways)} ways" if len(cheat.ways) > 1 else ""
        yield outcome(f"A cheat {cheat.title}", runs, +found, f"failed{ways}")
    for name, compiled in COMPILED.items():
        found = Counter[str]()
        for _ in counted(f"cheats, {name}", runs):
            found.update(harm(compiled, setting.folder / name))
            shutil.rmtree(setting.folder / name)
        yield outcome(f"A cheat: {compiled.title}", runs, found, "no forfeit, and replays agree")
    yield starve(setting, setting.number(RUNS))
    yield knock(setting)


def starve(setting: Setting, runs: int) -> Outcome:
    """Busy processes: stopped while the opponent thinks, which is never late."""
    found, most = Counter[str](), 0

    def stopped(processes: list[psutil.Process]) -> None:
        nonlocal most
        most = max(most, len(processes))
        wait_until_stopped(processes)

    for _ in counted("cheats, starving", runs):
        end = ENDS[starving(setting.folder / "starving", stopped).ends[0, 1]]
        if end not in ("finished", "stopped"):
            found[f"the opponent: {end}"] += 1
        shutil.rmtree(setting.folder / "starving")
    if most < CHILDREN // 2:
        found["it could not start its processes"] += 1
    return outcome(
        f"A cheat starts {CHILDREN} busy processes",
        runs,
        found,
        "all stopped whenever it is not asked; the opponent was never late",
    )


def knock(setting: Setting) -> Outcome:
    """In a run over two workers: the ports of Ray's cluster, and whatever else listens."""
    found, runs = Counter[str](), setting.number(CLUSTERS)
    cheat = CHEATS["network"].text.replace("{ports!r}", PORTS).replace("{{", "{").replace("}}", "}")
    bot = setting.folder / "knocker.py"
    bot.write_text(cheat)
    words = ["--bots", f"{bot},random", "--games", "8", "--workers", "2", "--quiet"]
    for number in counted("cheats, ports", runs):
        run = setting.folder / f"knocks-{number}"
        done = qpolis(["tourney", *words, "--out", str(run)], setting.folder)
        if done.returncode or not (run / "games.csv").is_file():
            found[f"the run failed: {done.stderr.strip()[-200:]}"] += 1
        elif (run / "forfeits.txt").is_file():
            found[(run / "forfeits.txt").read_text().splitlines()[0]] += 1
    return outcome(
        "A cheat tries ports 1024 to 65535 of a run over 2 workers (Ray)", runs, found, "found none open"
    )


def outcome(attack: str, tries: int, found: Counter[str], held: str) -> Outcome:
    result = ", ".join(f"{what}: {count}" for what, count in found.items()) or held
    return Outcome(attack, tries, result, not found)
