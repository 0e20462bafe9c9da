"""The numbered decisions of qpolis/games/quadropolis/RULES.md from 27 on."""

from __future__ import annotations

import random
from collections import Counter

import pytest

import qpolis
from helpers.cities import engine
from naive.pictures import draw
from qpolis.games.quadropolis.layout import OPEN, POSITIONS, SITE, TURNS
from qpolis.games.quadropolis.mix import load_mix
from qpolis.games.quadropolis.rules import DISTRICTS, EXPERT_NUMBERS

pytestmark = pytest.mark.core

REST = ". " * 15  # lines 2 to 4 of an expert city
CLASSIC_REST = ". " * 12


def test_27_the_mats():
    assert EXPERT_NUMBERS == ((2, 3, 1, 1, 3), (5, 4, 2, 5, 4), (1, 2, 3, 1, 2), (4, 3, 5, 5, 4))
    squares = {}
    for numbers, districts in zip(EXPERT_NUMBERS, DISTRICTS["expert"], strict=True):
        for number, district in zip(numbers, districts, strict=True):
            squares.setdefault(district, []).append(number)
    for district, numbers in squares.items():
        assert sorted([district, *numbers]) == [1, 2, 3, 4, 5]
    quadrants = [[DISTRICTS["classic"][line][column] for column in range(4)] for line in range(4)]
    assert quadrants == [[1, 1, 2, 2], [1, 1, 2, 2], [3, 3, 4, 4], [3, 3, 4, 4]]


def test_28_misprints_are_not_followed():
    one_in_each = ["V . . . . . . . . . . . . . . .", "V . V . . . . . . . . . . . . ."]
    one_in_each += ["V . V . . . . . V . . . . . . .", "V . V . . . . . V . V . . . . ."]
    for services, points in enumerate([2, 5, 9, 14], start=1):
        assert engine("classic", draw(one_in_each[services - 1]), services, 0)[0] == points
    for mode, last in (("classic", 4), ("expert", 5)):
        mayors = [sum(tile.mayor for tile in load_mix("base").tiles(mode, i)) for i in range(1, last + 1)]
        assert mayors == [1] * (last - 1) + [0]


def test_29_a_position_is_always_free():
    most = TURNS * 4 - 1  # architects around the site when the last one of a round is played
    blocked = [POSITIONS - int(OPEN[square]).bit_count() for square in range(SITE)]
    assert most + max(blocked) < POSITIONS
    choices = random.Random(0)
    state = qpolis.load_game("quadropolis", players=4).new(3)
    fewest = POSITIONS
    while not state.over:
        if not state.to_dict()["held"]:
            positions = {state.game.text(state, action).split("@")[1] for action in state.legal()}
            fewest = min(fewest, len(positions))
        state.apply(choices.choice(state.legal()))
    assert 1 <= fewest < POSITIONS - most


def test_30_monuments_count_buildings():
    assert engine("expert", draw("P M P . . " + REST), 0, 0)[0] == 10
    assert engine("expert", draw("V M V . . " + REST), 2, 0)[0] == 2 + 2 + 2 + 3, "2 each, and 2 districts score 5"


def test_31_inhabitants_in_a_shop_without_energy_are_idle():
    assert engine("classic", draw("S . . . " + CLASSIC_REST), 3, 1) == (4, 3, 15)
    assert engine("classic", draw("S . . . " + CLASSIC_REST), 3, 0) == (-3, 0, 16)


def test_32_inactive_buildings_leave_empty_squares():
    assert engine("classic", draw("T . P . " + CLASSIC_REST), 0, 0) == (0, 0, 15)
    assert engine("classic", draw("T . P . " + CLASSIC_REST), 0, 1) == (1, 0, 14)


def test_33_the_example_of_the_rulebook():
    row = draw("O2 O2 O3 . . " + REST)
    corner = draw("O2 O3 . . . O2 . . . . . . . . . . . . . .")
    assert engine("expert", row, 3, 3)[0] == engine("expert", corner, 3, 3)[0] == 5 + 5 + 9
    assert engine("expert", draw("O2 . O2 . O3 " + REST), 3, 3)[0] == 1 + 1 + 3, "three groups of one"


def test_34_a_stack_is_one_building():
    assert engine("classic", draw("T4 . . . " + CLASSIC_REST), 0, 1) == (10, 0, 15)
    assert engine("expert", draw("O5 . . . . " + REST), 1, 1)[0] == 10
    assert engine("classic", draw("T4 P . . " + CLASSIC_REST), 0, 1)[0] == 10 + 2, (
        "one tower block beside the park"
    )
    assert engine("expert", draw("O3 F . . . " + REST), 2, 1)[0] == 3 + 4, "one office tower beside the factory"


def test_35_corners_do_not_touch():
    assert engine("classic", draw("T . . . . P . . . . . . . . . ."), 0, 1)[0] == 1
    assert engine("classic", draw("T P . . . . . . . . . . . . . ."), 0, 1)[0] == 1 + 2
    assert engine("expert", draw("O . . . . . O . . . . . . . . . . . . ."), 2, 2)[0] == 0, "two groups of one"


def test_36_points_before_the_end():
    state = qpolis.load_game("quadropolis").new(1)
    choices = random.Random(1)
    while state.to_dict()["round"] < 3:
        state.apply(choices.choice(state.legal()))
    told = state.to_dict()
    cities = zip(told["cities"], told["inhabitants"], told["energy"])
    assert state.scores() == [engine("classic", *city)[0] for city in cities]
    assert Counter(type(points) for points in state.scores()) == {int: 2}
