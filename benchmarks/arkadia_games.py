"""How long games of Arkadia are and how they end, by the number of players: random players, and `greedy`.

    python benchmarks/arkadia_games.py [--games 400]

Prints the mean number of turns, the mean gold by place, buildings laid and completed, and how many games the
castle ended (the others ended when all passed). One published four-player game ended 74, 68, 58, 52.
"""

from __future__ import annotations

import argparse

import numpy as np

from qpolis import load_game, verbs
from qpolis.bots.greedy import greedy
from qpolis.bots.random import random
from qpolis.game import Game, State
from qpolis.policy import Policy, compile_policy
from qpolis.rng import stream


def play(game: Game, bot: Policy, seed: int) -> State:
    """The end of a game of a bot against itself."""
    choose = compile_policy(bot, game)
    state, rng = game.new(seed), stream(seed, 1)
    while not state.over:
        seen = state.copy()
        verbs.conceal(game.rules[0], seen.record, state.player)
        action = choose(game.rules, seen.array, rng, np.empty(0), np.empty(0, np.uint8))
        verbs.apply(game.rules[0], state.record, int(action), state.chance)
    return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400)
    given = parser.parse_args()
    for players in (2, 3, 4):
        game = load_game("arkadia", players=players)
        for bot in (random, greedy):
            ends = [play(game, bot, seed) for seed in range(given.games)]
            gold = np.mean([sorted(end.scores(), reverse=True) for end in ends], axis=0)
            turns = np.mean([end.record.turn for end in ends])
            laid = np.mean([end.record.buildings for end in ends])
            complete = np.mean([int(end.record.complete).bit_count() for end in ends])
            castle = np.mean([end.record.turns_left == 0 for end in ends])
            places = " ".join(f"{mean:.1f}" for mean in gold)
            print(
                f"{players} players, {bot.name:<6}  {turns:.1f} turns, gold by place {places}, "
                f"{laid:.1f} buildings, {complete:.1f} complete, {castle:.0%} ended by the castle",
                flush=True,
            )


if __name__ == "__main__":
    main()
