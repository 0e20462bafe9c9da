"""What a building or a tile does for winning, other things equal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from qpolis.balance.measure import COUNT, SHARE, Measure, ratio
from qpolis.balance.regression import Effects, Takes, adjusted_effects
from qpolis.balance.traced_run import TracedRun


def controls(games: TracedRun, seats: bool) -> np.ndarray:
    """By game and seat: what else decides who wins, bots and seats, as differences from the first of each."""
    who = games.results.who
    bot = (who[:, :, None] == np.unique(who)[1:]).astype(float)
    if not seats:
        return bot
    seat = np.broadcast_to(np.eye(who.shape[1])[:, 1:], (*who.shape, who.shape[1] - 1))
    return np.concatenate([bot, seat], axis=2)


def kind_effects(games: TracedRun) -> list[Measure]:
    """The effect of a building of each kind on winning, against that of an average one."""
    if not games.game.categories:
        return []
    built = games.trace.built * games.weight[:, None, None].astype(int)
    game, seat, kind = np.nonzero(built)
    times = built[game, seat, kind]
    takes = Takes(*(np.repeat(column, times) for column in (game, seat, kind)))
    return effects_of(games, takes, len(games.game.categories)).measures("effects", games.game.categories)


def effects_of(
    games: TracedRun, takes: Takes, items: int, compared: np.ndarray | None = None, seats: bool = True
) -> Effects:
    """Effects of items on winning, given bots and seats; `compared` says by item with which others it is compared.
    The regression finds by how much a seat's share of the win grows against the others'; what it gains, they
    lose, so its own share grows by less."""
    block = np.arange(games.results.games) // games.plan.games_per_block
    given = controls(games, seats) * games.weight[:, None, None]
    found = adjusted_effects(
        games.first * games.weight[:, None], takes, items, given, block, games.plan.blocks, compared
    )
    own = 1 - 1 / games.results.seats
    return found._replace(value=own * found.value, influence=own * found.influence)


def tiles(games: TracedRun) -> Iterator[Measure]:
    """Each tile: how often it is taken, how early in its round, and its effect on winning, against that of an
    average tile of its round (every seat takes as many tiles in a round)."""
    items = games.game.items()
    if not items:
        return
    numbers = np.array(sorted(items), np.int64)
    game, seat, item, before = games.trace.taken.T
    column = np.searchsorted(numbers, item)
    block = game // games.plan.games_per_block
    weight = games.weight[game]
    played = games.blocks(games.weight)
    names = [f"round {items[number].stage + 1}: {items[number].name}" for number in numbers.tolist()]
    for place, (number, name) in enumerate(zip(numbers.tolist(), names)):
        chosen = column == place
        often = np.bincount(block[chosen], weight[chosen], minlength=games.plan.blocks)
        yield ratio("tiles", f"{name}: taken", SHARE, often, items[number].copies * played)
        early = np.bincount(block[chosen], weight[chosen] * (before[chosen] + 1), minlength=games.plan.blocks)
        yield ratio("tiles", f"{name}: place in the round", COUNT, early, often)
        first = np.bincount(block[chosen], weight[chosen] * (seat[chosen] == 0), minlength=games.plan.blocks)
        yield ratio("tiles", f"{name}: taken by the first player", SHARE, first, often)
    valid = weight > 0
    takes = Takes(game[valid], seat[valid], column[valid])
    stages = np.array([items[number].stage for number in numbers.tolist()])
    effects = effects_of(games, takes, len(names), stages)
    yield from effects.measures("tiles", [f"{name}: effect" for name in names])
    yield from seat_tiles(games, takes, names, stages)


def seat_tiles(games: TracedRun, takes: Takes, names: list[str], stages: np.ndarray) -> Iterator[Measure]:
    """What each tile has to do with the advantage of the first seat: its effect on winning, times how much more
    often the first seat has it than the others have. Here seats are no control: a tile that the first player
    always has is just what to find."""
    effects = effects_of(games, takes, len(names), stages, seats=False)
    others = games.results.seats - 1
    block = takes.game // games.plan.games_per_block
    played = games.blocks(games.weight)
    more = np.where(takes.seat == 0, 1.0, -1 / others)
    for place, measure in enumerate(effects.measures("seat tiles", names)):
        chosen = takes.item == place
        often = ratio("", "", COUNT, np.bincount(block[chosen], more[chosen], minlength=len(played)), played)
        yield replace(
            measure,
            value=measure.value * often.value,
            influence=measure.influence * often.value + measure.value * often.influence,
        )
