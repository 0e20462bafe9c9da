"""Many games at once, one a row of arrays: the kernels that carry out a decision in each of them.

A row is a game and those that follow it there: when one is over, the next one is set up in the same step. Game
number e of row i is the deal e * 2**32 + i of the environment's seed, whatever the number of rows and threads.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis import verbs
from qpolis.engine.policy_loop import begin
from qpolis.environments.rewards import pay
from qpolis.kernel import kernel, record
from qpolis.rng import below

NOBODY = -1  # instead of a seat: the game is over, or has just begun
ILLEGAL = -2  # instead of a seat: an opponent's choice was not legal
ROTATING = -1  # instead of an agent's seat: another one in each game
EPISODE = 1 << 32  # deals of one game a row

ROW = record(
    [
        ("episode", "i8"),  # number of the game in this row, from 0
        ("length", "i8"),  # decisions in it
        ("seat", "i8"),  # to decide
        ("count", "i8"),  # of legal actions
        ("agent", "i8"),  # the seat that is asked, where the others are opponents
        ("illegal", "i8"),  # what an opponent chose, if that was not legal
    ]
)


class Step(NamedTuple):
    """What comes back from `reset` and `step`: arrays with a row for each game.

    Where a game has just ended, `done`, `rewards`, `scores`, `ranks`, `lengths` and `movers` are about that game.
    `observations`, `masks` and `seats` are always about the position in which the next action is asked for: there
    about the start of the next game.
    """

    observations: np.ndarray  # float32 (n, observation_size): what the seat to move knows, as the game's planes
    masks: np.ndarray  # bool (n, action_count): which actions are legal
    rewards: np.ndarray  # float32 (n, players): what the step brought each seat
    seats: np.ndarray  # int64 (n,): the seat to move
    done: np.ndarray  # bool (n,): did the step end a game?
    movers: np.ndarray  # int64 (n,): the seat that the action was of; -1 after a reset
    scores: np.ndarray  # int64 (n, players): final points where done, else 0
    ranks: np.ndarray  # int64 (n, players): final places where done, 0 is best, equals share it; else 0
    lengths: np.ndarray  # int64 (n,): decisions of all seats in the game where done, else 0

    @property
    def reward(self) -> np.ndarray:
        """What the step brought the seat that acted: float32 (n,). After a reset 0."""
        given: np.ndarray = self.rewards[np.arange(len(self.movers)), self.movers]
        return given


class Work(NamedTuple):
    """What an environment keeps of its games, a row each."""

    states: np.ndarray
    chance: np.ndarray  # the stream of each game's chance
    streams: np.ndarray  # of each seat
    rows: np.ndarray  # ROW
    legal: np.ndarray  # legal actions, ascending
    points: np.ndarray  # of each seat so far, if rewards are points: else without rows
    key: np.ndarray  # of the seed: `rng.keys`


class Opponents(NamedTuple):
    """Policies for all seats but the agent's, in turn order after it; tuples have an entry for each."""

    agent: int  # its seat, or ROTATING
    rules: tuple[np.ndarray, ...]  # as they see them, of each seat, one after the other
    given: tuple[np.ndarray, ...]  # parameters
    params: tuple[np.ndarray, ...]  # a copy of `given` for each row, made anew for every game
    scratch: tuple[np.ndarray, ...]  # a row each, emptied for every game


@kernel
def _finish(rule, state, scores, ranks, rewards):
    """Write what a finished game came to."""
    keys = np.empty(rule.players, np.int64)
    verbs.scores(rule, state, scores, keys)
    verbs.ranks(keys, ranks)
    pay(keys, rewards)


@kernel
def _gain(rule, state, points, rewards):
    """Write the points that each seat has now and did not have before."""
    now = np.empty(rule.players, np.int64)
    keys = np.empty(rule.players, np.int64)
    verbs.scores(rule, state, now, keys)
    for seat in range(rule.players):
        rewards[seat] = now[seat] - points[seat]
        points[seat] = now[seat]


@kernel
def _next_game(rule, state, row, i, key, streams, chance, points):
    """Set up the next game of a row."""
    row.episode += 1
    row.length = 0
    begin(rule, state, key, row.episode * EPISODE + i, streams, chance)
    row.seat = verbs.player(rule, state)
    if points.shape[0]:
        _gain(rule, state, points[i], np.empty(rule.players))


@kernel
def _act(rule, state, row, action, chance):
    """Carry out an action."""
    verbs.apply(rule, state, action, chance)
    row.length += 1
    row.seat = verbs.player(rule, state)


@kernel
def _show(rule, state, row, legal, observation, mask):
    """Write what the seat to move in a row knows and may do."""
    verbs.encode(rule, state, row.seat, observation)
    row.count = verbs.legal(rule, state, legal)
    mask[:] = False
    for j in range(row.count):
        mask[legal[j]] = True


