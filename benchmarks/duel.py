"""How strong bots are against each other, on paired deals: every deal is played by all rotations of the bots.

    python benchmarks/duel.py mcts greedy --games 2000
    python benchmarks/duel.py mcts greedy heuristic -o mode=expert --games 900
    python benchmarks/duel.py mcts greedy --game quadrilatere -o slide=off

Prints for each bot its share of wins (a shared first place is shared), mean points, mean place, and the
processor time a game took. Intervals are 95%, from the spread between deals. A bot can fill several seats:
`mcts greedy greedy`.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import os
import time

import numpy as np

from qpolis.cli.options import given_options
from qpolis.conformance.bench import label
from qpolis.game import Game
from qpolis.games import game_class, load_game
from qpolis.registry.spec import resolve
from qpolis.tourney.match import play_deals


def play(job: tuple[Game, list[str], int, int, int]) -> tuple[np.ndarray, np.ndarray, float]:
    """Some deals in all rotations: points and ranks by rotation, deal and bot, and processor seconds."""
    game, bots, seed, first, deals = job
    entrants = [resolve(bot) for bot in bots]
    points, ranks = np.empty((2, len(bots), deals, len(bots)), np.int64)
    begun = time.process_time()
    for turn in range(len(bots)):
        seating = [(seat + turn) % len(bots) for seat in range(len(bots))]  # the bot at each seat
        batch = play_deals(game, [entrants[bot] for bot in seating], seed, first, deals)
        if batch.reasons:
            raise SystemExit(f"a bot forfeited: {next(iter(batch.reasons.values()))}")
        points[turn][:, seating] = batch.points
        ranks[turn][:, seating] = batch.ranks
    return points, ranks, time.process_time() - begun


def duel(game: Game, bots: list[str], games: int, seed: int) -> str:
    """One line with what each bot reached."""
    deals = -(-games // len(bots))
    chunk = -(-deals // 16)
    jobs = [(game, bots, seed, first, min(chunk, deals - first)) for first in range(0, deals, chunk)]
    play((game, bots, seed, 0, 1))  # compile once
    with concurrent.futures.ProcessPoolExecutor(os.cpu_count()) as pool:
        parts = list(pool.map(play, jobs))
    points = np.concatenate([part[0] for part in parts], axis=1)
    ranks = np.concatenate([part[1] for part in parts], axis=1)
    best = ranks == 0
    shares = (best / best.sum(axis=2, keepdims=True)).mean(axis=0)  # by deal and bot
    lines = [f"{deals * len(bots)} games of {game.name}, {label(game)}, {deals} deals in all rotations"]
    for bot, spec in enumerate(bots):
        half = 1.96 * shares[:, bot].std(ddof=1) / np.sqrt(deals)
        places = ranks[:, :, bot].mean(axis=0) + 1
        around = 1.96 * places.std(ddof=1) / np.sqrt(deals)
        lines.append(
            f"  {spec:<32} wins {shares[:, bot].mean():6.1%} +- {half:.1%}   "
            f"points {points[:, :, bot].mean():5.1f}   place {places.mean():.2f} +- {around:.2f}"
        )
    lines.append(f"  {sum(part[2] for part in parts) / deals / len(bots) * 1000:.1f} ms of processor time a game")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bots", nargs="+", help="bot specs, two to four")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("-o", "--option", action="append", default=[], metavar="NAME=VALUE")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    options: dict[str, object] = {**given_options(tuple(given.option))}
    if "players" in game_class(given.game).options:
        options.setdefault("players", len(given.bots))
    game = load_game(given.game, **options)
    if game.players != len(given.bots):
        parser.error(f"{game.name} is for {game.players} players here, not {len(given.bots)}")
    print(duel(game, given.bots, given.games, given.seed))


if __name__ == "__main__":
    main()
