"""How long a plan would take, by a few games of it."""

from __future__ import annotations

import numpy as np

from qpolis.tourney.plan import Plan
from qpolis.tourney.worker import ChunkPlayer

ENOUGH = 1.0  # seconds of games to judge by
GROWTH = 4


def seconds_per_game(plan: Plan) -> tuple[float, int]:
    """The pace of one worker, and the number of games it was measured on. The first blocks are played, more of
    them each time; what has to be compiled or started is so at the first time."""
    player = ChunkPlayer.prepare(plan)
    player.play(np.zeros(1, np.int64))
    blocks = 1
    while True:
        chunk = player.play(np.arange(blocks))
        if chunk.seconds >= ENOUGH or blocks == plan.blocks:
            return chunk.seconds / chunk.games, chunk.games
        blocks = min(GROWTH * blocks, plan.blocks)
