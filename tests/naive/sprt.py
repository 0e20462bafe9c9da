"""The sequential test in its plainest form: block scores by loops over games, the likelihood ratio from its
definition, and everything computed anew after every block."""

import math

import numpy as np
from scipy import optimize

UNSEEN = 1e-3


def block_scores(who, ranks, deals):
    """By block: (what the new bot 0 won against the old bot 1, in halves, and the number of comparisons)."""
    blocks = {}
    for seats, places, deal in zip(who, ranks, deals):
        halves, number = blocks.get(deal, (0, 0))
        for new, place in zip(seats, places):
            for old, other in zip(seats, places):
                if (new, old) == (0, 1):
                    number += 1
                    halves += 2 if place < other else 1 if place == other else 0
        blocks[deal] = halves, number
    return list(blocks.values())


def weighed(counts):
    weights = [float(count) for count in counts]
    weights[0] += UNSEEN
    weights[-1] += UNSEEN
    return weights


def likelihood_on_the_simplex(counts, scores, mean):
    """The largest log-likelihood of a distribution with this mean, found by climbing among all distributions."""
    weights = np.array(weighed(counts))
    seen = np.flatnonzero(weights)
    weights, scores = weights[seen] / weights.sum(), np.array(scores)[seen]
    found = optimize.minimize(
        lambda chances: -weights @ np.log(chances),
        np.full(len(seen), 1 / len(seen)),
        jac=lambda chances: -weights / chances,
        method="SLSQP",
        bounds=[(1e-9, 1)] * len(seen),
        constraints=[
            {"type": "eq", "fun": lambda chances: chances.sum() - 1},
            {"type": "eq", "fun": lambda chances: chances @ scores - mean},
        ],
        options={"maxiter": 1000, "ftol": 1e-14},
    )
    return -found.fun * sum(weighed(counts))


def likelihood(counts, scores, mean):
    """The same from the condition for the best distribution: chances w / N / (1 + root (score - mean))."""
    weights = weighed(counts)
    seen = [(weight, score - mean) for weight, score in zip(weights, scores) if weight]

    def condition(root):
        return sum(weight * off / (1 + root * off) for weight, off in seen)

    low, high = -1 / seen[-1][1], -1 / seen[0][1]
    inset = 1e-13 * (high - low)
    root = optimize.brentq(condition, low + inset, high - inset, xtol=1e-15, rtol=1e-15)
    total = sum(weights)
    return sum(weight * math.log(weight / total / (1 + root * off)) for weight, off in seen)


def llr(counts, scores, t0, t1):
    return likelihood(counts, scores, t1) - likelihood(counts, scores, t0)


def run(numerators, denominator, elo0, elo1, alpha, beta):
    """The whole test: (verdict, blocks used, ratio at the end)."""
    t0, t1 = (1 / (1 + 10 ** (-elo / 400)) for elo in (elo0, elo1))
    scores = [k / denominator for k in range(denominator + 1)]
    now = 0.0
    for used in range(1, len(numerators) + 1):
        counts = [list(numerators[:used]).count(k) for k in range(denominator + 1)]
        now = llr(counts, scores, t0, t1)
        if now >= math.log((1 - beta) / alpha):
            return "H1", used, now
        if now <= math.log(beta / (1 - alpha)):
            return "H0", used, now
    return None, len(numerators), now
