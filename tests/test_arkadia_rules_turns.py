"""The rules of Arkadia beside the board: castle, cards, banners. One small position each, on which the engine and
the naive twin agree. Many of them have a town (see `town`) at the lower edge of the board."""

from __future__ import annotations

from collections import Counter

import pytest

from helpers.arkadias import Engine, Twin, play, position, seals, told, town
from naive.arkadia_pieces import FAMILIES

pytestmark = pytest.mark.core

RING = ["red", "olive", "black", "silver", None, "red", "olive", "black", "silver", None]
CORNERS = (
    {"a1+b1": "house-red", "o1+p1": "house-red", "a12+b12": "house-olive"},
    "c1 a2 b2 n1 o2 p2 c12 a11 b11",
)  # three complete houses
HALF_CLOSED = ({"a1+b1": "house-red", "d1+e1": "house-olive"}, "a2 b2 d2 e2 f1")  # c1 completes both


@pytest.fixture(params=[Engine, Twin], ids=["engine", "twin"])
def table(request):
    """Sets up a position (see `position`) from buildings and their fence."""

    def set_up(on_board=({}, ""), players=2, **changes):
        buildings, fence = on_board
        return request.param(changes=position(buildings, fence=fence, players=players, **changes), players=players)

    return set_up


def castle(game):
    return [(square["shows"], square["level"]) for square in told(game, "castle")]


def worth(game):
    """Today's values of the families."""
    shown = [square["shows"] for square in told(game, "castle")]
    return {family: shown.count(family) for family in FAMILIES}


def hand(game, seat):
    return told(game, "hands")[seat]


# --- castle ---


def test_at_the_start_the_castle_shows_two_of_each_family(table):
    game = table(HALF_CLOSED)
    assert castle(game) == [(family, 0) for family in RING]
    play(game, "workers@a1", "own@c1")
    assert game.legal() == {f"{family}/{shown}" for family in FAMILIES for shown in [*FAMILIES, "blank"]}


def test_a_block_changes_the_values(table):
    game = table(HALF_CLOSED)
    play(game, "workers@a1", "own@c1", "red/silver")
    assert worth(game) == {"red": 3, "olive": 2, "black": 2, "silver": 1}
    assert castle(game)[3] == ("red", 1)  # the first of the two that show silver
    assert told(game, "stock") == [
        seals(red=2, olive=3, black=3, silver=3),
        seals(**dict.fromkeys(FAMILIES, 3)),
        seals(**dict.fromkeys(FAMILIES, 1)),
    ]
    play(game, "silver/silver")
    assert castle(game)[8] == ("silver", 1)
    assert worth(game) == {"red": 3, "olive": 2, "black": 2, "silver": 1}


def test_a_castle_square_is_built_on_once_per_level(table):
    game = table(town(8))
    play(game, "workers@a9", "own@a8", "own@b8")
    assert game.legal() == {f"{family}/{shown}" for family in FAMILIES for shown in ("silver", "blank")}
    assert castle(game)[3] == castle(game)[7] == ("silver", 1)
    play(game, "red/silver")
    assert castle(game)[8] == ("red", 1)  # the one that is not yet built on


def test_no_block_of_a_family_that_the_levels_stock_lacks(table):
    game = table(town(9))
    play(game, "workers@c9", "own@c8", "own@d8")
    assert told(game, "stage", "blocks") == ("castle", 1)
    assert game.legal() == {"olive/blank", "black/blank", "silver/blank"}  # three red ones are built


def test_a_level_ends_in_the_middle_of_a_turn(table):
    """The mill completes two houses: one block fills level 1, what is left goes to level 3, the other starts
    level 2."""
    game = table(town(9), hands=["mill-red"])
    play(game, "mill-red", "c8+d8+e8+f8", "draw@pile")
    assert told(game, "stage", "blocks") == ("castle", 2)
    play(game, "silver/blank")
    assert told(game, "stock") == [
        seals(),
        seals(red=3, olive=3, black=3, silver=3),
        seals(red=1, olive=2, black=2, silver=1),
    ]
    assert castle(game)[9] == ("silver", 1)
    assert game.legal() == {f"{family}/{shown}" for family in FAMILIES for shown in FAMILIES}
    play(game, "red/olive")
    assert castle(game)[1] == ("red", 2)
    assert told(game, "stage", "turns_left") == ("banner", None)


