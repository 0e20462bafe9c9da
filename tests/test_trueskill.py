"""TrueSkill's kernel against the `trueskill` package."""

from __future__ import annotations

import numpy as np
import pytest
import trueskill as package

from helpers.sizes import sized
from naive import ratings as naive
from qpolis.ratings import trueskill


def test_the_settings_are_the_packages():
    env = trueskill.environment()
    assert (
        (env.mu, env.sigma, env.beta, env.draw_probability)
        == (package.MU, package.SIGMA, package.BETA, package.DRAW_PROBABILITY)
        == (25, 25 / 3, 25 / 6, 0.1)
    )
    assert env.tau == 0
    constants = trueskill.constants()
    assert constants.draw_margin == pytest.approx(0.7404663754266132, rel=1e-12)
    assert constants.tau / constants.pi == pytest.approx(env.mu, rel=1e-15)


@pytest.mark.core
@pytest.mark.parametrize("ties", [0, 0.3, 1])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_ratings_are_the_packages(seats, ties):
    rng = np.random.default_rng(seats)
    for bots in (seats, 6):
        games = naive.simulate(rng, rng.normal(size=bots), seats, sized(120, 60, 12), seats, ties=ties)
        np.testing.assert_allclose(trueskill.rate(games), naive.rate(games), rtol=0, atol=1e-9)


@pytest.mark.parametrize("seats", [2, 4])
def test_ratings_stay_the_packages_over_thousands_of_games(seats):
    rng = np.random.default_rng(10 + seats)
    games = naive.simulate(rng, [1.5, 0.2, 0, -0.1, -2], seats, 3000 // seats, seats, ties=0.05)
    np.testing.assert_allclose(trueskill.rate(games), naive.rate(games), rtol=0, atol=1e-9)


@pytest.mark.core
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_copies_add_what_each_of_them_gains(seats):
    rng = np.random.default_rng(seats)
    for bots in (1, 2, 3):
        games = naive.simulate(rng, rng.normal(size=bots), seats, sized(30, 20, 4), seats, ties=0.2, copies=True)
        np.testing.assert_allclose(trueskill.rate(games), naive.rate(games), rtol=0, atol=1e-9)


def test_a_bot_that_wins_or_draws_forever_stays_finite():
    """Also where the package gives up: a favourite by far who loses."""
    games = 100_000
    who = np.tile([0, 1], (games, 1))
    for ranks in ([[0, 1]] * games, [[0, 0]] * games, [[0, 1]] * (games - 1) + [[1, 0]]):
        mu, sigma = trueskill.rate(naive.results(2, 2, who, np.arange(games), ranks, who))
        assert np.isfinite(mu).all()
        assert (sigma > 0).all()


@pytest.mark.core
def test_history_goes_from_the_start_to_the_end():
    rng = np.random.default_rng(1)
    games = naive.simulate(rng, [0.5, 0, -0.5, 1], 2, sized(400, 100, 20), 2, ties=0.1)
    course = trueskill.history(games, points=12)
    assert course.games[0] == 0
    assert course.games[-1] == games.games
    assert (np.diff(course.games) > 0).all()
    assert len(course.games) <= 12
    assert (course.mu[0] == 25).all()
    assert (course.mu[-1] == trueskill.rate(games)[0]).all()
    assert (course.sigma[-1] == trueskill.rate(games)[1]).all()
    some = len(course.games) // 2
    part = naive.results(
        4, 2, *(array[: course.games[some]] for array in (games.who, games.deals, games.ranks, games.points))
    )
    assert (course.mu[some] == trueskill.rate(part)[0]).all()


@pytest.mark.core
def test_no_games_leave_everybody_at_the_start():
    none = naive.results(3, 2, [], [], [], [])
    mu, sigma = trueskill.rate(none)
    assert (mu == 25).all()
    np.testing.assert_allclose(sigma, 25 / 3)
    course = trueskill.history(none)
    assert course.games.tolist() == [0]
    assert course.mu.shape == (1, 3)


@pytest.mark.parametrize("copies", [False, True])
def test_the_package_itself_rates_a_sample(copies):
    rng = np.random.default_rng(5)
    games = naive.simulate(rng, [0.5, 0, -0.5], 3, 20, 3, ties=0.2, copies=copies)
    for some in (0, 7, games.games, 1000):
        part = naive.results(
            3, 3, *(array[:some] for array in (games.who, games.deals, games.ranks, games.points))
        )
        rated, mu, sigma = trueskill.rate_by_package(games, some)
        assert rated == part.games
        np.testing.assert_allclose((mu, sigma), naive.rate(part), rtol=0, atol=1e-12)
        assert trueskill.differences(games, some) == (rated, [])


def test_a_kernel_that_rates_wrongly_is_found(monkeypatch):
    games = naive.simulate(np.random.default_rng(5), [0.5, 0, -0.5], 2, 20, 2)
    right = trueskill.constants()
    monkeypatch.setattr(trueskill, "constants", lambda: right._replace(beta2=right.beta2 * 1.0001))
    rated, problems = trueskill.differences(games, 10)
    assert rated == 10
    assert any(problem.startswith("mu of bot0 after 10 games is ") for problem in problems)


def test_the_sample_ends_where_the_package_gives_up():
    """A favourite by far who loses, in the last of these games."""
    games = 2000
    who = np.tile([0, 1], (games, 1))
    favourite = naive.results(2, 2, who, np.arange(games), [[0, 1]] * (games - 1) + [[1, 0]], who)
    rated, problems = trueskill.differences(favourite, games)
    assert rated in (games - 1, games)
    assert problems == []
