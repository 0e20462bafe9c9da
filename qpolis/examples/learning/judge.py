"""How good is what was learned? Plays fresh deals of a game for two from both seats, against bots that ship.

    python judge.py learned.npz --opponents heuristic,random --deals 1000

A win counts 1 and a shared place 1/2. The same deal is played from both seats, so a deal is what the interval of
95% counts.
"""

import argparse

import numpy as np

import qpolis


def best_actions(layers, observations, masks):
    """The legal action that the network likes best, for each row."""
    hidden = observations
    for weights, bias in layers[:-1]:
        hidden = np.maximum(hidden @ weights + bias, 0)
    weights, bias = layers[-1]
    return np.where(masks, (hidden @ weights + bias)[:, 1:], -np.inf).argmax(axis=1)


def results(layers, game, opponent, deals, seed, seat):
    """By deal: did the network win at this seat, and by how many points?"""
    env = qpolis.vector(game, deals, seed=seed, opponents=opponent, seat=seat)
    now = env.reset()
    wins, leads, waiting = np.zeros(deals), np.zeros(deals), np.ones(deals, bool)
    while waiting.any():
        now = env.step(best_actions(layers, now.observations, now.masks))
        ended = waiting & now.done  # the first game of each row
        leads[ended] = now.scores[ended, seat] - now.scores[ended, 1 - seat]
        wins[ended] = (1 + now.ranks[ended, 1 - seat] - now.ranks[ended, seat]) / 2
        waiting &= ~ended
    return wins, leads


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("network")
    parser.add_argument("--game", default="quadropolis")
    parser.add_argument("--opponents", default="heuristic,random", help="bots that ship")
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=2024, help="of the deals: another one than of the training")
    given = parser.parse_args()
    saved = np.load(given.network)
    layers = [(saved[f"w{i}"], saved[f"b{i}"]) for i in range(len(saved) // 2)]
    for opponent in given.opponents.split(","):
        both = [results(layers, given.game, opponent, given.deals, given.seed, seat) for seat in (0, 1)]
        wins, leads = np.mean(both, axis=0)
        error = 1.96 * wins.std(ddof=1) / len(wins) ** 0.5
        print(
            f"{opponent}: wins {wins.mean():.1%} ± {error:.1%}, {leads.mean():+.1f} points ahead, "
            f"{2 * given.deals:,} games"
        )


if __name__ == "__main__":
    main()
