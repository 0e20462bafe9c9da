"""The rules of Arkadia on the board: building, workers, completed buildings. One small position each, on which the
engine and the naive twin agree. The lot lies from i4 to l6 where nothing else is said."""

from __future__ import annotations

import pytest

from helpers.arkadias import Engine, Twin, play, position, seals, told
from making.arkadia import example

pytestmark = pytest.mark.core

AROUND_THE_LOT = ["i3", "j3", "k3", "l3", "h4", "m4", "h5", "m5", "h6", "m6", "i7", "j7", "k7", "l7"]


@pytest.fixture(params=[Engine, Twin], ids=["engine", "twin"])
def table(request):
    """Sets up a position (see `position`); the player is about to act."""

    def set_up(buildings=None, flip=False, players=2, **changes):
        changes = position(buildings or {}, players=players, **changes)
        return request.param(changes=changes, players=players, flip=flip)

    return set_up


def lays(game, card):
    """Where a card's building may be laid."""
    play(game, card)
    assert told(game, "stage", "held") == ("lay", card)
    return game.legal()


def sites(game):
    """Where the player may place workers."""
    return {text.removeprefix("workers@") for text in game.legal() if text.startswith("workers@")}


def spots(game, site, whose="own"):
    """On which squares workers may be placed beside a building."""
    play(game, f"workers@{site}")
    assert told(game, "stage", "beside") == ("workers", site)
    return {text.partition("@")[2] for text in game.legal() if text.startswith(whose)}


# --- building ---


def test_a_building_is_laid_beside_the_lot(table):
    legal = lays(table(hands=["farm-red"]), "farm-red")
    assert {"f4+g4+h4", "h4+h5+h6", "h2+h3+h4", "k7+k8+k9", "m6+n6+o6"} <= legal
    assert not {"e4+f4+g4", "a1+b1+c1", "h1+h2+h3", "f3+g3+h3"} & legal  # h3 only touches a corner


def test_a_building_is_laid_beside_a_building(table):
    legal = lays(table({"b2+c2": "house-red"}, hands=["farm-red"]), "farm-red")
    assert {"d2+e2+f2", "b3+c3+d3", "a2+a3+a4", "c3+c4+c5"} <= legal
    assert not {"e2+f2+g2", "d3+e3+f3", "b2+b3+b4"} & legal


@pytest.mark.parametrize("standing", [{"workers": ["c11"]}, {"workers": ["", "c11"]}, {"neutral": "c11"}])
def test_a_building_is_laid_beside_any_worker(table, standing):
    legal = lays(table({"o2+p2": "house-red", "b12+c12": "house-red"}, hands=["farm-red"], **standing), "farm-red")
    assert {"d11+e11+f11", "b10+c10+d10", "c8+c9+c10"} <= legal
    assert not {"d10+e10+f10", "a11+b11+c11", "c10+c11+c12"} & legal


def test_a_building_needs_free_squares(table):
    game = table({"h4+h5": "house-red"}, workers=["m5"], neutral="i7", hands=["mill-red"])
    legal = lays(game, "mill-red")
    assert {"h6+h7+h8+h9", "m1+m2+m3+m4", "j7+k7+l7+m7"} <= legal
    assert not any({"i4", "l6", "h4", "h5", "m5", "i7"} & set(text.split("+")) for text in legal)


@pytest.mark.parametrize("flip", [False, True])
def test_buildings_are_turned_but_turned_over_only_by_option(table, flip):
    legal = lays(table(hands=["trade-centre-red"], flip=flip), "trade-centre-red")
    assert {"m4+m5+m6+n6", "m4+n4+o4+m5", "m4+n4+n5+n6", "o4+m5+n5+o5"} <= legal
    assert ({"n4+n5+m6+n6", "m4+m5+n5+o5", "m4+n4+m5+m6", "m4+n4+o4+o5"} <= legal) == flip
    legal = lays(table(hands=["monastery-red"], flip=flip), "monastery-red")
    assert {"n4+o4+m5+n5", "m4+m5+n5+n6"} <= legal
    assert ("m4+n4+n5+o5" in legal) == ("n4+m5+n5+m6" in legal) == flip


@pytest.mark.parametrize(
    ("card", "squares", "helpers"),
    [
        ("farm-red", "h4+h5+h6", 1),
        ("farm-red", "m4+n4+o4", 0),
        ("mill-red", "m5+n5+o5+p5", 2),
    ],
)
def test_camps_give_neutral_workers(table, card, squares, helpers):
    game = table(hands=[card])
    play(game, card, squares)
    assert told(game, "helpers", "camp", "neutral") == ([helpers, 0], 24 - helpers, [])


def test_the_cards_seal_lies_on_the_building(table):
    game = table(hands=["house-olive", "house-black"])
    play(game, "house-olive", "h4+h5", "draw@pile", "keep", "house-black", "g4+g5")
    assert told(game, "buildings") == [
        {"type": "house", "family": "olive", "squares": ["h4", "h5"], "complete": False},
        {"type": "house", "family": "black", "squares": ["g4", "g5"], "complete": False},
    ]
    assert told(game, "seals") == [seals(), seals()]


