"""Runs that were played before, from their folders."""

from __future__ import annotations

from pathlib import Path

from qpolis.api.balances import Balance
from qpolis.api.playing import in_order
from qpolis.api.tournaments import Tournament
from qpolis.balance.experiment import COMMANDS, command_of
from qpolis.report.rewrite_balance import played_answer


def load_run(folder: str | Path) -> Tournament | Balance:
    """What came out of a run that was played to its end, from its folder: a tournament, a question about balance,
    or a search for a mix.

    >>> run = qpolis.tournament(["greedy", "random"], games=20, seed=1, out="a-run")
    >>> qpolis.load_run("a-run").summary == run.summary
    True
    """
    place = Path(folder)
    with in_order():
        if command_of(place) in COMMANDS.values():
            return Balance(place, *played_answer(place))
        return Tournament.load(place)
