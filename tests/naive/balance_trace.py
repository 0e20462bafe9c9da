"""What happened in recorded games, seen through the public face of states: a slow twin of `balance.trace`."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from naive.quadropolis_account import words
from qpolis import verbs
from qpolis.games.quadropolis.assignment import best_assignment, read_city
from qpolis.rng import stream

NEAR = 1
CLOSELY = 8


def watch(game, plan, chunk):
    """A dict for each game of a chunk: what a Trace says about it."""
    games = []
    for row, number in enumerate(chunk.numbers.tolist()):
        deal = number // plan.games_per_block
        closely = deal // len(plan.lineups) % CLOSELY == 0
        games.append(
            watch_game(
                game,
                plan.definition.seed,
                deal,
                chunk.actions_of(row).tolist(),
                chunk.ranks[row].tolist(),
                closely,
            )
        )
    return games


def watch_game(game, seed, deal, actions, ranks, closely):
    """One game, played again."""
    state = game.new(seed, deal)
    looks, taken, choices, ratings = [], [], [], []
    dice = stream(seed, deal, 1)
    after = state.to_dict()
    for action in actions:
        before, seat = after, state.player
        choices.append(len(state.legal()))
        if closely:
            ratings.append(rate(state, dice))
        state.apply(action)
        after = state.to_dict()
        if not before.get("held") and after.get("held"):
            taken.append((seat, before["round"], after["held"]["tile"]))
        if state.player != seat or after.get("round") != before.get("round"):
            looks.append(evaluate(state))
    winner = ranks.index(0) if ranks.count(0) == 1 else None
    leads = leaders(looks)
    equal = [sum(value > max(values) - NEAR for value in values) for values in ratings]
    return {
        "points": points(state),
        "built": built(state),
        "taken": items(game, taken),
        "turns": len(looks),
        "changes": sum(old is not None and new != old for old, new in pairwise(leads)),
        "decided": decided(leads, winner),
        "behind": behind(looks, winner),
        "choices": sum(choices),
        "decisions": len(choices),
        "rated": len(ratings),
        "equal": sum(equal),
        "clear": equal.count(1),
    }


def rate(state, dice):
    """What the legal actions are rated at, by what their player can know."""
    rules = state.game.rules[0]
    known = state.copy()
    verbs.conceal(rules, known.record, state.player)
    actions, values = np.empty(rules.actions, verbs.ACTION), np.empty(rules.actions)
    count = verbs.rate(rules, known.record, np.zeros(2, state.array.dtype), actions, values, dice)
    assert actions[:count].tolist() == state.legal()
    return values[:count].tolist()


def evaluate(state):
    """The points that seats can expect."""
    values = np.empty(state.game.players)
    verbs.evaluate(state.game.rules[0], state.record, values)
    return values.tolist()


def leaders(looks):
    """Who leads at each look; None as long as nobody has."""
    leader, leads = None, []
    for values in looks:
        best = values.index(max(values))
        others = [value for seat, value in enumerate(values) if seat != best]
        if values[best] - (max(others) if leader is None else values[leader]) >= NEAR:
            leader = best
        leads.append(leader)
    return leads


def decided(leads, winner):
    """The first look from which on the winner leads; at the last one, winning is leading. 0 is the first look, 1
    the last."""
    if winner is None or not leads:
        return math.nan
    first = next(look for look in range(len(leads)) if set(leads[look:-1]) <= {winner})
    return first / max(len(leads) - 1, 1)


def behind(looks, winner):
    """At half-time: when half of the turns have been played (after the first one, if it is the only one)."""
    if winner is None or not looks:
        return math.nan
    values = looks[max(len(looks) // 2, 1) - 1]
    return max(value for seat, value in enumerate(values) if seat != winner) - values[winner]


def points(state):
    """By seat: the points of each kind of building, and the penalties. Without any kinds all points are one."""
    if not state.game.categories:
        return [[score] for score in state.scores()]
    told, table = state.to_dict(), []
    for city, inhabitants, energy in zip(told["cities"], told["inhabitants"], told["energy"]):
        best = best_assignment(
            read_city({"mode": told["mode"], "squares": city, "inhabitants": inhabitants, "energy": energy})
        )
        table.append([*(best["points"][kind] for kind in state.game.categories), best["penalties"]])
    return table


def built(state):
    """By seat: the buildings of each kind that stand in the end. Every floor is one."""
    if not state.game.categories:
        return [[] for _ in range(state.game.players)]
    return [
        [
            sum(square["floors"] for square in city if square and square["type"] == kind)
            for kind in state.game.categories
        ]
        for city in state.to_dict()["cities"]
    ]


def items(game, taken):
    """Seat, number of the item, and how many were taken before in its round."""
    numbers = {(item.name, item.stage): number for number, item in game.items().items()}
    return [
        (seat, numbers[words(tile), round - 1], sum(other == round for _, other, _ in taken[:place]))
        for place, (seat, round, tile) in enumerate(taken)
    ]
