"""What a position costs in a search: rating its actions, and asking a network about it.

python benchmarks/network.py [--game quadropolis] [--wide 64]

Positions are from the middle of random games, the network has random numbers; medians over the positions, in
microseconds of one core.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import numpy as np

import qpolis
from qpolis import verbs
from qpolis.kernel import kernel
from qpolis.models.model_file import new_model, parts
from qpolis.policy import with_numbers
from qpolis.rng import stream
from qpolis.search.mcts import look, make_buffers, prefer
from qpolis.search.network import carve_network

POSITIONS, TIMES = 40, 4000
WHAT = ("evaluate", "rate all actions", "network: who wins", "network: which action")


@kernel
def repeat(rules, states, times, what, rng):
    """Do something so often; what comes out keeps the compiler from leaving it out."""
    network = carve_network(rules)
    buffers = make_buffers(rules[0], states, network)
    buffers.states[0] = states[0]
    count = verbs.rate(rules[0], buffers.states[0], buffers.states[1:], buffers.actions, buffers.ratings, rng)
    look(rules[0], network, buffers)
    for _ in range(times):
        if what == 0:
            verbs.evaluate(rules[0], buffers.states[0], buffers.expected)
        elif what == 1:
            verbs.rate(rules[0], buffers.states[0], buffers.states[1:], buffers.actions, buffers.ratings, rng)
        elif what == 2:
            look(rules[0], network, buffers)
        else:
            prefer(rules[0], count, network, buffers)
    return buffers.ratings[0] + buffers.reward[0]


def positions(game: qpolis.Game) -> list[qpolis.State]:
    """One from the middle of each of some random games."""
    found = []
    for seed in range(POSITIONS):
        choices, state, seen = random.Random(seed), game.new(seed), []
        while not state.over:
            seen.append(state.copy())
            state.apply(choices.choice(state.legal()))
        found.append(seen[len(seen) // 2])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("--wide", type=int, default=64)
    given = parser.parse_args()
    game = qpolis.load_game(given.game)
    sizes = (game.model_inputs, given.wide, 32, game.players, game.model_touches)
    card = dict(zip(("inputs", "wide", "narrow", "seats", "touches"), sizes))
    drawn = np.random.default_rng(1)
    weights = {name: drawn.standard_normal(shape).astype(np.float32) / 8 for name, shape in parts(card).items()}
    rules = with_numbers(game.rules, new_model(weights, game=game.name).numbers())
    print(f"{game!r}: {sizes[0]} inputs, {sizes[1]} and {sizes[2]} units, {sizes[4]} touches")
    for what, words in enumerate(WHAT):
        taken = []
        for state in positions(game):
            repeat(rules, state.array, 10, what, stream(1))
            begun = time.perf_counter()
            repeat(rules, state.array, TIMES, what, stream(1))
            taken.append((time.perf_counter() - begun) / TIMES * 1e6)
        print(f"{words}: {statistics.median(taken):.2f} µs ({min(taken):.2f} to {max(taken):.2f})")


if __name__ == "__main__":
    main()
