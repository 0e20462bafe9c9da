"""Fit the weights of Arkadia's evaluation to games.

    python benchmarks/fit_arkadia.py [--games 2000] [--steps 8]

`greedy` plays against itself with some random actions, starting from the weights that ship. For every phase of the
game, ridge regression finds the weights that best predict from a seat's features the gold it has yet to get;
`greedy` plays with these, and so on, in smaller and smaller steps. The result goes to
`qpolis/games/arkadia/weights/`.
"""

from __future__ import annotations

import argparse

import numpy as np

from qpolis import load_game, verbs
from qpolis.bots.greedy import greedy
from qpolis.game import Game
from qpolis.games.arkadia.layout import FEATURES, ONE, PHASES
from qpolis.games.arkadia.tables import WEIGHTS
from qpolis.games.arkadia.value import describe_seat, phase, survey
from qpolis.kernel import kernel
from qpolis.rng import below, name_stream

GREEDY = greedy.kernel
MOST_TURNS = 400  # of a game


@kernel
def watch_games(rules, states, seed, games, noise, rows, phases, targets):
    """Play games of `greedy` in which a share of the actions is random; write the features of every seat after
    every turn, the phase, and the gold it still got. Returns the number of rows."""
    rng = np.empty(2, np.uint64)
    chance = np.empty(2, np.uint64)
    concealed = np.empty_like(states)
    state = states[0]
    rule = rules[0]
    at = 0
    for game in range(games):
        begun = at
        name_stream(chance, seed, game, 0)
        name_stream(rng, seed, game, 1)
        verbs.set_up(rule, state, chance)
        while state.player >= 0:
            turn = state.turn
            if below(rng, 1000) < noise:
                action = verbs.pick(rule, state, rng)
            else:
                concealed[0] = state
                verbs.conceal(rule, concealed[0], np.int64(state.player))
                action = GREEDY(rules, concealed, rng, np.empty(0), np.empty(0, np.uint8))
            verbs.apply(rule, state, action, chance)
            if state.player >= 0 and state.turn != turn:
                seen = survey(rule, state)
                for seat in range(rule.players):
                    phases[at] = phase(state)
                    describe_seat(rule, state, seen, seat, rows[at])
                    targets[at] = -state.gold[seat]
                    at += 1
        for i in range(begun, at):
            targets[i] += state.gold[(i - begun) % rule.players]
    return at


def fit(rows: np.ndarray, phases: np.ndarray, targets: np.ndarray, ridge: float = 30.0) -> np.ndarray:
    """Weights by phase."""
    weights = np.zeros((PHASES, FEATURES))
    penalty = np.full(FEATURES, ridge)
    penalty[ONE] = 1e-6
    for now in range(PHASES):
        x, y = rows[phases == now], targets[phases == now]
        weights[now] = np.linalg.solve(x.T @ x + np.diag(penalty), x.T @ y)
    return weights


def improve(game: Game, weights: np.ndarray, step: int, games: int, noise: float) -> tuple[np.ndarray, str]:
    """Weights fitted to games played with the given ones, and a line about them."""
    size = games * game.players * MOST_TURNS
    rows, phases, targets = np.empty((size, FEATURES)), np.empty(size, np.int64), np.empty(size)
    rules = game.rules.copy()
    rules[0].weights[:] = weights
    rules.flags.writeable = False
    count = watch_games(
        rules, np.zeros(1, game.state_dtype), np.uint64(step), games, int(1000 * noise), rows, phases, targets
    )
    rows, phases, targets = rows[:count], phases[:count], targets[:count]
    fitted = fit(rows, phases, targets)
    off = targets - (rows * fitted[phases]).sum(axis=1)
    errors = " ".join(f"{np.std(off[phases == now]):.1f}" for now in range(PHASES))
    return fitted, f"first turns promise {targets[phases == 0][:].mean():.1f} gold, errors by phase {errors}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=2000, help="games a step")
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--noise", type=float, default=0.05, help="share of random actions")
    parser.add_argument("--players", type=int, nargs="*", default=[2, 3, 4])
    given = parser.parse_args()
    for players in given.players:
        game = load_game("arkadia", players=players)
        path = WEIGHTS / f"{players}.csv"
        names = path.read_text().splitlines()[0]
        weights = game.rules[0].weights.copy()
        for step in range(given.steps):
            fitted, line = improve(game, weights, step, given.games, given.noise)
            weights += (fitted - weights) * min(1.0, 2 / (2 + step))
            print(f"{players} players, step {step}: {line}", flush=True)
        np.savetxt(path, weights, "%.4f", ",", header=names, comments="")


if __name__ == "__main__":
    main()
