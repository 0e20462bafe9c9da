"""The match loop for compiled bots: a batch of games in one call, without Python in between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from qpolis import verbs
from qpolis.bot import Policy, compile_policy, policy_type
from qpolis.game import Game, check_seed
from qpolis.kernel import JIT, kernel
from qpolis.rng import WORDS, name_stream

SCRATCH = 1 << 10  # bytes a policy may use


@dataclass(frozen=True)
class Batch:
    """The outcome of some games: one row a game, one column a seat."""

    points: np.ndarray
    ranks: np.ndarray
    decisions: np.ndarray  # per game


@kernel
def play_games(rules, states, policies, params, scratch, streams, seed, first, points, ranks, decisions):
    """Play deals `first`, `first + 1`, ... with one policy a seat.

    states: two records, the game and the copy a policy sees. params, scratch: one row a seat. streams: a row a
    seat and a last one for chance. A deal's chance and its bots' streams depend on (seed, deal, seat) only.
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
        count = 0
        seat = verbs.player(rule, state)
        while seat >= 0:
            states[1] = states[0]
            action = policies[seat](rules, states[1:], streams[seat], params[seat], scratch[seat])
            verbs.apply(rule, state, action, chance)
            count += 1
            seat = verbs.player(rule, state)
        verbs.scores(rule, state, points[game], keys)
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
        types.uint64[:, ::1], types.uint64, types.int64, table, table, types.int64[::1])
    if signature.args not in play_games.overloads:
        play_games.disable_compile(False)
        play_games.compile(signature)
        play_games.disable_compile()  # or numba would make a special version for each pair of policies


def play_batch(game: Game, policies: list[Policy], seed: int, first: int, games: int) -> Batch:
    """Play `games` deals from `first` on between compiled policies."""
    _compiled(game)
    seated = tuple(compile_policy(policies[seat % len(policies)], game) for seat in range(verbs.MAX_SEATS))
    points, ranks = np.empty((2, games, game.players), np.int64)
    decisions = np.empty(games, np.int64)
    play_games(
        game.rules, np.zeros(2, game.state_dtype), seated, np.zeros((verbs.MAX_SEATS, 1)),
        np.zeros((verbs.MAX_SEATS, SCRATCH), np.uint8), np.zeros((verbs.MAX_SEATS + 1, WORDS), np.uint64),
        np.uint64(check_seed(seed)), first, points, ranks, decisions)
    return Batch(points, ranks, decisions)