def test_level_two_ends_and_level_three_starts(table):
    game = table(town(19), hands=["mill-red"])
    play(game, "mill-red", "g8+h8+i8+j8", "draw@pile", "olive/olive")
    assert told(game, "stock") == [seals(), seals(), seals(red=1, olive=1, black=3, silver=3)]
    assert [level for _, level in castle(game)] == [2] * 10
    play(game, "black/red")
    assert castle(game)[0] == ("black", 3)
    assert told(game, "stock")[2] == seals(red=1, olive=1, black=2, silver=3)


def test_the_last_block(table):
    game = table(town(27), hired=[1])
    play(game, "workers@m8", "own@m7", "own@n7", "own@o7", "own@p7")
    assert {text.partition("/")[0] for text in game.legal()} == {"silver"}
    play(game, "silver/red")
    assert told(game, "stock", "stage") == ([seals(), seals(), seals()], "banner")
    assert sum(level for _, level in castle(game)) == 28


def test_without_blocks_none_is_laid_but_seals_are_given(table):
    buildings, fence = town(28)
    game = table(({**buildings, "a1+a2+a3+b3": "trade-centre-red"}, fence + " b1 b2 a4 b4"))
    play(game, "workers@a1", "own@c3")
    assert told(game, "stage", "blocks", "seals") == ("banner", 0, [seals(red=2), seals(red=4)])


# --- cards ---


def test_a_face_up_card_is_replaced_from_the_pile(table):
    game = table(hands=["farm-red"])
    before, pile, (first, second, third) = hand(game, 0), told(game, "pile"), told(game, "display")
    play(game, "farm-red", "h4+h5+h6")
    assert game.legal() == {"draw@pile", *(f"draw@{card}" for card in (first, second, third))}
    play(game, f"draw@{third}")
    display = told(game, "display")
    assert display[:2] == [first, second]
    assert Counter(pile) - Counter(told(game, "pile")) == Counter([display[2]])
    assert Counter(hand(game, 0)) - Counter(before) == Counter([third])


def test_a_card_from_the_pile(table):
    game = table(hands=["farm-red"])
    pile, display = told(game, "pile", "display")
    play(game, "farm-red", "h4+h5+h6")
    before = hand(game, 0)
    play(game, "draw@pile")
    drawn = Counter(pile) - Counter(told(game, "pile"))
    assert Counter(hand(game, 0)) - Counter(before) == drawn
    assert (sum(drawn.values()), told(game, "display")) == (1, display)


def test_of_equal_face_up_cards_the_first_is_taken(table):
    game = table(hands=[" ".join(f"{kind}-{family}" for family in FAMILIES) for kind in ("mill", "smithy")])
    assert told(game, "display") == ["house-red", "house-red", "house-olive"]
    play(game, "mill-red", "m5+n5+o5+p5", "draw@house-red")
    display = told(game, "display")
    assert display[0] != "house-red"
    assert display[1:] == ["house-red", "house-olive"]


def test_a_card_taken_face_up_is_known_until_it_is_played(table):
    game = table(hands=["farm-red house-red", "house-olive"])
    taken = told(game, "display")[0]
    play(game, "farm-red", "h4+h5+h6", f"draw@{taken}", "keep")
    assert [game.observe(seat)["known"] for seat in (0, 1)] == [[[taken], []]] * 2
    play(game, "house-olive", "g4+g5", "draw@pile", "keep")
    assert told(game, "known") == [[taken], []]  # cards from the pile are not
    play(game, "house-red", "g6+g7", "draw@pile", "keep")
    assert told(game, "known") == [[taken], []]  # another one was played
    play(game, "workers@i4", "own@i3", "done", "keep", taken)
    assert told(game, "known", "held") == ([[], []], taken)


def test_of_equal_cards_the_known_one_is_played(table):
    game = table(hands=["farm-red farm-red"], known=[["farm-red"], []])
    play(game, "farm-red")
    assert (told(game, "known"), hand(game, 0).count("farm-red")) == ([[], []], 1)


