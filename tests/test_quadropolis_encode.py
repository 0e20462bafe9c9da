"""Observations of Quadropolis as numbers, in lockstep with a twin that reads observations as plain data."""

from __future__ import annotations

import random

import numpy as np
import pytest

import qpolis
from helpers.sizes import lengthened, sized
from naive.quadropolis_encode import encoded
from qpolis import space

VARIANTS = [
    {"players": players, "mode": mode, "mix": "playgrounds" if players == 3 else "base"}
    for players in (2, 3, 4)
    for mode in ("classic", "expert")
]


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "-".join(map(str, options.values())))
def test_numbers_are_those_of_the_twin(options):
    game = qpolis.load_game("quadropolis", **options)
    choices = random.Random(f"encode {options}")
    for seed in range(sized(lengthened(4), 4, 1)):
        state = game.new(seed)
        while True:
            for seat in range(game.players):
                assert np.array_equal(state.encode(seat), encoded(state.observe(seat)))
            if state.over:
                break
            state.apply(choices.choice(state.legal()))


def test_planes_can_be_taken_apart():
    game = qpolis.load_game("quadropolis", players=3)
    state = game.new(1)
    while state.record.held < 0:
        state.apply(state.legal()[0])
    planes = space.split(game.planes, state.encode(state.player))
    held = state.to_dict()["held"]
    assert planes["held type"].tolist().index(1) == game.categories.index(held["tile"]["type"])
    assert planes["held architect"].tolist().index(1) == held["architect"] - 1
    assert planes["site types"].shape == (6, 5, 5)
    assert planes["site types"].sum() == sum(tile is not None for tile in state.to_dict()["site"])
    assert planes["seats"][0].tolist() == [1, 0, 0]  # the one that looks is to move
