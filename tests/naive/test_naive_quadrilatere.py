"""Tests of the naive Quadrilatère: houses, places, the steps of a turn, complete random games."""

import random

import pytest

from .quadrilatere import (
    EVERYWHERE,
    LENGTHS,
    NaiveQuadrilatere,
    covered,
    elsewhere,
    find_places,
    house_text,
    name,
    read,
    read_house,
    slots,
    squares_beside,
    that_fit,
    walls_around,
)


def houses(texts):
    return {read_house(text) for text in texts.split()}


def place_names(texts):
    """The places that houses form, as texts."""
    return {" ".join(sorted(name(square) for square in place)) for place in find_places(houses(texts))}


def played(*texts, slide=True):
    game = NaiveQuadrilatere(slide)
    for text in texts:
        game.apply(text)
    return game


# --- houses ---------------------------------------------------------------------------------------------


def test_texts():
    assert read("c2") == (3, 2)
    assert name((9, 9)) == "i9"
    assert read_house("c3-e3") == ((3, 3), (4, 3), (5, 3))
    assert read_house("c3-c4") == ((3, 3), (3, 4))
    assert all(read_house(house_text(house)) == house for house in EVERYWHERE)


def test_a_house_fills_slots_and_covers_the_crossings_between():
    house = read_house("b2-b5")
    assert [f"{name(one)}-{name(two)}" for one, two in slots(house)] == ["b2-b3", "b3-b4", "b4-b5"]
    assert [name(point) for point in covered(house)] == ["b3", "b4"]
    assert covered(read_house("b2-c2")) == ()


@pytest.mark.parametrize(
    ("slot", "beside"),
    [
        ("c3-d3", "c2 c3"),
        ("c3-c4", "b3 c3"),
        ("a1-b1", "a1"),
        ("a1-a2", "a1"),
        ("h9-i9", "h8"),
        ("i8-i9", "h8"),
    ],
)
def test_squares_beside_a_slot(slot, beside):
    assert [name(square) for square in squares_beside(read_house(slot))] == beside.split()


def test_houses_that_the_grooves_hold():
    texts = {house_text(house) for house in EVERYWHERE}
    assert len(texts) == len(EVERYWHERE) == 2 * 9 * (8 + 7 + 6)
    assert {"a1-b1", "a1-a2", "f9-i9", "i6-i9"} <= texts
    assert {"a2-b2", "b1-b2", "f8-i8", "h6-h9"} <= texts


def test_spots_along_a_groove():
    assert {house_text(spot) for spot in elsewhere(read_house("c2-f2"))} == {
        "a2-d2",
        "b2-e2",
        "d2-g2",
        "e2-h2",
        "f2-i2",
    }
    assert len(elsewhere(read_house("c2-c3"))) == 7


def test_houses_share_neither_slots_nor_crossings():
    standing = houses("c2-c4")
    assert that_fit(houses("c3-c4 c1-c3 b3-d3 a3-d3 b3-e3"), standing) == []
    passing = houses("c1-c2 c4-c6 b3-c3 c3-e3 b2-d2 a4-d4")  # at its ends, or up to it
    assert set(that_fit(passing, standing)) == passing


# --- places ---------------------------------------------------------------------------------------------


def test_no_place_without_walls_on_all_sides():
    assert place_names("") == set()
    assert place_names("c3-d3 c4-d4 c3-c4") == set()
    assert place_names("a2-b2 b1-b2") == set()  # the edge is no wall
    assert place_names("a2-b2 b1-b2 a1-b1 a1-a2") == {"a1"}


def test_shapes_of_places():
    assert place_names("c3-d3 c4-d4 c3-c4 d3-d4") == {"c3"}
    assert place_names("c3-e3 c5-d5 c3-c5 e3-e4 d4-e4 d4-d5") == {"c3 c4 d3"}  # an angle
    assert place_names("c3-f3 c4-f4 c3-c4 e3-e4 f3-f4") == {"c3 d3", "e3"}
    assert place_names("b2-d2 b4-d4 b2-b4 d2-d4 c2-c3") == {"b2 b3 c2 c3"}  # with a wall that ends inside


def test_a_place_around_another():
    ring = "b2-e2 b5-e5 b2-b5 e2-e5"
    assert place_names(ring) == {"b2 b3 b4 c2 c3 c4 d2 d3 d4"}
    assert place_names(ring + " c3-d3 c4-d4 c3-c4 d3-d4") == {"b2 b3 b4 c2 c4 d2 d3 d4", "c3"}


def test_squares_that_touch_at_a_corner_are_not_connected():
    assert place_names("a1-b1 a2-b2 a1-a2 b1-b2 b2-c2 b3-c3 b2-b3 c2-c3") == {"a1", "b2"}


