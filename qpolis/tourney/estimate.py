"""How long a plan would take, by a few games of it."""

from __future__ import annotations

import numpy as np

from qpolis.tourney.plan import Plan
from qpolis.tourney.worker import Hall

ENOUGH = 1.0  # seconds of games to judge by
GROWTH = 4


def seconds_per_game(plan: Plan) -> tuple[float, int]:
    """The pace of one worker, and the number of games it was measured on. The first blocks are played, more of
    them each time; what has to be compiled or started is so at the first time."""
    hall = Hall.open(plan)
    hall.play(np.zeros(1, np.int64))
    blocks = 1
    while True:
        piece = hall.play(np.arange(blocks))
        if piece.seconds >= ENOUGH or blocks == plan.blocks:
            return piece.seconds / len(piece.games), len(piece.games)
        blocks = min(GROWTH * blocks, plan.blocks)