# --- placing workers ---


def test_workers_may_stand_beside_the_lot(table):
    game = table()
    assert sites(game) == {"i4"}
    assert spots(game, "i4") == set(AROUND_THE_LOT)


def test_workers_stand_beside_one_building(table):
    game = table({"b2+c2": "house-red", "e2+e3+e4": "farm-red"})
    assert sites(game) == {"b2", "e2", "i4"}
    assert spots(game, "b2") == {"b1", "c1", "a2", "d2", "b3", "c3"}
    play(game, "own@d2")  # it is beside both; so what
    assert game.legal() == {"own@b3", "own@c3", "done"}


def test_a_building_without_a_free_square_beside_it_is_no_site(table):
    game = table({"a1+b1": "house-red"}, workers=["", "a2 b2 c1"])
    assert sites(game) == {"i4"}


def test_workers_are_placed_row_by_row(table):
    """So every set of squares is placed in one way only. The step ends with the last worker or the last square."""
    game = table()
    assert spots(game, "i4") == set(AROUND_THE_LOT)
    assert "done" not in game.legal()
    play(game, "own@m4")
    assert told(game, "last") == "m4"
    assert game.legal() == {"done", *(f"own@{square}" for square in AROUND_THE_LOT[6:])}
    play(game, "own@l7")
    assert told(game, "stage", "own", "workers", "last", "beside") == (
        "banner",
        [1, 3],
        [["m4", "l7"], []],
        None,
        None,
    )
    game = table()
    play(game, "workers@i4", "own@i3", "own@j3", "own@k3")
    assert told(game, "stage", "own") == ("banner", [0, 3])


def test_one_worker_is_enough(table):
    game = table()
    play(game, "workers@i4", "own@i3", "done")
    assert told(game, "stage", "workers") == ("banner", [["i3"], []])


def test_own_and_neutral_workers_in_any_mix(table):
    game = table({"m5+n5+o5+p5": "mill-red"}, helpers=[2, 0])
    play(game, "workers@i4", "neutral@j3", "own@k3")
    assert {"own@l3", "neutral@l3", "done"} <= game.legal()
    play(game, "neutral@l3")
    assert not any(text.startswith("neutral") for text in game.legal())
    play(game, "own@h5", "done")
    assert told(game, "workers", "neutral", "own", "helpers") == ([["k3", "h5"], []], ["j3", "l3"], [1, 3], [0, 0])


def test_neutral_workers_alone(table):
    game = table({"h4+h5": "house-red"}, workers=["i3 j3 k3"], helpers=[1, 0])
    assert told(game, "own") == [0, 3]
    assert spots(game, "i4") == set()
    assert {"neutral@l3", "neutral@l7"} <= game.legal()


def test_without_workers_only_cards_can_be_played(table):
    game = table(workers=["i3 j3 k3"], hands=["house-red farm-red farm-olive mill-black"])
    assert game.legal() == {"house-red", "farm-red", "farm-olive", "mill-black"}


def test_a_worker_on_a_camp_brings_nothing(table):
    game = table()
    play(game, "workers@i4", "own@j3", "done")
    assert told(game, "helpers", "camp") == ([0, 0], 24)


# --- completed buildings ---


def test_the_rulebooks_share_of_gains(table):
    """Violet, orange, yellow and green. Violet completes a red trade centre with 2 violet, 1 neutral and 1 orange
    worker beside it, and by the same action an olive monastery with 2 yellow, 2 green and 1 violet worker. The
    position is the one that docs/rules/arkadia.md shows."""
    assert example.SEATS == ("violet", "orange", "yellow", "green")
    game = table(example.BUILDINGS, workers=example.WORKERS, neutral=example.NEUTRAL, players=4)
    play(game, *example.MOVES)
    assert told(game, "seals") == [seals(red=2 + 1, olive=1 + 1), seals(red=1), seals(olive=2), seals(olive=2)]
    shown = [{family: sum(parts) for family, parts in gained.items()} for gained in example.GAINS]
    assert told(game, "seals") == [seals(**gained) for gained in shown]
    assert [building["complete"] for building in told(game, "buildings")] == [True, True, False, False, False]
    assert told(game, "player", "stage", "blocks") == (0, "castle", 2)
    play(game, "red/blank", "olive/blank")
    assert told(game, "player", "stage", "blocks") == (0, "banner", 0)
    assert sum(square["level"] for square in told(game, "castle")) == 2


def test_the_supply_of_seals_never_runs_out(table):
    """The box has 88, worth 120: everybody gets seals, even if that many are out."""
    game = table(
        {"a1+b1": "house-silver"},
        workers=["c1", "a2"],
        hands=["farm-red"],
        seals=[seals(red=40, silver=20), seals(red=60, silver=30)],
    )
    play(game, "farm-red", "b2+c2+d2", "draw@pile")
    assert told(game, "seals") == [seals(red=40, silver=22), seals(red=60, silver=31)]


