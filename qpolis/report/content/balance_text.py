"""Numbers, levels and strategies of balance in words."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

from qpolis.balance.measure import COUNT, EFFECT, SHARE, Measure
from qpolis.balance.question import LEVEL


def percent(number: float, digits: int = 1) -> str:
    return f"{100 * number:.{digits}f}%"


def amount(measure: Measure, number: float, sign: str = "") -> str:
    """A number in the unit of a measure; effects in percentage points."""
    if math.isnan(number):
        return "unknown"
    if measure.unit in (SHARE, EFFECT):
        return f"{100 * number:{sign}.1f}" + ("%" if measure.unit == SHARE else "")
    return f"{number:{sign}.2f}" if measure.unit == COUNT else f"{number:{sign}.1f}"


def with_interval(measure: Measure, sign: str = "") -> str:
    """A value with its interval: 56.2% (53.1 to 59.2)."""
    if math.isnan(measure.interval()[0]):
        return f"{amount(measure, measure.value, sign)} (interval unknown)"
    low, high = (amount(measure, end, sign).removesuffix("%") for end in measure.interval())
    return f"{amount(measure, measure.value, sign)} ({low} to {high})"


def between(measure: Measure) -> str:
    """An interval of a share as one says it: from 61 to 64%."""
    low, high = (100 * end for end in measure.interval())
    digits = 0 if high - low >= 2 else 1
    return f"{low:.{digits}f}\N{EN DASH}{high:.{digits}f}%"


def plural(kind: str) -> str:
    return kind[:-1] + "ies" if kind.endswith("y") else kind + "s"


def listed(items: Sequence[str]) -> str:
    return ", ".join(items[:-1]) + f" and {items[-1]}" if len(items) > 1 else "".join(items)


def level_name(part: str, level: str) -> str:
    return level if part == LEVEL else "the field"


def habit_of(spec: str) -> str:
    """What a strategy does, in words."""
    forbid, favor = (re.search(rf":{habit}=([\w+]+)", spec) for habit in ("forbid", "favor"))
    words = []
    if forbid:
        words.append(f"never builds {listed([plural(kind) for kind in forbid[1].split('+')])}")
    if favor:
        words.append(f"likes {listed([plural(kind) for kind in favor[1].split('+')])}")
    return " and ".join(words) or "plays freely"
