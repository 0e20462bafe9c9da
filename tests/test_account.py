"""What happens in a game: points by kind of building, what actions take and build, and the stages."""

from __future__ import annotations

import json
import random
from collections import Counter

import numpy as np
import pytest

import qpolis
from helpers.cities import FLAVOURS, random_city
from helpers.sizes import MODES, lengthened, sized, some_variants
from helpers.toys import Counting
from naive.quadropolis_account import account as naive_account
from naive.quadropolis_account import words
from naive.quadropolis_scoring import TYPES
from qpolis import verbs
from qpolis.conformance.games import check_position, random_positions
from qpolis.game import Item
from qpolis.games.quadropolis import HARD_CITIES
from qpolis.games.quadropolis.codec import fill_city
from qpolis.rng import stream

GAMES = {mode: qpolis.load_game("quadropolis", mode=mode) for mode in MODES}


def load(variant):
    mode, players = variant
    return qpolis.load_game("quadropolis", mode=mode, players=players)


def account(state, seat=0):
    """The points by kind of building, then the penalties."""
    out = np.full(len(state.game.categories) + 1, 999)
    verbs.account(state.game.rules[0], state.record, seat, out)
    return out.tolist()


def check_sums(state):
    accounts = [account(state, seat) for seat in range(state.game.players)]
    assert [sum(points) for points in accounts] == state.scores()
    assert all(points[-1] <= 0 for points in accounts)


# --- points by kind of building -----------------------------------------------------------------------


@pytest.mark.core
def test_kinds(variant):
    game = load(variant)
    assert game.categories == (TYPES if game.mode == "expert" else TYPES[:6])


@pytest.mark.core
def test_random_games_add_up(variant):
    for seed in range(sized(40, 5, 1)):
        for i, state in enumerate(random_positions(load(variant), seed)):
            if i % sized(1, 1, 8) == 0 or state.over:
                check_sums(state)


@pytest.mark.long
@some_variants
def test_greedy_games_add_up(variant):
    game = load(variant)
    rules, spare, rng = game.rules[0], np.empty(2, game.state_dtype), stream(1)
    actions, values = np.empty(rules.actions, verbs.ACTION), np.empty(rules.actions)
    for seed in range(40):
        state = game.new(seed)
        while not state.over:
            check_sums(state)
            count = verbs.rate(rules, state.record, spare, actions, values, rng)
            state.apply(int(actions[values[:count].argmax()]))
        check_sums(state)


def city_state(mode, squares, inhabitants, energy):
    """A position whose first seat has this city."""
    state = GAMES[mode].new()
    record = state.record
    fill_city(record.built[0], record.tall[0], record.vp[0], record.holds[0], squares)
    record.inhabitants[0], record.energy[0] = inhabitants, energy
    return state


@pytest.mark.long
@pytest.mark.core
@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("mode", MODES)
def test_equals_enumeration(mode, flavour):
    rng = random.Random(f"account {mode} {flavour}")
    for _ in range(sized(lengthened(60), 40, 10)):
        city = random_city(rng, mode, flavour, 0, 9, holds=(0, 1, 3))
        state, right = city_state(mode, *city), naive_account(mode, *city)
        *points, penalties = account(state)
        assert dict(zip(state.game.categories, points, strict=True)) == {
            kind: right["points"][kind] for kind in state.game.categories
        }, json.dumps(city)
        assert penalties == right["penalties"], json.dumps(city)
        assert sum(points) + penalties == right["total"] == state.scores()[0]


@pytest.mark.parametrize("flavour", FLAVOURS)
@pytest.mark.parametrize("mode", MODES)
def test_full_cities_add_up(mode, flavour):
    rng = random.Random(f"full {mode} {flavour}")
    for _ in range(sized(200, 20, 0)):
        check_sums(city_state(mode, *random_city(rng, mode, flavour, 10, 20)))


@pytest.mark.parametrize("rank", range(3))
def test_hard_cities_add_up(rank):
    city = json.loads(HARD_CITIES.read_text())[rank]
    check_sums(city_state("expert", city["squares"], city["inhabitants"], city["energy"]))


