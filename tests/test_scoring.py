"""The best assignment: the engine against enumeration, on tens of thousands of cities."""

from __future__ import annotations

import json
import random

import pytest

from helpers.cities import FLAVOURS, engine, random_city
from helpers.sizes import MODES, lengthened, sized
from naive.quadropolis_scoring import score
from qpolis.games.quadropolis import HARD_CITIES


def naive(*city):
    best = score(*city)
    return best["total"], best["inhabitants_on_buildings"], best["empty_squares"]


def check(mode, squares, inhabitants, energy):
    city = mode, squares, inhabitants, energy
    assert engine(*city) == naive(*city), (
        f"{mode} city {json.dumps(squares)} with {inhabitants} inhabitants and {energy} energy"
    )


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("mode", MODES)
def test_random_cities(mode, flavour):
    rng = random.Random(f"{mode} {flavour}")
    for _ in range(sized(lengthened(250), 200, 60)):
        check(mode, *random_city(rng, mode, flavour, 0, 12))


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("holds", [(0,), (2,), (0, 1), (0, 1, 3, 9)])
@pytest.mark.parametrize("flavour", ["any", "parks", "split offices"])
@pytest.mark.parametrize("mode", MODES)
def test_random_cities_whose_parks_hold_other_amounts(mode, flavour, holds):
    rng = random.Random(f"{mode} {flavour} {holds}")
    for _ in range(sized(lengthened(200), 50, 10)):
        check(mode, *random_city(rng, mode, flavour, 0, 12, holds))


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("mode", MODES)
def test_large_cities(mode, flavour):
    rng = random.Random(f"large {mode} {flavour}")
    for _ in range(sized(40, 10, 0)):
        check(mode, *random_city(rng, mode, flavour, 13, 16))


@pytest.mark.parametrize("rank", range(6))
def test_hard_cities(rank):
    city = json.loads(HARD_CITIES.read_text())[rank]
    check("expert", city["squares"], city["inhabitants"], city["energy"])


@pytest.mark.core
def test_an_empty_city_scores_its_penalties():
    assert engine("classic", [None] * 16, 0, 0) == (0, 0, 16)
    assert engine("expert", [None] * 20, 3, 2) == (-5, 0, 20)


def test_a_key_holds_the_largest_city():
    """The three parts of a key must not run into each other, whatever the city."""
    shops = [{"type": "shop", "floors": 1, "vp": 100}] * 20
    assert engine("expert", shops, 999, 999) == (2000 + 20 * 11 - 899 - 979, 100, 0)
    towers = [{"type": "tower", "floors": 5, "vp": 100}] * 20
    assert engine("expert", towers, 0, 20) == (20 * 115, 0, 0)
