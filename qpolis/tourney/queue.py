"""Which blocks are played next, and how many at a time."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

TOGETHER = 64  # blocks of one lineup that are played together, for bots that are slow to start
AT_A_TIME = 4096  # blocks that are put in order
GROWTH = 4  # a task is at most so many times as big as the one before


class Queue:
    """The blocks of a plan that are not done yet, in tasks that take about `target` seconds each."""

    def __init__(self, done: np.ndarray, lineups: int, target: float, together: int) -> None:
        self._waves = waves(done, lineups, together)
        self._next = np.zeros(0, np.int64)
        self._target = target
        self.workers = 1
        self.left = int(len(done) - done.sum())  # blocks that are in no task yet
        self.size = 1
        self._returned: list[np.ndarray] = []

    def task(self) -> np.ndarray | None:
        """The blocks of the next task; None if there are no more. Towards the end they get smaller, so that all
        workers finish at about the same time."""
        if self._returned:
            return self._returned.pop()
        if self.left == 0:
            return None
        share = self.left // (2 * self.workers) if self.workers > 1 else self.left
        size = max(1, min(self.size, share))
        while len(self._next) < size and (wave := next(self._waves, None)) is not None:
            self._next = np.concatenate([self._next, wave])
        blocks, self._next = self._next[:size], self._next[size:]
        self.left -= len(blocks)
        return blocks

    def give_back(self, blocks: np.ndarray) -> None:
        """A task that was not done after all."""
        self._returned.append(blocks)

    def learn(self, blocks: int, seconds: float) -> None:
        """Learn from a task that was done how big the next ones should be."""
        fitting = blocks * self._target / max(seconds, 1e-6)
        self.size = max(1, int(min(fitting, GROWTH * blocks)))


def waves(done: np.ndarray, lineups: int, together: int) -> Iterator[np.ndarray]:
    """The blocks that are not done, in plan order, but for so many of one lineup that stand together."""
    rounds = -(-AT_A_TIME // (lineups * together))
    width = rounds * lineups * together
    for start in range(0, len(done), width):
        blocks = start + np.flatnonzero(~done[start : start + width])
        if len(blocks):
            yield blocks[np.lexsort((blocks, blocks % lineups, blocks // (lineups * together)))]
