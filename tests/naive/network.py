"""A network as one would explain it, in double precision; and with the sums of `qpolis/search/network.py`, number
by number in single precision and in its order, which gives the same bits."""

from __future__ import annotations

import math

import numpy as np

from qpolis import verbs

UNIT = 16  # points that count 1 as an input


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
        top = upper @ of["top"] + of["top_bias"]
        logits = of["scales"][0] * values + top[: self.game.players]
        points = values + top[self.game.players :]
        odds = np.exp(logits - logits.max())
        return np.roll(odds / odds.sum(), state.player), np.roll(points, state.player)

    def prefer(self, state, actions, ratings):
        """Logits of actions."""
        of = self.arrays
        logits = self.upper(inputs_of(self.game, state)[0]) @ of["touch"] + of["touch_bias"]
        return [
            of["scales"][1] * rating + sum(logits[thing] for thing in touched(self.game, state, action))
            for action, rating in zip(actions, ratings)
        ]


class ExactNetwork:
    """The same numbers as the kernels, to the last bit. A row of an array is added at once where the kernel has a
    loop over its columns: each column is a sum of its own."""

    def __init__(self, game, arrays):
        self.game = game
        self.arrays = {name: np.asarray(array, np.float32) for name, array in arrays.items()}

    def layer(self, name, inputs):
        """Row by row of the weights, of those inputs that are not 0."""
        out = self.arrays[f"{name}_bias"].copy()
        for i in np.flatnonzero(inputs):
            out += inputs[i] * self.arrays[name][i]
        return out

    def upper(self, inputs):
        wide = np.maximum(self.layer("first", inputs), np.float32(0))
        return np.maximum(self.layer("second", wide), np.float32(0))

    def look(self, state):
        players, scale = self.game.players, float(self.arrays["scales"][0])
        inputs, values = inputs_of(self.game, state)
        top = self.layer("top", self.upper(inputs))
        logits, points = [0.0] * players, [0.0] * players
        for i in range(players):
            seat = (state.player + i) % players
            logits[seat] = scale * values[seat] + float(top[i])
            points[seat] = values[seat] + float(top[players + i])
        odds = [math.exp(logit - max(logits)) for logit in logits]
        total = 0.0
        for part in odds:
            total += part
        return [part / total for part in odds], points

    def prefer(self, state, actions, ratings):
        known = self.layer("touch", self.upper(inputs_of(self.game, state)[0]))
        logits = []
        for action, rating in zip(actions, ratings):
            logit = float(self.arrays["scales"][1]) * float(rating)
            for thing in touched(self.game, state, action):
                logit += float(known[thing])
            logits.append(logit)
        return logits
