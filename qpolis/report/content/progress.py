"""What a person sees while a run is played: a bar on a terminal, now and then a line elsewhere."""

from __future__ import annotations

import importlib.util
import os
import sys
import time
from collections import deque
from typing import Any

import click

from qpolis.tourney.tally import Tally

EVERY = 10.0  # seconds between lines
FEW = 10  # games, of which no pace can be told: some of them may have had to be compiled
RECENT = 60.0  # seconds over which the pace is measured
NOTICED = 0.5  # seconds after which a notebook shows a bar
MOST_BOTS = 4  # in a standing that has to fit on a line
LONGEST = 20  # characters of a bot's name there


class Progress:
    """Told after every chunk how many games were played, and how they stand; closed at the end."""

    def __init__(self, total: int, games: int, quiet: bool, until: bool = False) -> None:
        """`until`: it may end before the total is reached."""
        self._total, self._until = total, until
        self._quiet = quiet
        self._shown = time.monotonic()
        self._recent: deque[tuple[float, int]] = deque()  # moments, and games that were played by then
        self._bar: Any = None
        if not quiet and (in_notebook() or (sys.stderr and sys.stderr.isatty())):
            bar, looks = _bar_here()
            self._bar = bar(
                total=total, initial=games, unit=" games", smoothing=0.1, leave=False, miniters=0, **looks
            )

    def __call__(self, games: int, standing: str) -> None:
        if self._quiet:
            return
        if self._bar is not None:
            self._bar.set_postfix_str(standing, refresh=False)
            self._bar.update(games - self._bar.n)
            return
        now = time.monotonic()
        self._recent.append((now, games))
        while now - self._recent[0][0] > RECENT and len(self._recent) > 2:
            self._recent.popleft()
        if now - self._shown >= EVERY:
            self._shown = now
            click.echo(self.line(standing), err=True)

    def line(self, standing: str) -> str:
        """How far the run is. Its pace is that of the last minute: the first games may have had to be compiled."""
        (begun, before), (now, games) = self._recent[0], self._recent[-1]
        parts = [f"{games:,} of {self._total:,} games"]
        if games > before:
            pace = (games - before) / (now - begun)
            parts.append(pace_text(pace))
            if not self._until and games - before >= FEW:
                parts.append(f"{clock((self._total - games) / pace)} left")
        return f"{', '.join(parts)}; {standing}"

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def in_notebook() -> bool:
    """Does this process run the cells of a notebook?"""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return shell is not None and hasattr(shell, "kernel")


def _bar_here() -> tuple[Any, dict[str, Any]]:
    """The bar of tqdm that fits to where the user looks, and how it is to be made."""
    from tqdm import tqdm

    if not in_notebook():
        # A terminal that does not know its size says 0 by 0, and tqdm would show nothing.
        known = os.get_terminal_size(sys.stderr.fileno()).columns > 0
        return tqdm, {"dynamic_ncols": known} | ({} if known else {"ncols": 100, "nrows": 20})
    if importlib.util.find_spec("ipywidgets") is None:  # tqdm.auto would warn of that
        return tqdm, {"ncols": 110, "delay": NOTICED, "file": sys.stdout}
    from tqdm.notebook import tqdm as widget

    return widget, {"delay": NOTICED}


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
    return f"{text[: most // 3]}...{text[len(text) - (most - most // 3 - 3) :]}"


def pace_text(pace: float) -> str:
    """How fast a run is: 1,200 games/s, 0.3 games/s."""
    return f"{pace:,.0f} games/s" if pace >= 10 else f"{pace:.1f} games/s"


def clock(seconds: float) -> str:
    """A time in the largest two units: 45 s, 3 min 20 s, 2 h 5 min, 3 d 4 h."""
    whole = round(seconds)
    for unit, size, small, part in (("d", 86400, "h", 3600), ("h", 3600, "min", 60), ("min", 60, "s", 1)):
        if whole >= size:
            rest = whole % size // part
            return f"{whole // size} {unit}" + (f" {rest} {small}" if rest else "")
    return f"{whole} s"
