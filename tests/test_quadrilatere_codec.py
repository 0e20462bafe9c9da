"""Positions of Quadrilatère as plain data: those that no game leads to are refused, with a reason."""

from __future__ import annotations

import pytest

import qpolis
from helpers.quadrilateres import ALL_HOUSES, position

pytestmark = pytest.mark.core

UNIT = "c3-d3 c4-d4 c3-c4 d3-d4"  # the square c3, walled in
ROW = "a1-d1 d1-g1 a2-d2 d2-g2 a1-a2 b1-b2 c1-c2 d1-d2 e1-e2 f1-f2 g1-g2"  # six squares, each walled in
OVER = {"player": None, "stage": None}


def read(data):
    game = qpolis.load_game("quadrilatere")
    return game.from_dict({**game.new().to_dict(), **data})


def begun(houses, placed, stage, **changes):
    """A turn in which one of these houses was placed, by who was next."""
    told = position(houses, {})
    turn = told["turn"] - 1
    return {**told, "turn": turn, "player": turn % 2, "placed": placed, "stage": stage, **changes}


CLAIMING = begun(UNIT, "d3-d4", "claim", closed=["c3"])
SLID = begun(f"{UNIT} h8-i8", "h8-i8", "claim", closed=["c3"], slid=["d4-d5", "d3-d4"])


def row(houses=""):
    """The first player has claimed the sixth place; with a further house the other one has placed since."""
    return position(f"{ROW} {houses}", dict.fromkeys(("a1", "b1", "c1", "d1", "e1", "f1"), 0))


def with_supply(told, seat, **houses):
    supply = [dict(left) for left in told["supply"]]
    supply[seat].update(houses)
    return {**told, "supply": supply}


@pytest.mark.parametrize(
    "told",
    [CLAIMING, SLID, row() | OVER, position(UNIT, {"c3": 1}), begun(UNIT, "d3-d4", "slide")],
    ids=["claim", "claim after a slide", "over", "place", "slide"],
)
def test_positions_that_can_be(told):
    """The others here differ in one thing."""
    state = read(told)
    assert {key: state.to_dict()[key] for key in told} == told


REFUSED = {
    "two houses in a slot": (position("c3-e3 d3-e3", {}), "there is no room for house d3-e3"),
    "two houses at a crossing": (position("c3-e3 d2-d4", {}), "there is no room for house d2-d4"),
    "no place": (position("c3-d3 c4-d4 c3-c4 h1-h2", {"c3": 0}), "there is no place c3"),
    "half of a place": (position("c3-e3 c4-e4 c3-c4 e3-e4", {"c3": 0}), "there is no place c3"),
    "an unknown owner": (position(UNIT, {"c3": 2}), "owner: 2 is not one of 0, 1"),
    "an unknown stage": (CLAIMING | {"stage": "lunch"}, "stage: 'lunch' is not one of place, slide, claim"),
    "no seat": (position(UNIT, {}) | {"player": "0"}, "player: '0' is not one of 0, 1"),
    "too many houses left": (with_supply(position(UNIT, {}), 0, small=11), "do not make up all houses"),
    "more houses than turns": (position(UNIT, {}) | {"turn": 3, "player": 1}, "supply is not what 3 turns leave"),
    "passes without houses": (position("c3-d3", {}) | {"turn": 4}, "supply is not what 4 turns leave"),
    "the other player": (position(UNIT, {}) | {"player": 1}, "player cannot be to move after 4 turns"),
    "a monument too many": (position(UNIT, {"c3": 0}) | {"monuments": [6, 6]}, "do not make up all monuments"),
    "placed elsewhere": (CLAIMING | {"placed": "h8-i8"}, "placed does not fit the stage"),
    "nothing placed": (position(UNIT, {}) | {"stage": "slide"}, "placed does not fit the stage"),
    "nothing to slide": (begun("c3-e3", "c3-e3", "slide"), "nothing can be slid"),
    "nothing closed": (begun("c3-e3 h8-i8", "h8-i8", "claim"), "no place was closed"),
    "slid before the slide": (SLID | {"stage": "slide"}, "slid does not fit the stage"),
    "slid what was placed": (SLID | {"slid": ["g8-h8", "h8-i8"]}, "slid does not fit the stage"),
    "slid across": (SLID | {"slid": ["d3-e3", "d3-d4"]}, "slid does not fit the stage"),
    "slid longer": (SLID | {"slid": ["d3-d5", "d3-d4"]}, "slid does not fit the stage"),
    "slid over a crossing": (
        begun(f"{UNIT} h8-i8 c5-e5", "h8-i8", "claim", slid=["d5-d6", "d3-d4"]),
        "slid is no legal slide",
    ),
    "other places closed": (CLAIMING | {"closed": ["a1"]}, "closed cannot be in this game"),
    "over too early": (position(UNIT, {}) | OVER, "player must be null when the game is over, and only then"),
    "on after the last monument": (row(), "player must be null when the game is over, and only then"),
    "on a turn after the last monument": (row("h8-i8"), "the game was over before"),
    "over a turn after the last monument": (row("h8-i8") | OVER, "the game was over before"),
    "placing after the last monument": (
        row("h8-i8 h7-i7") | {"turn": 12, "player": 0, "placed": "h8-i8", "stage": "slide"},
        "the game was over before",
    ),
    "a turn after the last house": (position(ALL_HOUSES, {}) | OVER, "the game was over before"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_positions_that_cannot_be(name):
    told, reason = REFUSED[name]
    with pytest.raises(qpolis.QpolisError, match=reason):
        read(told)
