"""Tracebacks of bots that forfeited: those of the first games of each kind, which are the same whoever plays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping

from qpolis.errors import printable

FIRST = 10  # of each kind: of each bot and each way to forfeit
LONGEST = 10_000  # characters of one

Traces = Mapping[tuple[int, int], str]  # (number of the game, seat) -> lines


def clean(text: str) -> str:
    """A traceback as printable lines."""
    return "\n".join(map(printable, text[:LONGEST].split("\n")))


def first_traces(traces: Traces, kind: Callable[[int, int], Hashable]) -> Traces:
    """Those of the first games of each kind. The first ones of a run are among the first ones of its chunks."""
    seen: Counter[Hashable] = Counter()
    kept = {}
    for number, seat in sorted(traces):
        which = kind(number, seat)
        seen[which] += 1
        if seen[which] <= FIRST:
            kept[number, seat] = traces[number, seat]
    return kept
