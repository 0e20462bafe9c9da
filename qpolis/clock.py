"""The time, for kernels: milliseconds of the monotonic clock."""

from __future__ import annotations

import time

import numpy as np
from numba import types
from numba.extending import overload

from qpolis.kernel import kernel

# int clock_gettime(int, struct timespec *), found in the C library by its name, so that kernels that use it cache.
_clock_gettime = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.voidptr))
_MONOTONIC = getattr(time, "CLOCK_MONOTONIC", 1)


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
