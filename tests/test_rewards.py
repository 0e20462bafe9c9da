"""What a finished game pays."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from qpolis.environments.rewards import REWARD, pay, rewards_of

pytestmark = pytest.mark.core


@pytest.mark.parametrize(
    ("ranks", "rewards"),
    [
        ([0, 1], [1, -1]),
        ([0, 0], [0, 0]),
        ([2, 0, 1], [-1, 1, 0]),
        ([0, 0, 2], [0.5, 0.5, -1]),
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        ([0, 3, 1, 1], [1, -1, 0, 0]),
    ],
)
def test_places_pay_in_equal_steps_and_equals_share(ranks, rewards):
    assert rewards_of(ranks) == pytest.approx(rewards)


def test_rewards_of_all_seats_add_up_to_zero():
    for keys in itertools.product(range(4), repeat=4):
        rewards = rewards_of([sum(other > key for other in keys) for key in keys])
        assert sum(rewards) == pytest.approx(0, abs=1e-9)
        paid = np.empty(4, REWARD)
        pay(np.array(keys), paid)
        assert paid == pytest.approx(rewards)
