"""Games with Python bots in this process, for people who look for a mistake in one: `debug=True`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from qpolis import interrupts
from qpolis.engine.results import Results
from qpolis.errors import QpolisError
from qpolis.registry.local import local_entrant
from qpolis.report.content.outcome import Outcome, outcome_of
from qpolis.report.content.progress import Progress, standing
from qpolis.tourney.definition import define
from qpolis.tourney.plan import Plan, make_plan
from qpolis.tourney.tally import Tally
from qpolis.tourney.worker import ChunkPlayer


def debugged(keys: Mapping[str, Any], quiet: bool) -> tuple[Plan, Outcome, Callable[[], list[Results]]]:
    """Play a tournament in this process, block by block; what a bot raises ends it. Nothing is written."""
    bots = list(keys.get("bots", ()))
    asked = [*bots, keys["challenger"]] if "challenger" in keys else bots
    entrants = {name_of(bot): local_entrant(bot) for bot in asked}
    named = {**keys, "bots": [name_of(bot) for bot in bots]}
    plan = make_plan(define(named), find_bot=lambda spec, sandbox: entrants[spec])
    seated = {entrant.spec: entrant for entrant in entrants.values()}
    player = ChunkPlayer(plan, plan.load_game(), tuple(seated[spec] for spec in plan.bots))
    tally, chunks = Tally(plan), []
    progress = Progress(plan.games, 0, quiet, bool(plan.definition.sprt))
    try:
        for block in range(plan.blocks):
            interrupts.check()
            chunks.append(player.play(np.array([block], np.int64)))
            tally.add(chunks[-1])
            progress(tally.games, standing(tally))
            if tally.complete():
                break
    finally:
        progress.close()
    return plan, outcome_of(plan, chunks, tally), lambda: chunks


def name_of(bot: str | type) -> str:
    """What a bot is called in a plan: its spec, or the name of its class."""
    return bot.__name__ if isinstance(bot, type) else bot.strip()


def refuse_classes(bots: Iterable[Any]) -> None:
    """Whatever plays in a process of its own is found by a name or a path."""
    for bot in bots:
        if isinstance(bot, type):
            raise QpolisError(
                f"bot {bot.__name__}: a class plays in this process only, with debug=True; else write it to a "
                f"file (%%writefile my_bot.py) and name that: ./my_bot.py"
            )
