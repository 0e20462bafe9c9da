"""Targets of a search: their texts, how far measures are from them, and when they are met or missed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from helpers.made_up_traces import invent
from qpolis.balance.measure import COUNT, EFFECT, POINTS, SHARE, Measure, ratio
from qpolis.balance.measures import all_measures
from qpolis.balance.targets import AT_LEAST, AT_MOST, TARGET_KINDS, WITHIN, Target, advantage, loss
from qpolis.errors import QpolisError

BLOCKS = 100
ABOUT = {
    "seats": ("seats", "seat 0 wins", SHARE),
    "kinds": ("effects", "park", EFFECT),
    "margin": ("scores", "winning margin", POINTS),
    "close": ("scores", "won by 5 points or less", SHARE),
    "changes": ("drama", "lead changes", COUNT),
    "trailed": ("drama", "winner trailed at half-time", SHARE),
}


def measure(target, value, error):
    """A measure that a target is about, with this value and this standard error; a seat's is its advantage."""
    group, name, unit = ABOUT[target]
    influence = np.where(np.arange(BLOCKS) % 2 == 0, 1.0, -1.0) * error * math.sqrt(BLOCKS - 1)
    return Measure(group, name, EFFECT if target == "seats" else unit, value, influence, BLOCKS)


def wins(shares, blocks=50):
    """The shares of seats in games of which a block has ten."""
    return [
        ratio(
            "seats",
            f"seat {seat} wins",
            SHARE,
            np.full(blocks, 10 * share) + np.arange(blocks) % 2 - 0.5,
            np.full(blocks, 10.0),
        )
        for seat, share in enumerate(shares)
    ]


# --- texts --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["seats=2", "kinds=3.5", "margin=0", "close=100", "changes=1.25", "trailed=1000"])
def test_texts_are_read_and_written(text):
    target = Target.parse(text)
    assert target.text() == text
    assert target == Target.parse(target.text())
    assert target.limit == target.bound / (1 if target.name in ("margin", "changes") else 100)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("seat=2", "unknown target 'seat', did you mean 'seats'?"),
        ("", "unknown target ''"),
        ("=2", "unknown target ''"),
        ("Seats=2", "unknown target 'Seats', did you mean 'seats'?"),
        ("seats\n=2", r"unknown target 'seats\n'"),
        ("seats", "target 'seats' is not of the form seats=NUMBER"),
        ("seats=", "is not of the form seats=NUMBER, with a number from 0 to 1000"),
        ("seats=two", "is not of the form seats=NUMBER"),
        ("seats=2%", "is not of the form"),
        ("seats=-1", "is not of the form"),
        ("seats=1001", "is not of the form"),
        ("seats=nan", "is not of the form"),
        ("seats=inf", "is not of the form"),
        ("margin=5=6", "target 'margin=5=6' is not of the form margin=NUMBER"),
        ("margin=\n", "is not of the form"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(text, words):
    with pytest.raises(QpolisError) as caught:
        Target.parse(text)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_unknown_targets_are_told_the_known_ones():
    with pytest.raises(QpolisError, match="known: changes, close, kinds, margin, seats, trailed"):
        Target.parse("fun=3")


# --- what they are about ------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(3))
def test_every_target_is_about_some_measures(number):
    games = invent(number)
    measures = all_measures(games)
    counts = {name: len(Target.parse(f"{name}=1").about(measures)) for name in TARGET_KINDS}
    assert counts == {
        "seats": games.results.seats,
        "kinds": len(games.game.categories),
        "margin": 1,
        "close": 1,
        "changes": 1,
        "trailed": 1,
    }


def test_unknown_measures_do_not_count():
    unknown = replace_value(measure("margin", 3, 1), math.nan)
    assert Target.parse("margin=5").about([unknown]) == []
    assert loss([Target.parse("margin=5")], [[unknown], []]) == 0


def replace_value(one, value):
    return Measure(one.group, one.name, one.unit, value, one.influence, one.samples, one.measured)


@pytest.mark.parametrize("shares", [(0.53, 0.47), (0.3, 0.36, 0.34), (0.25, 0.2, 0.3, 0.25)])
def test_seats_are_measured_from_an_equal_share(shares):
    found = Target.parse("seats=2").about(wins(shares))
    for seat, (one, share) in enumerate(zip(found, shares, strict=True)):
        right = wins(shares)[seat]
        assert (one.name, one.unit) == (f"seat {seat} advantage", EFFECT)
        assert one.value == pytest.approx(share - 1 / len(shares))
        assert one.error == right.error
        assert (one.samples, one.units) == (right.samples, right.units)
    worst = max(abs(share - 1 / len(shares)) for share in shares)
    assert loss([Target.parse("seats=2")], [wins(shares)]) == pytest.approx(
        max(worst - 0.02 + 2 * found[0].error, 0) / 0.01
    )


def test_an_advantage_keeps_what_is_known():
    one = advantage(Measure("seats", "seat 2 wins", SHARE, 0.4, np.arange(5.0), 7, 4), 4)
    assert one.value == pytest.approx(0.15)
    assert (one.group, one.name, one.samples, one.units) == ("seats", "seat 2 advantage", 7, 4)


# --- distances ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value", "errors", "steps"),
    [
        ("seats=2", 0.05, 0.0, 3),
        ("seats=2", -0.05, 0.01, 4),
        ("seats=2", 0.01, 0.005, 0),
        ("seats=2", 0.02, 0.01, 1),
        ("kinds=3", -0.07, 0.0, 2),
        ("kinds=3", 0.0, 0.01, 0),
        ("margin=5", 6.0, 0.5, 3),
        ("margin=5", -9.0, 0.5, 0),
        ("margin=5", 4.8, 0.5, 0.6),
        ("close=40", 0.3, 0.02, 6),
        ("close=40", 0.45, 0.02, 0),
        ("changes=2", 1.5, 0.1, 6),
        ("changes=2", 2.5, 0.1, 0),
        ("trailed=25", 0.25, 0.02, 1),
    ],
)
def test_distances_count_steps_and_two_standard_errors(text, value, errors, steps):
    target = Target.parse(text)
    assert target.distance(measure(target.name, value, errors / 2)) == pytest.approx(steps, abs=1e-9)


