"""Strength without order: the Plackett-Luce model with an advantage for the seat, by maximum likelihood.

The log-strength of bot i at seat s is theta_i + phi_s, both with mean 0 (Bradley-Terry, if there are two seats).
`choices` has the likelihood. A weak prior keeps everything finite, even a bot that won all its games or groups
that never met: every pair of bots drew a virtual game, and every pair of seats did. The virtual games of a bot,
and of a seat, together weigh as much as one game, so among many games nobody notices them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from qpolis.kernel import kernel
from qpolis.ratings.choices import Choices

ELO = 400 / math.log(10)  # points of Elo in a log-strength of 1
STEPS = 100  # of Newton's method, at most; a handful do
_LONGEST = 2.0  # step of a parameter
_NEAR = 0.05  # a step after which the information is kept
_FINE = 1e-9  # the last step
_SMALLEST = 1e-12  # pivot: rounding may leave less
VALUE, INFORMATION = 1, 2  # what is wanted of derivatives


def virtual_games(bots: int, seats: int) -> np.ndarray:
    """The weight of the virtual wins of each parameter (row) over each other; a draw is half a win for each."""
    wins = np.zeros((bots + seats, bots + seats))
    for start, count in ((0, bots), (bots, seats)):
        if count > 1:
            wins[start : start + count, start : start + count] = 0.5 / (count - 1)
    np.fill_diagonal(wins, 0)
    return wins


def fit(choices: Choices) -> np.ndarray:
    """The parameters of maximum likelihood. SciPy's trust region comes near them from anywhere, and Newton's
    method to the last digits."""
    from scipy.optimize import minimize  # type: ignore[import-untyped]  # slow to import

    count = len(choices.chosen)
    bots = count - choices.members.shape[1]
    virtual = virtual_games(bots, count - bots)
    scale = 1 / (1 + choices.weight.sum())

    def cost(at: np.ndarray) -> tuple[float, np.ndarray]:
        gradient, information = np.empty(count), np.empty((count, count))
        value = derive(at, choices.members, choices.weight, choices.chosen, virtual, gradient, information, VALUE)
        return -scale * value, -scale * gradient

    def curvature(at: np.ndarray) -> Any:
        gradient, information = np.empty(count), np.empty((count, count))
        derive(at, choices.members, choices.weight, choices.chosen, virtual, gradient, information, INFORMATION)
        return scale * (np.tril(information) + np.tril(information, -1).T)

    found = minimize(
        cost,
        np.zeros(count),
        jac=True,
        hess=curvature,
        method="trust-exact",
        options={"gtol": 1e-6, "maxiter": 200, "max_trust_radius": 5.0},
    )
    at = np.ascontiguousarray(found.x, np.float64)
    climb(at, choices.members, choices.weight, choices.chosen, virtual, _FINE)
    return at


@kernel
def derive(at, members, weight, chosen, virtual, gradient, information, wanted):
    """Gradient of the log-likelihood and what else is wanted: its VALUE, which is returned, and its INFORMATION,
    minus the second derivative, of which the lower triangle is filled (with nonsense if not wanted). Both sums of
    parameters are held at 0, as strengths are differences only."""
    seats = members.shape[1]
    bots = at.shape[0] - seats
    value = 0.0
    for i in range(at.shape[0]):
        value += chosen[i] * at[i]
        gradient[i] = chosen[i]
        for j in range(i + 1):
            information[i, j] = 0
    value += _add_sets(at, members, weight, gradient, information, wanted)
    value += _add_virtual(at, virtual, gradient, information)
    value += _hold_sum(at, 0, bots, gradient, information)
    value += _hold_sum(at, bots, at.shape[0], gradient, information)
    return value


@kernel
def _add_sets(at, members, weight, gradient, information, wanted):
    """The part of the sets: each member gives way by its chance to be chosen."""
    seats = members.shape[1]
    bots = at.shape[0] - seats
    strength = np.empty((bots, seats))
    for bot in range(bots):
        for seat in range(seats):
            strength[bot, seat] = math.exp(at[bot] + at[bots + seat])
    chance = np.empty(seats)
    value = 0.0
    for number in range(members.shape[0]):
        total = 0.0
        for seat in range(seats):
            bot = members[number, seat]
            chance[seat] = strength[bot, seat] if bot >= 0 else 0.0
            total += chance[seat]
        for seat in range(seats):
            chance[seat] /= total
            if chance[seat] > 0:
                gradient[members[number, seat]] -= weight[number] * chance[seat]
                gradient[bots + seat] -= weight[number] * chance[seat]
        if wanted & VALUE:
            value -= weight[number] * math.log(total)
        if wanted & INFORMATION:
            _inform(members[number], weight[number], chance, bots, information)
    return value


@kernel
def _inform(members, weight, chance, bots, information):
    """The information in a choice: the covariance of who is chosen."""
    for seat in range(members.shape[0]):
        bot = members[seat]
        if bot < 0:
            continue
        expected = weight * chance[seat]
        information[bot, bot] += expected
        information[bots + seat, bots + seat] += expected
        information[bots + seat, bot] += expected
        for other in range(members.shape[0]):
            rival = members[other]
            if rival < 0:
                continue
            both = expected * chance[other]
            if rival <= bot:
                information[bot, rival] -= both
            if other <= seat:
                information[bots + seat, bots + other] -= both
            information[bots + seat, rival] -= both


@kernel
def _add_virtual(at, virtual, gradient, information):
    """The part of the virtual games between two bots, or two seats."""
    value = 0.0
    for i in range(at.shape[0]):
        for j in range(i):
            games = virtual[i, j] + virtual[j, i]
            if games > 0:
                lead = at[i] - at[j]
                behind = 1 / (1 + math.exp(lead))
                value -= virtual[i, j] * math.log1p(math.exp(-lead)) + virtual[j, i] * math.log1p(math.exp(lead))
                gain = virtual[i, j] - games * (1 - behind)
                gradient[i] += gain
                gradient[j] -= gain
                spread = games * behind * (1 - behind)
                information[i, i] += spread
                information[j, j] += spread
                information[i, j] -= spread
    return value


@kernel
def _hold_sum(at, start, end, gradient, information):
    """A penalty on the sum of parameters. At the maximum it is 0, and nothing else depends on the sum."""
    total = 0.0
    for i in range(start, end):
        total += at[i]
    for i in range(start, end):
        gradient[i] -= total
        for j in range(start, i + 1):
            information[i, j] += 1
    return -total * total / 2


@kernel
def climb(at, members, weight, chosen, virtual, fine):
    """Newton's method from `at`, which it moves, until a step is `fine`; returns whether it got there.

    The likelihood has one maximum and no other place to get stuck; only overshooting must be prevented. A step is
    taken back by half while the slope along it turned round by more than half. Near the maximum the information
    hardly changes, and the last one does.
    """
    gradient = np.empty(at.shape[0])
    information = np.empty((at.shape[0], at.shape[0]))
    factor = np.empty((at.shape[0], at.shape[0]))
    step = np.zeros(at.shape[0])
    longest = _LONGEST
    slope = 0.0
    for _ in range(STEPS):
        far = longest > _NEAR
        derive(at, members, weight, chosen, virtual, gradient, information, INFORMATION if far else 0)
        if _dot(gradient, step) < -0.5 * slope:
            longest = _LONGEST
            slope /= 2
            for i in range(at.shape[0]):
                step[i] /= 2
                at[i] -= step[i]
            continue
        if far:
            factorise(information, factor)
        for i in range(at.shape[0]):
            step[i] = gradient[i]
        solve(factor, step)
        longest = 0.0
        for i in range(at.shape[0]):
            longest = max(longest, abs(step[i]))
        shorter = min(1.0, _LONGEST / longest) if longest > 0 else 1.0
        for i in range(at.shape[0]):
            step[i] *= shorter
            at[i] += step[i]
        slope = _dot(gradient, step)
        if longest < fine:
            return True
    return False


@kernel
def _dot(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


@kernel
def factorise(matrix, factor):
    """Cholesky's factor of a positive definite matrix, of which the lower triangle is given."""
    for i in range(matrix.shape[0]):
        for j in range(i + 1):
            total = matrix[i, j]
            for k in range(j):
                total -= factor[i, k] * factor[j, k]
            if i == j:
                factor[i, i] = math.sqrt(max(total, _SMALLEST))
            else:
                factor[i, j] = total / factor[j, j]


@kernel
def solve(factor, vector):
    """Solve factor @ factor.T @ x = vector for x, which takes the vector's place."""
    n = vector.shape[0]
    for i in range(n):
        for k in range(i):
            vector[i] -= factor[i, k] * vector[k]
        vector[i] /= factor[i, i]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            vector[i] -= factor[k, i] * vector[k]
        vector[i] /= factor[i, i]
