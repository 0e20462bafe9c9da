"""The sequential test: exact against a plain twin, blind to how blocks are cut, and as reliable as it says."""

from __future__ import annotations

import math

import numpy as np
import pytest

from helpers.sizes import sized
from naive import sprt as naive
from qpolis.engine.results import Results
from qpolis.errors import QpolisError
from qpolis.ratings import sprt
from qpolis.ratings.sprt import Hypotheses, Verdict, block_scores, elo_of, expected_score

SEATINGS = {
    2: [[(0, 1)]],
    3: [[(0, 0, 1)], [(0, 1, 1)], [(0, 0, 1), (0, 1, 1)]],
    4: [[(0, 0, 1, 1)], [(0, 1, 0, 1)]],
}  # of a block, by the number of seats


def random_counts(rng, sizes=(2, 4, 12, 32), most=4.0):
    """Counts of block scores: from one block to thousands, from all equal to all different."""
    denominator = int(rng.choice(sizes))
    blocks = int(10 ** rng.uniform(0, most))
    counts = rng.multinomial(blocks, rng.dirichlet(np.full(denominator + 1, 10 ** rng.uniform(-2, 1))))
    if rng.random() < 0.2:
        counts[:] = 0
        counts[rng.integers(denominator + 1)] = blocks
    return counts, np.arange(denominator + 1) / denominator


def random_means(rng, width=300):
    return [expected_score(elo) for elo in np.sort(rng.uniform(-width, width, 2))]


@pytest.mark.core
def test_the_ratio_is_that_of_the_twin():
    rng = np.random.default_rng(1)
    for _ in range(sized(500, 100, 100)):
        counts, scores = random_counts(rng)
        t0, t1 = random_means(rng, rng.choice([5, 50, 1000]))
        expected = naive.llr(counts, scores, t0, t1)
        assert sprt.llr(counts, scores, t0, t1) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_the_ratio_is_the_best_that_distributions_can_reach():
    """Without the formula for the best distribution."""
    rng = np.random.default_rng(2)
    for _ in range(100):
        counts, scores = random_counts(rng, sizes=(2, 4, 6), most=1.7)
        t0, t1 = random_means(rng)
        best = [naive.likelihood_on_the_simplex(counts, scores, mean) for mean in (t0, t1)]
        assert sprt.llr(counts, scores, t0, t1) == pytest.approx(best[1] - best[0], rel=1e-5, abs=1e-5)


@pytest.mark.core
def test_a_block_says_only_so_much():
    """At most log(t1 / t0) for H1 and log((1 - t0) / (1 - t1)) for H0: no decision after a few odd blocks."""
    rng = np.random.default_rng(3)
    for _ in range(sized(500, 100, 100)):
        counts, scores = random_counts(rng)
        t0, t1 = random_means(rng)
        worth = counts.sum() + 2 * sprt.UNSEEN
        found = sprt.llr(counts, scores, t0, t1)
        assert -worth * math.log((1 - t0) / (1 - t1)) - 1e-9 <= found <= worth * math.log(t1 / t0) + 1e-9


@pytest.mark.core
def test_the_ratio_reads_the_same_from_the_other_side():
    rng = np.random.default_rng(4)
    for _ in range(50):
        counts, scores = random_counts(rng)
        t0, t1 = random_means(rng)
        mirrored = -sprt.llr(counts[::-1].copy(), scores, 1 - t1, 1 - t0)
        assert sprt.llr(counts, scores, t0, t1) == pytest.approx(mirrored, rel=1e-9, abs=1e-9)


@pytest.mark.core
def test_the_course_of_a_test_is_that_of_the_twin():
    rng = np.random.default_rng(5)
    verdicts = set()
    for _ in range(sized(60, 20, 12)):
        denominator = int(rng.choice([2, 4, 12]))
        elo0, width = rng.uniform(-100, 100), rng.uniform(30, 300)
        hypotheses = Hypotheses(elo0, elo0 + width, *rng.uniform(0.01, 0.3, 2))
        numerators = rng.binomial(
            denominator, expected_score(elo0 + rng.uniform(-0.5, 1.5) * width), rng.integers(1, 80)
        )
        if rng.random() < 0.2:
            numerators[:] = rng.integers(denominator + 1)
        test = sprt.Test(hypotheses, denominator, 2)
        decided = test.feed(numerators)
        verdict, used, ratio = naive.run(
            numerators, denominator, *(getattr(hypotheses, name) for name in ("elo0", "elo1", "alpha", "beta"))
        )
        assert (test.verdict, test.blocks) == (verdict, used)
        assert decided == (verdict is not None)
        assert test.llr == pytest.approx(ratio, rel=1e-9, abs=1e-9)
        assert test.counts.tolist() == np.bincount(numerators[:used], minlength=denominator + 1).tolist()
        verdicts.add(verdict)
    assert verdicts == {None, "H0", "H1"}