@pytest.mark.core
def test_of_equal_assignments_the_first_square_is_inactive():
    tower, shop = {"type": "tower", "floors": 1, "vp": 0}, {"type": "shop", "floors": 1, "vp": 1}
    squares = [tower, *[None] * 14, shop]
    assert account(city_state("classic", squares, 0, 1)) == [0, 1, 0, 0, 0, 0, 0]
    assert account(city_state("classic", squares[::-1], 0, 1)) == [1, 0, 0, 0, 0, 0, 0]


# --- what actions take and build ----------------------------------------------------------------------


def pointed(text):
    """The square of the site, line by line, that a take as text points at."""
    number, side, index = int(text[0]), text[2], int(text[3])
    line, column = {
        "N": (number, index),
        "S": (6 - number, index),
        "W": (index, number),
        "E": (index, 6 - number),
    }[side]
    return (line - 1) * 5 + column - 1


def check_actions(state):
    game, told = state.game, state.to_dict()
    rules, record, items = game.rules[0], state.record, game.items()
    stage = verbs.stage(rules, record)
    assert stage == told["round"] - 1
    for action in state.legal():
        text = game.text(state, action)
        item, kind = verbs.takes(rules, record, action), verbs.builds(rules, record, action)
        if told["held"]:
            assert item == -1
            assert (None if kind == -1 else game.categories[kind]) == (
                None if text == "discard" else told["held"]["tile"]["type"]
            )
        else:
            assert kind == -1
            tile = told["site"][pointed(text)]
            assert (item == -1) == (tile is None)
            if tile:
                assert (items[item].name, items[item].category) == (words(tile), tile["type"])
                assert items[item].stage == stage


@pytest.mark.core
def test_actions_take_and_build_what_the_position_shows(variant):
    for seed in range(sized(3, 1, 1)):
        for i, state in enumerate(random_positions(load(variant), seed)):
            if i % sized(1, 2, 4) == 0 or state.over:
                check_actions(state)


@pytest.mark.core
def test_last_stage_stays(variant):
    *_, last = random_positions(load(variant), 1)
    assert last.over
    assert verbs.stage(last.game.rules[0], last.record) == {"classic": 4, "expert": 5}[last.game.mode] - 1


@pytest.mark.core
def test_items_are_the_tiles_of_the_mix(variant):
    game = load(variant)
    fewest = {"all": 2, "3-4": 3, "4": 4}
    right = Counter(
        (row.round - 1, row.tile)
        for row in game.mix.rows
        if row.deck in ("both", game.mode) and fewest[row.mark] <= game.players
    )
    assert Counter(game.items().values()) == Counter(
        Item(words(vars(tile)), tile.type, stage, copies) for (stage, tile), copies in right.items()
    )
    assert len({(item.name, item.stage) for item in game.items().values()}) == len(game.items())


@pytest.mark.core
def test_parks_that_hold_different_amounts_are_different_items():
    game = qpolis.load_game("quadropolis", mix="playgrounds")
    parks = [
        (item.name, item.copies) for item in game.items().values() if item.category == "park" and not item.stage
    ]
    assert sorted(parks) == [("park", 1), ("park 1 inhabitant, holds no energy", 1)]


@pytest.mark.core
def test_items_as_one_says_them():
    names = {item.name for item in GAMES["classic"].items().values()}
    assert {"tower 2 inhabitants", "tower 1 inhabitant, mayor"} <= names


# --- any game -----------------------------------------------------------------------------------------


@pytest.mark.core
@pytest.mark.parametrize("players", [2, 3])
def test_a_game_that_accounts_for_nothing(players):
    game = Counting(players=players)
    assert game.categories == ()
    assert game.items() == {}
    for state in random_positions(game, 3):
        check_position(state)
        assert [account(state, seat) for seat in range(players)] == [[score] for score in state.scores()]
        assert verbs.stage(game.rules[0], state.record) == 0
        for action in state.legal():
            assert verbs.takes(game.rules[0], state.record, action) == -1
            assert verbs.builds(game.rules[0], state.record, action) == -1
    assert sorted(state.scores()) == [0] * (players - 1) + [1]
