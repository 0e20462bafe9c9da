"""The match loop for compiled bots: a batch of games in one call, without Python in between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from qpolis import verbs
from qpolis.bot import Policy, compile_policy, policy_type
from qpolis.errors import QpolisError
from qpolis.game import Game, check_seed
from qpolis.kernel import JIT, kernel
from qpolis.rng import WORDS, name_stream

LAST = -(1 << 62)  # a key below all that games give
SCRATCH = 1 << 10  # bytes a policy may use


@dataclass(frozen=True)
class Batch:
    """The outcome of some games: one row a game, one column a seat."""

    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray  # per game
    illegal: np.ndarray  # per game: the seat that ended it with an illegal action, -1 if none


@kernel
def play_games(rules, states, policies, params, scratch, streams, seed, first, points, ranks, decisions, illegal):
    """Play deals `first`, `first + 1`, ... with one policy a seat.

    states: two records, the game and the copy a policy sees. params, scratch: one row a seat. streams: a row a
    seat and a last one for chance. A deal's chance and its bots' streams depend on (seed, deal, seat) only, and
    scratch starts empty, so a game does not depend on its batch. An illegal action ends a game: that seat is last.
    """
    rule = rules[0]
    state = states[0]
    players = rule.players
    keys = np.empty(players, np.int64)
    chance = streams[verbs.MAX_SEATS]
    for game in range(points.shape[0]):
        deal = first + game
        name_stream(chance, seed, deal, 0)
        for seat in range(players):
            name_stream(streams[seat], seed, deal, seat + 1)
        verbs.set_up(rule, state, chance)
        scratch[:] = 0
        illegal[game] = -1
        count = 0
        seat = verbs.player(rule, state)
        while seat >= 0:
            states[1] = states[0]
            action = policies[seat](rules, states[1:], streams[seat], params[seat], scratch[seat])
            count += 1
            if not verbs.is_legal(rule, state, action):
                illegal[game] = seat
                break
            verbs.apply(rule, state, action, chance)
            seat = verbs.player(rule, state)
        verbs.scores(rule, state, points[game], keys)
        if illegal[game] >= 0:
            keys[illegal[game]] = LAST
        verbs.ranks(keys, ranks[game])
        decisions[game] = count


def _compiled(game: Game) -> None:
    """Compile the loop for a game once, for all policies."""
    if not JIT:
        return
    policy = policy_type(game)
    rules, states = policy.signature.args[:2]
    table = types.int64[:, ::1]
    signature = types.void(
        rules, states, types.UniTuple(policy, verbs.MAX_SEATS), types.float64[:, ::1], types.uint8[:, ::1],
        types.uint64[:, ::1], types.uint64, types.int64, table, table, types.int64[::1],
        types.int64[::1])
    if signature.args not in play_games.overloads:
        play_games.disable_compile(False)
        play_games.compile(signature)
        play_games.disable_compile()  # or numba would make a special version for each pair of policies


def play_batch(game: Game, policies: list[Policy], seed: int, first: int, games: int) -> Batch:
    """Play `games` deals from `first` on between compiled policies, one a seat."""
    if len(policies) != game.players:
        raise QpolisError(f"{len(policies)} policies for {game.players} seats")
    if first < 0 or games < 0:
        raise QpolisError(f"no deals {first} to {first + games - 1}: deals count from 0")
    _compiled(game)
    empty_seats = [policies[0]] * (verbs.MAX_SEATS - game.players)
    seated = tuple(compile_policy(policy, game) for policy in [*policies, *empty_seats])
    points, ranks = np.empty((2, games, game.players), np.int64)
    decisions, illegal = np.empty((2, games), np.int64)
    play_games(
        game.rules, np.zeros(2, game.state_dtype), seated, np.zeros((verbs.MAX_SEATS, 1)),
        np.zeros((verbs.MAX_SEATS, SCRATCH), np.uint8), np.zeros((verbs.MAX_SEATS + 1, WORDS), np.uint64),
        np.uint64(check_seed(seed)), first, points, ranks, decisions, illegal)
    return Batch(points, ranks, decisions, illegal)
