"""The match loop for policies: a batch of games in one call, without Python in between."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numba.np import numpy_support

from qpolis import clock, interrupts, verbs
from qpolis.clock import time_bin
from qpolis.engine.results import FINISHED, ILLEGAL, STOPPED, Results
from qpolis.errors import QpolisError
from qpolis.game import Game, check_seed
from qpolis.kernel import JIT, kernel, record
from qpolis.policy import ConfiguredPolicy, Policy, compile_policy, policy_type
from qpolis.rng import WORDS, chance_stream, keys, name_chance, name_stream, seat_seed

TIMED = 16  # one game of so many is timed: reading the clock costs as much as a random decision
MOST_ACTIONS = 1 << 20  # that are recorded at a time
AT_ONCE = TIMED << 8  # games that are played at a time: no signal is heard in between
LAST = -(1 << 62)  # a key below all that games give
NOBODY = -1
ILLEGAL_CHOICE = "chose an action that is not legal"


# Where the loop is, for one who watches it from another process: the game, the seat that decides, and a count that
# moves on with every decision.
PROGRESS = record([("row", "i8"), ("seat", "i8"), ("steps", "i8")])


@kernel
def begin(rules, state, key, deal, streams, chance):
    """Set up a deal and name its streams: a row of `streams` a seat, and `chance`. They depend on the run's key,
    the deal and the seat only, so a game does not depend on the batch it is played in."""
    name_chance(chance, key, deal)
    for seat in range(rules.players):
        name_stream(streams[seat], seat_seed(key, deal, seat), 0, 0)
    verbs.set_up(rules, state, chance)


@kernel
def settle(rules, state, loser, points, ranks):
    """Points and places at the end; a seat that forfeited (or NOBODY) is last."""
    keys = np.empty(rules.players, np.int64)
    verbs.scores(rules, state, points, keys)
    if loser != NOBODY:
        keys[loser] = LAST
    verbs.ranks(keys, ranks)


class Deals(NamedTuple):
    """Which deals are played: `first`, `first + step`, ..."""

    key: np.ndarray  # of the run: `rng.keys`
    first: int
    step: int


class Seats(NamedTuple):
    """What the policies get: of each an array a seat."""

    rules: tuple[np.ndarray, ...]  # as the policy sees them
    given: tuple[np.ndarray, ...]  # parameters
    params: tuple[np.ndarray, ...]  # a copy of `given`, made anew for every game
    scratch: tuple[np.ndarray, ...]  # emptied for every game


class Workspace(NamedTuple):
    """What the loop works in and writes on: the states, how far it is, a row a game, the actions of all games, and
    times. Not `Results`, because a kernel takes no dataclass, and because these arrays may lie in memory that a
    process shares with one who watches it."""

    states: np.ndarray  # two records: the game, and the copy a policy sees
    progress: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray
    ends: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    times: np.ndarray

    @classmethod
    def new(cls, game: Game, games: int, most_actions: int = 0) -> Workspace:
        """For so many games, and as many actions of them all."""
        points, ranks, decisions, ends = np.zeros((4, games, game.players), np.int64)
        return cls(
            np.zeros(2, game.state_dtype),
            np.zeros(1, PROGRESS),
            points,
            ranks,
            decisions,
            ends,
            np.zeros(games, np.int64),
            np.zeros(most_actions, verbs.ACTION),
            np.zeros((game.players, clock.BINS), np.int64),
        )

    def rows(self, start: int, end: int) -> Workspace:
        """The same with some of the rows only; the actions are written from their start again."""
        return self._replace(
            points=self.points[start:end],
            ranks=self.ranks[start:end],
            decisions=self.decisions[start:end],
            ends=self.ends[start:end],
            lengths=self.lengths[start:end],
        )

    def results(self, actions: np.ndarray, reasons: Mapping[tuple[int, int], str]) -> Results:
        return Results(
            points=self.points,
            ranks=self.ranks,
            decisions=self.decisions,
            ends=self.ends,
            numbers=np.arange(len(self.points)),
            lengths=self.lengths,
            actions=actions,
            times=self.times,
            reasons=reasons,
        )


@kernel
def play_games(rules, policies, seats, deals, streams, chance, work):
    """Play deals with one policy a seat, one a row of `work`. Returns how many were played: all, or fewer if there
    was no more room for the actions of another (without any room, actions are not recorded). An illegal action
    ends a game.
    """
    # Unpacked once: to take an array out of a tuple counts a reference to it, which in the loop halves the speed.
    seen, given, params, scratch = seats
    states, progress, points, ranks, decisions, ends, lengths, actions, times = work
    rule = rules[0]
    state = states[0]
    key, first, step = deals
    at = progress[0]
    recorded = 0
    for row in range(lengths.shape[0]):
        begin(rule, state, key, first + row * step, streams, chance)
        for seat in range(rule.players):
            scratch[seat][:] = 0
            params[seat][:] = given[seat]
        at.row = row
        decisions[row] = 0
        ends[row] = FINISHED
        lengths[row] = 0
        loser = NOBODY
        seat = verbs.player(rule, state)
        while seat >= 0:
            at.seat = seat
            at.steps += 1
            states[1] = states[0]
            verbs.conceal(rule, states[1], seat)
            begun = clock.now() if row % TIMED == 0 else 0.0
            action = policies[seat](seen[seat], states[1:], streams[seat], params[seat], scratch[seat])
            if row % TIMED == 0:
                times[seat, time_bin(clock.now() - begun)] += 1
            decisions[row, seat] += 1
            if not verbs.is_legal(rule, state, action):
                loser = seat
                ends[row] = STOPPED
                ends[row, seat] = ILLEGAL
                break
            if actions.shape[0]:
                if recorded == actions.shape[0]:
                    return row
                actions[recorded] = action
                recorded += 1
            lengths[row] += 1
            verbs.apply(rule, state, action, chance)
            seat = verbs.player(rule, state)
        settle(rule, state, loser, points[row], ranks[row])
    return lengths.shape[0]


def _compiled(game: Game) -> None:
    """Compile the loop for a game once, for all policies."""
    if JIT:
        _compile(policy_type(game))


@functools.cache
def _signature(policy: types.FunctionType) -> Any:
    """The argument types of the loop, for policies of this type."""
    rules, states, _, params, scratch = policy.signature.args
    table = types.int64[:, ::1]
    seats = types.NamedTuple(
        [types.UniTuple(each, verbs.MAX_SEATS) for each in (rules, params, params, scratch)], Seats
    )
    deals = types.NamedTuple([types.uint64[::1], types.int64, types.int64], Deals)
    work = types.NamedTuple(
        [
            states,
            types.Array(numpy_support.from_dtype(PROGRESS), 1, "C"),
            table,
            table,
            table,
            table,
            types.int64[::1],
            types.Array(numpy_support.from_dtype(np.dtype(verbs.ACTION)), 1, "C"),
            table,
        ],
        Workspace,
    )
    streams = types.uint64[:, ::1]
    return types.int64(
        rules, types.UniTuple(policy, verbs.MAX_SEATS), seats, deals, streams, types.uint64[::1], work
    )


def _compile(policy: types.FunctionType) -> None:
    signature = _signature(policy)
    if signature.args not in play_games.overloads:
        play_games.disable_compile(False)
        play_games.compile(signature)
        play_games.disable_compile()  # or numba would make a special version for each pair of policies


def is_compiled(game: Game, policies: Sequence[Policy]) -> bool:
    """Can the loop begin at once with these policies?"""
    kind = policy_type(game)
    return not JIT or (
        play_games.is_ready(_signature(kind))
        and all(policy.kernel.is_ready(kind.signature) for policy in policies)
    )


def play_policies(
    game: Game,
    policies: Sequence[ConfiguredPolicy],
    seed: int,
    first: int,
    games: int,
    step: int = 1,
    record: bool = False,
) -> Results:
    """Play the `games` deals `first`, `first + step`, ... between policies, one a seat; `record` keeps what they
    did."""
    check_deals(game, policies, seed, first, games, step)
    work = Workspace.new(game, games, MOST_ACTIONS if record else 0)
    loop = Loop(game, policies)
    key = keys(seed)
    recorded = []
    row = 0
    while row < games:
        interrupts.check()
        some = work.rows(row, row + AT_ONCE)
        played = loop.play(Deals(key, first + row * step, step), some)
        recorded.append(some.actions[: some.lengths[:played].sum()].copy())
        if played == 0:  # one game alone is longer than the room for all
            work = work._replace(actions=np.zeros(2 * len(work.actions), verbs.ACTION))
        row += played
    actions = np.concatenate(recorded) if recorded else work.actions[:0]
    return work.results(actions, illegal_choices(work.ends))


class Loop:
    """The compiled loop with a policy at each seat, ready to play."""

    def __init__(self, game: Game, policies: Sequence[ConfiguredPolicy]) -> None:
        _compiled(game)
        self.game = game
        empty = verbs.MAX_SEATS - game.players
        everywhere = [*policies, *[policies[0]] * empty]  # the loop is made for a full table
        self._policies = tuple(compile_policy(each.policy, game) for each in everywhere)
        scratch = [np.zeros(each.policy.scratch(game, each.params), np.uint8) for each in policies]
        self._seats = Seats(
            rules=tuple(read_only(each.rules(game, seat)) for seat, each in enumerate(everywhere)),
            given=tuple(each.params for each in everywhere),
            params=tuple(each.params.copy() for each in everywhere),
            scratch=(*scratch, *[scratch[0]] * empty),
        )

    def play(self, deals: Deals, work: Workspace) -> int:
        """Play as many deals as the workspace has rows, or as it has room for their actions; returns how many."""
        streams = np.zeros((verbs.MAX_SEATS, WORDS), np.uint64)
        chance = chance_stream(deals.key)
        played: int = play_games(self.game.rules, self._policies, self._seats, deals, streams, chance, work)
        return played


def read_only(rules: np.ndarray) -> np.ndarray:
    """The same rules, not to be written to: that is part of an array's type in compiled code."""
    view = rules.view()
    view.flags.writeable = False
    return view


def check_deals(game: Game, bots: Sequence[object], seed: int, first: int, games: int, step: int) -> None:
    """Refuse what no loop can play."""
    if len(bots) != game.players:
        raise QpolisError(f"{len(bots)} bots for {game.players} seats")
    if first < 0 or games < 0 or step < 1:
        raise QpolisError(f"no {games} deals from {first} in steps of {step}: deals count from 0")
    check_seed(seed)


def illegal_choices(ends: np.ndarray) -> dict[tuple[int, int], str]:
    """The reasons of the forfeits of policies, which can only choose wrongly."""
    return {(int(row), int(seat)): ILLEGAL_CHOICE for row, seat in np.argwhere(ends == ILLEGAL)}