@pytest.mark.core
def test_chunks_do_not_matter():
    rng = np.random.default_rng(6)
    for case in range(sized(40, 20, 6)):
        numerators = rng.binomial(12, 0.5 + 0.02 * (case % 3), 400)
        whole, parts = (sprt.Test(Hypotheses(0, 30), 12, 6) for _ in range(2))
        whole.feed(numerators)
        cuts = np.sort(rng.integers(0, 401, rng.integers(1, 60)))
        said = [parts.feed(chunk) for chunk in np.split(numerators, cuts)]
        assert said == sorted(said)
        assert said[-1] == (whole.verdict is not None)
        assert (whole.verdict, whole.blocks) == (parts.verdict, parts.blocks)
        assert whole.llr == parts.llr  # to the last bit
        assert whole.counts.tolist() == parts.counts.tolist()
        assert whole.line() == parts.line()


@pytest.mark.core
@pytest.mark.parametrize("denominator", [4, 32])
@pytest.mark.parametrize("share", [0, 0.5, 1])
def test_equal_blocks_do_not_decide_at_once(denominator, share):
    """Two bots that play alike draw every block: that is H0, but not after the first one."""
    test = sprt.Test(Hypotheses(0, 50), denominator, 2)
    assert not test.feed([int(share * denominator)] * 15)
    assert test.feed([int(share * denominator)] * 15)
    assert test.verdict == (Verdict.H1 if share == 1 else Verdict.H0)


def results(who, ranks, deals, bots=("new", "old")):
    nothing = np.zeros((len(who), np.shape(who)[-1]), np.int32)
    return Results(
        bots=bots,
        who=np.array(who, np.int16),
        deals=np.array(deals),
        points=nothing,
        ranks=np.array(ranks, np.int8),
        decisions=nothing,
        ends=nothing.astype(np.int8),
    )


@pytest.mark.core
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_block_scores_are_those_of_the_twin(seats):
    rng = np.random.default_rng(seats)
    for seatings in SEATINGS[seats]:
        block = [np.roll(seating, turn) for seating in seatings for turn in range(seats)]
        who = np.array(block * 40)
        points = rng.integers(0, 4, who.shape)  # many ties
        ranks = (points[:, None, :] > points[:, :, None]).sum(axis=2)
        deals = np.repeat(np.cumsum(rng.integers(1, 3, 40)), len(block))
        numerators, denominator = block_scores(results(who, ranks, deals))
        expected = naive.block_scores(who.tolist(), ranks.tolist(), deals.tolist())
        assert numerators.dtype == np.int64
        assert numerators.tolist() == [halves for halves, _ in expected]
        assert {2 * number for _, number in expected} == {denominator}
        assert len(set(numerators.tolist())) > 2


@pytest.mark.parametrize(
    ("who", "deals", "bots", "message"),
    [
        ([[0, 1], [1, 0], [0, 1]], [0, 0, 1], ("a", "b"), "equally many comparisons"),
        ([[0, 0], [0, 0]], [0, 1], ("a", "b"), "equally many comparisons"),
        ([[0, 1], [1, 2]], [0, 1], ("a", "b", "c"), "between two bots, not 3"),
        (np.zeros((0, 2)), [], ("a", "b"), "at least one block"),
    ],
)
def test_runs_that_are_no_test(who, deals, bots, message):
    with pytest.raises(QpolisError, match=message):
        block_scores(results(who, np.zeros(np.shape(who)), deals, bots))


@pytest.mark.parametrize(
    "text",
    [
        "elo0=0,elo1=10",
        "elo0=-5,elo1=0.5,alpha=0.01",
        "elo0=0,elo1=10,beta=0.1",
        "elo0=-12.25,elo1=1e-05,alpha=0.2,beta=0.3",
    ],
)
def test_texts_and_hypotheses(text):
    assert Hypotheses.parse(text).text() == text


