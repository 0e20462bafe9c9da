"""Effects of items: against full designs with blocks left out, and games in which items decide as is known."""

from __future__ import annotations

import math

import numpy as np
import pytest

from naive import balance as naive
from qpolis.balance import inference, regression
from qpolis.balance.measure import EFFECT
from qpolis.balance.regression import Takes, adjusted_effects

SIGMAS = 4  # by how many standard deviations a simulated mean may miss: one seed in 16,000 does


def some_takes(number):
    """A small run of the kind of its number: 1 to 4 seats, unequal blocks, rare items, items that go together."""
    rng = np.random.default_rng(number)
    seats, items, blocks = (2, 3, 2, 4, 1)[number % 17 % 5], 2 + number % 5, 2 + number % 7
    block = rng.permutation(np.repeat(np.arange(blocks), rng.integers(0 if number % 3 else 1, 4, blocks)))
    games = len(block)
    game, seat = (axis.ravel() for axis in np.mgrid[:games, :seats])
    each = (1, 2, 4)[number % 3]
    item = rng.choice(items, (games * seats, each), p=rng.dirichlet(np.full(items, 1 + number % 2)))
    if number % 5 == 0 and items > 3:
        item[:, 0], item[:, -1] = items - 1, np.where(item[:, -1] == items - 1, 0, item[:, -1])  # one for all
    rows = [np.repeat(game, each), np.repeat(seat, each), item.ravel()]
    if number % 4 == 0:  # items 0 and 1 are always taken together
        both = rows[2] == 0
        rows = [np.concatenate([one[rows[2] != 1], one[both]]) for one in rows[:2]] + [
            np.concatenate([rows[2][rows[2] != 1], np.ones(both.sum(), int)])
        ]
    if number % 6 == 1:
        keep = rng.random(len(rows[0])) < 0.8  # seats do not take equally many
        rows = [one[keep] for one in rows]
    controls = np.broadcast_to(np.eye(seats), (games, seats, seats))[:, :, : number % 3 and seats]
    win = rng.random((games, seats))
    order = rng.permutation(len(rows[0]))
    return win, Takes(*(one[order] for one in rows)), items, controls, block, blocks


def test_effects_are_those_of_dummies_and_of_blocks_left_out():
    known = unknown = 0
    for number in range(300):
        win, takes, items, controls, block, blocks = some_takes(number)
        found = adjusted_effects(win, takes, items, controls, block, blocks)
        twin = naive.Regression(win, takes, items, controls, block)
        effects, moves = twin.effects()
        assert set(np.flatnonzero(~np.isnan(found.value)).tolist()) == set(effects), number
        known, unknown = known + len(effects), unknown + items - len(effects)
        for k, value in effects.items():
            assert found.value[k] == pytest.approx(value, abs=1e-7)
            units = len(twin.varies_in(k))
            assert found.units[k] == units
            for b in range(blocks):
                expected = blocks * (units - 1) / units * moves[k].get(b, 0)
                assert found.influence[k, b] == pytest.approx(expected, abs=1e-6)
        assert (found.influence[np.isnan(found.value)] == 0).all()
        np.testing.assert_array_equal(found.takes, np.bincount(takes.item, minlength=items))
    assert known > 300
    assert unknown > 300


def test_memory_is_bounded_by_parts(monkeypatch):
    """The same numbers, whether all rows are held at once or those of one block."""
    for number in range(20):
        games = some_takes(number)
        whole = adjusted_effects(*games)
        with monkeypatch.context() as patch:
            patch.setattr(regression, "_CHUNK", 1)
            for one, other in zip(whole, adjusted_effects(*games)):
                np.testing.assert_allclose(one, other, atol=1e-9)


def test_errors_are_cluster_robust():
    """With many blocks, those of the sandwich."""
    rng = np.random.default_rng(5)
    win, takes, block = linear_games(rng, np.zeros(6), 150, 2, 2, sway=0.2)
    found = adjusted_effects(win, takes, 6, None, block, 150)
    twin = naive.Regression(win, takes, 6, np.zeros((len(win), 2, 0)), block)
    for k, measure in enumerate(found.measures("tiles", [f"tile {k}" for k in range(6)])):
        contrast = (np.arange(6) == k) - found.takes / found.takes.sum()
        assert measure.error == pytest.approx(math.sqrt(twin.sandwich(contrast)), rel=0.08)
        assert (measure.group, measure.name, measure.unit) == ("tiles", f"tile {k}", EFFECT)
        assert measure.samples == found.takes[k]


def test_effects_of_no_games_are_unknown():
    nobody = Takes(*(np.zeros(0, np.int64) for _ in range(3)))
    for games, items in ((0, 3), (2, 3), (2, 0)):
        found = adjusted_effects(np.zeros((games, 2)), nobody, items, None, np.arange(games), 2)
        assert found.value.shape == (items,)
        assert np.isnan(found.value).all()
        assert found.influence.shape == (items, 2)


