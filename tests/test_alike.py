"""Games whose records begin alike keep apart: each gets kernels of its own, and nobody hears of it."""

from __future__ import annotations

import numpy as np
import pytest

from qpolis.kernel import kernel, record

SHORT = record([("actions", "i8"), ("players", "i8")])
LONG = record([("actions", "i8"), ("players", "i8"), ("slide", "i8")])


@kernel
def players(rules):
    return rules.players


@kernel
def ask(array):
    return players(array[0])


@pytest.mark.parametrize("order", [(SHORT, LONG), (LONG, SHORT)], ids=["short first", "long first"])
def test_records_that_begin_alike(order):
    for dtype in order:
        array = np.zeros(1, dtype)
        array[0].players = dtype.itemsize
        assert ask(array) == dtype.itemsize
