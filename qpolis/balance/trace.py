"""What happened in recorded games: they are played again, action by action.

Nothing here knows a game: verbs say what an action takes and builds, what points are for, and who is ahead.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from qpolis import verbs
from qpolis.engine.results import Results
from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.kernel import kernel
from qpolis.rng import WORDS, chance_stream, keys, name_chance, name_stream
from qpolis.tourney.plan import Plan

NEAR = 1.0  # points: a lead below it is none, and actions rated so little below the best are as good
RATED_BLOCKS = 8  # one block of so many has all its actions rated, which costs as much as playing greedily
NOBODY = -1
NOT_LEGAL = -1
TURNS, CHANGES, CHOICES, DECISIONS, RATED, EQUAL, CLEAR = range(7)  # what is counted in a game


@dataclass(frozen=True)
class Trace:
    """What happened in some games: a row each. Shares of a game count its turns."""

    points: np.ndarray  # by seat and kind of building; the last are penalties
    built: np.ndarray  # by seat and kind: how many buildings
    changes: np.ndarray  # how often the lead changed hands
    decided: np.ndarray  # the share of the game after which the winner led to the end; NaN if the win was shared
    behind: np.ndarray  # points by which the winner was behind after half of the turns; NaN if the win was shared
    turns: np.ndarray
    choices: np.ndarray  # legal actions, over all decisions
    decisions: np.ndarray
    rated: np.ndarray  # decisions in which all actions were rated
    equal: np.ndarray  # actions as good as the best one, over those decisions
    clear: np.ndarray  # of those decisions, how many had one best action
    taken: np.ndarray  # items, one row each: game (a row of this trace), seat, item, how many were taken before it

    @property
    def games(self) -> int:
        return len(self.turns)


class Recordings(NamedTuple):
    """Games that were recorded, one after the other."""

    deals: np.ndarray
    lengths: np.ndarray  # actions of each game
    actions: np.ndarray  # of all games
    winners: np.ndarray  # seats, NOBODY where the win was shared
    rate_all: np.ndarray  # should all actions be rated, in every decision of the game?


class TraceArrays(NamedTuple):
    """What the kernels fill in: a row for each game, but of `taken` one for each item. See `Trace`."""

    points: np.ndarray
    built: np.ndarray
    counts: np.ndarray  # by TURNS, CHANGES, ...
    decided: np.ndarray
    behind: np.ndarray
    taken: np.ndarray


class Scratch(NamedTuple):
    """Working space."""

    chance: np.ndarray  # the stream of the game
    dice: np.ndarray  # that of ratings, which may have to draw something
    legal: np.ndarray
    ratings: np.ndarray
    expected: np.ndarray  # points by seat
    leads: np.ndarray  # by turn: who leads, and the margin of the winner


@kernel
def ahead(values, seat):
    """By how much a seat is above the best other one."""
    best = -np.inf
    for other in range(values.shape[0]):
        if other != seat:
            best = max(best, values[other])
    return values[seat] - best


@kernel
def lead(values, leader):
    """Who leads: somebody must be clearly ahead of the one who led before."""
    best = 0
    for seat in range(1, values.shape[0]):
        if values[seat] > values[best]:
            best = seat
    if leader == NOBODY:
        return best if ahead(values, best) >= NEAR else leader
    return best if values[best] - values[leader] >= NEAR else leader


@kernel
def count_equal(values, count):
    """How many ratings are as good as the best."""
    best = values[0]
    for i in range(1, count):
        best = max(best, values[i])
    equal = 0
    for i in range(count):
        equal += values[i] > best - NEAR
    return equal


@kernel
def count_choices(rules, states, rate_all, scratch, counts):
    """Count the legal actions, and in a game whose actions are all rated those that are as good as the best, as
    far as the one who chooses can know."""
    counts[DECISIONS] += 1
    if not rate_all:
        counts[CHOICES] += verbs.legal(rules, states[0], scratch.legal)
        return
    states[1] = states[0]
    verbs.conceal(rules, states[1], verbs.player(rules, states[1]))
    count = verbs.rate(rules, states[1], states[2:], scratch.legal, scratch.ratings, scratch.dice)
    equal = count_equal(scratch.ratings, count)
    counts[CHOICES] += count
    counts[RATED] += 1
    counts[EQUAL] += equal
    counts[CLEAR] += equal == 1


@kernel
def trace_game(rules, states, key, games, row, actions, scratch, arrays, items):
    """Play one recorded game again, the one in a row of `games`, with its actions. `items` were taken in games
    before it. Returns how many are taken in this one, or NOT_LEGAL."""
    state = states[0]
    deal, winner = games.deals[row], games.winners[row]
    chance, expected, leads = scratch.chance, scratch.expected, scratch.leads
    built, counts, taken = arrays.built[row], arrays.counts[row], arrays.taken[items:]
    name_chance(chance, key, deal)
    name_stream(scratch.dice, key[0], deal, 1)  # a game's own, so that ratings do not depend on games before it
    verbs.set_up(rules, state, chance)
    counts[:] = 0
    new = 0
    picks = 0
    leader = NOBODY
    for i in range(actions.shape[0]):
        action = np.int64(actions[i])
        seat = verbs.player(rules, state)
        if seat < 0 or not verbs.is_legal(rules, state, actions[i]):
            return NOT_LEGAL
        stage = verbs.stage(rules, state)
        count_choices(rules, states, games.rate_all[row], scratch, counts)
        item = verbs.takes(rules, state, action)
        if item >= 0:
            taken[new, 0] = row
            taken[new, 1] = seat
            taken[new, 2] = item
            taken[new, 3] = picks
            new += 1
            picks += 1
        kind = verbs.builds(rules, state, action)
        if kind >= 0:
            built[seat, kind] += 1
        verbs.apply(rules, state, action, chance)
        if verbs.stage(rules, state) != stage:
            picks = 0
        elif verbs.player(rules, state) == seat:
            continue
        verbs.evaluate(rules, state, expected)
        before = leader
        leader = lead(expected[: rules.players], leader)
        counts[CHANGES] += before != NOBODY and leader != before
        leads[counts[TURNS], 0] = leader
        if winner != NOBODY:
            leads[counts[TURNS], 1] = ahead(expected[: rules.players], winner)
        counts[TURNS] += 1
    for seat in range(rules.players):
        verbs.account(rules, state, seat, arrays.points[row, seat])
    return new


@kernel
def decided_at(leads, turns, winner):
    """The share of the game after which the winner led to the end. At the end the winner leads, whoever looked
    better to the evaluation."""
    turn = turns - 1
    while turn > 0 and leads[turn - 1, 0] == winner:
        turn -= 1
    return turn / max(turns - 1, 1)


@kernel
def half_time(turns):
    """The last turn of the first half: all seats have had as many turns, if the rounds are even."""
    return max(turns // 2 - 1, 0)


@kernel
def trace_games(rules, states, key, chance, games, arrays):
    """Trace games one after the other. Returns how many items were taken, or -1 - row for a game that cannot have
    been so."""
    longest = 1
    for row in range(games.lengths.shape[0]):
        longest = max(longest, games.lengths[row])
    scratch = Scratch(
        chance,
        np.empty(WORDS, np.uint64),
        np.empty(rules[0].actions, verbs.ACTION),
        np.empty(rules[0].actions),
        np.empty(verbs.MAX_SEATS),
        np.empty((longest, 2)),
    )
    start = 0
    items = 0
    for row in range(games.lengths.shape[0]):
        end = start + games.lengths[row]
        new = trace_game(rules[0], states, key, games, row, games.actions[start:end], scratch, arrays, items)
        if new == NOT_LEGAL:
            return -1 - row
        items += new
        start = end
        turns, winner = arrays.counts[row, TURNS], games.winners[row]
        arrays.decided[row] = np.nan
        arrays.behind[row] = np.nan
        if winner != NOBODY and turns:
            arrays.decided[row] = decided_at(scratch.leads, turns, winner)
            arrays.behind[row] = -scratch.leads[half_time(turns), 1]
    return items


def trace_chunk(game: Game, plan: Plan, chunk: Results) -> Trace:
    """What happened in the games of a chunk, in its order."""
    count, seats, kinds = chunk.games, game.players, len(game.categories)
    first = chunk.ranks == 0
    winners = np.where(first.sum(axis=1) == 1, first.argmax(axis=1), NOBODY)
    blocks = chunk.numbers // plan.games_per_block
    games = Recordings(
        blocks,
        chunk.lengths.astype(np.int64),
        chunk.actions.astype(verbs.ACTION),
        winners,
        (blocks // len(plan.lineups)) % RATED_BLOCKS == 0,
    )
    arrays = TraceArrays(
        np.zeros((count, seats, kinds + 1), np.int64),
        np.zeros((count, seats, kinds), np.int64),
        np.zeros((count, CLEAR + 1), np.int64),
        np.zeros(count),
        np.zeros(count),
        np.zeros((len(chunk.actions), 4), np.int32),
    )
    key = keys(plan.definition.seed)
    items = trace_games(game.rules, np.zeros(4, game.state_dtype), key, chance_stream(key), games, arrays)
    if items < 0:
        raise QpolisError(f"game {chunk.numbers[-1 - items]}: an action in it is not legal")
    turns, changes, choices, decisions, rated, equal, clear = arrays.counts.T
    return Trace(
        arrays.points,
        arrays.built,
        changes,
        arrays.decided,
        arrays.behind,
        turns,
        choices,
        decisions,
        rated,
        equal,
        clear,
        arrays.taken[:items].copy(),
    )


def trace(game: Game, plan: Plan, chunks: Iterable[Results], threads: int) -> Trace:
    """What happened in all games of a run, in plan order, whatever the order of its chunks."""
    with ThreadPoolExecutor(threads) as pool:
        parts = list(pool.map(lambda chunk: (chunk.numbers, trace_chunk(game, plan, chunk)), chunks))
    numbers = np.concatenate([games for games, _ in parts])
    order = np.argsort(numbers)
    place = np.empty(len(numbers), np.int64)  # of each row, in plan order
    place[order] = np.arange(len(numbers))
    starts = np.cumsum([0, *(len(games) for games, _ in parts)])
    columns = {
        item.name: np.concatenate([getattr(part, item.name) for _, part in parts])[order]
        for item in fields(Trace)
        if item.name != "taken"
    }
    taken = []
    for start, (_, part) in zip(starts, parts):
        rows = part.taken.copy()
        rows[:, 0] = place[start + rows[:, 0]]
        taken.append(rows)
    events = np.concatenate(taken)
    return Trace(**columns, taken=events[np.argsort(events[:, 0], kind="stable")])
