"""What an attack gets and gives: its size and seed, and a row of the table."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import psutil


class Outcome(NamedTuple):
    """A row of the table."""

    attack: str  # in words
    tries: int
    result: str  # in words
    passed: bool


@dataclass(frozen=True)
class Setting:
    """What all attacks share."""

    folder: Path  # for whatever they write
    scale: float  # fraction of the full numbers
    seed: int

    def number(self, full: int) -> int:
        return max(1, round(full * self.scale))

    def random(self, name: str) -> random.Random:
        """Random numbers of an attack, the same whichever others run."""
        return random.Random(f"{self.seed} {name}")


def counted(what: str, total: int) -> Iterator[int]:
    """The numbers below `total`, with news of the time that is left."""
    begun = told = time.monotonic()
    for number in range(total):
        yield number
        now = time.monotonic()
        if now - told > 5 or number + 1 == total:
            told = now
            left = (now - begun) / (number + 1) * (total - number - 1)
            print(f"{what}: {number + 1:,} of {total:,}, {left:.0f} s left", file=sys.stderr, flush=True)


def resident() -> int:
    """Bytes of memory that this process uses."""
    return psutil.Process().memory_info().rss
