"""Fit the weights of Quadropolis' evaluation to games.

    python benchmarks/fit_value.py [--games 12000] [--steps 8]

`greedy` plays against itself with some random moves, starting from weights that just count today's points. For
every number of turns left, ridge regression finds the weights that best predict a city's final points from its
features; `greedy` plays with these, and so on, in smaller and smaller steps (in full steps the weights swing to
and fro). The result is in `qpolis/games/quadropolis/weights/`.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from qpolis import load_game, verbs
from qpolis.bots.greedy import greedy
from qpolis.game import Game
from qpolis.games.quadropolis import features as f
from qpolis.games.quadropolis.layout import FEATURES, MOST_TURNS
from qpolis.games.quadropolis.rules import MODES, WEIGHTS
from qpolis.games.quadropolis.value import describe_seat, seen_turns
from qpolis.kernel import kernel
from qpolis.rng import below, name_stream

PERIODS = MOST_TURNS + 1


def todays_points() -> np.ndarray:
    """Weights that count what a city would score now, roughly."""
    weights = np.zeros((PERIODS, FEATURES))
    weights[:, f.TOWERS : f.TOWERS + 5] = (1, 3, 6, 10, 15)
    weights[:, f.PARKS : f.PARKS + 5] = (0, 2, 4, 7, 11)
    weights[:, f.DISTRICTS : f.DISTRICTS + 5] = (2, 3, 4, 5, 6)
    weights[:, f.LYING : f.LYING + 4] = (3, 4, 5, 6)
    weights[:, f.STANDING : f.STANDING + 4] = (3, 4, 5, 6)
    for one, points in (
        (f.POINTS, 1),
        (f.FACTORY_SHOPS, 2),
        (f.FACTORY_HARBORS, 3),
        (f.FACTORY_OFFICES, 4),
        (f.OFFICE_POINTS, 1),
        (f.MONUMENT_POINTS, 1),
        (f.CUSTOMER_POINTS, 1),
        (f.PEOPLE_IDLE, -1),
        (f.POWER_IDLE, -1),
        (f.STAFF_SHORT, -2),
        (f.POWER_SHORT, -2),
    ):
        weights[:, one] = points
    return weights


@kernel
def watch_games(rules, states, seed, first, games, noise, rows, turns, targets):
    """Play games of `greedy` in which a share of the actions is random; write the features of every city after its
    owner's turn, the turns left, and its final points. Returns the number of rows."""
    rng = np.empty(2, np.uint64)
    chance = np.empty(2, np.uint64)
    points = np.empty(rules[0].players, np.int64)
    keys = np.empty(rules[0].players, np.int64)
    seats = np.empty(1000, np.int64)
    state = states[0]
    rule = rules[0]
    at = 0
    for game in range(games):
        begun = at
        name_stream(chance, seed, first + game, 0)
        name_stream(rng, seed, first + game, 1)
        verbs.set_up(rule, state, chance)
        while state.player >= 0:
            seat = np.int64(state.player)
            plays = state.plays
            round_no = state.round_no
            if below(rng, 1000) < noise:
                action = verbs.pick(rule, state, rng)
            else:
                action = GREEDY(rules, states, rng, np.empty(0), np.empty(0, np.uint8))
            verbs.apply(rule, state, action, chance)
            if state.player < 0 or state.plays != plays or state.round_no != round_no:
                turns[at] = seen_turns(rule, state, seat)
                describe_seat(rule, state, seat, turns[at], rows[at])
                seats[at - begun] = seat
                at += 1
        verbs.scores(rule, state, points, keys)
        for i in range(begun, at):
            targets[i] = points[seats[i - begun]]
    return at


GREEDY = greedy.kernel


def fit(rows: np.ndarray, turns: np.ndarray, targets: np.ndarray, ridge: float = 30.0) -> np.ndarray:
    """Weights by turns left."""
    weights = np.zeros((PERIODS, FEATURES))
    penalty = np.full(FEATURES, ridge)
    penalty[f.ONE] = 1e-6
    for left in range(int(turns.max()) + 1):
        mine = turns == left
        x, y = rows[mine], targets[mine]
        weights[left] = np.linalg.solve(x.T @ x + np.diag(penalty), x.T @ y)
    return weights


def save(key: str, weights: np.ndarray) -> None:
    WEIGHTS.mkdir(exist_ok=True)
    table = weights[:, : len(f.NAMES)]
    np.savetxt(WEIGHTS / f"{key}.csv", table, "%.4f", ",", header=",".join(f.NAMES), comments="")


def improve(game: Game, weights: np.ndarray, step: int, games: int, noise: float) -> tuple[np.ndarray, str]:
    """Weights fitted to games played with the given ones, and a line about them."""
    size = games * game.players * (PERIODS + 1)
    rows, turns, targets = np.empty((size, FEATURES)), np.empty(size, np.int64), np.empty(size)
    rules = game.rules.copy()
    rules[0].weights[:] = weights
    rules.flags.writeable = False
    count = watch_games(
        rules, np.zeros(1, game.state_dtype), np.uint64(step), 0, games, int(1000 * noise), rows, turns, targets
    )
    rows, turns, targets = rows[:count], turns[:count], targets[:count]
    fitted = fit(rows, turns, targets)
    off = targets - (rows * fitted[turns]).sum(axis=1)
    errors = " ".join(f"{np.std(off[turns == left]):.2f}" for left in (0, 4, 8, 12))
    return fitted, f"mean points {targets.mean():.2f}, error with 0, 4, 8, 12 turns left {errors}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=12000, help="games a step")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--noise", type=float, default=0.1, help="share of random actions")
    parser.add_argument("--only", default="", help="mode and players, such as classic-2")
    given = parser.parse_args()
    for mode, players in itertools.product(MODES, (2, 3, 4)):
        key = f"{mode}-{players}"
        if given.only not in ("", key):
            continue
        game = load_game("quadropolis", mode=mode, players=players)
        weights = todays_points()
        for step in range(given.steps):
            fitted, line = improve(game, weights, step, given.games, given.noise)
            weights += (fitted - weights) * min(1.0, 2 / (1 + step))
            print(f"{key} step {step}: {line}", flush=True)
        save(key, weights)


if __name__ == "__main__":
    main()
