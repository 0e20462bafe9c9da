"""What a person sees while a run is played: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import click

from qpolis.tourney.tally import Tally

EVERY = 10.0  # seconds between lines
MOST_BOTS = 4  # in a standing that has to fit on a line
LONGEST = 20  # characters of a bot's name there


class Progress:
    """Told of the tally after every piece; closed at the end."""

    def __init__(self, tally: Tally, quiet: bool) -> None:
        self._begun = time.monotonic()
        self._shown = self._begun
        self._before = tally.games  # by an earlier part of the run
        self._quiet = quiet
        self._bar: Any = None
        if not quiet and sys.stderr.isatty():
            from tqdm import tqdm

            # A terminal that does not know its size says 0 by 0, and tqdm would show nothing.
            known = os.get_terminal_size(sys.stderr.fileno()).columns > 0
            size = {} if known else {"ncols": 100, "nrows": 20}
            self._bar = tqdm(total=tally.plan.games, initial=tally.games, unit=" games", dynamic_ncols=known,
                             smoothing=0.1, leave=False, miniters=0, **size)

    def __call__(self, tally: Tally) -> None:
        if self._quiet:
            return
        if self._bar is not None:
            self._bar.set_postfix_str(standing(tally), refresh=False)
            self._bar.update(tally.games - self._bar.n)
            return
        now = time.monotonic()
        if now - self._shown >= EVERY:
            self._shown = now
            pace = (tally.games - self._before) / (now - self._begun)
            left = f"{clock((tally.plan.games - tally.games) / pace)} left; " if not tally.test else ""
            done = f"{tally.games:,} of {tally.plan.games:,} games"
            click.echo(f"{done}, {pace:,.0f} games/s, {left}{standing(tally)}", err=True)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def standing(tally: Tally) -> str:
    """Who wins how often so far, or how the test stands."""
    if tally.test is not None:
        return tally.test.line()
    shares = [(share, bot) for share, bot in zip(tally.shares(), tally.plan.bots) if share == share]
    best = sorted(shares, key=lambda pair: -pair[0])[:MOST_BOTS]
    return ", ".join(f"{short(bot, LONGEST)} {share:.1%}" for share, bot in best)


def short(text: str, most: int) -> str:
    """A text without its middle, if it is too long."""
    if len(text) <= most:
        return text
    return f"{text[: most // 3]}...{text[len(text) - (most - most // 3 - 3):]}"


def clock(seconds: float) -> str:
    """A time in the largest two units: 45 s, 3 min 20 s, 2 h 5 min, 3 days 4 h."""
    whole = round(seconds)
    for unit, size, small, part in (("days", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {unit}" + (f" {rest} {small}" if rest else "")
    return f"{whole} s"
