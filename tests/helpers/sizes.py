"""How many cases tests run, and the variants of Quadropolis they run them on."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

import pytest

from qpolis.kernel import JIT

# Tests marked `core` run three times: compiled, compiled with checked indexes, and interpreted.
CHECKED = os.environ.get("NUMBA_BOUNDSCHECK") == "1"
MODES = ("classic", "expert")
VARIANTS = [(mode, players) for mode in MODES for players in (2, 3, 4)]
LENGTH = int(os.environ.get("QPOLIS_TEST_LENGTH", "1"))  # more than 1 for the tests marked `long`
Case = TypeVar("Case")


def lengthened(cases: int) -> int:
    """So many cases in `make test`, and several times as many in `make test-all`."""
    return LENGTH * cases


def some(cases: Iterable[Case], usually: int = 1) -> list[Case]:
    """The first few of these cases in `make test`, and all in `make test-all`: for a test marked `long`. What is
    `core` has all of them with checked indexes and interpreted, too."""
    return list(cases) if LENGTH > 1 or CHECKED or not JIT else list(cases)[:usually]


def variant_name(variant: tuple[str, int]) -> str:
    return f"{variant[0]}-{variant[1]}"


some_variants = pytest.mark.parametrize(
    "variant", some([VARIANTS[0], VARIANTS[-1], *VARIANTS[1:-1]], 2), indirect=True, ids=variant_name
)


def sized(compiled: int, checked: int, interpreted: int) -> int:
    """How many cases to run in which of the three ways."""
    if not JIT:
        return interpreted
    return checked if CHECKED else compiled
