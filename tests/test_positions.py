"""Positions that somebody describes: `from_dict` takes all that a game can reach; what cannot be it refuses with
the reason, or the game goes on from there."""

from __future__ import annotations

import copy
import functools
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers.mutations import mutated
from helpers.sizes import MODES, lengthened, some
from qpolis import QpolisError, load_game
from qpolis.conformance.games import random_positions

MIXES = (
    "park-homes",
    "harbors-rich",
    "base:tower=+1vp@1:office=+2vp:tower[mayor]-1@2",  # stacks with printed points
    "base:tower=1mayor:shop-3@1:park=3vp@2",  # many mayors, empty squares with any number of players
)
GAMES = (
    ("quadropolis", {"players": 2}, 300),
    ("quadropolis", {"players": 4}, 120),
    ("quadropolis", {"mode": "expert", "players": 3}, 300),
    ("quadropolis", {"mode": "expert", "mix": MIXES[2]}, 120),
    ("quadrilatere", {}, 400),
    ("arkadia", {"players": 3}, 100),
)


def as_text(data):
    return json.dumps(data, sort_keys=True)


def play_on(state, rng):
    """Play to the end, and score."""
    while not state.over:
        state.apply(rng.choice(state.legal()))
    assert len(state.scores()) == len(state.ranks()) == state.game.players


# --- what can be --------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("mix", ["base", *MIXES])
def test_every_position_of_a_game_is_taken(mode, players, mix):
    game = load_game("quadropolis", mode=mode, players=players, mix=mix)
    for seed in some([1, 0, 2]):
        for state in random_positions(game, seed, sensible=seed / 2):
            assert game.from_dict(state.to_dict()).array.tobytes() == state.array.tobytes()


@functools.cache
def known_positions(name, options):
    game = load_game(name, **dict(options))
    return game, [state.to_dict() for seed in range(2) for state in random_positions(game, seed, seed / 2)]


def try_mutation(name, options, rng):
    """Describe a position wrongly: (was it refused, was it another position that plays on)."""
    game, known = known_positions(name, tuple(options.items()))
    start = rng.choice(known)
    data = mutated(start, rng.choice(known), rng)
    try:
        state = game.from_dict(data)
    except QpolisError as error:
        reason = str(error)
        assert reason.splitlines() == [reason]
        if name == "quadropolis":
            assert any(key in reason for key in {**start, **data}), reason
        return True, False
    assert as_text(state.to_dict()) == as_text(data)
    play_on(state, rng)
    return False, as_text(data) != as_text(start)


@pytest.mark.long
@pytest.mark.parametrize(("name", "options", "count"), GAMES, ids=lambda value: str(value))
def test_what_is_slightly_wrong_is_refused_or_plays_on(name, options, count):
    rng = random.Random(20261118)
    refused, played = map(
        sum, zip(*(try_mutation(name, options, rng) for _ in range(lengthened(count))), strict=True)
    )
    assert refused > lengthened(count) / 2
    assert played, "nothing was changed to another position"


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=lengthened(200))
@given(rng=st.randoms(use_true_random=False))
def test_no_change_that_hypothesis_thinks_of_breaks_anything(mode, rng):
    try_mutation("quadropolis", {"mode": mode}, rng)


# --- what cannot --------------------------------------------------------------------------------------


def told(rounds, takes, mode="classic", players=2, held=False):
    """A position of random players: after so many rounds and architects of the next, with or without a tile to
    place."""
    game = load_game("quadropolis", mode=mode, players=players)
    for seed in range(10):
        for state in random_positions(game, seed):
            data = state.to_dict()
            if (data["round"] - 1, len(data["architects"]), bool(data["held"])) == (rounds, takes, held):
                return data
    raise AssertionError("no such position in these games")


def refusal(data, **changes):
    """Why a changed position is refused."""
    game = load_game("quadropolis", mode=data["mode"], players=data["players"])
    assert game.from_dict(data)
    with pytest.raises(QpolisError, match="not a state of") as caught:
        game.from_dict({**copy.deepcopy(data), **changes})
    return str(caught.value).split(": ", 1)[1]


def with_square(data, building, seat=0):
    """The cities with this on an empty square of one."""
    cities = copy.deepcopy(data["cities"])
    cities[seat][cities[seat].index(None)] = building
    return cities