def test_one_text_for_all_ways_to_write_it():
    text = " beta=0.0500, elo1=+1e1,elo0=-0 ,alpha=.05"
    assert Hypotheses.parse(text) == Hypotheses(0, 10)
    assert Hypotheses.parse(text).text() == "elo0=0,elo1=10"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("elo0=0,elo2=10", "'elo2', did you mean 'elo1' or 'elo0'? (known: alpha, beta, elo0, elo1)"),
        ("elo0=0,elo1=ten", "elo1 is not a number: 'ten'"),
        ("elo0=0,elo1=nan", "elo1 is not a number: 'nan'"),
        ("elo0=0,elo1=inf", "elo1 is not a number: 'inf'"),
        ("elo0=0,elo1=1e999", "elo1=inf: must be a finite number"),
        ("elo0=0,elo1=1_0", "elo1 is not a number: '1_0'"),
        ("elo0=0,elo1=", "elo1 is not a number: ''"),
        ("elo0=10,elo1=10", "elo0=10 must be below elo1=10"),
        ("elo0=10,elo1=0", "elo0=10 must be below elo1=0"),
        ("elo0=0,elo1=10,alpha=0", "alpha=0: must be above 0 and below 0.5"),
        ("elo0=0,elo1=10,beta=0.5", "beta=0.5: must be above 0 and below 0.5"),
        ("elo0=0,elo1=1000.5", "elo1=1000.5: must be from -1000 to 1000"),
        ("elo0=0,elo1=10,elo0=1", "elo0 is given twice"),
        ("elo0=0", "elo1 is missing"),
        ("alpha=0.05,elo1=3", "elo0 is missing"),
        ("", "'' is not of the form KEY=NUMBER"),
        ("elo0=0,,elo1=10", "'' is not of the form KEY=NUMBER"),
    ],
)
def test_texts_that_are_no_hypotheses(text, message):
    with pytest.raises(QpolisError) as error:
        Hypotheses.parse(text)
    assert message in str(error.value)
    assert repr(text) in str(error.value)


def test_numbers_that_are_no_hypotheses():
    with pytest.raises(QpolisError, match="finite"):
        Hypotheses(0, math.nan)


def test_bounds_are_walds():
    bounds = Hypotheses(0, 10, alpha=0.05, beta=0.1)
    assert bounds.lower == pytest.approx(math.log(0.1 / 0.95))
    assert bounds.upper == pytest.approx(math.log(0.9 / 0.05))


@pytest.mark.parametrize("bad", [[5], [-1], [0.5], [2, 7]])
def test_scores_that_no_block_has(bad):
    test = sprt.Test(Hypotheses(0, 10), 4, 2)
    with pytest.raises(ValueError, match="whole numbers from 0 to 4"):
        test.feed(bad)
    assert test.blocks == 0


def test_blocks_after_the_decision_are_ignored():
    test = sprt.Test(Hypotheses(0, 50), 4, 2)
    assert not test.feed([])
    assert test.feed([4] * 100)
    before = test.blocks, test.llr, test.line()
    assert test.feed([0] * 1000)
    assert (test.blocks, test.llr, test.line()) == before
    assert test.games == 2 * test.blocks
    assert test.expected_blocks_left() == 0


def test_lines():
    test = sprt.Test(Hypotheses(0, 10), 4, 2)
    assert test.line() == "LLR 0.00 (-2.94, 2.94), about 10,000 games left"
    test.feed([4, 2, 2])
    assert test.line() == "LLR 0.08 (-2.94, 2.94), about 9,000 games left"
    test.feed([4] * 200)
    assert test.line() == "LLR 2.95 (-2.94, 2.94), H1 accepted (elo 10) after 208 games"


