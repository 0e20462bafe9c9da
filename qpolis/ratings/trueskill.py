"""TrueSkill as the `trueskill` package computes it, some hundred times faster.

Every game is free for all, games count one after the other in plan order, and nothing is forgotten (tau 0). The
constants are those of the package's environment. The factor graph, the order of its messages, the rule when to
stop and even the approximation of erfc are the package's, so the numbers are too, up to the last bits;
`rate_by_package` is the package itself, with which `qpolis verify` checks them.

A bot may sit at several seats of a game. Then every copy plays with the bot's rating, and what the update of each
copy adds to the bot's precision and to its precision times mean is added up.
"""

from __future__ import annotations

import functools
import math
import warnings
from typing import NamedTuple

import numpy as np

from qpolis.engine.results import Results
from qpolis.kernel import kernel
from qpolis.ratings.standing import History

with warnings.catch_warnings():  # Python warns of an escape sequence when it first compiles this source
    warnings.simplefilter("ignore")
    import trueskill as package

TOLERANCE = 1e-6  # between the kernel and the package
ROUNDS = 10  # of messages up and down the ranking, at most
_PI, _TAU = 0, 1  # a Gaussian: precision, and precision times mean
# Rows of the graph. Player k is the one on rank k; difference k is the lead of player k over player k + 1.
_PLAYER, _DIFFERENCE = 0, 1
_TO_UPPER, _TO_LOWER = 2, 3  # messages of difference k to the players k and k + 1
_FROM_PLAYERS, _FROM_RESULT = 4, 5  # messages to difference k
_ROWS = 6
_ROOT2 = math.sqrt(2)
_PDF0 = 1 / math.sqrt(2 * math.pi)
_ALMOST1 = 1 - 1e-9


class Constants(NamedTuple):
    """The package's environment as kernels take it: an argument, because globals would be frozen into the code."""

    pi: float  # precision of a new player's skill
    tau: float  # the same times its mean
    beta2: float  # variance of a performance around the skill
    draw_margin: float  # a lead below this is a draw, for two players
    min_delta: float  # messages that change less than this are settled


@functools.cache
def environment() -> package.TrueSkill:
    """The package's own settings, but that nothing is forgotten from game to game."""
    return package.TrueSkill(tau=0)


@functools.cache
def constants() -> Constants:
    env = environment()
    margin = package.calc_draw_margin(env.draw_probability, 2, env)
    return Constants(env.sigma**-2, env.mu * env.sigma**-2, env.beta**2, margin, package.DELTA)