def test_without_an_error_the_value_is_all():
    one = Measure("scores", "winning margin", POINTS, 7.0, np.zeros(1), 1)
    assert math.isnan(one.error)
    assert Target.parse("margin=5").distance(one) == pytest.approx(4)


def test_a_loss_adds_the_worst_of_each_target():
    targets = [Target.parse("margin=5"), Target.parse("kinds=3")]
    low = [measure("margin", 6, 0), measure("kinds", 0.05, 0), measure("kinds", -0.09, 0)]
    high = [measure("margin", 8, 0), measure("kinds", 0.0, 0)]
    assert loss(targets, iter([low, high])) == pytest.approx(6 + 3)
    assert loss(targets, [high]) == pytest.approx(6)
    assert loss([], [low]) == 0


# --- met and missed -----------------------------------------------------------------------------------


def sure(target, one):
    """p-values of being on the right and on the wrong side, as in textbooks."""
    value, limit, sense = one.value, target.limit, target.kind.sense
    error = one.error
    if one.unit == SHARE:  # as large as it would be at the limit
        error *= math.sqrt(limit * (1 - limit) / (value * (1 - value)))
    below, above = (stats.t(one.degrees).cdf((value - bound) / error) for bound in (limit, -limit))
    if sense != WITHIN:
        return (below, 1 - below) if sense == AT_MOST else (1 - below, below)
    # Missed: how probable a number as far from 0 as this one, if the truth is at the limit.
    distribution = stats.t(one.degrees)
    far = distribution.sf((abs(value) - limit) / error) + distribution.sf((abs(value) + limit) / error)
    return max(below, 1 - above), min(far, 1)


@pytest.mark.parametrize(
    "text", ["seats=2", "seats=0", "kinds=3", "margin=5", "close=40", "changes=2", "trailed=25"]
)
def test_p_values_are_those_of_textbooks(text):
    target = Target.parse(text)
    rng = np.random.default_rng(1)
    for _ in range(100):
        error = target.kind.step * rng.uniform(0.2, 2)
        value = target.limit + 3 * error * rng.normal()
        one = measure(target.name, -value if target.kind.sense == WITHIN and rng.random() < 0.5 else value, error)
        met, missed = sure(target, one)
        assert target.p_met(one) == pytest.approx(met, abs=1e-9)
        assert target.p_missed(one) == pytest.approx(missed, abs=1e-9)
        assert max(target.p_met(one), target.p_missed(one)) > 0.4


@pytest.mark.parametrize("text", ["seats=0", "seats=0.5", "seats=2"])
def test_a_target_that_is_just_met_is_seldom_called_missed(text):
    """However small the bound: a seat may be too good or too bad, which are two chances to err."""
    target = Target.parse(text)
    z = np.random.default_rng(2).normal(target.limit, 0.01, 4000)
    often = np.mean([target.p_missed(measure("seats", value, 0.01)) <= 0.05 for value in z])
    assert often < 0.05 + 4 * math.sqrt(0.05 * 0.95 / 4000)


def test_an_unknown_error_says_nothing():
    for name, (group, told, unit) in ABOUT.items():
        one = Measure(group, told, EFFECT if name == "seats" else unit, 0.1, np.zeros(1), 1)
        target = Target.parse(f"{name}=1")
        assert math.isnan(target.p_met(one))
        assert math.isnan(target.p_missed(one))


def test_help_says_which_side():
    for aim in TARGET_KINDS.values():
        assert {
            WITHIN: "further" in aim.help or "at most" in aim.help,
            AT_MOST: "at most" in aim.help,
            AT_LEAST: "at least" in aim.help,
        }[aim.sense]
