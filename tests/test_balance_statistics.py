"""Measures of balance, effects of items, tests: against slow twins and made-up games with known truths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from naive import balance as naive
from qpolis.balance import inference
from qpolis.balance.measure import COUNT, EFFECT, POINTS, SHARE, Measure, difference, ratio

SIGMAS = 4  # by how many standard deviations a simulated rate may miss: one seed in 16,000 does


def share(numerators, denominators=1.0):
    numerators = np.asarray(numerators, float)
    return ratio("seats", "seat 0 wins", SHARE, numerators, np.broadcast_to(denominators, numerators.shape))


def points(numerators, denominators=1.0):
    numerators = np.asarray(numerators, float)
    return ratio("scores", "mean", POINTS, numerators, np.broadcast_to(denominators, numerators.shape))


def effect(value, error, blocks=100):
    """A measure with this value and this standard error."""
    influence = np.where(np.arange(blocks) % 2 == 0, 1.0, -1.0) * error * math.sqrt(blocks - 1)
    return Measure("tiles", "effect", EFFECT, value, influence - influence.mean(), blocks)


def slack(rate, runs):
    """How far a simulated rate may be from the true one."""
    return SIGMAS * math.sqrt(rate * (1 - rate) / runs)


def inside(measure, truth, level=0.95):
    low, high = measure.interval(level)
    return low <= truth <= high


# --- measures


def test_a_ratio_is_that_of_the_sums_and_its_error_that_of_blocks_left_out():
    for number in range(300):
        rng = np.random.default_rng(number)
        blocks, equal = 2 + number % 40, number % 2
        below = np.full(blocks, 1.0 + number % 5) if equal else rng.integers(1, 9, blocks).astype(float)
        above = rng.normal(rng.normal(), 1, blocks) * below
        found = ratio("drama", "lead changes", COUNT, above, below)

        def naively(chosen, above=above, below=below):
            return sum(above[b] for b in chosen) / sum(below[b] for b in chosen)

        value, error, _ = naive.jackknife(naively, blocks)
        assert found.value == pytest.approx(value, rel=1e-10)
        assert found.influence.mean() == pytest.approx(0, abs=1e-10)
        assert found.blocks == blocks
        assert found.samples == below.sum()
        if equal:  # then it is a plain mean, and the jackknife is exact
            assert found.error == pytest.approx(naive.standard_error(above / below), rel=1e-9)
            assert found.error == pytest.approx(error, rel=1e-9)
        elif blocks > 20:
            assert found.error == pytest.approx(error, rel=0.15)


def test_a_ratio_s_error_is_the_jackknife_s_when_blocks_are_many():
    rng = np.random.default_rng(1)
    below = rng.integers(1, 9, 600).astype(float)
    above = below * rng.normal(3, 1, 600) + below**2
    _, error, _ = naive.jackknife(lambda chosen: above[chosen].sum() / below[chosen].sum(), 600)
    assert points(above, below).error == pytest.approx(error, rel=0.01)


def test_intervals_are_those_of_textbooks():
    for number in range(300):
        rng = np.random.default_rng(number)
        blocks, level = 2 + number % 30, (0.9, 0.95, 0.99)[number % 3]
        games = rng.integers(1, 6, blocks)
        won = rng.binomial(games, rng.uniform(0.05, 0.95))
        quantile = stats.t(blocks - 1).ppf((1 + level) / 2)
        found = share(won, games)
        worth = found.value * (1 - found.value) / found.error**2 if found.error else blocks
        expected = naive.wilson(found.value, worth, quantile)
        np.testing.assert_allclose(found.interval(level), expected, atol=1e-9)
        values = rng.standard_t(4, size=blocks)
        student = stats.t(naive.degrees(values), values.mean(), naive.standard_error(values))
        np.testing.assert_allclose(points(values).interval(level), student.interval(level), rtol=1e-7)


def test_games_that_are_blocks_of_their_own_are_worth_one_each():
    found = share([1, 0, 0, 1, 0, 0, 0, 1, 0, 0] * 50)
    assert found.worth == pytest.approx(500 - 1)
    low, high = found.interval()
    exact = stats.binomtest(150, 500).proportion_ci(method="wilson")
    np.testing.assert_allclose([low, high], [exact.low, exact.high], atol=4e-4)


def test_blocks_without_a_game_of_the_kind_are_no_evidence():
    """Neither for the error nor for how well the spread is known."""
    few, padded = points([1.0, 2, 4], 1), points([1.0, 2, 4] + 97 * [0], [1] * 3 + 97 * [0])
    assert padded.units == 3
    assert padded.error == pytest.approx(few.error)
    np.testing.assert_allclose(padded.interval(), few.interval())
    assert share([3, 0, 0, 3, 0], [3, 0, 0, 3, 0]).interval() == share([3, 3], 3).interval()
    assert difference(points(np.arange(100)), padded).units == 3


def test_blocks_that_agree_leave_a_doubt_about_shares():
    for blocks in (2, 10, 100):
        low, high = share(np.full(blocks, 4), 4).interval()
        assert high == 1
        assert 0.5 < (1 - low) / (1 - 0.025 ** (1 / blocks)) < 1.5  # Clopper and Pearson
        assert share(np.zeros(blocks), 4).interval()[1] == pytest.approx(1 - low)
    same = share([0.1, 0.3, 0.7], [0.3, 0.9, 2.1])
    assert same.error == 0  # though thirds are rounded
    assert same.worth == 3


def test_what_is_unknown_says_so():
    nothing = points([0.0, 0], [0, 0])
    assert math.isnan(nothing.value)
    assert math.isnan(nothing.error)
    assert np.isnan(nothing.interval()).all()
    assert np.isnan(share([0, 0], [0, 0]).interval()).all()
    one = points([3.0], 2)
    assert one.value == 1.5
    assert math.isnan(one.error)
    assert np.isnan(one.interval()).all()
    assert share([1], 2).interval() == (0, 1)
    assert math.isnan(inference.p_value(share([1], 2), 0.3))
    with pytest.raises(ValueError, match="numerator"):
        ratio("a", "b", SHARE, np.ones(3), np.ones(4))


def test_a_difference_is_paired_by_block():
    for number in range(200):
        rng = np.random.default_rng(number)
        blocks, games = 2 + number % 20, 1 + number % 4
        luck = rng.normal(0, 3, blocks)
        old, new = luck + rng.normal(size=blocks), luck + rng.normal(size=blocks)
        found = difference(points(old * games, games), points(new * games, games))
        assert found.value == pytest.approx((new - old).mean())
        assert found.error == pytest.approx(naive.standard_error(new - old))
        assert found.unit == POINTS
    assert difference(share([1, 0]), share([1, 1])).unit == EFFECT


def test_a_difference_of_equals_is_none():
    """Though their sums were rounded in another way."""
    rng = np.random.default_rng(1)
    old = rng.random(50)
    found = difference(share(old), share(old * 0.3, 0.3))
    assert found.value == found.error == 0


def test_only_what_was_played_on_the_same_deals_is_compared():
    with pytest.raises(ValueError, match="same deals"):
        difference(share([1, 0, 1]), share([1, 0]))
    with pytest.raises(ValueError, match="is not"):
        difference(share([1, 0]), points([1, 0]))


# --- tests


def test_p_values_are_those_of_textbooks():
    for number in range(300):
        rng = np.random.default_rng(number)
        values = rng.standard_t(3, size=3 + number % 30) + rng.normal(0, 0.5)
        found, bound, null = points(values), rng.uniform(0.1, 2), rng.normal()
        mean, error, degrees = values.mean(), naive.standard_error(values), naive.degrees(values)
        assert inference.p_value(found, null) == pytest.approx(naive.p_two_sided(mean - null, error, degrees))
        assert inference.p_value(found) == pytest.approx(naive.p_two_sided(mean, error, degrees))
        below = stats.t(degrees).cdf((mean - bound) / error)
        assert inference.p_at_most(found, bound) == pytest.approx(below)
        assert inference.p_at_least(found, bound) == pytest.approx(1 - below)
        for centre in (0, null):
            expected = naive.p_tost(mean - centre, error, degrees, bound)
            assert inference.p_equivalent(found, bound, centre) == pytest.approx(expected, abs=1e-12)


def test_a_test_rejects_what_is_outside_the_interval():
    for number in range(200):
        rng = np.random.default_rng(number)
        games = rng.integers(1, 5, 4 + number % 20)
        won = rng.binomial(games, rng.choice([0, 0.1, 0.5, 0.9]))
        for found in (share(won, games), points(won, games)):
            low, high = found.interval()
            for null in (low - 1e-6, low + 1e-6, high - 1e-6, high + 1e-6):
                if 0 < null < 1 and found.error_at(null):
                    assert (inference.p_value(found, null) < 0.05) == (not low <= null <= high)


def test_blocks_that_agree_say_as_much_as_their_number():
    """If effects were 2% on average, though none was seen, 2% of the blocks would have one."""
    few, many = effect(0.0, 0.0, 20), effect(0.0, 0.0, 400)
    assert inference.p_value(few) == inference.p_value(many) == 1
    assert inference.p_equivalent(few, 0.02) == pytest.approx(0.98**20)
    assert inference.p_equivalent(many, 0.02) == pytest.approx(0.98**400)
    some = effect(0.25, 0.0, 40)  # to be 0 on average, one in five blocks would have to be lost
    assert inference.p_value(some) == pytest.approx(2 * 0.8**40)
    assert inference.p_equivalent(some, 0.2) == 1
    assert inference.p_at_most(some, 0.5) == pytest.approx((2 / 3) ** 40)
    for found in (few, many, some, effect(-0.25, 0.0, 10), effect(1.0, 0.0, 10)):
        low, high = found.interval()
        assert inference.p_value(found, low - 1e-9) <= 0.05
        assert inference.p_value(found, low + 1e-9) > 0.05
        assert inference.p_value(found, high + 1e-9) <= 0.05


def test_blocks_that_agree_about_other_numbers():
    same = points([0.1 * 3] * 4)  # is not 0.3 by some rounding
    assert inference.p_value(same, 0.3) == 1
    assert inference.p_value(same, 0.2) == 2 / 2**4  # nothing bounds such numbers, but all are on one side
    assert np.isnan(same.interval()).all()
    assert points([3.0] * 6).interval() == (3, 3)
    unbeaten = share(np.full(10, 2), 2)
    assert inference.p_value(unbeaten, 0.9) > 0.2
    assert inference.p_value(unbeaten, 0.3) < 0.001
    assert inference.p_value(unbeaten, 0.0) == 0
    assert inference.p_value(unbeaten, 1.0) == 1
    assert inference.p_at_most(unbeaten, 1.2) == 0


def test_corrections_are_the_procedures():
    for number in range(400):
        rng = np.random.default_rng(number)
        p = rng.random(number % 12) ** 3
        p[rng.random(len(p)) < 0.15] = np.nan
        p = np.round(p, 2) if number % 3 == 0 else p  # with ties
        for level in (0.012345, 0.05, 0.234567, 0.5):
            assert (inference.holm(p) <= level).tolist() == naive.holm_rejects(p, level)
            assert (inference.benjamini_hochberg(p) <= level).tolist() == naive.hochberg_rejects(p, level)
        for corrected in (inference.holm(p), inference.benjamini_hochberg(p)):
            assert np.array_equal(np.isnan(corrected), np.isnan(p))
            known = corrected[~np.isnan(p)]
            assert (known <= 1).all()
            assert (known >= p[~np.isnan(p)]).all()
            assert (np.diff(known[np.argsort(p[~np.isnan(p)])]) >= 0).all()


def test_verdicts():
    measures = [
        effect(0.10, 0.01),
        effect(0.0, 0.001),
        effect(0.01, 0.001),
        effect(0.01, 0.02),
        effect(math.nan, 1.0),
    ]
    verdicts = inference.judge(measures, [0.03] * 5)
    assert [verdict.word for verdict in verdicts] == ["different", "equivalent", "small", "open", "open"]
    expected = inference.holm([inference.p_value(measure) for measure in measures])
    np.testing.assert_array_equal([verdict.different for verdict in verdicts], expected)
    assert [verdict.measure for verdict in verdicts] == measures
    alone = effect(0.021, 0.01)
    assert inference.judge([alone], [0.01])[0].word == "different"
    assert inference.judge([alone, effect(0.0, 0.01)], [0.01] * 2)[0].word == "open"  # one of two
    assert inference.judge([], []) == []
    with pytest.raises(ValueError, match="bounds"):
        inference.judge(measures, [0.03])


# --- known truths


def correlated(rng, p, runs, blocks, games, rho):
    """Wins by run and block; `rho` is the correlation of two games of a block."""
    chance = rng.beta(p * (1 - rho) / rho, (1 - p) * (1 - rho) / rho, (runs, blocks))
    return rng.binomial(games, chance)


@pytest.mark.parametrize(
    ("p", "blocks", "games", "rho"),
    [
        (0.5, 5, 4, 0.2),
        (0.5, 20, 4, 0.2),
        (0.5, 200, 24, 0.3),
        (0.25, 40, 4, 0.3),
        (0.05, 100, 4, 0.2),
        (0.05, 400, 24, 0.1),
        (0.98, 20, 2, 0.1),
        (0.98, 200, 4, 0.2),
    ],
)
def test_intervals_of_shares_cover_the_truth(p, blocks, games, rho):
    """And games taken for independent would not, where much is correlated."""
    runs = 1500
    wins = correlated(np.random.default_rng(11), p, runs, blocks, games, rho)
    found = [share(row, games) for row in wins]
    covered = np.mean([inside(measure, p) for measure in found])
    assert covered > 0.95 - slack(0.95, runs)
    width = np.mean([np.ptp(measure.interval()) for measure in found])
    least = 2 * 1.96 * math.sqrt(p * (1 - p) * (1 + (games - 1) * rho) / (blocks * games))
    expected_wins = blocks * games * min(p, 1 - p)
    if expected_wins > 10 and blocks >= 20:  # else a share cannot be known as well as that
        assert covered < 0.95 + slack(0.95, runs)
        assert 0.97 * least < width < 1.15 * least
    if games == 24 and rho == 0.3:
        naively = [naive.wilson(row.mean() / games, blocks * games, 1.96) for row in wins]
        assert np.mean([low <= p <= high for low, high in naively]) < 0.7


@pytest.mark.parametrize("blocks", [5, 20, 200])
def test_intervals_of_ratios_cover_the_truth(blocks):
    """Numbers by decision, where blocks with more decisions have others."""
    rng, runs = np.random.default_rng(12), 1500
    sizes, chances = np.array([20, 24, 30]), np.array([0.3, 0.4, 0.3])
    truth = chances @ (sizes * (sizes / 10)) / (chances @ sizes)
    below = rng.choice(sizes, (runs, blocks), p=chances)
    above = below * (below / 10 + rng.normal(0, 0.5, below.shape)) + np.sqrt(below) * rng.normal(size=below.shape)
    covered = np.mean([inside(points(n, d), truth) for n, d in zip(above, below)])
    assert abs(covered - 0.95) < slack(0.95, runs)


def twin_mixes(rng, runs, blocks, games, gain):
    """Wins under two mixes, by run and block, with the same deals and the same dice."""
    deal = rng.uniform(0.1, 0.8, (runs, blocks, 1))
    dice = rng.random((runs, blocks, games))
    return (dice < deal).sum(2), (dice < deal + gain).sum(2)


def test_differences_on_the_same_deals_are_sharper_and_cover():
    rng, runs, gain = np.random.default_rng(16), 1500, 0.05
    covered, sharper = [], []
    for old, new in zip(*twin_mixes(rng, runs, 60, 4, gain)):
        a, b = share(old, 4), share(new, 4)
        found = difference(a, b)
        covered.append(inside(found, gain))
        sharper.append(found.error / math.hypot(a.error, b.error))
    assert abs(np.mean(covered) - 0.95) < slack(0.95, runs)
    assert np.mean(sharper) < 0.5


def families(rng, runs, effects, blocks=30):
    """p-values (runs x effects) of means of blocks with these true effects, in standard deviations."""
    values = rng.normal(effects, 1, (runs, blocks, len(effects)))
    return np.array([[inference.p_value(points(column)) for column in run.T] for run in values])


def test_corrections_hold_their_level():
    rng, runs = np.random.default_rng(17), 600
    nothing = families(rng, runs, np.zeros(20))
    assert np.mean(nothing.min(1) < 0.05) > 0.5  # without correction
    for correct in (inference.holm, inference.benjamini_hochberg):
        wrong = np.mean([correct(p).min() < 0.05 for p in nothing])
        assert abs(wrong - 0.05) < slack(0.05, runs)  # tests are independent, so hardly less than 5%
    effects = np.repeat([0.0, 0.8], [20, 10])
    some = families(rng, runs, effects)
    claims = np.array([inference.holm(p) < 0.05 for p in some])
    assert np.mean(claims[:, :20].any(1)) < 0.05 + slack(0.05, runs)
    assert claims[:, 20:].mean() > 0.7
    bold = np.array([inference.benjamini_hochberg(p) < 0.05 for p in some])
    false = bold[:, :20].sum(1) / np.maximum(bold.sum(1), 1)
    assert abs(false.mean() - 0.05 * 20 / 30) < SIGMAS * false.std() / math.sqrt(runs)
    assert bold[:, 20:].mean() > claims[:, 20:].mean() + 0.1
    assert np.mean(bold[:, :20].any(1)) > 0.2  # it controls the share of wrong claims, not their absence


def other_dice(rng, runs, blocks, gain):
    """Wins under two mixes that have neither deals nor dice in common."""
    deal = rng.uniform(0.3, 0.6, (2, runs, blocks))
    return rng.binomial(4, deal[0]), rng.binomial(4, deal[1] + gain)


def claimed_equivalent(pairs, bound):
    """How often two mixes are said to differ by less than the bound."""
    return np.mean(
        [
            inference.p_equivalent(difference(share(old, 4), share(new, 4)), bound) <= 0.05
            for old, new in zip(*pairs)
        ]
    )


def test_equivalence_is_claimed_when_it_should_be():
    rng, runs, bound = np.random.default_rng(18), 800, 0.06
    assert claimed_equivalent(other_dice(rng, runs, 600, 0.0), bound) > 0.95  # equal, and enough blocks
    assert claimed_equivalent(other_dice(rng, runs, 60, 0.0), bound) < 0.3  # equal, but not enough
    for gain in (bound, -bound):
        wrong = claimed_equivalent(other_dice(rng, runs, 600, gain), bound)
        assert abs(wrong - 0.05) < slack(0.05, runs)
        assert claimed_equivalent(other_dice(rng, runs, 600, 2 * gain), bound) == 0


@pytest.mark.parametrize(("blocks", "often"), [(20, 0.02), (60, 0.03), (300, 0.01), (300, 0.03)])
def test_differences_in_few_blocks_are_not_overlooked(blocks, often):
    """Mixes that play alike but for rare blocks, which count in full. Were their errors taken as they come,
    equivalence at the bound would be claimed in 13% to 70% of the runs."""
    rng, runs = np.random.default_rng(19), 1500
    old = np.full((runs, blocks), 2)
    new = old + 2 * (rng.random(old.shape) < often)
    found = [difference(share(a, 4), share(b, 4)) for a, b in zip(old, new)]
    assert claimed_equivalent((old, new), often / 2) < 0.05 + slack(0.05, runs)
    assert np.mean([inside(measure, often / 2) for measure in found]) > 0.95 - slack(0.95, runs)
    careless = np.mean(
        [
            measure.error == 0 or stats.t(blocks - 1).cdf((measure.value - often / 2) / measure.error) <= 0.05
            for measure in found
        ]
    )
    assert careless > 0.1


def verdicts(rng, blocks, gain, bound):
    """How often two mixes with this true difference, on the same deals, are called what."""
    words = [
        inference.judge([difference(share(old, 4), share(new, 4))], [bound])[0].word
        for old, new in zip(*twin_mixes(rng, 200, blocks, 4, gain))
    ]
    return {word: words.count(word) / 200 for word in ("different", "equivalent", "small", "open")}


def test_verdicts_of_mixes_whose_difference_is_known():
    rng = np.random.default_rng(20)
    assert verdicts(rng, 300, 0.0, 0.02)["equivalent"] == 1
    assert verdicts(rng, 300, 0.1, 0.02)["different"] > 0.95
    assert verdicts(rng, 300, 0.02, 0.1)["small"] > 0.95
    few = verdicts(rng, 8, 0.03, 0.02)
    assert few["open"] > 0.9
    assert few["equivalent"] == few["small"] == 0
