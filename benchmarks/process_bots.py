"""What a decision of a program costs beyond its own thinking.

A program that hardly thinks plays batches of games against itself; the time of a batch divided by its decisions is
nearly all ours: the engine, the question as text, two wake-ups, the answer. With a C compiler the program is C;
without one it is Python, whose own work is then included.

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
from qpolis.sandbox.program import Program
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("-o", "--option", action="append", default=[], help="an option of the game: players=3")
    parser.add_argument("--games", type=int, default=100, help="games of a batch")
    parser.add_argument("--batches", type=int, default=9)
    given = parser.parse_args()
    game = qpolis.load_game(given.game, **dict(option.split("=", 1) for option in given.option))
    with tempfile.TemporaryDirectory() as folder:
        language, first = program(Path(folder))
        seats = [first] * game.players
        play_bots(game, seats, 0, 0, 1)  # compile outside the timing
        costs, works = [], []
        for batch in range(given.batches):
            begun, worked = time.perf_counter(), time.process_time()
            decisions = play_bots(game, seats, batch, 0, given.games).decisions.sum()
            costs.append((time.perf_counter() - begun) / decisions * 1e6)
            works.append((time.process_time() - worked) / decisions * 1e6)
    print(
        f"a program in {language}, {game!r}: {statistics.median(costs):.0f} us a decision "
        f"(median of {given.batches} batches, {min(costs):.0f} to {max(costs):.0f}), "
        f"{statistics.median(works):.0f} us of them work of qpolis"
    )


if __name__ == "__main__":
    main()
