"""Whether it pays never to build something, or to like it."""

from __future__ import annotations

import numpy as np

from qpolis.balance.answer import Answer
from qpolis.balance.question import HABITS
from qpolis.games import game_class
from qpolis.ratings.standing import Estimate
from qpolis.report.plots.balance_data import (
    ahead,
    games_of,
    habits,
    known,
    left_out,
    mixes_shown,
    note,
    together,
)
from qpolis.report.plots.balance_duels import draw_duels
from qpolis.report.plots.balance_forest import Group
from qpolis.report.plots.style import Figure, styled
from qpolis.report.plots.text import shortened

HEADS = {"forbid": "Never builds", "favor": "Likes to build"}


@styled()
def draw_habits(answer: Answer) -> Figure | None:
    """How often a bot with a habit is ahead of the same bot without it: the best at the top."""
    question = answer.question
    if not question.forbid + question.favor:
        return None
    names = habits(question)
    found = [_shares(answer, mix, list(names)) for mix in mixes_shown(answer)]
    if not any(map(known, found)):
        return None
    groups, order = [], []
    for habit, head in HEADS.items():
        numbers = [number for number, (one, _) in enumerate(names.values()) if one == habit]
        numbers.sort(key=lambda number: -np.nan_to_num(found[0].value[number], nan=-1))
        order += numbers
        if numbers:
            groups.append(Group(head, [list(names.values())[number][1] for number in numbers]))
    shares = [Estimate(one.value[order], one.low[order], one.high[order]) for one in found]
    player = shortened(question.player, 2)
    remark = (
        f"Dashed: the habit makes no difference. Right of it, it pays. The player is {player}; level games "
        "count as half."
    )
    noun = game_class(question.game).category_noun[0]
    return draw_duels(
        answer,
        f"Does it pay to shun or to seek a {noun}?",
        groups,
        shares,
        xlabel="share of games in which the habit is ahead of the same player without it",
        note=note(remark, games_of(answer, [HABITS]), left_out(answer)),
    )


def _shares(answer: Answer, mix: int, specs: list[str]) -> Estimate:
    """How often each habit is ahead of none."""
    shares = ahead(answer, mix, HABITS)
    against = {one: share for (one, two), share in shares.items() if one in specs and two not in specs}
    return together([against.get(spec) for spec in specs])
