"""What is said of a training, while it goes on and of its generations."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

from qpolis.game import settings_text
from qpolis.learning.history import Generation
from qpolis.learning.plan import TrainingPlan
from qpolis.report.content.progress import clock

EVERY = 10.0  # seconds between lines, where nothing can be written over
LONGEST = 110  # characters of a line that is written over


class StepLine:
    """Shows what a training is doing: on a terminal in one line, elsewhere now and then in a new one."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._live = not quiet and bool(sys.stderr) and sys.stderr.isatty()
        self._words, self._begun, self._before = "", 0.0, 0
        self._shown = time.monotonic()

    def __call__(self, words: str, done: int, total: int) -> None:
        if self._quiet:
            return
        now = time.monotonic()
        if words.partition(",")[0] != self._words:
            self._words, self._begun, self._before = words.partition(",")[0], now, done
        text = f"{words} {done:,} of {total:,}"
        if done > self._before and done < total:
            text += f", {clock((now - self._begun) * (total - done) / (done - self._before))} left"
        if self._live:
            click.echo(f"\r{text[:LONGEST]:<{LONGEST}}", err=True, nl=False)
        elif now - self._shown >= EVERY:
            self._shown = now
            click.echo(text, err=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._live:
            click.echo(f"\r{'':<{LONGEST}}\r", err=True, nl=False)


def heading(plan: TrainingPlan, folder: Path) -> str:
    """What is trained, and where it is kept."""
    begin = f"from {plan.begin}" if plan.begin else "from nothing"
    game = plan.load_game()
    settings = settings_text(game.settings)
    return f"{game.title}, {settings}; {begin}, {plan.games:,} games a generation, in {folder}"


def elo(value: float, low: float, high: float) -> str:
    return f"{value:+.0f} ({low:+.0f} to {high:+.0f})"


def generation_line(found: Generation) -> str:
    """A generation in a line."""
    verdict = "the new champion" if found.promoted else "not better"
    return (
        f"generation {found.number}: {verdict} ({found.gate:.1%} of {found.gate_games:,} games); "
        f"search {elo(found.elo_search, found.elo_search_low, found.elo_search_high)} Elo to one without a model, "
        f"instinct {elo(found.elo_instinct, found.elo_instinct_low, found.elo_instinct_high)} to greedy; "
        f"{found.minutes:.1f} min"
    )
