"""A network as one would explain it, in double precision; and with the sums of `qpolis/search/network.py`, number
by number in single precision and in its order, which gives the same bits."""

from __future__ import annotations

import math

import numpy as np

from qpolis import verbs

UNIT = 16  # points that count 1 as an input
LANES = 8


def inputs_of(game, state):
    """What a network looks at in a position, and the evaluation of all seats."""
    numbers = np.zeros(game.model_inputs, np.float32)
    values = np.zeros(game.players)
    seat = state.player
    verbs.sketch(game.rules[0], state.record, seat, values, numbers[: -game.players])
    numbers[-game.players :] = [values[(seat + i) % game.players] / UNIT for i in range(game.players)]
    return numbers, values


def touched(game, state, action):
    out = np.zeros(8, np.int64)
    return out[: verbs.touches(game.rules[0], state.record, action, out)].tolist()


class PlainNetwork:
    """The formulas."""

    def __init__(self, game, arrays):
        self.game = game
        self.arrays = {name: np.asarray(array, np.float64) for name, array in arrays.items()}

    def upper(self, inputs):
        """The second hidden layer."""
        of = self.arrays
        wide = np.maximum(inputs.astype(np.float64) @ of["first"] + of["first_bias"], 0)
        return np.maximum(wide @ of["second"] + of["second_bias"], 0)

    def look(self, state):
        """Chances to win and points, both by seat."""
        of = self.arrays
        inputs, values = inputs_of(self.game, state)
        upper = self.upper(inputs)
        values = np.roll(values, -state.player)  # from the mover on, as the network counts
        logits = of["trust"] * values + of["win"] @ upper + of["win_bias"]
        points = values + of["points"] @ upper + of["points_bias"]
        odds = np.exp(logits - logits.max())
        return np.roll(odds / odds.sum(), state.player), np.roll(points, state.player)

    def prefer(self, state, actions, ratings):
        """Logits of actions."""
        of = self.arrays
        logits = of["touch"] @ self.upper(inputs_of(self.game, state)[0]) + of["touch_bias"]
        return [
            of["temper"] * rating + sum(logits[thing] for thing in touched(self.game, state, action))
            for action, rating in zip(actions, ratings)
        ]


class ExactNetwork:
    """The same numbers as the kernels, to the last bit. A row of an array is added at once where the kernel has a
    loop over its columns: each column is a sum of its own."""

    def __init__(self, game, arrays):
        self.game = game
        self.arrays = {name: np.asarray(array, np.float32) for name, array in arrays.items()}

    def upper(self, inputs):
        of = self.arrays
        wide = of["first_bias"].copy()
        for i in np.flatnonzero(inputs):
            wide += inputs[i] * of["first"][i]
        upper = of["second_bias"].copy()
        for i in np.flatnonzero(wide > 0):
            upper += wide[i] * of["second"][i]
        return np.maximum(upper, np.float32(0))

    def dot(self, row, upper):
        sums = np.zeros(LANES, np.float32)
        for start in range(0, len(upper), LANES):
            sums += row[start : start + LANES] * upper[start : start + LANES]
        a, b, c, d, e, f, g, h = sums
        return ((a + b) + (c + d)) + ((e + f) + (g + h))

    def look(self, state):
        of, players = self.arrays, self.game.players
        inputs, values = inputs_of(self.game, state)
        upper = self.upper(inputs)
        logits, points = [0.0] * players, [0.0] * players
        for i in range(players):
            seat = (state.player + i) % players
            logits[seat] = float(of["trust"]) * values[seat] + float(of["win_bias"][i])
            logits[seat] += float(self.dot(of["win"][i], upper))
            points[seat] = values[seat] + float(of["points_bias"][i] + self.dot(of["points"][i], upper))
        odds = [math.exp(logit - max(logits)) for logit in logits]
        total = 0.0
        for part in odds:
            total += part
        return [part / total for part in odds], points

    def prefer(self, state, actions, ratings):
        of = self.arrays
        upper = self.upper(inputs_of(self.game, state)[0])
        known = {}
        logits = []
        for action, rating in zip(actions, ratings):
            logit = float(of["temper"]) * float(rating)
            for thing in touched(self.game, state, action):
                if thing not in known:
                    known[thing] = float(self.dot(of["touch"][thing], upper) + of["touch_bias"][thing])
                logit += known[thing]
            logits.append(logit)
        return logits
