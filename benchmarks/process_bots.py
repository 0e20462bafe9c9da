"""What a decision and a start of a program cost beyond its own thinking, in the sandbox and outside of it.

A program that hardly thinks plays batches of games against itself; the time of a batch divided by its decisions is
nearly all ours: the engine, the question as text, two wake-ups, the answer. A start is the time from its launch to
its hello. With a C compiler the program is C; without one it is Python, whose own work is then included. Batches
in and outside of the sandbox take turns, so that a busy minute of the machine falls on both.

    python benchmarks/process_bots.py [--game GAME] [-o NAME=VALUE ...] [--games GAMES] [--batches BATCHES]
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import qpolis
from qpolis.game import Game
from qpolis.sandbox.levels import OFF, ON, best
from qpolis.sandbox.program import Limits, ProcessBot, Program
from qpolis.tourney.bot_loop import play_bots

IN_C = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char line[1 << 20];
int main(void) {
    while (fgets(line, sizeof line, stdin)) {
        if (!strncmp(line, "{\"type\":\"hello\"", 15)) puts("{\"type\":\"hello\",\"protocol\":1}");
        else if (!strncmp(line, "{\"type\":\"choose\"", 16))
            printf("{\"action\":%d}\n", atoi(strstr(line, "\"legal\":[") + 9));
        fflush(stdout);
    }
    return 0;
}
"""

IN_PYTHON = """
import sys
for line in sys.stdin:
    if line.startswith('{"type":"hello"'):
        print('{"type":"hello","protocol":1}', flush=True)
    elif line.startswith('{"type":"choose"'):
        legal = line.index('"legal":[') + 9
        print('{"action":%s}' % line[legal:].replace("]", ",").split(",", 1)[0], flush=True)
"""


def program(folder: Path) -> tuple[str, Program]:
    """The program that takes the first legal action, and its language."""
    if compiler := shutil.which("cc"):
        (folder / "first.c").write_text(IN_C)
        subprocess.run([compiler, "-O2", "-o", folder / "first", folder / "first.c"], check=True)
        return "C", Program((str(folder / "first"),))
    (folder / "first.py").write_text(IN_PYTHON)
    return "Python", Program((sys.executable, "-I", "-S", str(folder / "first.py")))


def decision(game: Game, first: Program, seed: int, games: int, limits: Limits) -> tuple[float, float]:
    """Microseconds of a decision: all of them, and those that are work of this process."""
    begun, worked = time.perf_counter(), time.process_time()
    decisions = play_bots(game, [first] * game.players, seed, 0, games, limits).decisions.sum()
    return (time.perf_counter() - begun) / decisions * 1e6, (time.process_time() - worked) / decisions * 1e6


def start(game: Game, first: Program, limits: Limits) -> float:
    """Milliseconds from a launch to the hello."""
    begun = time.perf_counter()
    with ProcessBot(first, game, limits) as bot:
        bot.greet()
        taken = time.perf_counter() - begun
    return taken * 1e3


def spread(values: list[float], unit: str) -> str:
    return f"{statistics.median(values):.0f} {unit} ({min(values):.0f} to {max(values):.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("-o", "--option", action="append", default=[], help="an option of the game: players=3")
    parser.add_argument("--games", type=int, default=100, help="games of a batch")
    parser.add_argument("--batches", type=int, default=9)
    given = parser.parse_args()
    game = qpolis.load_game(given.game, **dict(option.split("=", 1) for option in given.option))
    settings = [OFF, ON] if best() else [OFF]
    with tempfile.TemporaryDirectory() as folder:
        language, first = program(Path(folder))
        print(f"a program in {language}, {game!r}, medians of {given.batches} batches (least to most)")
        found: dict[str, list[tuple[float, float, float]]] = {setting: [] for setting in settings}
        for batch in range(given.batches + 1):
            for setting in settings:
                limits = Limits(sandbox=setting)
                row = (*decision(game, first, batch, given.games, limits), start(game, first, limits))
                if batch:  # the first one compiles and warms up
                    found[setting].append(row)
    for setting, rows in found.items():
        whole, work, starts = map(list, zip(*rows))
        print(
            f"sandbox {setting}: a decision {spread(whole, 'us')}, of them work of qpolis {spread(work, 'us')}; "
            f"a start {spread(starts, 'ms')}"
        )


if __name__ == "__main__":
    main()
