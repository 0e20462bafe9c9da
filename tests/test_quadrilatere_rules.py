"""The rules of Quadrilatère, in one small position each; the engine and the naive twin agree with all of them."""

from __future__ import annotations

import pytest

from helpers.engines import Engine
from helpers.quadrilateres import ALL_HOUSES, NO_LARGE, position, tight
from naive.quadrilatere import NaiveQuadrilatere, length, read_house

pytestmark = pytest.mark.core

UNIT = "c3-d3 c4-d4 c3-c4 d3-d4"  # the square c3, walled in
FOUR = "b2-d2 b4-d4 b2-b4 d2-d4"  # the squares b2 c2 b3 c3, walled in
FRAME = "a1-d1 d1-g1 g1-i1 a9-d9 d9-g9 g9-i9 a1-a3 a3-a5 a5-a7 a7-a9 i1-i3 i3-i5 i5-i7"  # all but i7-i9


def engine(slide, changes):
    return Engine("quadrilatere", changes=changes, slide=slide)


def twin(slide, changes):
    return NaiveQuadrilatere.from_dict({**NaiveQuadrilatere(slide).to_dict(), **changes})


@pytest.fixture(params=[engine, twin], ids=["engine", "twin"])
def table(request):
    """Sets up a position: houses, then {squares: owner} of the occupied places; the next player is to place."""

    def set_up(houses="", occupied=None, slide=True, supply=None):
        changes = position(houses, occupied or {}) if houses else {}
        return request.param(slide, {**changes, "supply": supply} if supply else changes)

    return set_up


def play(game, *texts):
    for text in texts:
        game.apply(text)


def stage(game):
    return game.to_dict()["stage"]


def spots(game, house):
    """Where a house may slide to, in the slide step."""
    assert stage(game) == "slide"
    return {text.partition(">")[2] for text in game.legal() if text.startswith(house + ">")}


def movable(game):
    assert stage(game) == "slide"
    return {text.partition(">")[0] for text in game.legal() - {"stay"}}


def passed_on(game, seat):
    """Whether the turn ended without a claim step, and it is the turn of this seat."""
    return (game.player, stage(game)) == (seat, "place")


# --- placing ---


def test_grooves(table):
    legal = table().legal()
    assert len(legal) == 2 * 9 * (8 + 7 + 6)
    assert {"a1-b1", "i6-i9", "a2-b2", "b6-b9"} <= legal


def test_houses_come_from_the_own_supply(table):
    game = table("a1-d1 a2-d2 a3-d3 a4-d4 a5-d5 a6-d6 a7-d7")  # the first player has placed four of them
    assert "a8-d8" in game.legal()
    play(game, "a8-b8", "stay")
    assert not any(length(read_house(text)) == 3 for text in game.legal())
    supply = game.to_dict()["supply"]
    assert supply == [{"large": 0, "medium": 8, "small": 12}, {"large": 1, "medium": 8, "small": 11}]


def test_crossings_are_not_shared_and_ends_pass(table):
    legal = table("c2-c4").legal()
    assert not {"b3-d3", "a3-d3", "b3-e3", "c3-c4", "c1-c3"} & legal
    assert {"b3-c3", "c3-e3", "b2-d2", "b4-e4", "c1-c2", "c4-c7"} <= legal
    assert {"b3-d3", "a3-d3"} <= table("c2-c3 c3-c4").legal()  # between two ends


def test_a_house_inside_an_occupied_place_may_not_divide_it(table):
    inside, across = {"c2-c3", "c3-c4", "b3-c3", "c3-d3"}, {"c2-c4", "b3-d3"}
    assert inside | across <= table(FOUR).legal()
    for owner in (0, 1):
        game = table(FOUR, {"b2 c2 b3 c3": owner})
        assert inside <= game.legal()
        assert not across & game.legal()
        play(game, "c2-c3")
        assert passed_on(game, 1)  # nothing may slide, and the place was one before
        assert not inside & game.legal()  # each of the others would now cut something off
        assert game.scores() == [4 * (owner == 0), 4 * (owner == 1)]


