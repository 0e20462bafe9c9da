"""Slow, obvious twins of the ratings."""

from __future__ import annotations

import itertools
import math

import numpy as np
import trueskill
from scipy.optimize import minimize

from qpolis.engine.results import Results


def simulate(rng, strength, games_by_block, blocks, seats, seat=None, ties=0.0, copies=False, deal_spread=0.0):
    """Made-up results: strengths on the scale of log-odds, with a chance of drawn neighbours. Each block has a
    lineup in `games_by_block` rotated seatings, and moves the bots' strengths by `deal_spread`."""
    bots = len(strength)
    seat = np.zeros(seats) if seat is None else np.asarray(seat)
    who, deals, ranks, points = [], [], [], []
    for block in range(blocks):
        lineup = rng.choice(bots, seats, replace=copies or bots < seats)
        day = np.asarray(strength) + deal_spread * rng.normal(size=bots)
        for k in range(games_by_block):
            sitting = np.roll(lineup, k)
            value = day[sitting] + seat + rng.gumbel(size=seats)
            score = np.rint(50 + 4 * value).astype(int)
            order = np.argsort(-value)
            place = np.zeros(seats, int)
            for i in range(1, seats):
                place[order[i]] = place[order[i - 1]] if rng.random() < ties else i
            who.append(sitting)
            deals.append(block)
            ranks.append(place)
            points.append(score)
    return results(bots, seats, who, deals, ranks, points)


def results(bots, seats, who, deals, ranks, points) -> Results:
    def shaped(rows, kind):
        return np.array(rows, kind).reshape(-1, seats)

    names = tuple(f"bot{i}" for i in range(bots))
    return Results(
        bots=names,
        who=shaped(who, np.int16),
        deals=np.array(deals, np.int64),
        points=shaped(points, np.int32),
        ranks=shaped(ranks, np.int8),
        decisions=np.zeros((len(who), seats), np.int32),
        ends=np.zeros(len(who), np.int8),
    )


def rate(res: Results):
    """The package, game by game. Copies of a bot add what each of them gains."""
    env = trueskill.TrueSkill(mu=25, sigma=25 / 3, beta=25 / 6, tau=0, draw_probability=0.10)
    bots = [env.create_rating() for _ in res.bots]
    for who, ranks in zip(res.who, res.ranks):
        rated = env.rate([(bots[i],) for i in who], ranks=list(map(int, ranks)))
        for i in set(map(int, who)):
            new = [after for k, (after,) in zip(who, rated) if k == i]
            if len(new) == 1:
                bots[i] = new[0]
            else:
                pi = bots[i].pi + sum(r.pi - bots[i].pi for r in new)
                tau = bots[i].tau + sum(r.tau - bots[i].tau for r in new)
                bots[i] = env.create_rating(tau / pi, math.sqrt(1 / pi))
    return np.array([b.mu for b in bots]), np.array([b.sigma for b in bots])


def log_likelihood(res: Results, theta, phi, weights=None):
    """Plackett-Luce by enumerating the orders that a result stands for."""
    total = 0.0
    for game, (who, ranks) in enumerate(zip(res.who, res.ranks)):
        strength = [theta[bot] + phi[seat] for seat, bot in enumerate(who)]
        orders = [
            o
            for o in itertools.permutations(range(len(who)))
            if all(ranks[a] <= ranks[b] for a, b in itertools.pairwise(o))
        ]
        logs = []
        for order in orders:
            logs.append(
                sum(
                    strength[seat] - np.logaddexp.reduce([strength[s] for s in order[k:]])
                    for k, seat in enumerate(order)
                )
            )
        total += (1 if weights is None else weights[game]) * sum(logs) / len(logs)
    return total


def log_prior(values, wins):
    """Virtual games between two bots, or two seats; wins[i, j] of i over j."""
    return sum(
        -wins[i, j] * np.logaddexp(0, values[j] - values[i])
        for i in range(len(values))
        for j in range(len(values))
        if i != j
    )


def fit(res: Results, weights=None, bot_wins=None, seat_wins=None):
    """Maximum likelihood by a general method that knows no derivatives."""
    bots, seats = len(res.bots), res.seats

    def drawn(n):
        return np.full((n, n), 0.5 / max(n - 1, 1))

    bot_wins = drawn(bots) if bot_wins is None else bot_wins
    seat_wins = drawn(seats) if seat_wins is None else seat_wins

    def cost(x):
        theta, phi = x[:bots] - x[:bots].mean(), x[bots:] - x[bots:].mean()
        return -(
            log_likelihood(res, theta, phi, weights) + log_prior(theta, bot_wins) + log_prior(phi, seat_wins)
        ) + (x[:bots].mean() ** 2 + x[bots:].mean() ** 2)

    x = minimize(cost, np.zeros(bots + seats), method="BFGS", options={"gtol": 1e-6}).x
    return x[:bots] - x[:bots].mean(), x[bots:] - x[bots:].mean()


def crosstable(res: Results):
    """For every ordered pair of bots: games, wins, draws, share, margin; and block means of the last two."""
    bots = len(res.bots)
    table = {}
    for i, j in itertools.permutations(range(bots), 2):
        games = wins = draws = share = margin = 0.0
        blocks: dict[int, list[tuple[float, float]]] = {}
        for who, ranks, points, deal in zip(res.who, res.ranks, res.points, res.deals):
            met = [(a, b) for a in range(res.seats) for b in range(res.seats) if who[a] == i and who[b] == j]
            if not met:
                continue
            won = sum(ranks[a] < ranks[b] for a, b in met) / len(met)
            level = sum(ranks[a] == ranks[b] for a, b in met) / len(met)
            ahead = sum(int(points[a]) - int(points[b]) for a, b in met) / len(met)
            games, wins, draws = games + 1, wins + won, draws + level
            share, margin = share + won + level / 2, margin + ahead
            blocks.setdefault(int(deal), []).append((won + level / 2, ahead))
        if games:
            means = np.array([np.mean(rows, axis=0) for rows in blocks.values()])
            table[i, j] = games, wins, draws, share / games, margin / games, means
    return table


def totals(res: Results):
    """By bot: games, first places, mean place, mean points."""
    rows = []
    for bot in range(len(res.bots)):
        games, wins, places, points = 0, 0.0, [], []
        for who, ranks, score in zip(res.who, res.ranks, res.points):
            games += bot in who
            for seat in np.flatnonzero(who == bot):
                level = [s for s in range(res.seats) if ranks[s] == ranks[seat]]
                better = sum(rank < ranks[seat] for rank in ranks)
                wins += 1 / len(level) if not better else 0
                places.append(np.mean([better + 1 + k for k in range(len(level))]))
                points.append(score[seat])
        rows.append((games, wins, np.mean(places) if places else np.nan, np.mean(points) if points else np.nan))
    return np.array(rows, float).reshape(-1, 4).T


def resample(rng, res: Results) -> Results:
    """Whole blocks drawn with replacement, one after the other."""
    blocks = [np.flatnonzero(res.deals == deal) for deal in np.unique(res.deals)]
    drawn = [blocks[k] for k in rng.integers(len(blocks), size=len(blocks))]
    games = np.concatenate(drawn)
    deals = np.repeat(np.arange(len(drawn)), [len(d) for d in drawn])
    return Results(
        bots=res.bots,
        who=res.who[games],
        deals=deals,
        points=res.points[games],
        ranks=res.ranks[games],
        decisions=res.decisions[games],
        ends=res.ends[games],
    )