def test_other_seats_see_the_number_of_cards_only(table):
    game = table(hands=["farm-red"])
    play(game, "farm-red", "h4+h5+h6", "draw@pile")
    for seat in (0, 1):
        seen = game.observe(seat)
        assert not {"hands", "pile"} & set(seen)
        assert (seen["hand"], seen["cards"], seen["unseen"]) == (hand(game, seat), [4, 4], 40 - 8 - 3 - 1)
        assert seen["known"] == [[], []]


def test_after_workers_no_card_is_drawn(table):
    game = table()
    play(game, "workers@i4", "own@i3", "done")
    assert told(game, "stage") == "banner"


def test_the_last_card_of_the_pile(table):
    game = table(town(16), players=3, hands=["smithy-red", "smithy-olive"])
    (last,), display = told(game, "pile"), told(game, "display")
    play(game, "smithy-red", "m4+m5+n5+m6", f"draw@{display[0]}")
    assert told(game, "pile", "display") == ([], [last, *display[1:]])
    play(game, "keep", "smithy-olive", "h4+g5+h5+h6")
    assert game.legal() == {f"draw@{card}" for card in told(game, "display")}  # no pile, only face-up cards
    play(game, f"draw@{display[1]}", "keep")
    assert told(game, "display") == [last, None, display[2]]  # not replaced


def test_a_smaller_hand_when_nothing_is_left_to_draw(table):
    game = table(town(16), players=4, hands=["smithy-red"])
    assert told(game, "pile", "display") == ([], [None, None, None])
    play(game, "smithy-red", "m4+m5+n5+m6")
    assert told(game, "stage") == "banner"
    assert game.observe(3)["cards"] == [3, 4, 4, 4]


def test_without_cards_to_draw_the_castle_follows_at_once(table):
    game = table(town(16), players=4, hands=["mill-red"])
    play(game, "mill-red", "a8+b8+c8+d8")
    assert told(game, "stage", "blocks") == ("castle", 2)
    play(game, "black/red", "black/olive")
    assert told(game, "stage") == "banner"


# --- banners ---


def test_a_banner_brings_two_workers(table):
    game = table()
    play(game, "workers@i4", "own@i3", "done")
    assert game.legal() == {"banner", "keep"}
    play(game, "banner")
    assert told(game, "banners", "own", "player", "stage") == ([3, 4], [4, 3], 1, "act")  # no seals to exchange


def test_the_rulebooks_exchange(table):
    """7 red seals with 3 red squares visible and 5 silver with 4 visible bring 21 + 20 = 41 gold."""
    shown = ["red", "silver", "black", "silver", "red", "red", "olive", "black", "silver", "silver"]
    built = (1, 4, 9)
    game = table(
        CORNERS,
        seals=[seals(red=7, silver=5), seals(red=2)],
        castle=[{"shows": family, "level": int(square in built)} for square, family in enumerate(shown)],
        stock=[
            seals(red=2, olive=3, black=3, silver=1),
            seals(red=3, olive=3, black=3, silver=3),
            seals(red=1, olive=1, black=1, silver=1),
        ],
    )
    assert worth(game) == {"red": 3, "olive": 1, "black": 2, "silver": 4}
    play(game, "workers@i4", "own@i3", "done", "banner")
    assert game.legal() == {f"red={number}" for number in range(8)}
    play(game, "red=7")
    assert told(game, "selling", "gold") == ("silver", [21, 0])  # families without seals are left out
    play(game, "silver=5")
    assert told(game, "gold", "seals", "player", "selling") == ([41, 0], [seals(), seals(red=2)], 1, None)


def test_some_seals_may_be_kept(table):
    game = table(seals=[seals(olive=3, black=1), seals()])
    play(game, "workers@i4", "own@i3", "done", "banner", "olive=1", "black=0")
    assert told(game, "gold", "seals") == ([2, 0], [seals(olive=2, black=1), seals()])
    assert (game.scores(), game.ranks()) == ([8, 0], [0, 1])


def test_without_a_banner_no_seals_are_exchanged(table):
    game = table(seals=[seals(olive=3), seals()])
    play(game, "workers@i4", "own@i3", "done", "keep")
    assert told(game, "gold", "player") == ([0, 0], 1)
    game = table(seals=[seals(olive=3), seals()], hired=[4])
    play(game, "workers@i4", "own@i3", "done")
    assert told(game, "gold", "player", "stage") == ([0, 0], 1, "act")