def test_nothing_is_complete_while_a_square_beside_it_is_free(table):
    game = table({"a1+a2+a3+b3": "trade-centre-red"}, workers=["b1 b2", "a4 b4"], hands=["house-red"])
    play(game, "house-red", "c4+c5")  # beside a worker; c3 stays free
    assert told(game, "seals", "blocks", "stage") == ([seals(), seals()], 0, "draw")


def test_the_edge_of_the_board_and_the_lot_count_as_filled(table):
    game = table({"o1+p1": "house-red", "m4+m5": "house-olive"}, workers=["n1 o2", "m3 n4"], neutral="n5")
    play(game, "workers@m4", "own@m6")
    assert told(game, "seals") == [seals(olive=2), seals(olive=2)]
    play(game, "silver/blank", "keep", "workers@o1", "own@p2")
    assert told(game, "seals") == [seals(olive=2, red=2), seals(olive=2, red=2)]


def test_a_building_completed_by_laying_another(table):
    game = table({"a1+b1": "house-silver"}, workers=["c1", "a2"], hands=["farm-red"])
    play(game, "farm-red", "b2+c2+d2", "draw@pile")
    assert told(game, "seals") == [seals(silver=2), seals(silver=1)]
    assert told(game, "stage", "blocks") == ("castle", 1)
    play(game, "red/red")
    assert told(game, "stage", "blocks") == ("banner", 0)


def test_the_hand_is_refilled_before_completed_buildings_are_settled(table):
    """Lay, camps, a card; then seals, then blocks, then the banner."""
    game = table({"a1+b1": "house-silver"}, workers=["c1", "a2"], hands=["mill-red"])
    face_up = told(game, "display")[0]
    play(game, "mill-red", "b2+c2+d2+e2")
    assert told(game, "stage", "blocks", "seals") == ("draw", 0, [seals(), seals()])
    assert [building["complete"] for building in told(game, "buildings")] == [False, False]
    assert len(told(game, "hands")[0]) == 3
    play(game, f"draw@{face_up}")
    assert told(game, "stage", "blocks", "seals") == ("castle", 1, [seals(silver=2), seals(silver=1)])
    assert [building["complete"] for building in told(game, "buildings")] == [True, False]
    assert face_up in game.observe(0)["hand"]  # the block is chosen with it in hand
    play(game, "silver/blank")
    assert told(game, "stage") == "banner"


def test_a_laid_building_can_be_complete_at_once(table):
    game = table({"d1+d2": "house-olive", "a3+b3": "house-red"}, workers=["c1", "a2 b2"], hands=["house-black"])
    play(game, "house-black", "a1+b1", "draw@pile")
    assert told(game, "seals") == [seals(black=2), seals(black=2)]
    assert [building["complete"] for building in told(game, "buildings")] == [False, False, True]
    assert told(game, "stage", "blocks") == ("castle", 1)


def test_a_worker_counts_once_per_building(table):
    game = table({"a1+a2+b2": "tavern-red"}, workers=["b1", "a3 b3"])
    play(game, "workers@a1", "own@c2")  # b1 is beside two squares of the tavern
    assert told(game, "seals") == [seals(red=3), seals(red=2)]


def test_a_worker_counts_for_every_building_beside_it(table):
    game = table({"a1+b1": "house-red", "d1+e1": "house-olive"}, workers=["a2 b2", "e2 f1"], neutral="d2")
    play(game, "workers@d1", "own@c1")
    assert told(game, "seals") == [seals(red=4, olive=2), seals(olive=2)]
    assert told(game, "stage", "blocks") == ("castle", 2)


def test_of_several_completed_buildings_all_seals_come_before_the_blocks(table):
    """Two houses and the mill above them that completes them and itself."""
    game = table(
        {"a2+b2": "house-red", "c2+d2": "house-olive", "f1+f2": "house-black"},
        workers=["a3 b3", "e1 e2 c3 d3"],
        hands=["mill-olive"],
    )
    play(game, "mill-olive", "a1+b1+c1+d1", "draw@pile")
    assert told(game, "seals") == [seals(red=3, olive=2), seals(olive=4)]
    assert told(game, "stage", "blocks") == ("castle", 3)
    for left in (2, 1, 0):
        play(game, "red/red" if left == 2 else "silver/blank")
        assert told(game, "seals") == [seals(red=3, olive=2), seals(olive=4)]
        assert told(game, "blocks") == left
    assert told(game, "stage") == "banner"


def test_a_complete_building_is_not_settled_again(table):
    game = table({"a1+b1": "house-red"}, workers=["a2 b2", "c1"])
    play(game, "workers@i4", "own@i3")
    assert told(game, "seals", "stage") == ([seals(), seals()], "banner")
