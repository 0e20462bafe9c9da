"""Histograms of the time per decision: counts in the bins of `clock.py`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qpolis.clock import BINS, SHORTEST

EDGES = SHORTEST * 2 ** (np.arange(BINS + 1) / 2)  # milliseconds, where bins begin and end
MIDDLES = EDGES[:-1] * 2**0.25


def total(counts: np.ndarray) -> float:
    """Milliseconds of all decisions together, about."""
    return float((counts @ MIDDLES).sum())


def quantiles(counts: np.ndarray, parts: Sequence[float]) -> np.ndarray:
    """Milliseconds that these parts of the decisions took at most, evenly spread within a bin; NaN without any."""
    number = counts.sum()
    if not number:
        return np.full(len(parts), np.nan)
    below = np.concatenate(([0], np.cumsum(counts)))
    some = np.flatnonzero(counts)
    kept = slice(some[0], some[-1] + 2)  # without the flat ends, where the inverse is not unique
    return np.exp(np.interp(np.array(parts) * number, below[kept], np.log(EDGES[kept])))
