"""Fitting a network to examples, with jax and optax: the only module that needs them (`pip install
'qpolis[learn]'`)."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from qpolis import interrupts
from qpolis.learning.examples import Examples
from qpolis.search.network import EVALUATION, RATING, UNIT

Weights = dict[str, Any]
BATCH = 1024
RATE = 2e-3  # of learning, at the start; it falls to LAST of it along a cosine
LAST = 0.02
DECAY = 0.02  # of weights
STEEPEST = 1.0  # norm of a gradient that is followed
IMPORTANCE = (1.0, 0.6, 0.1)  # of winning, choosing, points
MIXING = 0.6  # how much of what is learned of winning is the result; the rest is what the search hoped
HELD = 0.05  # of the games are not learned from, but judged by
FAR = -1e9  # the logit of what is not there
TRUST, TEMPER = 1 / 3.5, 1 / 1.5  # of evaluations and ratings, at the start: as in a search without a network
BINS = 10  # of the curve that compares hopes with results
DECAYING = ("first", "second", "top", "touch")


@dataclass(frozen=True)
class Fit:
    """What a network makes of games that it has not learned from."""

    win: float  # cross entropy of who wins
    choice: float  # cross entropy of what the search chose
    points: float  # root of the mean square error
    calibration: float  # mean distance between the share of a win that is said and the one that comes


def new_weights(inputs: int, wide: int, narrow: int, seats: int, touches: int, seed: int) -> Weights:
    """A network that says what the game's own evaluation says."""
    rng = np.random.default_rng(seed)

    def layer(rows: int, columns: int) -> np.ndarray:
        return (rng.standard_normal((rows, columns)) / max(rows, 1) ** 0.5).astype(np.float32)

    shapes = {
        "first_bias": (wide,),
        "second_bias": (narrow,),
        "top": (narrow, 2 * seats),
        "top_bias": (2 * seats,),
        "touch": (narrow, touches),
        "touch_bias": (touches,),
    }
    zeros = {name: np.zeros(shape, np.float32) for name, shape in shapes.items()}
    scales = np.array([TRUST, TEMPER], np.float32)
    return {"first": layer(inputs, wide), "second": layer(wide, narrow) * 2, "scales": scales, **zeros}


def forward(weights: Weights, inputs: Any) -> tuple[Any, Any, Any]:
    """Logits of winning, points, and logits of touches, for rows of inputs."""
    seats = weights["top"].shape[1] // 2
    said = inputs[:, inputs.shape[1] - seats :] * UNIT
    wide = jax.nn.relu(inputs @ weights["first"] + weights["first_bias"])
    narrow = jax.nn.relu(wide @ weights["second"] + weights["second_bias"])
    top = narrow @ weights["top"] + weights["top_bias"]
    wins = said * weights["scales"][EVALUATION] + top[:, :seats]
    return wins, said + top[:, seats:], narrow @ weights["touch"] + weights["touch_bias"]


def losses(weights: Weights, batch: Mapping[str, Any], mixing: float) -> tuple[Any, Any, Any]:
    """Cross entropies of who wins and of what was chosen, and the mean square error of points, by 100."""
    wins, points, touched = forward(weights, batch["inputs"])
    target = mixing * batch["wins"] + (1 - mixing) * batch["hopes"]
    win = -(target * jax.nn.log_softmax(wins)).sum(1).mean()
    there = batch["touches"] >= 0
    rows = jnp.where(there, batch["touches"], 0)
    each = jnp.take_along_axis(touched, rows.reshape(rows.shape[0], -1), 1).reshape(rows.shape)
    logits = batch["ratings"] * weights["scales"][RATING] + jnp.where(there, each, 0).sum(2)
    legal = there[:, :, 0]
    likely = jax.nn.log_softmax(jnp.where(legal, logits, FAR))
    choice = -(batch["visits"] * jnp.where(legal, likely, 0)).sum(1).mean()
    return win, choice, ((points - batch["points"]) ** 2).mean() / 100