@pytest.mark.parametrize(
    ("drift", "variance", "at"),
    [(0.0, 0.02, 0.5), (0.03, 0.02, -1.0), (-0.01, 0.05, 0.0), (1e-6, 0.02, 0.5), (-2.0, 0.1, 1.0)],
)
def test_the_time_until_a_walk_leaves(drift, variance, at):
    """By solving for all places at once: the time from one is a step and the mean of the times from both sides."""
    lower, upper, places = -2.0, 3.0, 1001
    width = (upper - lower) / (places - 1)
    grid = lower + width * np.arange(1, places - 1)
    rise = math.exp(drift * width / variance)  # chances and steps of a walk on a fine grid
    up, down = np.eye(places - 2, k=1) * rise, np.eye(places - 2, k=-1) / rise
    matrix = np.eye(places - 2) - (up + down) / (rise + 1 / rise)
    times = np.linalg.solve(matrix, np.full(places - 2, width**2 / variance))
    expected = np.interp(at, grid, times)
    assert sprt.exit_time(at, lower, upper, drift, variance) == pytest.approx(expected, rel=0.01)


def test_what_is_left_is_about_right():
    """Halfway between the hypotheses, where the start expects the test to be; and it shrinks to nothing."""
    rng = np.random.default_rng(7)
    used, foretold, remaining = [], [], []
    for _ in range(200):
        test = sprt.Test(Hypotheses(0, 40), 4, 2)
        numerators = rng.binomial(4, expected_score(20), 20000)  # a larger variance than that of the first guess
        test.feed(numerators[:100])
        at, left = test.blocks, test.expected_blocks_left()
        assert test.feed(numerators)
        used.append(test.blocks)
        foretold.append(left)
        remaining.append(test.blocks - at)
    start = sprt.Test(Hypotheses(0, 40), 4, 2).expected_blocks_left()
    assert 0.3 * start < np.mean(used) < 2 * start
    assert 0.6 < np.mean(foretold) / np.mean(remaining) < 1.6


@pytest.mark.core
def test_elo_and_its_interval():
    test = sprt.Test(Hypotheses(-900, 900, alpha=1e-9, beta=1e-9), 4, 2)
    assert np.isnan([test.elo().value, test.elo().low, test.elo().high]).all()
    rng = np.random.default_rng(8)
    numerators = rng.choice(5, 400, p=[0.1, 0.2, 0.3, 0.25, 0.15])
    test.counts[:] = np.bincount(numerators)  # without a decision in between
    test.blocks = 400
    mean, error = numerators.mean() / 4, numerators.std() / 4 / 20
    found = test.elo()
    assert found.value == pytest.approx(elo_of(mean))
    assert found.low == pytest.approx(elo_of(mean - 1.96 * error), abs=0.5)
    assert found.high == pytest.approx(elo_of(mean + 1.96 * error), abs=0.5)
    for end in (found.low, found.high):
        scores = np.arange(5) / 4
        best = naive.likelihood(test.counts, scores, mean)
        assert best - naive.likelihood(test.counts, scores, expected_score(end)) == pytest.approx(1.92, abs=0.01)


@pytest.mark.core
def test_elo_of_blocks_that_are_all_equal():
    for numerator, value, low, high in (
        (4, math.inf, 397.8, math.inf),
        (2, 0, -32.0, 32.0),
        (0, -math.inf, -math.inf, -397.8),
    ):
        test = sprt.Test(Hypotheses(0, 10), 4, 2)
        test.feed([numerator] * 20)
        found = test.elo()
        assert [found.value, found.low, found.high] == pytest.approx([value, low, high], abs=0.1)


def test_elo_and_score_are_inverse():
    for elo in (-1000, -3.5, 0, 10, 400, 1000):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)
    assert expected_score(400) == pytest.approx(10 / 11)


@pytest.mark.parametrize("truth", [0, 40])
def test_errors_are_as_rare_as_promised(truth):
    """1000 tests at 5%: benchmarks/sprt_errors.py measures it well."""
    rng = np.random.default_rng(9)
    chances = np.array([1, 3, 10, 3, 1]) / 18  # of block scores; tilted to the right mean
    scores = np.arange(5) / 4
    strength = np.linspace(-2, 2, 40001)[:, None]
    tilted = chances * np.exp(strength * scores)
    tilted /= tilted.sum(axis=1, keepdims=True)
    chances = tilted[np.abs(tilted @ scores - expected_score(truth)).argmin()]
    wrong = 0
    for _ in range(1000):
        test = sprt.Test(Hypotheses(0, 40), 4, 2)
        while not test.feed(rng.choice(5, 200, p=chances)):
            pass
        wrong += test.verdict == (Verdict.H1 if truth == 0 else Verdict.H0)
    assert 20 <= wrong <= 80