def rate(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """mu and sigma of every bot after all games."""
    end = _at(results, np.array([results.games]))
    return end.mu[0], end.sigma[0]


def history(results: Results, points: int = 200) -> History:
    """Ratings in the course of a run, from before the first game to after the last. The moments between are
    evenly spaced on a logarithmic scale, because ratings move most in the first games."""
    moments = np.array([0])
    if results.games:
        between = np.rint(np.geomspace(1, results.games, max(points - 1, 1)))
        moments = np.unique(np.concatenate([[0], between, [results.games]])).astype(np.int64)
    return _at(results, moments)


def _at(results: Results, moments: np.ndarray) -> History:
    shape = len(moments), len(results.bots)
    course = History(moments, np.empty(shape), np.empty(shape))
    _play(constants(), results.who, results.ranks, moments, course.mu, course.sigma)
    return course


def rate_by_package(results: Results, games: int) -> tuple[int, np.ndarray, np.ndarray]:
    """mu and sigma of every bot after the first `games` games, as the package itself finds them; fewer games, and
    how many, if it gives up before (where it meets a result it thought impossible)."""
    env = environment()
    bots = [env.create_rating() for _ in results.bots]
    games = min(games, results.games)
    for game in range(games):
        who = results.who[game].tolist()
        try:
            rated = env.rate([(bots[bot],) for bot in who], ranks=results.ranks[game].tolist())
        except FloatingPointError:
            games = game
            break
        before = list(bots)
        for bot in set(who):
            copies = [after for seat, (after,) in zip(who, rated) if seat == bot]
            pi = before[bot].pi + sum(after.pi - before[bot].pi for after in copies)
            tau = before[bot].tau + sum(after.tau - before[bot].tau for after in copies)
            bots[bot] = copies[0] if len(copies) == 1 else env.create_rating(tau / pi, math.sqrt(1 / pi))
    return games, np.array([bot.mu for bot in bots]), np.array([bot.sigma for bot in bots])


def differences(results: Results, games: int) -> tuple[int, list[str]]:
    """How many of the first `games` games the package rated, and in what its ratings are not the kernel's."""
    rated, *wanted = rate_by_package(results, games)
    course = _at(results, np.array([rated]))
    return rated, [
        f"{name} of {bot} after {rated:,} games is {mine:.6f}, the trueskill package says {theirs:.6f}"
        for name, here, there in zip(("mu", "sigma"), (course.mu[0], course.sigma[0]), wanted)
        for bot, mine, theirs in zip(results.bots, here, there)
        if not abs(mine - theirs) <= TOLERANCE
    ]


@kernel
def _play(constants, who, ranks, moments, mu, sigma):
    """Rate game after game; write down a row of mu and sigma at each of the moments."""
    bots = np.empty((mu.shape[1], 2))
    for bot in range(bots.shape[0]):
        bots[bot, _PI] = constants.pi
        bots[bot, _TAU] = constants.tau
    seats = who.shape[1]
    order = np.empty(seats, np.int64)
    gain = np.empty((seats, 2))
    graph = np.empty((_ROWS, seats, 2))
    game = 0
    for row in range(moments.shape[0]):
        while game < moments[row]:
            _sort(ranks[game], order)
            _infer(constants, bots, who[game], ranks[game], order, graph, gain)
            for k in range(seats):
                bot = who[game, order[k]]
                bots[bot, _PI] += gain[k, _PI]
                bots[bot, _TAU] += gain[k, _TAU]
            game += 1
        for bot in range(bots.shape[0]):
            mu[row, bot] = bots[bot, _TAU] / bots[bot, _PI]
            sigma[row, bot] = math.sqrt(1 / bots[bot, _PI])


@kernel
def _sort(ranks, order):
    """The seats by rank; those of one rank in the order of the table."""
    for seat in range(ranks.shape[0]):
        k = seat
        while k > 0 and ranks[order[k - 1]] > ranks[seat]:
            order[k] = order[k - 1]
            k -= 1
        order[k] = seat


@kernel
def _infer(constants, bots, who, ranks, order, graph, gain):
    """What one game adds to the precision, and precision times mean, of the player on each rank."""
    players = who.shape[0]
    last = players - 2  # of the differences
    for row in range(1, _ROWS):
        for k in range(players):
            graph[row, k, _PI] = 0
            graph[row, k, _TAU] = 0
    for k in range(players):
        pi = bots[who[order[k]], _PI]
        tau = bots[who[order[k]], _TAU]
        damp = 1 / (1 + constants.beta2 * pi)
        graph[_PLAYER, k, _PI] = damp * pi
        graph[_PLAYER, k, _TAU] = damp * tau
        gain[k, _PI] = damp * pi  # kept here: what the player brought
        gain[k, _TAU] = damp * tau

    if players == 2:  # a second round would change nothing
        _compare(constants, graph, 0, ranks[order[0]] == ranks[order[1]])
    else:
        for _ in range(ROUNDS):
            delta = 0.0
            for k in range(last):
                delta = max(delta, _compare(constants, graph, k, ranks[order[k]] == ranks[order[k + 1]]))
                _tell_lower(graph, k)
            for k in range(last, 0, -1):
                delta = max(delta, _compare(constants, graph, k, ranks[order[k]] == ranks[order[k + 1]]))
                _tell_upper(graph, k)
            if delta <= constants.min_delta:
                break
    _tell_upper(graph, 0)
    _tell_lower(graph, last)

    for k in range(players):
        pi = graph[_PLAYER, k, _PI] - gain[k, _PI]
        tau = graph[_PLAYER, k, _TAU] - gain[k, _TAU]
        damp = 1 / (1 + constants.beta2 * pi)
        gain[k, _PI] = damp * pi
        gain[k, _TAU] = damp * tau


@kernel
def _combine(pi_a, tau_a, pi_b, tau_b, sign):
    """The Gaussian of a + sign * b; one that knows nothing makes nothing known."""
    if pi_a == 0 or pi_b == 0:
        return 0.0, 0.0
    mean = tau_a / pi_a + sign * (tau_b / pi_b)
    pi = 1 / (1 / pi_a + 1 / pi_b)
    return pi, pi * mean


@kernel
def _replace(graph, variable, message, of, k, pi, tau):
    """Put a new message into the place of the old one, and into the variable that it is for."""
    graph[variable, of, _PI] = graph[variable, of, _PI] - graph[message, k, _PI] + pi
    graph[variable, of, _TAU] = graph[variable, of, _TAU] - graph[message, k, _TAU] + tau
    graph[message, k, _PI] = pi
    graph[message, k, _TAU] = tau


@kernel
def _tell_upper(graph, k):
    """Message of difference k to the player above it."""
    pi, tau = _combine(
        graph[_DIFFERENCE, k, _PI] - graph[_FROM_PLAYERS, k, _PI],
        graph[_DIFFERENCE, k, _TAU] - graph[_FROM_PLAYERS, k, _TAU],
        graph[_PLAYER, k + 1, _PI] - graph[_TO_LOWER, k, _PI],
        graph[_PLAYER, k + 1, _TAU] - graph[_TO_LOWER, k, _TAU],
        1.0,
    )
    _replace(graph, _PLAYER, _TO_UPPER, k, k, pi, tau)


@kernel
def _tell_lower(graph, k):
    """Message of difference k to the player below it."""
    pi, tau = _combine(
        graph[_PLAYER, k, _PI] - graph[_TO_UPPER, k, _PI],
        graph[_PLAYER, k, _TAU] - graph[_TO_UPPER, k, _TAU],
        graph[_DIFFERENCE, k, _PI] - graph[_FROM_PLAYERS, k, _PI],
        graph[_DIFFERENCE, k, _TAU] - graph[_FROM_PLAYERS, k, _TAU],
        -1.0,
    )
    _replace(graph, _PLAYER, _TO_LOWER, k + 1, k, pi, tau)


@kernel
def _compare(constants, graph, k, drawn):
    """Bring difference k up to date with its two players and with who was ahead; how much that changed it."""
    pi, tau = _combine(
        graph[_PLAYER, k, _PI] - graph[_TO_UPPER, k, _PI],
        graph[_PLAYER, k, _TAU] - graph[_TO_UPPER, k, _TAU],
        graph[_PLAYER, k + 1, _PI] - graph[_TO_LOWER, k, _PI],
        graph[_PLAYER, k + 1, _TAU] - graph[_TO_LOWER, k, _TAU],
        -1.0,
    )
    _replace(graph, _DIFFERENCE, _FROM_PLAYERS, k, k, pi, tau)
    old_pi = graph[_DIFFERENCE, k, _PI]
    old_tau = graph[_DIFFERENCE, k, _TAU]
    pi = old_pi - graph[_FROM_RESULT, k, _PI]
    tau = old_tau - graph[_FROM_RESULT, k, _TAU]
    root = math.sqrt(pi)
    if drawn:
        v, w = _drawn(tau / root, constants.draw_margin * root)
    else:
        v, w = _won(tau / root - constants.draw_margin * root)
    w = min(max(w, 0.0), _ALMOST1)  # the package gives up where rounding takes w out of its range
    new_pi = pi / (1 - w)
    new_tau = (tau + root * v) / (1 - w)
    graph[_FROM_RESULT, k, _PI] += new_pi - old_pi
    graph[_FROM_RESULT, k, _TAU] += new_tau - old_tau
    graph[_DIFFERENCE, k, _PI] = new_pi
    graph[_DIFFERENCE, k, _TAU] = new_tau
    return max(abs(new_tau - old_tau), math.sqrt(abs(new_pi - old_pi)))


@kernel
def _won(x):
    """By how much a win moves the mean of the lead and narrows its variance; x is the expected lead."""
    below = _cdf(x)
    v = _pdf(x) / below if below > 0 else -x
    return v, v * (v + x)


@kernel
def _drawn(lead, margin):
    """The same for a draw, a lead between -margin and margin."""
    a = margin - abs(lead)
    b = -margin - abs(lead)
    within = _cdf(a) - _cdf(b)
    if within <= 0:
        return (a if lead >= 0 else -a), 1.0
    pdf_a = _pdf(a)
    pdf_b = _pdf(b)
    v = (pdf_b - pdf_a) / within
    w = v * v + (a * pdf_a - b * pdf_b) / within
    return (v if lead >= 0 else -v), w


@kernel
def _pdf(x):
    return _PDF0 * math.exp(-(x * x / 2))


@kernel
def _cdf(x):
    """The normal distribution by a rational approximation of erfc, good to 7 digits: the package's."""
    z = abs(-x / _ROOT2)
    t = 1 / (1 + z / 2)
    series = -0.82215223 + t * 0.17087277
    series = 1.48851587 + t * series
    series = -1.13520398 + t * series
    series = 0.27886807 + t * series
    series = -0.18628806 + t * series
    series = 0.09678418 + t * series
    series = 0.37409196 + t * series
    series = 1.00002368 + t * series
    tail = t * math.exp(-z * z - 1.26551223 + t * series)
    return 0.5 * (2 - tail) if x > 0 else 0.5 * tail
