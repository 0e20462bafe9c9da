"""What a finished game pays: 1 for the best place, -1 for the last, equal steps between.

Equals share what their places pay, so what all seats get adds up to zero, whatever the number of players.
"""

from __future__ import annotations

import numpy as np

from qpolis.kernel import kernel

REWARD = np.float32  # dtype of rewards
MOST, LEAST = 1.0, -1.0


@kernel
def pay(keys, out):
    """Write the reward of each seat; `keys` order the seats as the verb `scores` has it: higher is better."""
    players = keys.shape[0]
    for seat in range(players):
        better = 0
        equal = 0
        for other in range(players):
            better += keys[other] > keys[seat]
            equal += keys[other] == keys[seat]
        place = better + 0.5 * (equal - 1)  # the mean of those that equals share
        out[seat] = MOST - (MOST - LEAST) * place / (players - 1)


def rewards_of(ranks: list[int]) -> list[float]:
    """The rewards of places, from 0, equals sharing the better one, as `State.ranks` gives them."""
    places = [rank + (ranks.count(rank) - 1) / 2 for rank in ranks]  # the mean of those that equals share
    return [MOST - (MOST - LEAST) * place / (len(ranks) - 1) for place in places]