def test_walls_inside_an_occupied_place_that_stand_free(table):
    """They do not divide it until they make a ring, or join two of its sides."""
    nine, ring = "b2-e2 b5-e5 b2-b5 e2-e5", "b2 c2 d2 b3 c3 d3 b4 c4 d4"
    game = table(nine + " c3-d3 c4-d4", {ring: 0})
    assert {"c3-c4", "d3-d4"} <= game.legal()
    play(game, "c3-c4")
    assert "d3-d4" not in game.legal()  # c3 would be cut off
    assert {"c2-c3", "d4-e4"} <= game.legal()
    play(game, "c2-c3")
    assert not {"d4-e4", "d2-d3", "b3-c3"} & game.legal()  # with a side already


def test_a_house_through_a_wall_between_two_ends(table):
    """One slot of b3-d3 is inside the place b2 b3, between the ends at c3; one is not."""
    walls = "b2-c2 b4-c4 b2-b4 c2-c3 c3-c4"
    assert "b3-d3" in table(walls).legal()
    assert not {"b3-d3", "b3-c3"} & table(walls, {"b2 b3": 0}).legal()
    wide = "a2-c2 a4-c4 a2-a4 c2-c3 c3-c4"
    assert {"b3-d3", "b3-c3"} <= table(wide, {"a2 b2 a3 b3": 0}).legal()
    assert "a3-d3" not in table(wide, {"a2 b2 a3 b3": 0}).legal()


# --- sliding ---


def test_no_slide_on_the_first_turn(table):
    game = table()
    play(game, "c3-e3")
    assert passed_on(game, 1)


def test_the_house_just_placed_does_not_slide(table):
    game = table("c3-e3")
    play(game, "f6-f7")
    assert movable(game) == {"c3-e3"}


def test_any_other_house_may_slide_whoever_placed_it(table):
    game = table("c3-e3 a8-a9 d6-g6")
    play(game, "f1-f2")
    assert movable(game) == {"c3-e3", "a8-a9", "d6-g6"}


def test_a_slide_stops_at_a_house_a_covered_crossing_and_the_edge(table):
    game = table("c3-d3 g3-h3 c6-d6 b5-b7")
    play(game, "h8-i8")
    assert spots(game, "c3-d3") == {"a3-b3", "b3-c3", "d3-e3", "e3-f3", "f3-g3"}
    assert spots(game, "g3-h3") == {"h3-i3", "f3-g3", "e3-f3", "d3-e3"}
    # The crossing b6 is covered; a small house would not cover it at the end, but on its way.
    assert spots(game, "c6-d6") == {"b6-c6", "d6-e6", "e6-f6", "f6-g6", "g6-h6", "h6-i6"}


def test_sliding_in_between_two_others(table):
    game = table("a3-c3 c2-c3 c3-c4")
    play(game, "e2-e4")
    assert spots(game, "a3-c3") == {"b3-d3", "c3-e3"}  # over the ends at c3, up to the crossing e3
    play(game, "a3-c3>b3-d3")
    assert "b3-d3" in game.to_dict()["houses"]
    assert passed_on(game, 0)
    # Now the crossing c3 is covered, and the two at its ends cannot come together over it.
    play(game, "h8-i8")
    assert spots(game, "c2-c3") == {"c1-c2"}
    assert spots(game, "c3-c4") == {f"c{line}-c{line + 1}" for line in range(4, 9)}


def test_a_house_at_an_occupied_place_may_not_move(table):
    """Not even the roof c3-e3, which could go left by one and leave c3 closed."""
    walls = "c3-e3 c4-d4 c3-c4 d3-d4"
    game = table(walls)
    play(game, "h8-i8")
    assert "b3-d3" in spots(game, "c3-e3")  # c3 is closed without a monument
    for owner in (0, 1):
        game = table(walls, {"c3": owner})
        play(game, "h8-i8")
        assert passed_on(game, 1)  # nothing may slide


def test_a_house_that_only_touches_an_occupied_place_may_move(table):
    game = table(UNIT + " b3-c3 d4-d5", {"c3": 0})
    play(game, "h8-i8")
    assert movable(game) == {"b3-c3", "d4-d5"}


def test_a_house_inside_an_occupied_place_may_not_move(table):
    game = table(FOUR + " c2-c3")
    play(game, "h8-i8")
    assert spots(game, "c2-c3") == {"c3-c4"}
    game = table(FOUR + " c2-c3", {"b2 c2 b3 c3": 0})
    play(game, "h8-i8")
    assert passed_on(game, 0)