@functools.partial(jax.jit, static_argnames=("optimiser",))
def _step(weights: Weights, spread: Any, state: Any, batch: Any, optimiser: Any) -> Any:
    def total(weights: Weights) -> Any:
        seen = {**weights, "first": weights["first"] / spread[:, None]}
        return sum(part * of for part, of in zip(losses(seen, batch, MIXING), IMPORTANCE))

    loss, slopes = jax.value_and_grad(total)(weights)
    updates, state = optimiser.update(slopes, state, weights)
    return optax.apply_updates(weights, updates), state, loss


_judge = jax.jit(functools.partial(losses, mixing=1.0))
_wins = jax.jit(lambda weights, inputs: jax.nn.softmax(forward(weights, inputs)[0]))


def fit(
    weights: Weights, examples: Examples, epochs: int, seed: int, on_epoch: Callable[[int, float], None]
) -> tuple[Weights, Fit]:
    """The network after so many passes over the examples, and how it does on games that were held back. `on_epoch`
    is told the pass and the loss."""
    rng = np.random.default_rng(seed)
    numbers = np.unique(examples.games)
    held = np.isin(examples.games, rng.choice(numbers, max(1, int(HELD * len(numbers))), replace=False))
    learned, judged = np.flatnonzero(~held), np.flatnonzero(held)
    size = min(BATCH, max(1, len(learned) // 4))
    # Inputs are learned from as if all of them varied as much: what varies little says no less.
    varied = np.asarray(examples.inputs[learned[: 200 * BATCH]], np.float32).std(0)
    spread = np.where(varied > 0, np.maximum(varied, 0.02), 1).astype(np.float32)
    scaled = {**weights, "first": weights["first"] * spread[:, None]}
    steps = max(1, epochs * (len(learned) // size))
    optimiser = optax.chain(
        optax.clip_by_global_norm(STEEPEST),
        optax.adamw(
            optax.cosine_decay_schedule(RATE, steps, LAST),
            weight_decay=DECAY,
            mask={name: name in DECAYING for name in weights},
        ),
    )
    state = optimiser.init(scaled)
    for epoch in range(epochs):
        order = rng.permutation(learned)
        total, batches = 0.0, len(order) // size
        for number in range(batches):
            interrupts.check()
            batch = batch_of(examples, order[number * size : (number + 1) * size])
            scaled, state, loss = _step(scaled, spread, state, batch, optimiser)
            total += float(loss)
        on_epoch(epoch, total / max(batches, 1))
    fitted = {name: np.asarray(value) for name, value in scaled.items()}
    fitted["first"] = fitted["first"] / spread[:, None]
    return fitted, judge(fitted, examples, judged)


def batch_of(examples: Examples, rows: np.ndarray) -> dict[str, np.ndarray]:
    def column(name: str) -> np.ndarray:
        found: np.ndarray = getattr(examples, name)[rows]
        return found.astype(np.int32 if name == "touches" else np.float32)

    return {name: column(name) for name in Examples._fields if name != "games"}


def judge(weights: Weights, examples: Examples, rows: np.ndarray) -> Fit:
    """How a network does on some of the examples."""
    parts, says, came = [], [], []
    for start in range(0, len(rows), BATCH):
        batch = batch_of(examples, rows[start : start + BATCH])
        parts.append([len(batch["inputs"]), *map(float, _judge(weights, batch))])
        says.append(np.asarray(_wins(weights, batch["inputs"]))[:, 0])
        came.append(batch["wins"][:, 0])
    table = np.array(parts)
    win, choice, points = (table[:, 1:] * table[:, :1]).sum(0) / table[:, 0].sum()
    return Fit(win, choice, 10 * points**0.5, calibration_error(np.concatenate(says), np.concatenate(came)))


def calibration_error(says: np.ndarray, came: np.ndarray) -> float:
    """The mean distance of what was said and what came, in bins of what was said."""
    bins = np.minimum((says * BINS).astype(int), BINS - 1)
    counts = np.bincount(bins, minlength=BINS)
    gaps = np.abs(np.bincount(bins, says - came, BINS))
    return float(gaps.sum() / max(counts.sum(), 1))
