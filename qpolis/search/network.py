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
PLAYOUT = 5  # where the header says how many decisions are played out
UNIT = 16.0  # points that count 1 as an input
EVALUATION, RATING = 0, 1  # of `scales`


class Network(NamedTuple):
    """Its weights, without copies. Nothing is in them where there is no network."""

    sizes: np.ndarray  # the header: inputs, wide, narrow, seats, touches, playout; nothing without a network
    first: np.ndarray  # inputs, wide
    first_bias: np.ndarray
    second: np.ndarray  # wide, narrow
    second_bias: np.ndarray
    top: np.ndarray  # narrow, twice the seats: logits of winning, then points
    top_bias: np.ndarray
    scales: np.ndarray  # the weights of what the evaluation and what the ratings say
    touch: np.ndarray  # narrow, touches
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
    top = weights[start : start + 2 * seats * narrow].reshape((narrow, 2 * seats))
    start += 2 * seats * narrow
    top_bias = weights[start : start + 2 * seats]
    start += 2 * seats
    scales = weights[start : start + min(np.int64(2), wide)]
    start += scales.shape[0]
    touch = weights[start : start + touches * narrow].reshape((narrow, touches))
    start += touches * narrow
    touch_bias = weights[start : start + touches]
    return Network(sizes, first, first_bias, second, second_bias, top, top_bias, scales, touch, touch_bias)


@kernel
def thinks(network):
    """Is there a network?"""
    return network.first_bias.shape[0] > 0


@kernel
def affine(weights, bias, inputs, out):
    """A layer: the bias, and a row of weights times each input that is above 0 or below."""
    columns = out.shape[0]
    for j in range(columns):
        out[j] = bias[j]
    for i in range(inputs.shape[0]):
        x = inputs[i]
        if x != 0:
            for j in range(columns):
                out[j] += x * weights[i, j]


@kernel
def rectify(layer):
    for j in range(layer.shape[0]):
        layer[j] = max(layer[j], np.float32(0))


@kernel(apart=True)
def layers(first, first_bias, second, second_bias, inputs, wide, narrow):
    """Fill the hidden layers."""
    affine(first, first_bias, inputs, wide)
    rectify(wide)
    affine(second, second_bias, wide, narrow)
    rectify(narrow)
