"""Slow, obvious twins of the statistics of balance."""

from __future__ import annotations

import math

import numpy as np
from scipy import stats


def jackknife(statistic, blocks):
    """A statistic of some blocks, its standard error, and what it is without each block."""
    everything = list(range(blocks))
    without = np.array([statistic([other for other in everything if other != block]) for block in everything])
    square = (blocks - 1) / blocks * sum((value - without.mean(0)) ** 2 for value in without)
    return statistic(everything), np.sqrt(square), without


def standard_error(values):
    """Of the mean of independent numbers."""
    mean = sum(values) / len(values)
    return math.sqrt(sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values))


def degrees(values):
    """Of the spread of independent numbers: those of n normal numbers, or fewer if the tails are heavy."""
    if len(set(values)) == 1:
        return len(values) - 1
    mean = sum(values) / len(values)
    second = sum((value - mean) ** 2 for value in values) / len(values)
    fourth = sum((value - mean) ** 4 for value in values) / len(values)
    kurtosis = fourth / second**2
    spread = (kurtosis - 1) / len(values)  # of the logarithm of the variance; 2 / n for normal numbers
    return max(1, len(values) - 1 if spread <= 2 / (len(values) - 1) else 2 / spread)


def wilson(share, games, quantile):
    """As in textbooks."""
    bottom = 1 + quantile**2 / games
    centre = (share + quantile**2 / (2 * games)) / bottom
    reach = quantile / bottom * math.sqrt(share * (1 - share) / games + quantile**2 / (4 * games**2))
    return centre - reach, centre + reach


def p_two_sided(value, error, degrees):
    return 2 * stats.t(degrees).sf(abs(value) / error)


def p_tost(value, error, degrees, bound):
    """Schuirmann's two one-sided tests."""
    too_low = stats.t(degrees).sf((value + bound) / error)
    too_high = stats.t(degrees).sf((bound - value) / error)
    return max(too_low, too_high)


def holm_rejects(p, level):
    """By definition: from the smallest p on, reject while p <= level / (tests that are left)."""
    order = sorted((value, k) for k, value in enumerate(p) if not math.isnan(value))
    rejected = [False] * len(p)
    for step, (value, k) in enumerate(order):
        if value > level / (len(order) - step):
            break
        rejected[k] = True
    return rejected


def hochberg_rejects(p, level):
    """By definition of Benjamini and Hochberg: reject the k smallest, k the largest with p_k <= level k / m."""
    order = sorted((value, k) for k, value in enumerate(p) if not math.isnan(value))
    most = max(
        (step + 1 for step, (value, _) in enumerate(order) if value <= level * (step + 1) / len(order)), default=0
    )
    chosen = {k for _, k in order[:most]}
    return [k in chosen for k in range(len(p))]


class Regression:
    """Least squares on a full design: columns for items and controls, and one for every game."""

    def __init__(self, win, takes, items, controls, block):
        games, seats = win.shape
        self.items, self.block = items, block
        self.y = win.ravel()
        self.design = np.zeros((games * seats, items + controls.shape[2] + games))
        for game, seat, item in zip(*takes):
            self.design[game * seats + seat, item] += 1
        for game in range(games):
            for seat in range(seats):
                row = self.design[game * seats + seat]
                row[items : items + controls.shape[2]] = controls[game, seat]
                row[items + controls.shape[2] + game] = 1
        self.games = np.repeat(np.arange(games), seats)
        self.blocks = sorted(set(block.tolist()))

    def rows(self, left_out=None):
        return np.array([left_out is None or self.block[game] != left_out for game in self.games], bool)

    def fit(self, left_out=None):
        rows = self.rows(left_out)
        return np.linalg.lstsq(self.design[rows], self.y[rows], rcond=1e-9)[0]

    def compares(self, a, b, left_out=None):
        """Whether the rows say by how much the effects of two items differ."""
        design = self.design[self.rows(left_out)]
        asked = np.zeros(design.shape[1])
        asked[a] += 1
        asked[b] -= 1
        answer = np.linalg.lstsq(design.T, asked, rcond=1e-9)[0]
        return bool(np.allclose(design.T @ answer, asked, atol=1e-7))

    def varies_in(self, item):
        """The blocks in which some game has seats that differ in the item."""
        return {
            int(self.block[game])
            for game in set(self.games.tolist())
            if len(set(self.design[self.games == game, item])) > 1
        }

    def comparable(self):
        """The weightiest set of items that can be compared whichever block is left out."""
        takes = self.design[:, : self.items].sum(0)
        possible = [k for k in range(self.items) if len(self.varies_in(k)) > 1]
        sets = []
        for a in possible:
            sets.append([b for b in possible if all(self.compares(a, b, out) for out in [None, *self.blocks])])
        best = max(sets, key=lambda one: sum(takes[one]), default=[])
        return best if len(best) > 1 else []

    def effects(self):
        """Of items in the set, against their mean: the effect, and how much it falls if a block is left out."""
        chosen = self.comparable()
        takes = self.design[:, : self.items].sum(0)

        def against_mean(fit):
            mean = sum(takes[k] * fit[k] for k in chosen) / sum(takes[k] for k in chosen)
            return {k: fit[k] - mean for k in chosen}

        if not chosen:
            return {}, {}
        effect = against_mean(self.fit())
        without = {block: against_mean(self.fit(block)) for block in self.blocks}
        return effect, {k: {block: effect[k] - without[block][k] for block in self.blocks} for k in chosen}

    def sandwich(self, item_contrast):
        """The squared error of a contrast as in textbooks; blocks are clusters, and there is no correction."""
        fit, bread = self.fit(), np.linalg.pinv(self.design.T @ self.design, rcond=1e-9)
        residual = self.y - self.design @ fit
        asked = np.zeros(self.design.shape[1])
        asked[: self.items] = item_contrast
        total = 0.0
        for block in self.blocks:
            rows = ~self.rows(block)
            total += (asked @ bread @ self.design[rows].T @ residual[rows]) ** 2
        return total