def tile(kind, inhabitants=0, energy=0, vp=0, mayor=False):
    return {"type": kind, "inhabitants": inhabitants, "energy": energy, "vp": vp, "mayor": mayor}


def test_amounts_come_from_tiles():
    data = told(2, 0)
    assert refusal(data, energy=[256, 0]).startswith("energy: seat 0 cannot have 256")
    assert refusal(data, inhabitants=[data["inhabitants"][0], 60]).startswith("inhabitants: seat 1 cannot have 60")
    assert refusal(data, inhabitants=[1001, 0]) == "inhabitants is 1001, not a whole number from 0 to 1000"
    start = told(0, 0)
    assert refusal(start, energy=[0, 1]) == "energy: seat 1 cannot have 1 of the tiles in cities"
    tower = with_square(told(1, 0), {"type": "tower", "floors": 1, "vp": 0})
    assert "inhabitants: seat 0 cannot have 0" in refusal(told(1, 0), cities=tower, inhabitants=[0, 0])


def test_buildings_are_made_of_the_tiles_of_the_mix():
    data = told(2, 0)
    for building, reason in (
        ({"type": "park", "floors": 1, "vp": 7}, "cities: 1 tiles park with 7 points, where 0 were there"),
        (
            {"type": "park", "floors": 1, "vp": 0, "holds": 2},
            "cities: 1 tiles park that hold 2, where 0 were there",
        ),
        (
            {"type": "park", "floors": 1, "vp": 0, "holds": 10},
            "cities: holds is 10, not a whole number from 0 to 9",
        ),
        ({"type": "monument", "floors": 1, "vp": 0}, "cities: 1 tiles monument, where 0 were there"),
        ({"type": "tower", "floors": 1, "vp": 3}, "cities: no tower has 3 points"),
        ({"type": "tower", "floors": 5, "vp": 0}, "cities: floors is 5, not a whole number from 1 to 4"),
    ):
        assert reason in refusal(data, cities=with_square(data, building))
    full = [[{"type": "shop", "floors": 1, "vp": 0}] * 16, [None] * 16]
    assert "seat 0 built more tiles than it had turns" in refusal(data, cities=full)
    shops = [[{"type": "shop", "floors": 1, "vp": 0}] * 8 + [None] * 8, [None] * 16]
    assert "8 tiles shop, where 4 were there" in refusal(data, cities=shops)


def test_tiles_are_placed_with_architects():
    """In the first round of classic, the squares a1 and b2 take an architect each that a seat has once."""
    data = told(1, 0)
    stacked = [[None] * 16, [None] * 16]
    stacked[0][0] = {"type": "tower", "floors": 4, "vp": 0}  # architects 1, 2, 3 and 4 build its floors
    game = load_game("quadropolis")
    assert game.from_dict(
        {**data, "cities": stacked, "inhabitants": [6, 0], "energy": [0, 0], "first": 0, "mayor": 0}
    )
    stacked[0][0] = {"type": "tower", "floors": 2, "vp": 0}
    stacked[0][1] = {"type": "tower", "floors": 2, "vp": 0}
    reason = refusal(data, cities=stacked, inhabitants=[6, 0], energy=[0, 0], first=0, mayor=0, player=0)
    assert reason == "cities: seat 0 had not the architects for its squares"


def test_the_site_has_tiles_of_the_round():
    data = told(0, 0)
    mayor = next(tile for tile in data["site"] if tile and tile["mayor"])
    assert refusal(data, site=[mayor] * 25).startswith("site has a tower 1 inhabitant, mayor more than round 1")
    other = [tile("park", vp=9) if there else None for there in data["site"]]
    assert refusal(data, site=other).startswith("site: the mix has no tile")
    taken = data["site"].copy()
    taken[next(i for i, there in enumerate(taken) if there)] = None
    assert refusal(data, site=taken) == "site lacks tiles that nobody took"
    assert refusal(data, site=data["site"][1:]) == "site is not a list of 25"


