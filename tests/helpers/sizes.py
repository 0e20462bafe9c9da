"""How many cases tests run, and the variants of Quadropolis they run them on."""

from __future__ import annotations

import os

from qpolis.kernel import JIT

# Tests marked `core` run three times: compiled, compiled with checked indexes, and interpreted.
CHECKED = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
MODES = ("classic", "expert")
VARIANTS = [(mode, players) for mode in MODES for players in (2, 3, 4)]


LENGTH = int(os.environ.get("QPOLIS_TEST_LENGTH", "1"))  # more than 1 for the tests marked `long`


def lengthened(cases: int) -> int:
    """So many cases in `make test`, and several times as many in `make test-all`."""
    return LENGTH * cases


def sized(compiled: int, checked: int, interpreted: int) -> int:
    """How many cases to run in which of the three ways."""
    if not JIT:
        return interpreted
    return checked if CHECKED else compiled