def linear_games(rng, true, blocks, size, seats, each=5, sway=0.0):
    """Games that items decide as the model says. A block has a pool of items, which seats share out in each of its
    games; neighbouring items go to the same seat; and a seat may be lucky in all games of a block."""
    items = len(true)
    first = rng.choice(items, (blocks, 1, seats, each), p=rng.dirichlet(np.full(items, 5.0)))
    pool = np.broadcast_to(first, (blocks, size, seats, each)).copy()
    pool[..., each // 2 :] = (pool[..., : each - each // 2] + 1) % items
    mixed = rng.permuted(pool.reshape(blocks * size, -1), axis=1).reshape(pool.shape)
    item = np.where(rng.random(pool.shape[:2])[..., None, None] < 0.5, pool[:, :, rng.permutation(seats)], mixed)
    item = item.reshape(blocks * size, seats, each)
    luck = np.repeat(rng.uniform(-sway, sway, (blocks, seats)), size, axis=0)
    chance = true[item].sum(2) + luck
    chance += 1 / seats - chance.mean(1, keepdims=True)
    assert chance.min() >= 0
    winner = (rng.random((len(chance), 1)) > np.cumsum(chance, 1)).sum(1).clip(0, seats - 1)
    game, seat, _ = np.indices(item.shape)
    takes = Takes(game.ravel(), seat.ravel(), item.ravel())
    return np.eye(seats)[winner], takes, np.repeat(np.arange(blocks), size)


def against_mean(true, found):
    """The true effects as they are told: against the mean of the items that were compared."""
    weight = np.where(np.isnan(found.value), 0, found.takes)
    return true - true @ weight / weight.sum()


@pytest.mark.parametrize(("blocks", "size", "seats", "items"), [(12, 2, 2, 4), (60, 2, 4, 8), (40, 4, 2, 20)])
def test_intervals_of_effects_cover_the_truth(blocks, size, seats, items):
    """Few blocks, tiles that go together, seats that are lucky throughout a block, many tiles for the games."""
    rng, runs = np.random.default_rng(13), 250
    true = np.linspace(-0.01, 0.01, items)
    covered, missed = [], []
    for _ in range(runs):
        win, takes, block = linear_games(rng, true, blocks, size, seats, sway=0.12)
        found = adjusted_effects(win, takes, items, None, block, blocks)
        measures = found.measures("tiles", [""] * items)
        truth = against_mean(true, found)
        low, high = np.array([measure.interval() for measure in measures]).T
        known = ~np.isnan(found.value)
        covered.append(np.mean(((low <= truth) & (truth <= high))[known]))
        missed.append(found.value - truth)
    spread = SIGMAS * np.std(covered) / math.sqrt(runs)  # effects of one run go together
    assert 0.95 - spread < np.mean(covered) < 0.975 + spread  # the jackknife is rather too careful
    z = np.nanmean(missed, 0) / np.nanstd(missed, 0) * math.sqrt(runs)
    assert np.abs(z).max() < SIGMAS


def test_known_effects_are_found_again():
    rng = np.random.default_rng(14)
    true = np.array([0.03, 0.01, 0.0, -0.01, -0.03])
    win, takes, block = linear_games(rng, true, 4000, 2, 4)
    controls = np.broadcast_to(np.eye(4), (8000, 4, 4))
    found = adjusted_effects(win, takes, 5, controls, block, 4000)
    for measure, right in zip(found.measures("tiles", "abcde"), against_mean(true, found)):
        assert abs(measure.value - right) < SIGMAS * measure.error
        assert measure.error < 0.005


def test_controls_take_away_what_is_not_the_items():
    """A good bot likes item 0, which is worth nothing."""
    rng = np.random.default_rng(15)
    games = 6000
    bot = np.where(rng.random(games) < 0.5, 0, 1)
    good = np.stack([bot == 0, bot == 1], 1)
    item = np.where(rng.random((games, 2)) < np.where(good, 0.8, 0.3), 0, 1)
    win = np.eye(2)[np.where(rng.random(games) < 0.7, bot, 1 - bot)]
    takes = Takes(np.repeat(np.arange(games), 2), np.tile([0, 1], games), item.ravel())
    block = np.arange(games) // 2
    blind = adjusted_effects(win, takes, 2, None, block, games // 2).measures("tiles", "ab")[0]
    found = adjusted_effects(win, takes, 2, good[:, :, None], block, games // 2).measures("tiles", "ab")[0]
    assert inference.p_value(blind) < 1e-6
    assert inference.p_value(found) > 0.01
    assert abs(found.value) < 0.03