def test_architects_point_at_what_was_taken():
    """Of all tiles, none can lie where the taken ones lay, and be missing where no architect looks."""
    data = told(0, 3, mode="expert", players=4)
    lines = {int(name[1]) - 1 for name in data["architects"] if name[0] in "EW"}
    columns = {int(name[1]) - 1 for name in data["architects"] if name[0] in "NS"}
    reasons = set()
    for gone in [i for i, there in enumerate(data["site"]) if not there]:
        for square in range(25):
            if square // 5 not in lines and square % 5 not in columns:
                moved = data["site"].copy()
                moved[gone], moved[square] = moved[square], None
                reasons.add(refusal(data, site=moved))
    assert "architects point at tiles that are still on the site" in reasons
    assert reasons <= {
        "architects point at tiles that are still on the site",
        "site lacks tiles that no architect points at",
        "urbanist is not where the last architect can have pointed at",
    }


def test_the_urbanist_is_where_somebody_pointed_at():
    data = told(0, 2)
    occupied = next(i for i, there in enumerate(data["site"]) if there)
    for urbanist in ([occupied // 5 + 1, occupied % 5 + 1], None):
        assert "urbanist" in refusal(data, urbanist=urbanist)
    assert refusal(told(1, 0), urbanist=[3, 3]) == "urbanist does not fit the architects played"
    assert refusal(data, urbanist=[0, 6]) == "urbanist is 0, not a whole number from 1 to 5"
    holding = told(0, 1, held=True)
    line, column = holding["urbanist"]
    empty = [
        i for i, there in enumerate(holding["site"]) if not there and (i // 5 + 1, i % 5 + 1) != (line, column)
    ]
    for square in empty:
        wrong = refusal(holding, urbanist=[square // 5 + 1, square % 5 + 1])
        assert wrong == "urbanist is not where the last architect can have pointed at"


def test_who_holds_a_tile_took_it():
    data = told(0, 1, held=True)
    left = next(tile for tile in load_game("quadropolis").new(9).to_dict()["site"] if tile and tile["mayor"])
    if left in data["site"]:
        assert refusal(data, held={**data["held"], "tile": left}).startswith("held has a tower")
    other = next(n for n in (1, 2, 3, 4) if n != data["held"]["architect"])
    assert (
        refusal(data, held={**data["held"], "architect": other})
        == "held has an architect that is still in the pool"
    )
    assert refusal(data, held={"architect": 1}).startswith("held: the mix has no tile None")
    assert refusal(data, held=[1]).startswith("held is [1]")


def test_the_mayor_was_taken_by_somebody():
    assert refusal(told(0, 0), first=1, player=1, mayor=1).startswith("first is not seat 0")
    assert refusal(told(0, 0), mayor=1).startswith("mayor is not the first player, but no tile")
    data = told(3, 2)
    assert refusal(data, mayor=1 - data["first"]).startswith("mayor is not the first player, but no tile")
    start = told(1, 0)
    empty = {"cities": [[None] * 16] * 2, "inhabitants": [0, 0], "energy": [0, 0]}
    reason = refusal(start, **empty, first=1, mayor=1, player=1)
    assert reason == "first is seat 1, which has no tower"


def test_the_end_is_after_the_last_round():
    game = load_game("quadropolis")
    *_, state = random_positions(game, 1)
    data = state.to_dict()
    assert refusal(data, round=2) == "player is null, but round is not the last one"
    site = told(3, 0)["site"]
    assert refusal(data, site=site) == "site is not empty after the end"
    assert refusal(data, turn=3).endswith("turn cannot be in this game")


def test_garbage_names_its_key():
    data = told(1, 1, held=True)
    for key in data:
        if key in ("game", "mix"):
            continue
        for garbage in (None, [], {}, "x", 1.5, True, 10**30, [[]], {"type": []}):
            if data[key] != garbage and not (key in ("player", "held", "urbanist") and garbage is None):
                assert key in refusal(data, **{key: garbage})


def test_data_that_never_ends_is_refused():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    game = load_game("quadropolis")
    with pytest.raises(QpolisError, match="not a state"):
        game.from_dict({**game.new(1).to_dict(), "site": deep})


def test_observations_are_checked_alike():
    game = load_game("quadropolis")
    seen = {**game.new(1).observe(0), "energy": [256, 0]}
    with pytest.raises(QpolisError, match="energy: seat 0 cannot have 256"):
        game.imagine(seen)
