"""Bots that beat each other in a circle, which no list by strength can show."""

from __future__ import annotations

from collections import deque

import numpy as np

from qpolis.ratings.crosstable import Totals, share_estimate


def find_cycles(totals: Totals) -> tuple[tuple[int, ...], ...]:
    """One shortest cycle of every group of bots that beat each other around, each bot the next and the last the
    first; a cycle begins with its lowest number.

    One bot beats another if the interval of its share excludes 1/2. Among many pairs some do so by chance; so the
    intervals are widened (Bonferroni): that any of them is wrong has a probability of 5%.
    """
    share = totals.pairs
    met = np.count_nonzero(share[0])
    if met < 3:
        return ()
    found = share_estimate(share, wrong=0.05 / met)
    beats = (found.low > 0.5) | (found.high < 0.5).T  # False where they did not meet: NaN
    return tuple(_shortest(beats, group) for group in _groups(beats))


def _reach(beats: np.ndarray) -> np.ndarray:
    """Whom each bot beats directly or through others."""
    reach = beats.copy()
    for middle in range(len(reach)):
        reach |= reach[:, middle : middle + 1] & reach[middle]
    return reach


def _groups(beats: np.ndarray) -> list[list[int]]:
    """The strongly connected components with more than one bot."""
    mutual = _reach(beats)
    mutual &= mutual.T
    groups = {tuple(np.flatnonzero(row).tolist()) for row in mutual}
    return sorted(list(group) for group in groups if len(group) > 1)


def _shortest(beats: np.ndarray, group: list[int]) -> tuple[int, ...]:
    """A shortest cycle within a group, the first one by numbers."""
    paths = [_path_back(beats, start, group) for start in group]
    cycle = min((path for path in paths if path), key=lambda path: (len(path), path))
    lowest = cycle.index(min(cycle))
    return tuple(cycle[lowest:] + cycle[:lowest])


def _path_back(beats: np.ndarray, start: int, group: list[int]) -> list[int]:
    """The shortest way from a bot over those it beats back to itself, breadth first; empty if there is none."""
    before: dict[int, int] = {}
    queue = deque([start])
    while queue:
        bot = queue.popleft()
        for beaten in group:
            if not beats[bot, beaten]:
                continue
            if beaten == start:
                path = [bot]
                while path[-1] != start:
                    path.append(before[path[-1]])
                return path[::-1]
            if beaten not in before:
                before[beaten] = bot
                queue.append(beaten)
    return []