def test_a_slide_may_not_divide_an_occupied_place(table):
    """The groove of b4-c4 leads through the place c3 c4, in and out between two ends."""
    walls = "c3-c4 c4-c5 d3-d4 d4-d5 c3-d3 c5-d5"
    right = {"d4-e4", "e4-f4", "f4-g4", "g4-h4", "h4-i4"}
    game = table(walls + " b4-c4", {"c3 c4": 1})
    play(game, "h8-i8")
    assert spots(game, "b4-c4") == {"a4-b4"} | right
    play(game, "b4-c4>d4-e4")
    assert passed_on(game, 0)
    game = table(walls + " b4-c4")  # without a monument
    play(game, "h8-i8")
    assert spots(game, "b4-c4") == {"a4-b4", "c4-d4"} | right
    game = table(walls + " a4-c4", {"c3 c4": 1})
    play(game, "h8-i8")
    assert spots(game, "a4-c4") == {"d4-f4", "e4-g4", "f4-h4", "g4-i4"}
    game = table(walls.replace("c3-c4 c4-c5", "c3-c5") + " b4-c4", {"c3 c4": 1})
    play(game, "h8-i8")
    assert spots(game, "b4-c4") == {"a4-b4"}  # no way in


def test_a_slide_may_end_inside_an_occupied_place(table):
    """A small house can go to either half of the groove through the place, a medium one cannot fill both."""
    walls = "c3-e3 c5-e5 c3-c4 c4-c5 e3-e4 e4-e5"
    place = {"c3 d3 c4 d4": 1}
    game = table(walls + " b4-c4", place)
    play(game, "h8-i8")
    assert spots(game, "b4-c4") == {"a4-b4", "c4-d4", "d4-e4", "e4-f4", "f4-g4", "g4-h4", "h4-i4"}
    play(game, "b4-c4>c4-d4")
    assert passed_on(game, 0)
    play(game, "h7-i7")
    assert "c4-d4" not in movable(game)  # now it is held
    game = table(walls + " a4-c4", place)
    play(game, "h8-i8")
    assert spots(game, "a4-c4") == {"b4-d4", "d4-f4", "e4-g4", "f4-h4", "g4-i4"}


def test_slides_can_be_left_out_of_the_game(table):
    game = table("c3-d3 c4-d4 c3-c4", slide=False)
    play(game, "h8-i8")
    assert passed_on(game, 0)
    play(game, "d3-d4")
    assert game.legal() == {"claim@c3", "leave"}


# --- claiming ---


def test_closing_by_placing(table):
    game = table("c3-d3 c4-d4 c3-c4")
    play(game, "d3-d4", "stay")
    told = game.to_dict()
    assert (told["stage"], told["placed"], told["slid"], told["closed"]) == ("claim", "d3-d4", None, ["c3"])
    assert game.legal() == {"claim@c3", "leave"}
    play(game, "claim@c3")
    told = game.to_dict()
    assert (told["places"], told["monuments"]) == ([{"owner": 1, "squares": ["c3"]}], [6, 5])
    assert (told["placed"], told["closed"]) == (None, [])
    assert (game.scores(), game.ranks()) == ([0, 1], [1, 0])
    assert passed_on(game, 0)


def test_closing_by_sliding(table):
    game = table("c3-d3 c4-d4 c3-c4 d4-d5")
    play(game, "h8-i8", "d4-d5>d3-d4")
    told = game.to_dict()
    assert (told["stage"], told["slid"], told["closed"]) == ("claim", ["d4-d5", "d3-d4"], ["c3"])
    play(game, "claim@c3")
    assert game.scores() == [1, 0]
    assert game.to_dict()["slid"] is None


def test_what_the_slide_opens_again_cannot_be_claimed(table):
    game = table("c3-d3 c4-d4 c3-c4")
    play(game, "d3-d4", "c4-d4>d4-e4")
    assert passed_on(game, 0)


def test_the_edge_is_no_wall(table):
    game = table("a2-b2")
    play(game, "b1-b2", "stay")
    assert passed_on(game, 0)


def test_a_place_around_another(table):
    """Its squares do not include the inner ones, which belong to the owner of the inner place."""
    game = table(UNIT + " b2-e2 b5-e5 b2-b5", {"c3": 0})
    play(game, "e2-e5", "stay", "claim@b2")
    ring, inner = game.to_dict()["places"]
    assert ring == {"owner": 1, "squares": ["b2", "c2", "d2", "b3", "d3", "b4", "c4", "d4"]}
    assert inner == {"owner": 0, "squares": ["c3"]}
    assert game.scores() == [1, 8]


