"""Strengths, intervals, crosstable and cycles: against slow twins, known truths and odd runs."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from helpers.sizes import sized
from naive import ratings as naive
from qpolis.ratings import bootstrap, choices, crosstable, cycles, strength
from qpolis.ratings import csv_tables as tables
from qpolis.ratings.rating import ratings
from qpolis.rng import stream

ALL = strength.VALUE | strength.INFORMATION


def fitted(games):
    return strength.fit(choices.collect(games))


def some_games(number):
    """A small run of the kind of its number: 2 to 4 seats, 1 to 6 bots, ties or not, copies or not."""
    rng = np.random.default_rng(number)
    seats, bots = 2 + number % 3, 1 + number // 3 % 6
    return naive.simulate(
        rng,
        rng.normal(size=bots),
        1 + number % 4,
        2 + number % 5,
        seats,
        seat=rng.normal(size=seats) / 2,
        ties=(0, 0.3, 1)[number % 7 % 3],
        copies=number % 2,
    )


def restored(games, order):
    return naive.results(
        len(games.bots), games.seats, games.who[order], games.deals, games.ranks[order], games.points[order]
    )


# --- the fit


@pytest.mark.core
def test_the_likelihood_is_that_of_all_orders():
    for number in range(sized(200, 100, 40)):
        games = some_games(number)
        bots, seats = len(games.bots), games.seats
        sums = choices.collect(games)
        at = np.random.default_rng(number).normal(size=bots + seats)
        at[:bots] -= at[:bots].mean()
        at[bots:] -= at[bots:].mean()
        virtual = strength.virtual_games(bots, seats)
        gradient, information = np.empty(len(at)), np.empty((len(at), len(at)))
        value = strength.derive(at, sums.members, sums.weight, sums.chosen, virtual, gradient, information, ALL)
        expected = (
            naive.log_likelihood(games, at[:bots], at[bots:])
            + naive.log_prior(at[:bots], virtual[:bots, :bots])
            + naive.log_prior(at[bots:], virtual[bots:, bots:])
        )
        assert value == pytest.approx(expected, rel=1e-10)


@pytest.mark.core
def test_gradient_and_information_are_the_derivatives():
    for number in range(sized(60, 30, 10)):
        sums = choices.collect(some_games(number))
        count, seats = len(sums.chosen), sums.members.shape[1]
        virtual = strength.virtual_games(count - seats, seats)
        at = np.random.default_rng(number).normal(size=count)

        def derive(x, sums=sums, virtual=virtual, count=count):
            slope, bend = np.empty(count), np.empty((count, count))
            value = strength.derive(x, sums.members, sums.weight, sums.chosen, virtual, slope, bend, ALL)
            return value, slope, np.tril(bend) + np.tril(bend, -1).T

        _, gradient, information = derive(at)
        for i in range(count):
            step = 1e-5 * (np.arange(count) == i)
            (up, gradient_up, _), (down, gradient_down, _) = derive(at + step), derive(at - step)
            assert (up - down) / 2e-5 == pytest.approx(gradient[i], abs=1e-5)
            np.testing.assert_allclose((gradient_down - gradient_up) / 2e-5, information[i], atol=1e-5)


@pytest.mark.core
def test_the_fit_is_that_of_a_general_method():
    for number in range(0, sized(120, 36, 18), 3 if sized(1, 0, 0) else 6):
        games = some_games(number)
        np.testing.assert_allclose(fitted(games), np.concatenate(naive.fit(games)), atol=2e-5)


def test_known_strengths_are_found_again():
    rng = np.random.default_rng(2)
    true, seat = np.array([1.0, 0.3, 0, -0.4, -0.9]), np.array([0.3, 0.1, -0.4])
    found = fitted(naive.simulate(rng, true, 3, 4000, 3, seat=seat))
    np.testing.assert_allclose(found, np.concatenate([true, seat]), atol=0.06)


def test_elo_is_the_usual_one():
    """Two bots with a share of 10 in 11 are 400 points apart, but for the virtual game."""
    ranks = ([[0, 1]] * 10 + [[1, 0]]) * 1000
    games = naive.results(
        2,
        2,
        [[0, 1], [1, 0]] * 11_000,
        np.arange(22_000) // 2,
        [row for rank in ranks for row in (rank, rank[::-1])],
        [[0, 0]] * 22_000,
    )
    assert ratings(games, 1, 10).difference.value[0, 1] == pytest.approx(400, abs=0.1)


def test_elo_does_not_depend_on_the_order():
    rng = np.random.default_rng(3)
    games = naive.simulate(rng, [1, 0.5, 0, -2], 3, 700, 3, ties=0.1, deal_spread=0.5)
    shuffled = restored(games, rng.permutation(games.games // 3).repeat(3) * 3 + np.tile(np.arange(3), 700))
    one, other = ratings(games, 1, 10), ratings(shuffled, 1, 10)
    np.testing.assert_allclose(one.elo.value, other.elo.value, atol=1e-6)
    np.testing.assert_allclose(one.seat_elo.value, other.seat_elo.value, atol=1e-6)


@pytest.mark.core
def test_groups_that_never_met_and_bots_that_won_all_are_finite():
    games = naive.results(
        4,
        2,
        [[0, 1], [1, 0], [2, 3], [3, 2]] * 10,
        np.arange(40) // 2,
        [[0, 1], [1, 0], [0, 1], [1, 0]] * 10,
        [[0, 0]] * 40,
    )
    found = fitted(games)[:4]
    np.testing.assert_allclose(found[[0, 1]], found[[2, 3]], atol=1e-6)
    assert 3 < found[0] - found[1] < 8


# --- the bootstrap


@pytest.mark.core
def test_a_replicate_is_a_fit_to_games_with_random_weights():
    for number in (4, 9, 14, 22)[: sized(4, 3, 2)]:
        games = some_games(number)
        bots = len(games.bots)
        sums = choices.collect(games)
        drawn = bootstrap.sample(games, sums, 5, 2)
        virtual = strength.virtual_games(bots, games.seats)
        scale = bootstrap.scales(games, drawn.fit)
        for row in range(2):
            rng = stream(5, row, 7001)
            times = [-math.log(bootstrap.uniform(rng)) for _ in np.unique(games.deals)]
            wins = np.zeros_like(virtual)
            bootstrap.draw_virtual(rng, virtual, np.maximum.outer(scale, scale), wins)
            twin = naive.fit(games, np.array(times)[games.deals], wins[:bots, :bots], wins[bots:, bots:])
            np.testing.assert_allclose(drawn.replicates[row], np.concatenate(twin), atol=1e-4)


def test_intervals_are_those_of_blocks_drawn_with_replacement():
    """The Bayesian bootstrap against the literal one; blocks with much in common, so that games alone would be
    wrong."""
    rng = np.random.default_rng(7)
    games = naive.simulate(rng, [0.6, 0.1, -0.5], 6, 150, 2, deal_spread=1)
    drawn = bootstrap.sample(games, choices.collect(games), 1)
    literal = np.array([fitted(naive.resample(rng, games)) for _ in range(400)])
    spread = drawn.replicates.std(0), literal.std(0)
    np.testing.assert_allclose(spread[0], spread[1], rtol=0.15)
    np.testing.assert_allclose(drawn.replicates.mean(0), literal.mean(0), atol=0.03)
    assert (bootstrap.scales(games, drawn.fit)[:3] > 1.5).all()


def test_cells_of_blocks_have_the_spread_of_blocks():
    games = naive.simulate(np.random.default_rng(8), [0.5, 0, -0.5], 2, 1000, 2, deal_spread=1)
    fine = bootstrap.sample(games, choices.collect(games), 1)
    coarse = bootstrap.sample(games, choices.collect(games, most=250), 1)
    np.testing.assert_allclose(fine.replicates.std(0), coarse.replicates.std(0), rtol=0.15)
    np.testing.assert_allclose(fine.fit, coarse.fit, atol=1e-9)


@pytest.mark.parametrize(
    ("true", "blocks", "each", "seats"),
    [([0.3, -0.3], 12, 2, 2), ([1.8, -1.8], 40, 2, 2), ([0.8, 0.2, 0, -1.0], 12, 4, 4)],
)
def test_intervals_cover_the_truth(true, blocks, each, seats):
    """Nominally 95%, in 120 runs with fixed seeds; few blocks, and one bot that nearly always wins."""
    rng = np.random.default_rng(9)
    truth = np.subtract.outer(true, true) * strength.ELO
    pairs = np.triu_indices(len(true), 1)
    inside = []
    for run in range(120):
        found = ratings(naive.simulate(rng, true, each, blocks, seats), run, 400).difference
        inside.append(((found.low <= truth) & (truth <= found.high))[pairs])
    assert 0.90 <= np.mean(inside) <= 1


def test_an_unbeaten_bot_has_an_honest_interval():
    """Its block-wise bound is that of Jeffreys, though no game shows any spread."""
    for blocks in (10, 100):
        games = naive.results(
            2,
            2,
            [[0, 1], [1, 0]] * blocks,
            np.arange(2 * blocks) // 2,
            [[0, 1], [1, 0]] * blocks,
            [[0, 0]] * 2 * blocks,
        )
        found = ratings(games, 3)
        low = 1 / (1 + 10 ** (-found.difference.low[0, 1] / 400))
        exact = stats.beta.ppf(0.025, blocks + 0.5, 0.5)
        assert 1 - low > 0.7 * (1 - exact)
        assert 1 - low < 2.5 * (1 - exact)
        assert found.difference.high[0, 1] > found.difference.value[0, 1] + 300
        assert 0.99 < found.better[0, 1] < 1


@pytest.mark.core
def test_random_weights_have_their_distributions():
    rng = stream(1, 2, 3)
    for shape in (0.01, 0.2, 0.5, 1.0):
        drawn = np.array([bootstrap.gamma(rng, shape) for _ in range(sized(20_000, 5000, 1000))])
        assert stats.kstest(drawn, stats.gamma(shape).cdf).pvalue > 1e-3
    drawn = np.array([bootstrap.uniform(rng) for _ in range(1000)])
    assert stats.kstest(drawn, "uniform").pvalue > 1e-3


@pytest.mark.core
def test_the_same_results_and_seed_give_the_same_numbers():
    games = some_games(13)
    one, again, other = ratings(games, 1, 5), ratings(games, 1, 5), ratings(games, 2, 5)
    assert tables.ratings_csv(one) == tables.ratings_csv(again)
    assert (one.elo.low == again.elo.low).all()
    assert (one.elo.low != other.elo.low).any()
    assert (one.elo.value == other.elo.value).all()


# --- the crosstable


@pytest.mark.core
def test_the_crosstable_is_that_of_a_loop_over_games():
    for number in range(sized(150, 80, 30)):
        games = some_games(number)
        totals = crosstable.tally(games)
        np.testing.assert_allclose(totals[:4], naive.totals(games), atol=1e-9)
        cross, twin = crosstable.crosstable(totals), naive.crosstable(games)
        for i, j in itertools.product(range(len(games.bots)), repeat=2):
            if (i, j) not in twin:
                assert cross.games[i, j] == 0
                assert np.isnan([cross.share.value[i, j], cross.margin.low[i, j]]).all()
                continue
            row = [getattr(cross, name)[i, j] for name in ("games", "wins", "draws")]
            row += [cross.share.value[i, j], cross.margin.value[i, j]]
            np.testing.assert_allclose(row, twin[i, j][:5], atol=1e-9)


@pytest.mark.core
def test_margins_have_students_interval_over_block_means():
    games = naive.simulate(np.random.default_rng(4), [0.5, 0], 2, 12, 2, deal_spread=1)
    means = naive.crosstable(games)[0, 1][5]
    low, high = stats.t.interval(0.95, 11, means[:, 1].mean(), stats.sem(means[:, 1]))
    margin = crosstable.crosstable(crosstable.tally(games)).margin
    np.testing.assert_allclose([margin.low[0, 1], margin.high[0, 1]], [low, high])
    np.testing.assert_allclose([margin.low[1, 0], margin.high[1, 0]], [-high, -low])


def test_shares_have_nearly_the_plain_interval_if_there_are_many_blocks():
    games = naive.simulate(np.random.default_rng(4), [0.5, 0], 2, 2000, 2, deal_spread=1)
    means = naive.crosstable(games)[0, 1][5][:, 0]
    share = crosstable.crosstable(crosstable.tally(games)).share
    found = share.value[0, 1], share.low[0, 1], share.high[0, 1]
    error = 1.96 * stats.sem(means)
    np.testing.assert_allclose(found, [means.mean(), means.mean() - error, means.mean() + error], atol=1e-3)


@pytest.mark.core
def test_shares_without_spread_have_an_honest_interval():
    for blocks in (1, 5, 100):
        won = naive.results(
            2,
            2,
            [[0, 1], [1, 0]] * blocks,
            np.arange(2 * blocks) // 2,
            [[0, 1], [1, 0]] * blocks,
            [[0, 0]] * 2 * blocks,
        )
        share = crosstable.crosstable(crosstable.tally(won)).share
        assert share.value[0, 1] == share.high[0, 1] == 1
        assert 1 - 7 / blocks < share.low[0, 1] <= stats.beta.ppf(0.025, blocks, 1)  # Clopper and Pearson


def test_shares_and_seats_cover_the_truth():
    rng = np.random.default_rng(11)
    inside = []
    for _ in range(200):
        games = naive.simulate(rng, [0.6, -0.6], 2, 10, 2, seat=[0.4, -0.4])
        totals = crosstable.tally(games)
        share, seats = crosstable.crosstable(totals).share, crosstable.seat_wins(totals)
        first, second = 1 / (1 + math.exp(-2)), 1 / (1 + math.exp(-0.4))  # at either seat
        inside.append(share.low[0, 1] <= (first + second) / 2 <= share.high[0, 1])
        inside.append(seats.low[0] <= (first + 1 - second) / 2 <= seats.high[0])
    assert np.mean(inside) >= 0.93


# --- cycles


def pairings(shares, blocks):
    """Blocks of two games for all pairs; the row wins a share of both games of a block."""
    rng = np.random.default_rng(12)
    bots = len(shares)
    who, ranks = [], []
    for _ in range(blocks):
        for i, j in itertools.combinations(range(bots), 2):
            for sitting in ([i, j], [j, i]):
                winner = i if rng.random() < shares[i][j] else j
                who.append(sitting)
                ranks.append([int(bot != winner) for bot in sitting])
    return naive.results(bots, 2, who, np.arange(len(who)) // 2, ranks, np.zeros_like(who))


@pytest.mark.core
def test_a_circle_is_found():
    shares = np.full((5, 5), 0.5)
    for winner, loser in ((1, 3), (3, 4), (4, 1), (0, 1), (0, 3), (0, 4), (1, 2), (3, 2), (4, 2), (0, 2)):
        shares[winner, loser], shares[loser, winner] = 0.85, 0.15
    games = pairings(shares, sized(60, 60, 60))
    assert cycles.find_cycles(crosstable.tally(games)) == ((1, 3, 4),)


def test_no_circle_is_invented():
    equal = np.full((12, 12), 0.5)
    assert cycles.find_cycles(crosstable.tally(pairings(equal, 80))) == ()
    ordered = 1 / (1 + np.exp(0.15 * np.subtract.outer(np.arange(8), np.arange(8))))
    assert cycles.find_cycles(crosstable.tally(pairings(ordered, 100))) == ()


def test_the_shortest_circle_of_each_group_is_told():
    beats = np.zeros((9, 9), bool)
    for i, j in ((0, 1), (1, 2), (2, 3), (3, 0), (2, 0), (5, 7), (7, 6), (6, 5), (3, 5), (8, 0)):
        beats[i, j] = True
    groups = cycles._groups(beats)
    assert groups == [[0, 1, 2, 3], [5, 6, 7]]
    assert [cycles._shortest(beats, group) for group in groups] == [(0, 1, 2), (5, 7, 6)]


# --- everything together


def odd_runs():
    yield "no games", naive.results(3, 2, [], [], [], [])
    yield "one game", naive.results(2, 2, [[0, 1]], [0], [[0, 1]], [[9, 8]])
    yield "one bot", naive.results(1, 3, [[0, 0, 0]] * 4, [0, 0, 1, 1], [[0, 1, 2]] * 4, [[3, 2, 1]] * 4)
    yield "one absent", naive.results(4, 2, [[3, 1], [1, 3]] * 3, np.arange(6) // 2, [[0, 1]] * 6, [[9, 8]] * 6)
    for seats in (2, 3, 4):
        who = [np.roll(np.arange(seats), k) for k in range(seats)] * 3
        deals, same, seat = np.arange(len(who)) // seats, np.zeros_like(who), [np.arange(seats)] * len(who)
        yield f"all drawn, {seats} seats", naive.results(seats, seats, who, deals, same, same)
        yield f"seat 0 wins, {seats} seats", naive.results(seats, seats, who, deals, seat, same)
        yield f"bot 0 wins, {seats} seats", naive.results(seats, seats, who, deals, who, who)


@pytest.mark.core
@pytest.mark.parametrize("games", [pytest.param(games, id=name) for name, games in odd_runs()])
def test_odd_runs_have_ratings(games):
    found = ratings(games, 1, sized(200, 50, 5))
    played = found.games > 0
    for estimate in (found.elo, found.difference):
        known = np.isfinite(estimate.value)
        assert (known == (played if known.ndim == 1 else np.logical_and.outer(played, played))).all()
        assert (estimate.low[known] <= estimate.value[known]).all()
        assert (estimate.value[known] <= estimate.high[known]).all()
    assert ((found.better[played][:, played] > 0) & (found.better[played][:, played] < 1)).all()
    assert np.isfinite(found.seat_elo.low).all() == bool(games.games)
    for text in (tables.ratings_csv(found), tables.crosstable_csv(found), tables.seats_csv(found)):
        assert "nan" not in text
        assert "inf" not in text
        assert len({line.count(",") for line in text.splitlines()}) == 1


def test_fifty_bots_have_ratings():
    games = naive.simulate(np.random.default_rng(1), np.linspace(-1, 1, 50), 4, 300, 4)
    found = ratings(games, 1, 100)
    assert np.corrcoef(found.elo.value, np.arange(50))[0, 1] > 0.9
    assert not found.cycles


RATINGS = """\
bot,games,wins,place,points,elo,elo_low,elo_high,mu,sigma,conservative
bot0,4,3.50,1.1250,12.250,127.50,-231.06,888.28,28.5947,4.7653,14.2988
bot1,4,0.50,1.8750,8.750,-127.50,-888.28,231.06,21.4053,4.7653,7.1094
bot2,0,0.00,,,,,,25.0000,8.3333,0.0000
"""
CROSSTABLE = """\
bot,opponent,games,wins,draws,losses,share,share_low,share_high,margin,margin_low,margin_high,elo,elo_low,elo_high,better
bot0,bot1,4,3.00,1.00,0.00,0.87500,0.09888,1.00000,3.500,-2.853,9.853,254.99,-462.12,1776.56,0.87562
bot1,bot0,4,0.00,1.00,3.00,0.12500,0.00000,0.90112,-3.500,-9.853,2.853,-254.99,-1776.56,462.12,0.12438
"""
SEATS = """\
seat,games,wins,wins_low,wins_high,elo,elo_low,elo_high
0,4,0.37500,0.00000,0.94833,-50.83,-776.84,295.93
1,4,0.62500,0.05167,1.00000,50.83,-295.93,776.84
"""


def test_tables_are_golden():
    games = naive.results(
        3,
        2,
        [[0, 1], [1, 0], [0, 1], [1, 0]],
        [0, 0, 1, 1],
        [[0, 1], [1, 0], [0, 0], [1, 0]],
        [[12, 9], [8, 13], [10, 10], [8, 14]],
    )
    found = ratings(games, 1)
    assert tables.ratings_csv(found) == RATINGS
    assert tables.crosstable_csv(found) == CROSSTABLE
    assert tables.seats_csv(found) == SEATS
