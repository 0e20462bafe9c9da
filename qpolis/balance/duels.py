"""Who beats whom: duels between bots, and how much the better one decides."""

from __future__ import annotations

import numpy as np

from qpolis.balance.measure import EFFECT, SHARE, Measure, ratio
from qpolis.engine.results import FINISHED, Results
from qpolis.tourney.plan import Plan


def by_block(plan: Plan, values: np.ndarray) -> np.ndarray:
    """Values of games added up by block."""
    total: np.ndarray = values.reshape(-1, plan.games_per_block).sum(axis=1)
    return total


def comparisons(results: Results, one: int, two: int) -> tuple[np.ndarray, np.ndarray]:
    """By game: how often a seat of one bot was ahead of a seat of another (half if level), and of how many."""
    ahead, pairs = np.zeros((2, results.games))
    for seat in range(results.seats):
        for other in range(results.seats):
            met = (results.who[:, seat] == one) & (results.who[:, other] == two)
            mine, theirs = results.ranks[:, seat], results.ranks[:, other]
            ahead += met * ((mine < theirs) + 0.5 * (mine == theirs))
            pairs += met
    return ahead, pairs


def duels(plan: Plan, results: Results, group: str) -> list[Measure]:
    """The share of games in which each bot is ahead of each later one of the list, if they met."""
    regular = (results.ends == FINISHED).all(axis=1)
    measures = []
    for one in range(len(results.bots)):
        for two in range(one + 1, len(results.bots)):
            ahead, pairs = comparisons(results, one, two)
            played = int((regular * (pairs > 0)).sum())
            if played:
                measures.append(
                    ratio(
                        group,
                        f"{results.bots[one]} ahead of {results.bots[two]}",
                        SHARE,
                        by_block(plan, ahead * regular),
                        by_block(plan, pairs * regular),
                        played,
                    )
                )
    return measures


def skill(plan: Plan, results: Results, chance: bool = True) -> list[Measure]:
    """How much the better bot decides, in a game with chance or without. The better one of a pair is the one that
    is ahead more often."""
    regular = (results.ends == FINISHED).all(axis=1)
    better, pairs = np.zeros((2, results.games))
    for one in range(len(results.bots)):
        for two in range(one + 1, len(results.bots)):
            ahead, met = comparisons(results, one, two)
            strong = ahead[regular].sum() * 2 >= met[regular].sum()
            better += ahead if strong else met - ahead
            pairs += met
    share = ratio(
        "skill",
        "the stronger bot is ahead",
        SHARE,
        by_block(plan, better * regular),
        by_block(plan, pairs * regular),
    )
    return [share, *explained(plan, results, chance)]


def explained(plan: Plan, results: Results, chance: bool = True) -> list[Measure]:
    """Of the variation of the margin between two players: the parts that follow from who plays, from where they
    sit, from the deal (that it favours a seat; if there is chance), and the rest. Only for pairs that play every
    deal both ways."""
    if results.seats != 2 or plan.games_per_block != 2:
        return []
    margin = (results.points[:, 0] - results.points[:, 1]).reshape(-1, 2).astype(float)
    regular = (results.ends == FINISHED).reshape(plan.blocks, -1).all(axis=1).astype(float)  # whole blocks
    lineup = np.arange(plan.blocks) % len(plan.lineups)
    mine = (margin[:, 0] - margin[:, 1]) / 2  # of the bot that sat first in the first game
    seat = (margin[:, 0] + margin[:, 1]) / 2  # of the first seat, whoever sat there
    means = (np.bincount(lineup, mine * regular) / np.maximum(np.bincount(lineup, regular), 1))[lineup]
    whole = mine**2 + seat**2
    middle = seat @ regular / max(regular.sum(), 1)
    # The squares of means by their slopes, so that the blocks say how sure they are.
    deal, rest = (seat - middle) ** 2, (mine - means) ** 2
    parts = {
        "who plays": 2 * means * (mine - means) + means**2,
        "the seats": 2 * middle * (seat - middle) + middle**2,
        **({"the deal": deal, "the rest": rest} if chance else {"the rest": deal + rest}),
    }
    return [
        ratio(
            "skill", f"margin explained by {name}", EFFECT, part * regular, whole * regular, 2 * int(regular.sum())
        )
        for name, part in parts.items()
    ]