def test_of_two_places_closed_at_once_one_can_be_claimed(table):
    game = table("c3-c4 d3-d4 e3-e4 c4-e4")
    play(game, "c3-e3", "stay")
    assert game.to_dict()["closed"] == ["c3", "d3"]
    assert game.legal() == {"claim@c3", "claim@d3", "leave"}
    play(game, "claim@d3")
    assert game.to_dict()["places"] == [{"owner": 0, "squares": ["d3"]}]
    play(game, "h8-i8", "stay")  # the other one is left for good
    assert passed_on(game, 0)


def test_dividing_an_unclaimed_place_makes_two(table):
    game = table("c3-e3 c4-e4 c3-c4 e3-e4")
    play(game, "d3-d4", "stay")
    assert game.legal() == {"claim@c3", "claim@d3", "leave"}


def test_sliding_the_wall_between_two_places_away_closes_nothing(table):
    game = table("c3-e3 c4-d4 d4-e4 c3-c4 d3-d4 e3-e4")
    play(game, "h8-i8", "d3-d4>d4-d5")
    assert passed_on(game, 1)


def test_two_places_that_become_one_with_a_wall_of_this_turn(table):
    """Then it was closed by this player: by the house just placed, or by the slid one at its new spot."""
    game = table("c3-e3 c4-d4 d4-e4 c3-c4 d3-d4")
    play(game, "e3-e4", "d3-d4>d4-d5", "claim@c3")
    assert game.to_dict()["places"] == [{"owner": 1, "squares": ["c3", "d3"]}]
    # The wall between the places c3 and d3 c4 d4 e4 slides down: there it is the wall between d4 and c4.
    game = table("c3-e3 c4-d4 e3-e4 c3-c4 d3-d4 e4-f4 f4-f5 d5-f5 c4-c5 c5-d5")
    play(game, "h8-i8", "d3-d4>d4-d5", "claim@c3")
    assert game.to_dict()["places"] == [{"owner": 0, "squares": ["c3", "d3", "d4", "e4"]}]


def test_a_slid_house_is_a_wall_where_it_stands_also_in_slots_it_filled_before(table):
    """The house c4-e4 is the wall below c3 and d3. Slid to d4-f4 it opens c3 to c4; it still stands below d3."""
    game = table("c3-e3 c3-c4 c4-c5 e3-e4 d4-d5 c5-d5 c4-e4")
    play(game, "h8-i8")
    assert game.to_dict()["stage"] == "slide"
    play(game, "c4-e4>d4-f4")
    assert game.legal() == {"claim@c3", "leave"}


def test_a_wall_inside_is_no_wall_of_a_place(table):
    """Two places of four squares become one. The house placed inside of it this turn has it on both sides, so this
    turn closed nothing; one placed at its edge is a wall."""
    walls = "b2-d2 d2-f2 b4-d4 d4-f4 b2-b4 d2-d4"
    game = table(walls + " f2-f4")
    play(game, "c2-c3", "d2-d4>d4-d6")
    assert passed_on(game, 0)
    game = table(walls)
    play(game, "f2-f4", "d2-d4>d4-d6")
    assert game.legal() == {"claim@b2", "leave"}


def test_a_place_not_claimed_at_once_stays_without_an_owner(table):
    game = table("c3-e3 c4-d4 c3-c4")
    play(game, "d3-d4", "stay", "leave")
    assert game.to_dict()["places"] == []
    play(game, "h8-i8", "c3-e3>b3-d3")  # the same squares, walled in anew
    assert passed_on(game, 1)
    game = table(FOUR)
    play(game, "c2-c3", "stay")  # a wall inside that divides nothing
    assert passed_on(game, 1)


def test_a_place_opened_and_closed_again_is_new(table):
    game = table(UNIT)
    play(game, "h8-i8", "d3-d4>d4-d5")
    assert passed_on(game, 1)
    play(game, "h7-i7", "d4-d5>d3-d4")
    assert game.legal() == {"claim@c3", "leave"}


# --- the end ---


SIX_ROW = "a1-d1 d1-g1 a2-d2 d2-g2 a1-a2 b1-b2 c1-c2 d1-d2 e1-e2 f1-f2"  # all of six squares but g1-g2
FIVE = dict.fromkeys(("a1", "b1", "c1", "d1", "e1"), 0)


