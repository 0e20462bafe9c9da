"""What secret chance costs: games of random players with a given seed, and with one as runs draw it, in turn.

python benchmarks/chance.py [--games 20000] [--rounds 9]
"""

from __future__ import annotations

import argparse
import statistics
import time

import qpolis
from qpolis.bots.greedy import greedy
from qpolis.bots.random import random
from qpolis.engine.policy_loop import play_policies
from qpolis.rng import SMALL

GIVEN, DRAWN = 5, SMALL + 5


def seconds(game: qpolis.Game, bot: object, seed: int, games: int) -> float:
    begun = time.process_time()
    play_policies(game, [bot.configure()] * game.players, seed, 0, games)
    return time.process_time() - begun


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    for name in ("quadropolis", "arkadia", "quadrilatere"):
        game = qpolis.load_game(name)
        for bot, games in ((random, asked.games), (greedy, asked.games // 50)):
            seconds(game, bot, GIVEN, 1)
            ratios = sorted(
                seconds(game, bot, DRAWN, games) / seconds(game, bot, GIVEN, games) for _ in range(asked.rounds)
            )
            print(
                f"{name}, {bot.name}: a drawn seed takes {statistics.median(ratios):.3f} times as long "
                f"({ratios[0]:.3f} to {ratios[-1]:.3f}, {asked.rounds} rounds of {games:,} games)"
            )


if __name__ == "__main__":
    main()
