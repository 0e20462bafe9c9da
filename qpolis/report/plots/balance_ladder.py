"""How much it helps to think longer."""

from __future__ import annotations

from itertools import pairwise

from qpolis.balance.answer import Answer
from qpolis.balance.question import LADDER
from qpolis.ratings.standing import Estimate
from qpolis.report.plots.balance_data import (
    ahead,
    budgets,
    games_of,
    known,
    left_out,
    mixes_shown,
    note,
    together,
)
from qpolis.report.plots.balance_duels import draw_duels
from qpolis.report.plots.balance_forest import Group
from qpolis.report.plots.style import Figure, styled
from qpolis.report.plots.text import number


@styled()
def draw_ladder(answer: Answer) -> Figure | None:
    """How often each budget of simulations is ahead of the next smaller one."""
    sims = budgets(answer.question)
    steps = list(pairwise(sims))
    found = [_shares(answer, mix, steps) for mix in mixes_shown(answer)]
    if not any(map(known, found)):
        return None
    labels = [f"{number(sims[more])} against {number(sims[less])}" for less, more in steps]
    remark = (
        "Dashed: thinking longer does not help. Budgets are simulations of mcts for a decision; level games "
        "count as half."
    )
    return draw_duels(
        answer,
        "How much it helps to think longer",
        [Group("", labels)],
        found,
        xlabel="share of games in which the larger budget is ahead",
        note=note(remark, games_of(answer, [LADDER]), left_out(answer)),
    )


def _shares(answer: Answer, mix: int, steps: list[tuple[str, str]]) -> Estimate:
    """How often the second bot of a step is ahead of the first."""
    shares = ahead(answer, mix, LADDER)
    return together(shares.get((more, less)) for less, more in steps)
