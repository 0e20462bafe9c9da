"""The match loop for policies: a batch of games in one call, without Python in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numba import types
from numba.np import numpy_support

from qpolis import verbs
from qpolis.errors import QpolisError
from qpolis.game import Game, check_seed
from qpolis.kernel import JIT, kernel, record
from qpolis.policy import Seated, compile_policy, policy_type
from qpolis.rng import WORDS, name_stream, seat_seed
from qpolis.tourney.batch import FINISHED, ILLEGAL, STOPPED, Batch

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
def play_games(rules, states, policies, given, params, scratch, streams, seed, first, points, ranks, decisions,
               ends, progress):
    """Play deals `first`, `first + 1`, ... with one policy a seat.

    states: two records, the game and the copy a policy sees. given, params, scratch: an array a seat; `params` is
    a copy of `given`, made anew for every game, as scratch is emptied. An illegal action ends a game.
    """
    rule = rules[0]
    state = states[0]
    chance = streams[verbs.MAX_SEATS]
    at = progress[0]
    for row in range(points.shape[0]):
        begin(rule, state, seed, first + row, streams)
        for seat in range(rule.players):
            scratch[seat][:] = 0
            params[seat][:] = given[seat]
        at.row = row
        decisions[row] = 0
        ends[row] = FINISHED
        loser = NOBODY
        seat = verbs.player(rule, state)
        while seat >= 0:
            at.seat = seat
            at.steps += 1
            states[1] = states[0]
            verbs.conceal(rule, states[1], seat)
            action = policies[seat](rules, states[1:], streams[seat], params[seat], scratch[seat])
            decisions[row, seat] += 1
            if not verbs.is_legal(rule, state, action):
                loser = seat
                ends[row] = STOPPED
                ends[row, seat] = ILLEGAL
                break
            verbs.apply(rule, state, action, chance)
            seat = verbs.player(rule, state)
        settle(rule, state, loser, points[row], ranks[row])


def _compiled(game: Game) -> None:
    """Compile the loop for a game once, for all policies."""
    if not JIT:
        return
    policy = policy_type(game)
    rules, states = policy.signature.args[:2]
    table = types.int64[:, ::1]
    signature = types.void(
        rules, states, types.UniTuple(policy, verbs.MAX_SEATS),
        types.UniTuple(types.float64[::1], verbs.MAX_SEATS), types.UniTuple(types.float64[::1], verbs.MAX_SEATS),
        types.UniTuple(types.uint8[::1], verbs.MAX_SEATS),
        types.uint64[:, ::1], types.uint64, types.int64, table, table, table, table,
        types.Array(numpy_support.from_dtype(PROGRESS), 1, "C"))
    if signature.args not in play_games.overloads:
        play_games.disable_compile(False)
        play_games.compile(signature)
        play_games.disable_compile()  # or numba would make a special version for each pair of policies


@dataclass(frozen=True)
class Sheet:
    """What the loop writes on: the states it works in, how far it is, and a row of results a game. A process that
    is watched writes on memory that it shares with the one who watches."""

    states: np.ndarray
    progress: np.ndarray
    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray
    ends: np.ndarray

    @classmethod
    def new(cls, game: Game, games: int) -> Sheet:
        return cls(np.zeros(2, game.state_dtype), np.zeros(1, PROGRESS),
                   *np.zeros((4, games, game.players), np.int64))


def play_policies(game: Game, seats: Sequence[Seated], seed: int, first: int, games: int) -> Batch:
    """Play `games` deals from `first` on between policies, one a seat."""
    check_deals(game, seats, seed, first, games)
    sheet = Sheet.new(game, games)
    Loop(game, seats).play(seed, first, sheet)
    return Batch(sheet.points, sheet.ranks, sheet.decisions, sheet.ends, illegal_choices(sheet.ends))


class Loop:
    """The compiled loop with policies seated, ready to play."""

    def __init__(self, game: Game, seats: Sequence[Seated]) -> None:
        _compiled(game)
        self.game = game
        empty = [seats[0]] * (verbs.MAX_SEATS - game.players)  # the loop is made for a full table
        everywhere = [*seats, *empty]
        self._policies = tuple(compile_policy(seat.policy, game) for seat in everywhere)
        self._given = tuple(seat.params for seat in everywhere)
        self._params = tuple(seat.params.copy() for seat in everywhere)
        scratch = [np.zeros(seat.policy.scratch(game, seat.params), np.uint8) for seat in seats]
        self._scratch = (*scratch, *[scratch[0]] * len(empty))

    def play(self, seed: int, first: int, sheet: Sheet) -> None:
        """Play as many deals as the sheet has rows."""
        play_games(self.game.rules, sheet.states, self._policies, self._given, self._params,
                   self._scratch, np.zeros((verbs.MAX_SEATS + 1, WORDS), np.uint64), np.uint64(seed), first,
                   sheet.points, sheet.ranks, sheet.decisions, sheet.ends, sheet.progress)


def check_deals(game: Game, seats: Sequence[object], seed: int, first: int, games: int) -> None:
    """Refuse what no loop can play."""
    if len(seats) != game.players:
        raise QpolisError(f"{len(seats)} bots for {game.players} seats")
    if first < 0 or games < 0:
        raise QpolisError(f"no deals {first} to {first + games - 1}: deals count from 0")
    check_seed(seed)


def illegal_choices(ends: np.ndarray) -> dict[tuple[int, int], str]:
    """The reasons of the forfeits of policies, which can only choose wrongly."""
    return {(int(row), int(seat)): ILLEGAL_CHOICE for row, seat in np.argwhere(ends == ILLEGAL)}