def test_the_end_by_monuments(table):
    game = table(SIX_ROW, FIVE)
    play(game, "g1-g2", "claim@f1")  # no house may slide
    told = game.to_dict()
    assert (told["monuments"], told["player"], told["stage"], told["turn"]) == ([0, 6], None, None, 11)
    assert (game.over, game.scores(), game.ranks(), game.legal()) == (True, [6, 0], [0, 1], set())
    game = table(SIX_ROW, FIVE)
    play(game, "g1-g2", "leave")
    assert passed_on(game, 1)


@pytest.mark.parametrize(("choice", "scores"), [("claim@e6", [2, 0]), ("leave", [0, 0])])
def test_the_end_by_houses(table, choice, scores):
    game = table(ALL_HOUSES.removesuffix(" g5-g6 g6-g7"))
    assert game.to_dict()["supply"] == [{"large": 0, "medium": 0, "small": 1}] * 2
    play(game, "g6-g7", "stay", choice)  # the last turn has all its steps
    assert (game.over, game.scores(), game.to_dict()["player"]) == (True, scores, None)
    assert game.to_dict()["supply"][1]["small"] == 1


def leave_everything(game):
    """Decline what can be declined until the turn is over."""
    while not game.over and stage(game) != "place":
        play(game, "stay" if stage(game) == "slide" else "leave")


def test_the_end_by_no_room(table):
    """Both players have only large houses left, and no three slots in a row are free; small gaps are."""
    game = table(NO_LARGE.replace(" i6-i7", ""))
    supply = game.to_dict()["supply"]
    assert supply == [{"large": 3, "medium": 0, "small": 1}, {"large": 4, "medium": 0, "small": 0}]
    play(game, "i6-i7")
    assert stage(game) == "slide"  # a slide could still make room
    leave_everything(game)
    assert (game.over, game.to_dict()["stage"], game.legal()) == (True, None, set())


def test_who_cannot_place_while_the_other_can_passes_the_whole_turn(table):
    houses, supply = tight()
    game = table(houses.replace(" i6-i7", ""), supply=[{**supply[0], "small": 2}, supply[1]])
    play(game, "i6-i7")
    leave_everything(game)
    before = game.to_dict()
    assert (before["player"], before["stage"], before["turn"]) == (1, "place", 41)
    assert game.legal() == {"pass"}
    play(game, "pass")
    assert game.to_dict() == {**before, "player": 0, "turn": 42}
    play(game, "i4-i5")  # the last small house
    leave_everything(game)
    assert game.over


def test_who_has_passed_may_place_again_when_a_slide_has_made_room(table):
    houses, supply = tight()
    game = table(houses, supply=supply)
    play(game, "pass", "b2-b3", "i6-i7>i7-i8")
    leave_everything(game)
    assert game.player == 1
    assert game.legal() == {"i4-i7"}


def test_there_is_no_passing_for_who_can_place(table):
    assert "pass" not in table().legal() | table(FOUR).legal()


def test_that_no_monument_can_be_placed_any_more_does_not_end_the_game(table):
    """All squares are in one place of the second player; houses can still go inside."""
    game = table(FRAME)
    play(game, "i7-i9", "claim@a1")
    assert game.scores() == [0, 64]
    assert passed_on(game, 0)
    assert {"c3-e3", "a2-b2"} <= game.legal()


@pytest.mark.parametrize(
    ("walls", "place", "scores", "ranks"),
    [
        ("a4-c4 a6-c6 a4-a6 c4-c6", "a4 b4 a5 b5", [6, 4], [0, 1]),
        ("a4-d4 a6-d6 a4-a6 d4-d6", "a4 b4 c4 a5 b5 c5", [6, 6], [0, 0]),
        ("a4-d4 d4-e4 a6-d6 d6-e6 a4-a6 e4-e6", "a4 b4 c4 d4 a5 b5 c5 d5", [6, 8], [1, 0]),
    ],
    ids=["more", "equal", "fewer"],
)
def test_more_squares_win_and_equal_is_a_draw(table, walls, place, scores, ranks):
    """Whoever has used the last monument."""
    game = table(f"{SIX_ROW} {walls}", {**FIVE, place: 1})
    play(game, "g1-g2", "claim@f1")
    assert (game.over, game.scores(), game.ranks()) == (True, scores, ranks)
