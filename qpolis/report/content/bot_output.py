"""What bots print, passed on to whoever lets them play."""

from __future__ import annotations

from collections.abc import Sequence

import click

MOST_OUTPUT = 100_000  # characters that are shown of what a bot prints


class Output:
    """Shows what bots print, on standard error, up to some length for each."""

    def __init__(self, bots: Sequence[str]) -> None:
        """The bots at the seats; the last one sits at all that follow."""
        self._bots = bots
        self._left: dict[str, int] = {}

    def __call__(self, deal: int, seat: int, line: str) -> None:
        bot = self._bots[min(seat, len(self._bots) - 1)]
        left = self._left.get(bot, MOST_OUTPUT)
        if left > 0:
            click.echo(f"{bot} (seat {seat}): {line}", err=True)
            self._left[bot] = left = left - len(line) - 1
            if left <= 0:
                click.echo(f"{bot} (seat {seat}): (what else it prints is not shown)", err=True)
