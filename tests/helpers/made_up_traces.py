"""Runs with traces of games that nobody played."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from qpolis.balance.measures import (
    TracedRun,
)
from qpolis.balance.trace import Trace
from qpolis.engine.results import FINISHED, STOPPED, Results
from qpolis.game import Item
from qpolis.tourney.definition import Definition
from qpolis.tourney.plan import lay_out

KINDS = ("mill", "barn", "inn")


def places(points, rng):
    """Ranks by points; some ties are broken, as rules may do."""
    keys = 10 * points + (rng.random(points.shape) < 0.3)
    return (keys[:, None, :] > keys[:, :, None]).sum(axis=2).astype(np.int8)


def invent(number, abnormal=0.0):
    """A run of the kind of its number with arbitrary content."""
    rng = np.random.default_rng(number)
    players, seatings = 2 + number % 3, ("rotations", "mirror", "duels")[number % 4 % 3]
    plan = lay_out(Definition(bots=("a", "b", "c", "d"), games=120, seed=number, seatings=seatings), players, {})
    games, items = (
        plan.games,
        {number: Item(f"tile {number}", "inn", number % 2, 1 + number % 3) for number in (2, 3, 5, 7, 11)},
    )
    luck = np.repeat(rng.integers(0, 12, (plan.blocks, players)), plan.games_per_block, axis=0)
    who = plan.who(np.arange(games))
    worth = luck + 3 * who + 4 * (np.arange(players) == 0)
    points = (worth + rng.integers(0, 9, (games, players))).astype(np.int32)
    ends = np.where(rng.random((games, 1)) < abnormal, STOPPED, FINISHED) * np.ones((1, players), np.int8)
    results = Results(
        bots=plan.bots,
        who=who,
        deals=np.arange(games) // plan.games_per_block,
        points=points,
        ranks=places(points, rng),
        decisions=np.ones_like(points),
        ends=ends,
    )
    game = SimpleNamespace(categories=KINDS, items=lambda: items)
    return TracedRun(game, plan, results, some_trace(rng, results, items))


def some_trace(rng, results, items):
    games, players = results.points.shape
    shared = (results.ranks == 0).sum(axis=1) > 1
    whole = {name: rng.integers(1, 20, games) for name in ("changes", "turns", "decisions", "choices")}
    rated = rng.integers(0, 2, games) * rng.integers(1, 9, games)
    game = np.sort(rng.integers(0, games, 12 * games))
    taken = np.stack(
        [
            game,
            rng.integers(0, players, len(game)),
            rng.choice(list(items), len(game)),
            rng.integers(0, 10, len(game)),
        ],
        axis=1,
    ).astype(np.int32)
    built = rng.integers(0, 4, (games, players, len(KINDS)))
    each = rng.integers(0, 12, (games, players, len(KINDS) + 1))
    return Trace(
        points=np.concatenate([each[..., :-1] * (built > 0), -each[..., -1:]], axis=2),
        built=built,
        decided=np.where(shared, np.nan, rng.random(games)),
        behind=np.where(shared, np.nan, rng.integers(-3, 4, games)),
        rated=rated,
        equal=rated + rng.integers(0, 5, games) * (rated > 0),
        clear=rated // 2,
        taken=taken,
        **whole,
    )
