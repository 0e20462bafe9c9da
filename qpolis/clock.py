"""The time, for kernels: milliseconds of the monotonic clock, and bins to count how long things took."""

from __future__ import annotations

import math
import time

import numpy as np
from numba import types
from numba.extending import overload

from qpolis.kernel import kernel

# int clock_gettime(int, struct timespec *), found in the C library by its name, so that kernels that use it cache.
_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.voidptr))
_MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)

BINS = 64  # half octaves: bin i is for SHORTEST * 2 ** (i / 2) and longer; the first and the last take all beyond
SHORTEST = 0.0625e-3  # milliseconds


def now() -> float:
    """Milliseconds since some moment."""
    return time.monotonic() * 1000


@overload(now)
def _now():
    return lambda: _read()


@kernel
def _read():
    seconds = np.zeros(2, np.int64)  # seconds and nanoseconds
    _clock_gettime(_MONOTONIC, seconds.ctypes)
    return seconds[0] * 1e3 + seconds[1] * 1e-6


@kernel
def time_bin(taken):
    """The bin for what took so many milliseconds."""
    if taken <= SHORTEST:
        return 0
    return min(int(2 * math.log2(taken / SHORTEST)), BINS - 1)
