"""The match loop for policies: a batch of games in one call, without Python in between."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numba import types
from numba.np import numpy_support

from qpolis import clock, verbs
from qpolis.clock import time_bin
from qpolis.engine.batch import FINISHED, ILLEGAL, STOPPED, Batch
from qpolis.errors import QpolisError
from qpolis.game import Game, check_seed
from qpolis.kernel import JIT, kernel, record
from qpolis.policy import Policy, Seated, compile_policy, policy_type
from qpolis.rng import WORDS, name_stream, seat_seed

TIMED = 16  # one game of so many is timed: reading the clock costs as much as a random decision
ROOM = 1 << 20  # actions that are recorded at a time
LAST = -(1 << 62)  # a key below all that games give
NOBODY = -1
ILLEGAL_CHOICE = "chose an action that is not legal"


# Where the loop is, for one who watches it from another process: the game, the seat that decides, and a count that
# moves on with every decision.
PROGRESS = record([("row", "i8"), ("seat", "i8"), ("steps", "i8")])


@kernel
def begin(rules, state, seed, deal, streams):
    """Set up a deal and name its streams: a row of `streams` a seat and a last one for chance. They depend on
    (seed, deal, seat) only, so a game does not depend on the batch it is played in."""
    chance = streams[verbs.MAX_SEATS]
    name_stream(chance, seed, deal, 0)
    for seat in range(rules.players):
        name_stream(streams[seat], seat_seed(seed, deal, seat), 0, 0)
    verbs.set_up(rules, state, chance)


@kernel
def settle(rules, state, loser, points, ranks):
    """Points and places at the end; a seat that forfeited (or NOBODY) is last."""
    keys = np.empty(rules.players, np.int64)
    verbs.scores(rules, state, points, keys)
    if loser != NOBODY:
        keys[loser] = LAST
    verbs.ranks(keys, ranks)


@kernel
def play_games(rules, states, policies, seen, given, params, scratch, streams, seed, first, step, points, ranks,
               decisions, ends, lengths, actions, times, progress):
    """Play deals `first`, `first + step`, ... with one policy a seat. Returns how many were played: all, or fewer
    if there was no more room for the actions of another (without any room, actions are not recorded).

    states: two records, the game and the copy a policy sees. seen, given, params, scratch: an array a seat; `seen`
    are the rules as the policy sees them, `params` is a copy of `given`, made anew for every game, as scratch is
    emptied. An illegal action ends a game.
    """
    rule = rules[0]
    state = states[0]
    chance = streams[verbs.MAX_SEATS]
    at = progress[0]
    recorded = 0
    for row in range(points.shape[0]):
        begin(rule, state, seed, first + row * step, streams)
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
            if row % TIMED == 0:
                begun = clock.now()
                action = policies[seat](seen[seat], states[1:], streams[seat], params[seat], scratch[seat])
                times[seat, time_bin(clock.now() - begun)] += 1
            else:
                action = policies[seat](seen[seat], states[1:], streams[seat], params[seat], scratch[seat])
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
    return points.shape[0]


def _compiled(game: Game) -> None:
    """Compile the loop for a game once, for all policies."""
    if JIT:
        _compile(policy_type(game))


@functools.cache
def _signature(policy: types.FunctionType) -> Any:
    """The argument types of the loop, for policies of this type."""
    rules, states = policy.signature.args[:2]
    table = types.int64[:, ::1]
    return types.int64(
        rules, states, types.UniTuple(policy, verbs.MAX_SEATS), types.UniTuple(rules, verbs.MAX_SEATS),
        types.UniTuple(types.float64[::1], verbs.MAX_SEATS), types.UniTuple(types.float64[::1], verbs.MAX_SEATS),
        types.UniTuple(types.uint8[::1], verbs.MAX_SEATS),
        types.uint64[:, ::1], types.uint64, types.int64, types.int64, table, table, table, table,
        types.int64[::1], types.Array(numpy_support.from_dtype(np.dtype(verbs.ACTION)), 1, "C"), table,
        types.Array(numpy_support.from_dtype(PROGRESS), 1, "C"))


@functools.cache
def _compile(policy: types.FunctionType) -> None:
    signature = _signature(policy)
    if signature.args not in play_games.overloads:
        play_games.disable_compile(False)
        play_games.compile(signature)
        play_games.disable_compile()  # or numba would make a special version for each pair of policies


def is_compiled(game: Game, policies: Sequence[Policy]) -> bool:
    """Can the loop begin at once with these policies?"""
    kind = policy_type(game)
    return not JIT or (play_games.is_ready(_signature(kind))
                       and all(policy.kernel.is_ready(kind.signature) for policy in policies))


@dataclass(frozen=True)
class Sheet:
    """What the loop writes on: the states it works in, how far it is, a row of results a game, the actions of all
    games, and times. A process that is watched writes on memory that it shares with the one who watches."""

    states: np.ndarray
    progress: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray
    ends: np.ndarray
    lengths: np.ndarray
    actions: np.ndarray
    times: np.ndarray

    @classmethod
    def new(cls, game: Game, games: int, room: int = 0) -> Sheet:
        """With room for so many actions."""
        points, ranks, decisions, ends = np.zeros((4, games, game.players), np.int64)
        return cls(np.zeros(2, game.state_dtype), np.zeros(1, PROGRESS), points, ranks, decisions, ends,
                   np.zeros(games, np.int64), np.zeros(room, verbs.ACTION),
                   np.zeros((game.players, clock.BINS), np.int64))

    def below(self, row: int) -> Sheet:
        """The same without the rows above `row`; the actions are written from their start again."""
        return replace(self, points=self.points[row:], ranks=self.ranks[row:], decisions=self.decisions[row:],
                       ends=self.ends[row:], lengths=self.lengths[row:])

    def batch(self, actions: np.ndarray, reasons: Mapping[tuple[int, int], str]) -> Batch:
        return Batch(self.points, self.ranks, self.decisions, self.ends, self.lengths, actions, self.times,
                     reasons)


def play_policies(game: Game, seats: Sequence[Seated], seed: int, first: int, games: int, step: int = 1,
                  record: bool = False) -> Batch:
    """Play the `games` deals `first`, `first + step`, ... between policies, one a seat; `record` keeps what they
    did."""
    check_deals(game, seats, seed, first, games, step)
    sheet = Sheet.new(game, games, ROOM if record else 0)
    loop = Loop(game, seats)
    recorded = []
    row = 0
    while row < games:
        rest = sheet.below(row)
        played = loop.play(seed, first + row * step, step, rest)
        recorded.append(rest.actions[: rest.lengths[:played].sum()].copy())
        if played == 0:  # one game alone is longer than the room for all
            sheet = replace(sheet, actions=np.zeros(2 * len(sheet.actions), verbs.ACTION))
        row += played
    actions = np.concatenate(recorded) if recorded else sheet.actions[:0]
    return sheet.batch(actions, illegal_choices(sheet.ends))


class Loop:
    """The compiled loop with policies seated, ready to play."""

    def __init__(self, game: Game, seats: Sequence[Seated]) -> None:
        _compiled(game)
        self.game = game
        empty = [seats[0]] * (verbs.MAX_SEATS - game.players)  # the loop is made for a full table
        everywhere = [*seats, *empty]
        self._policies = tuple(compile_policy(seat.policy, game) for seat in everywhere)
        self._seen = tuple(seat.rules(game, number) for number, seat in enumerate(everywhere))
        self._given = tuple(seat.params for seat in everywhere)
        self._params = tuple(seat.params.copy() for seat in everywhere)
        scratch = [np.zeros(seat.policy.scratch(game, seat.params), np.uint8) for seat in seats]
        self._scratch = (*scratch, *[scratch[0]] * len(empty))

    def play(self, seed: int, first: int, step: int, sheet: Sheet) -> int:
        """Play as many deals as the sheet has rows, or as it has room for their actions; returns how many."""
        played: int = play_games(
            self.game.rules, sheet.states, self._policies, self._seen, self._given, self._params, self._scratch,
            np.zeros((verbs.MAX_SEATS + 1, WORDS), np.uint64), np.uint64(seed), first, step, sheet.points,
            sheet.ranks, sheet.decisions, sheet.ends, sheet.lengths, sheet.actions, sheet.times, sheet.progress)
        return played


def check_deals(game: Game, seats: Sequence[object], seed: int, first: int, games: int, step: int) -> None:
    """Refuse what no loop can play."""
    if len(seats) != game.players:
        raise QpolisError(f"{len(seats)} bots for {game.players} seats")
    if first < 0 or games < 0 or step < 1:
        raise QpolisError(f"no {games} deals from {first} in steps of {step}: deals count from 0")
    check_seed(seed)


def illegal_choices(ends: np.ndarray) -> dict[tuple[int, int], str]:
    """The reasons of the forfeits of policies, which can only choose wrongly."""
    return {(int(row), int(seat)): ILLEGAL_CHOICE for row, seat in np.argwhere(ends == ILLEGAL)}
