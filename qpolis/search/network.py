"""A small network that says who wins and what is worth trying, evaluated in the middle of a search.

Two hidden layers of rectified sums; on top of them, for each seat from the one that looks, a logit of winning,
and for each *touch* (what an action has to do with: a square, a kind of tile) a logit of choosing it. What the
game's own evaluation says is passed by the layers and added, so a network of zeros plays by that alone.

Its numbers lie behind the rules record, in the array of rules that a policy sees: so they are there once, whatever
plays with them, and nobody can write to them. Sums run along rows of the weights, so that the processor adds many
columns at once in an order that is always the same: equal numbers on all machines of a kind.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from qpolis.kernel import kernel
from qpolis.models.model_file import HEADER

MOST_TOUCHES = 8  # of one action
LANES = 8  # sums that are made side by side
PLAYOUT = 5  # where the header says how many decisions are played out
UNIT = 16.0  # points that count 1 as an input


class Network(NamedTuple):
    """Its weights, without copies. Nothing is in them where there is no network."""

    sizes: np.ndarray  # the header: inputs, wide, narrow, seats, touches, playout; nothing without a network
    first: np.ndarray  # inputs, wide
    first_bias: np.ndarray
    second: np.ndarray  # wide, narrow
    second_bias: np.ndarray
    win: np.ndarray  # seats, narrow
    points: np.ndarray  # seats, narrow
    head: np.ndarray  # biases of win and points, by seat; then the weights of what the evaluation and ratings say
    touch: np.ndarray  # touches, narrow
    touch_bias: np.ndarray


@kernel
def carve_network(rules):
    """The network behind a rules record."""
    behind = rules[1:].view(np.uint8)
    numbers = behind[: behind.shape[0] // 4 * 4].view(np.float32)
    sizes = numbers[: min(HEADER, numbers.shape[0])]
    weights = numbers[sizes.shape[0] :]
    inputs = np.int64(0)
    wide = np.int64(0)
    narrow = np.int64(0)
    seats = np.int64(0)
    touches = np.int64(0)
    if sizes.shape[0]:
        inputs = np.int64(sizes[0])
        wide = np.int64(sizes[1])
        narrow = np.int64(sizes[2])
        seats = np.int64(sizes[3])
        touches = np.int64(sizes[4])
    start = np.int64(0)
    first = weights[start : start + inputs * wide].reshape((inputs, wide))
    start += inputs * wide
    first_bias = weights[start : start + wide]
    start += wide
    second = weights[start : start + wide * narrow].reshape((wide, narrow))
    start += wide * narrow
    second_bias = weights[start : start + narrow]
    start += narrow
    win = weights[start : start + seats * narrow].reshape((seats, narrow))
    start += seats * narrow
    points = weights[start : start + seats * narrow].reshape((seats, narrow))
    start += seats * narrow
    head = weights[start : start + 2 * seats + 2]
    start += head.shape[0]
    touch = weights[start : start + touches * narrow].reshape((touches, narrow))
    start += touches * narrow
    touch_bias = weights[start : start + touches]
    return Network(sizes, first, first_bias, second, second_bias, win, points, head, touch, touch_bias)


@kernel
def thinks(network):
    """Is there a network?"""
    return network.first_bias.shape[0] > 0


@kernel(apart=True)
def layers(first, first_bias, second, second_bias, inputs, wide, narrow):
    """Fill the hidden layers."""
    for j in range(wide.shape[0]):
        wide[j] = first_bias[j]
    for i in range(inputs.shape[0]):
        x = inputs[i]
        if x != 0:
            for j in range(wide.shape[0]):
                wide[j] += x * first[i, j]
    for j in range(narrow.shape[0]):
        narrow[j] = second_bias[j]
    for i in range(wide.shape[0]):
        x = wide[i]
        if x > 0:
            for j in range(narrow.shape[0]):
                narrow[j] += x * second[i, j]
    for j in range(narrow.shape[0]):
        narrow[j] = max(narrow[j], np.float32(0))


@kernel
def dot(weights, row, narrow):
    """A row of weights times the upper layer, in eight sums side by side."""
    a = np.float32(0)
    b = np.float32(0)
    c = np.float32(0)
    d = np.float32(0)
    e = np.float32(0)
    f = np.float32(0)
    g = np.float32(0)
    h = np.float32(0)
    for i in range(0, narrow.shape[0], LANES):
        a += weights[row, i] * narrow[i]
        b += weights[row, i + 1] * narrow[i + 1]
        c += weights[row, i + 2] * narrow[i + 2]
        d += weights[row, i + 3] * narrow[i + 3]
        e += weights[row, i + 4] * narrow[i + 4]
        f += weights[row, i + 5] * narrow[i + 5]
        g += weights[row, i + 6] * narrow[i + 6]
        h += weights[row, i + 7] * narrow[i + 7]
    return ((a + b) + (c + d)) + ((e + f) + (g + h))
