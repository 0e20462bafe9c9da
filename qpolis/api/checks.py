"""Whether a bot keeps to the rules of bots, from Python."""

from __future__ import annotations

from collections.abc import Sequence

import click

from qpolis.api.playing import in_order
from qpolis.conformance.bots import check_bot
from qpolis.conformance.steps import Step
from qpolis.game import check_seed
from qpolis.games import DEFAULT_GAME, game_class
from qpolis.registry.spec import resolve
from qpolis.report.content.bot_output import Output
from qpolis.sandbox.levels import AUTO
from qpolis.sandbox.program import Limits


class Check:
    """What `qpolis.check` found: `steps`, each with its title, whether it passed, and a detail."""

    def __init__(self, spec: str, steps: Sequence[Step]) -> None:
        self.spec = spec
        self.steps = list(steps)

    @property
    def passed(self) -> bool:
        """Did no step fail?"""
        return all(step.passed is not False for step in self.steps)

    def __repr__(self) -> str:
        return f"<check of {self.spec}: {'passed' if self.passed else 'failed'}>"

    def __str__(self) -> str:
        return "\n".join(map(str, self.steps))


def check(
    bot: str,
    *,
    game: str = DEFAULT_GAME,
    games: int = 2,
    seed: int = 0,
    time_limit: float = 10.0,
    memory_limit: int = 2048,
    start_limit: float = 60.0,
    ponder: bool = False,
    sandbox: str = AUTO,
    quiet: bool = False,
) -> Check:
    """Check that a bot keeps to the rules of bots, as `qpolis check` does; each step is printed when it is done.

    >>> qpolis.check("random", game="quadrilatere", quiet=True).passed
    True

    Args:
        bot: Its name, or the path of its file.
        game: The name or the path of a game; the bot plays it in every variant.
        games: How many games in each variant, at least 2.
        seed: The number that names the deals.
        time_limit: Seconds of processor time for one decision.
        memory_limit: Megabytes of its process.
        start_limit: Seconds of its start.
        ponder: May it compute while others think?
        sandbox: `auto`, `on` or `off`.
        quiet: Print nothing.
    """
    game_class(game)
    limits = Limits.of(time_limit, memory_limit, start_limit, ponder, sandbox)
    steps = []
    with in_order(quiet):
        entrant = resolve(bot, sandbox)
        said = None if quiet else Output([entrant.spec])
        for step in check_bot(entrant, game, games, check_seed(seed), limits, said):
            steps.append(step)
            if not quiet:
                click.echo(str(step))
    return Check(entrant.spec, steps)