def test_walls_around_a_place():
    ring, inner = "b2-e2 b5-e5 b2-b5 e2-e5", "c3-d3 c4-d4 c3-c4 d3-d4"
    around, within = sorted(find_places(houses(f"{ring} {inner} b3-c3")), key=len, reverse=True)
    assert walls_around(within) == {slot for house in houses(inner) for slot in slots(house)}
    assert walls_around(around) == {slot for house in houses(f"{ring} {inner}") for slot in slots(house)}


# --- turns ----------------------------------------------------------------------------------------------


def test_the_first_turns():
    game = NaiveQuadrilatere(True)
    assert len(game.legal()) == 378
    assert game.to_dict() == {
        "slide": True,
        "turn": 0,
        "player": 0,
        "stage": "place",
        "houses": [],
        "supply": [{"large": 4, "medium": 8, "small": 12}] * 2,
        "monuments": [6, 6],
        "places": [],
        "placed": None,
        "slid": None,
        "closed": [],
    }
    game.apply("c3-f3")
    told = game.to_dict()
    assert (told["turn"], told["player"], told["stage"]) == (1, 1, "place")
    assert told["supply"] == [{"large": 3, "medium": 8, "small": 12}, {"large": 4, "medium": 8, "small": 12}]
    game.apply("e2-e3")  # ends at a crossing of the first house
    assert game.legal() == {"stay", *(f"c3-f3>{there}" for there in ("a3-d3", "b3-e3", "d3-g3", "e3-h3", "f3-i3"))}
    game.apply("c3-f3>f3-i3")
    told = game.to_dict()
    assert (told["turn"], told["player"], told["houses"]) == (2, 0, ["e2-e3", "f3-i3"])


def test_a_slide_stops_at_houses_crossings_and_the_edge():
    game = played("c3-d3", "f3-h3", "stay", "b2-b4")
    slides = {text for text in game.legal() if text.startswith("c3")}
    assert slides == {"c3-d3>b3-c3", "c3-d3>d3-e3", "c3-d3>e3-f3"}


def test_a_claim():
    game = played("c3-d3", "c4-d4", "stay", "c3-c4", "stay", "d3-d4")
    assert (game.player, game.stage) == (1, "slide")
    game.apply("stay")
    told = game.to_dict()
    assert (told["stage"], told["placed"], told["slid"], told["closed"]) == ("claim", "d3-d4", None, ["c3"])
    assert game.legal() == {"claim@c3", "leave"}
    game.apply("claim@c3")
    told = game.to_dict()
    assert told["places"] == [{"owner": 1, "squares": ["c3"]}]
    assert (told["monuments"], told["closed"], told["turn"], told["player"]) == ([6, 5], [], 4, 0)
    assert (game.scores(), game.ranks()) == ([0, 1], [1, 0])
    game.apply("h8-i8")
    assert (game.player, game.stage) == (1, "place")  # none of the four walls may slide


@pytest.mark.parametrize(
    ("before", "illegal"),
    [
        (["c3-d3"], ["c3-d3", "b3-e4", "c3", "h9-h9", "stay", "leave", "claim@a1", ""]),
        (["c3-d3", "c4-d4"], ["h8-i8", "c4-d4>d4-e4", "c3-d3", "c3-d3>c3-d3", "c3-d3>c4-d4", "leave"]),
        (["c3-d3", "c4-d4", "stay", "c3-c4", "stay", "d3-d4", "stay"], ["stay", "claim@c4", "h8-i8"]),
    ],
)
def test_illegal_actions_change_nothing(before, illegal):
    game = played(*before)
    told = game.to_dict()
    for text in illegal:
        with pytest.raises(ValueError):
            game.apply(text)
    assert game.to_dict() == told


# --- complete random games ------------------------------------------------------------------------------


def check(game):
    """What must hold at every moment."""
    told = game.to_dict()
    assert NaiveQuadrilatere.from_dict(told).to_dict() == told
    on_board = [read_house(text) for text in told["houses"]]
    filled = [slot for house in on_board for slot in slots(house)]
    crossed = [point for house in on_board for point in covered(house)]
    assert len(set(filled)) == len(filled)
    assert len(set(crossed)) == len(crossed)
    for kind, size in LENGTHS.items():
        there = sum(len(slots(house)) == size for house in on_board)
        assert there + sum(supply[kind] for supply in told["supply"]) == {1: 24, 2: 16, 3: 8}[size]
    assert set(game.owners) <= find_places(game.houses)
    assert told["monuments"] == [6 - list(game.owners.values()).count(seat) for seat in (0, 1)]


@pytest.mark.parametrize("slide", [True, False])
def test_random_games(slide):
    for seed in range(3):
        game, choices = NaiveQuadrilatere(slide), random.Random(seed)
        while not game.over:
            text = choices.choice(sorted(game.legal()))
            assert text != "stay" or slide
            game.apply(text)
            check(game)
        told = game.to_dict()
        assert (told["player"], told["stage"], told["placed"], told["closed"]) == (None, None, None, [])
        assert told["turn"] >= len(told["houses"])
        assert game.legal() == set()
