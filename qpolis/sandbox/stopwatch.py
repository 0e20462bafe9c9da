"""What an answer of a program costs it: the processor time of all its processes, whatever else is running."""

from __future__ import annotations

import time

from qpolis.errors import QpolisError
from qpolis.sandbox.child_process import CHECK_INTERVAL, ChildProcess, DeadlinePassed

WALL = 4.0  # seconds that may pass for each second of processor time
MARGIN = 2.0  # seconds that may pass beyond
STARVED = 0.5  # part of the time without a processor, spent waiting for one, that makes it the machine's fault


class Overloaded(QpolisError):
    """A program wanted a processor and did not get it: this says nothing about the program."""


class Stopwatch:
    """Counts from its making, or (`from_start`) from the start of the program.

    The first CHECK_INTERVAL is charged as it passes, so that a quick answer costs no look at the processes; from
    then on only what they use is charged.
    """

    def __init__(self, child: ChildProcess, limit: float, from_start: bool = False) -> None:
        self._child = child
        self._limit = limit
        self.begun = time.monotonic()
        self.used = 0.0  # seconds charged up to the last look
        self._own = child.tree.own_time()
        self._total: float | None = 0.0 if from_start else None  # of the family at the last look
        self._delay = 0.0  # of the family at the first look
        self._lateness = child.lateness

    def allow(self, limit: float) -> None:
        """Change the limit."""
        self._limit = limit

    def look(self) -> None:
        """Charge what was used since the last look; DeadlinePassed if that is more than the limit."""
        passed = time.monotonic() - self.begun
        if passed < CHECK_INTERVAL:
            return
        total = self._child.tree.processor_time()
        if self._total is None:
            self.used = max(min(passed, CHECK_INTERVAL), self._child.tree.own_time() - self._own)
            self._delay = self._child.tree.run_delay() or 0.0
        else:  # less than before if a process ended and nobody of the family waited for it
            self.used += max(total - self._total, 0.0)
        self._total = total
        if self.used > self._limit:
            raise DeadlinePassed

    def stop(self) -> float:
        """The answer is there: the seconds charged for it."""
        passed = time.monotonic() - self.begun
        if passed < CHECK_INTERVAL:
            return passed
        self._child.tree.members()
        self.look()
        return self.used

    def judge(self) -> None:
        """The deadline passed: Overloaded if that is the machine's fault."""
        if self.used > self._limit:
            return
        waited = time.monotonic() - self.begun - self.used
        delay = self._child.tree.run_delay()
        starved = self._child.lateness - self._lateness if delay is None else delay - self._delay
        if starved >= STARVED * waited:
            raise Overloaded(f"the machine is too busy: a bot waited {starved:.0f} s for a processor")


def patience(limit: float, times: float = 1.0) -> float:
    """Seconds that may pass until an answer for which a program may use `limit` seconds of processor time."""
    return times * (WALL * limit + MARGIN)
