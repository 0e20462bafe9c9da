"""What the parks of a tile mix hold: changes, and the mix of parks and playgrounds."""

from __future__ import annotations

import hashlib
from collections import Counter

import pytest

from qpolis import load_game
from qpolis.games.quadropolis.mix import Tile, load_mix

BASE = load_mix("base")
ROUNDS = {"classic": 4, "expert": 5}


def held(mix, round=None):
    """What its parks hold, in order."""
    return [
        row.tile.holds
        for row in mix.rows
        if row.tile.type == "park" and row.mark != "out" and round in (None, row.round)
    ]


def test_parks_hold_what_is_said():
    assert held(BASE) == [1] * 15
    assert held(load_mix("base:park=0holds")) == [0] * 15
    assert held(load_mix("base:park=+2holds")) == [3] * 15
    assert [row.tile.holds for row in BASE.rows if row.tile.type != "park"] == [0] * (len(BASE.rows) - 15)


def test_each_park_can_hold_its_own():
    mix = load_mix("base:park=0holds@3:park=2holds@/4")
    assert [held(mix, round) for round in (1, 3)] == [[1, 1, 2], [0, 0, 0, 2]]
    mix = load_mix("base:park-2@1:park[1inhabitants,0holds]+1@1:park[1inhabitants]+1@1")
    assert Counter(mix.tiles("classic", 1))[Tile("park", 1, 0, 0, False, 0)] == 1
    assert Counter(mix.tiles("classic", 1))[Tile("park", 1, 0, 0, False, 1)] == 1
    assert held(load_mix("playgrounds:park[0holds]-1@2"), 2) == [1, 1]
    assert held(load_mix("playgrounds:park[1inhabitants]=4holds@2"), 2).count(4) == 1
    assert held(load_mix("playgrounds:park[1holds]=5holds@2"), 2).count(5) == 2


def test_a_new_park_holds_what_all_parks_of_the_mix_hold():
    """If they differ, what the rules say; without brackets it is like the most common one."""
    assert held(load_mix("park-homes:tower-1@1:park[2vp]+1@1"), 1) == [0] * 4
    assert held(load_mix("base:park-15:park[0holds]+2@1"), 1) == [0, 0]
    assert Tile("park", 0, 0, 2, False, 1) in load_mix("playgrounds:tower-1@1:park[2vp]+1@1").tiles("classic", 1)
    assert Tile("park", 0, 0, 2, False, 1) in load_mix("base:park=3holds@2:tower-1@1:park[2vp]+1@1").tiles(
        "classic", 1
    )
    assert held(load_mix("base:tower-1@1:park+1@1:park=0holds@1"), 1) == [0] * 4


def test_playgrounds_are_beside_parks():
    grounds = load_mix("playgrounds")
    for mode, rounds in ROUNDS.items():
        for round in range(1, rounds + 1):
            (playground,) = Counter(grounds.tiles(mode, round, 2)) - Counter(BASE.tiles(mode, round, 2))
            assert playground == Tile("park", 1, 0, 0, False, 0)
            assert Tile("park", 0, 0, 0, False, 1) in grounds.tiles(mode, round, 2), "beside ordinary parks"


@pytest.mark.parametrize(
    ("mode", "mix", "digest"),
    [
        ("classic", "base", "13444a9a"),
        ("expert", "park-homes", "f9b1fcd6"),
        ("classic", "base:park=3holds", "bcbde4ad"),
    ],
)
def test_runs_from_before_parks_could_differ_go_on(mode, mix, digest):
    """A plan has a digest of the rules; these were made by 0.1.0."""
    content = load_game("quadropolis", mode=mode, mix=mix).rules_content()
    assert hashlib.sha256(content).hexdigest()[:8] == digest


def test_mixes_whose_parks_differ_are_told_apart():
    mixes = ["base", "playgrounds", "base:park=2holds", "playgrounds:park[1inhabitants]=2holds"]
    assert len({load_game("quadropolis", mix=mix).rules_content() for mix in mixes}) == len(mixes)