@kernel
def step_rows(rules, work, actions, out, first, end):
    """Carry out an action in each of the rows `first` to `end`; without any actions, begin their next games."""
    # Unpacked once: to take an array out of a tuple counts a reference to it, which in the loop halves the speed.
    states, chance, streams, rows, legal, points, key = work
    observations, masks, rewards, seats, done, movers, scores, ranks, lengths = out
    rule = rules[0]
    going = actions.shape[0] > 0
    for i in range(first, end):
        row = rows[i]
        state = states[i]
        done[i] = False
        lengths[i] = 0
        for seat in range(rule.players):
            rewards[i, seat] = 0
            scores[i, seat] = 0
            ranks[i, seat] = 0
        movers[i] = row.seat if going else NOBODY
        if going:
            _act(rule, state, row, actions[i], chance[i])
            if row.seat < 0:
                done[i] = True
                lengths[i] = row.length
                _finish(rule, state, scores[i], ranks[i], rewards[i])
            if points.shape[0]:
                _gain(rule, state, points[i], rewards[i])
        if not going or row.seat < 0:
            _next_game(rule, state, row, i, key, streams[i], chance[i], points)
        seats[i] = row.seat
        _show(rule, state, row, legal[i], observations[i], masks[i])
    return NOBODY


@kernel
def _seat_opponents(rule, row, opponents, i):
    """Say which seat is the agent's in the game that begins, and make the opponents forget the one before."""
    agent, _, given, params, scratch = opponents
    row.agent = (i + row.episode) % rule.players if agent == ROTATING else agent
    for k in range(rule.players - 1):
        params[k][i] = given[k]
        scratch[k][i] = 0


@kernel
def _reply(rules, policies, opponents, state, row, streams, chance, copy, i):
    """Let the opponents of a row play until the agent is asked, or the game is over."""
    _, seen, _, params, scratch = opponents
    rule = rules[0]
    while row.seat >= 0 and row.seat != row.agent:
        seat = row.seat
        k = (seat - row.agent - 1) % rule.players
        copy[0] = state
        verbs.conceal(rule, copy[0], seat)
        length = seen[k].shape[0] // rule.players
        mine = seen[k][seat * length : (seat + 1) * length]
        action = policies[k](mine, copy, streams[seat], params[k][i], scratch[k][i])
        if not verbs.is_legal(rule, state, action):
            row.illegal = action
            row.seat = ILLEGAL
        else:
            _act(rule, state, row, action, chance)


@kernel
def step_rows_against(rules, policies, opponents, work, actions, out, first, end):
    """The same for an agent at one seat: policies play at the others. Returns a row in which one of them chose an
    action that is not legal, or NOBODY."""
    states, chance, streams, rows, legal, points, key = work
    observations, masks, rewards, seats, done, movers, scores, ranks, lengths = out
    rule = rules[0]
    going = actions.shape[0] > 0
    copies = np.empty(1, states.dtype)
    for i in range(first, end):
        row = rows[i]
        state = states[i]
        done[i] = False
        lengths[i] = 0
        rewards[i] = 0
        scores[i] = 0
        ranks[i] = 0
        movers[i] = row.seat if going else NOBODY
        if going:
            _act(rule, state, row, actions[i], chance[i])
            _reply(rules, policies, opponents, state, row, streams[i], chance[i], copies, i)
            if row.seat == NOBODY:
                done[i] = True
                lengths[i] = row.length
                _finish(rule, state, scores[i], ranks[i], rewards[i])
            if points.shape[0]:
                _gain(rule, state, points[i], rewards[i])
        fresh = not going
        while fresh or row.seat == NOBODY:  # more than once if a game ends before the agent is asked
            fresh = False
            _next_game(rule, state, row, i, key, streams[i], chance[i], points)
            _seat_opponents(rule, row, opponents, i)
            _reply(rules, policies, opponents, state, row, streams[i], chance[i], copies, i)
        if row.seat == ILLEGAL:
            return i
        seats[i] = row.seat
        _show(rule, state, row, legal[i], observations[i], masks[i])
    return NOBODY


@kernel
def find_illegal(rows, legal, actions):
    """The first row whose action is not legal, or NOBODY."""
    for i in range(actions.shape[0]):
        low = 0
        high = rows[i].count
        while low < high:
            middle = (low + high) >> 1
            if legal[i, middle] < actions[i]:
                low = middle + 1
            else:
                high = middle
        if low == rows[i].count or legal[i, low] != actions[i]:
            return i
    return NOBODY


@kernel
def sample_rows(rows, legal, rng, out):
    """A legal action for each row, all equally likely."""
    for i in range(out.shape[0]):
        out[i] = legal[i, below(rng, rows[i].count)]


@kernel
def choose_rows(policies, seen, given, scratch, work, rng, out):
    """What a policy would do in each row, if it were asked there for the first time."""
    states, _, _, rows, _, _, _ = work
    rule = seen[0]
    copies = np.empty(1, states.dtype)
    for i in range(out.shape[0]):
        seat = rows[i].seat
        copies[0] = states[i]
        verbs.conceal(rule, copies[0], seat)
        scratch[:] = 0
        length = seen.shape[0] // rule.players
        out[i] = policies[0](seen[seat * length : (seat + 1) * length], copies, rng, given.copy(), scratch)
