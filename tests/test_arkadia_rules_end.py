"""The rules of Arkadia at the start and at the end: set-ups, passing, the last turns, the final count. The engine
and the naive twin agree with all of them."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from helpers.arkadias import Engine, Twin, choose_card, play, position, seals, told, town
from naive.arkadia import NaiveArkadia
from naive.arkadia_pieces import CAMPS, CARDS, LOTS, names, read, rectangle

pytestmark = pytest.mark.core

INTRO = [
    ("house", "red", "e5 f5"),
    ("farm", "olive", "k6 k7 k8"),
    ("tavern", "black", "j8 i9 j9"),
    ("mill", "silver", "f8 g8 h8 i8"),
    ("smithy", "red", "h3 i3 j3 i4"),
    ("trade-centre", "olive", "g2 g3 g4 h4"),
    ("monastery", "black", "e6 f6 d7 e7"),
]


@pytest.fixture(params=[Engine, Twin], ids=["engine", "twin"])
def maker(request):
    return request.param


@pytest.fixture
def table(maker):
    """Sets up a position (see `position`) from buildings and their fence."""

    def set_up(on_board, players=2, **changes):
        buildings, fence = on_board
        return maker(changes=position(buildings, fence=fence, players=players, **changes), players=players)

    return set_up


@pytest.fixture
def stuck(maker):
    """Sets up a position in which no player has anything to lay or place."""

    def set_up(players=2, **changes):
        return maker(changes={**nothing_left(players), **changes}, players=players)

    return set_up


@cache
def nothing_left(players):
    """The position before everybody passes, in the first random game without banners that ends so."""
    for seed in range(20):
        choices = random.Random(seed)
        game = NaiveArkadia.start(players, "standard", False, choices)
        while not game.over:
            if game.stage == "act" and game.passes == 0:
                before = game.to_dict()
            game.apply(choices.choice(sorted(game.legal() - {"banner"})), choose_card(game, choices))
        if game.passes == players:
            return before
    raise AssertionError("no game ended so")


def one_worker(square):
    """A turn in which not much happens."""
    return ["workers@i4", f"own@{square}", "done", "keep"]


# --- set-ups ---


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_standard_set_up(maker, players):
    lots = {tuple(names(rectangle(*lot))) for lot in LOTS}
    for seed in range(5):
        game = maker(players=players, seed=seed)
        hands, display, pile = told(game, "hands", "display", "pile")
        assert [len(hand) for hand in hands] == [4] * players
        assert Counter(CARDS) == Counter([card for hand in hands for card in hand] + display + pile)
        assert len(display) == 3
        assert tuple(told(game, "lot")) in lots
        assert told(game, "own", "banners", "helpers", "camp") == ([3] * players, [4] * players, [0] * players, 24)
        assert told(game, "player", "stage", "buildings", "gold") == (0, "act", [], [0] * players)
        assert (game.scores(), game.ranks()) == ([0] * players, [0] * players)


def test_the_lot_lies_on_any_place_without_a_camp(maker):
    seen = Counter(tuple(told(maker(seed=seed), "lot")) for seed in range(60))
    assert set(seen) == {tuple(names(rectangle(*lot))) for lot in LOTS}
    assert max(seen.values()) < 30


@pytest.mark.parametrize(("players", "extra"), [(2, 3), (3, 2), (4, 1)])
def test_the_introductory_set_up(maker, players, extra):
    game = maker(players=players, setup="intro")
    assert told(game, "lot") == names(rectangle(3, 4, (4, 6)))
    assert told(game, "buildings") == [
        {"type": kind, "family": family, "squares": squares.split(), "complete": False}
        for kind, family, squares in INTRO
    ]
    assert told(game, "helpers", "camp") == ([extra] * players, 24 - players * extra)
    assert told(game, "seals", "own", "neutral") == ([seals()] * players, [3] * players, [])
    hands, display, pile = told(game, "hands", "display", "pile")
    left = Counter([card for hand in hands for card in hand] + display + pile)
    assert Counter(CARDS) - left == Counter(f"{kind}-{family}" for kind, family, _ in INTRO)
    assert "workers@f8" in game.legal()


@pytest.mark.parametrize(("players", "setup"), [(2, "standard"), (2, "intro"), (3, "intro"), (4, "intro")])
def test_there_is_a_neutral_worker_for_every_camp(maker, players, setup):
    """So the camps never run out of them, whatever is built upon."""
    game = maker(players=players, setup=setup)
    built = {read(square) for building in told(game, "buildings") for square in building["squares"]}
    assert told(game, "camp") >= len(CAMPS - built) > 0


def test_the_seats_take_turns(maker):
    game = maker(players=3)
    for turn in range(4):
        assert told(game, "turn", "player") == (turn, turn % 3)
        play(game, "workers@" + told(game, "lot")[0])
        play(game, min(game.legal()), "done", "keep")


# --- passing ---


def test_who_can_do_something_must(table, stuck):
    assert "pass" not in table(({}, "")).legal()
    assert stuck().legal() == {"pass"}


def test_who_passes_may_still_show_a_banner(stuck):
    game = stuck(seals=[seals(red=1), seals(red=1)])
    seat = told(game, "player")
    play(game, "pass")
    assert game.legal() == {"banner", "keep"}
    play(game, "banner")
    assert told(game, "own")[seat] == 2
    assert game.legal() == {"red=0", "red=1"}


@pytest.mark.parametrize("players", [2, 3])
def test_the_game_ends_when_all_pass_in_a_row(stuck, players):
    game = stuck(players, gold=[10, 0, 0][:players], seals=[seals(), seals(olive=1), seals()][:players])
    olive = [square["shows"] for square in told(game, "castle")].count("olive")
    turn = told(game, "turn")
    for passed in range(players):
        assert told(game, "turn", "passes") == (turn + passed, passed)
        play(game, "pass", "keep")
    assert (game.over, game.legal()) == (True, set())
    assert told(game, "player", "stage", "turn") == (None, None, turn + players)
    assert told(game, "gold", "seals") == ([10, olive, 0][:players], [seals()] * players)
    assert game.scores() == [10, olive, 0][:players]


def test_another_act_in_between_starts_the_passes_anew(stuck):
    player = nothing_left(2)["player"]
    others = [seat != player for seat in (0, 1)]  # the other one has shown a banner before
    game = stuck(own=[2 * other for other in others], banners=[4 - other for other in others])
    play(game, "pass", "keep")
    assert told(game, "passes") == 1
    while told(game, "player") != player:
        play(game, "keep" if told(game, "stage") == "banner" else max(game.legal()))
    assert told(game, "passes") == 0
    play(game, "pass", "keep")
    assert told(game, "passes", "player") == (1, 1 - player)


# --- the end ---


def test_everybody_plays_one_more_turn_when_level_two_is_full(table):
    game = table(town(19), players=3, player=1)
    turn = told(game, "turn")
    play(game, "workers@g9", "own@g8", "own@h8", "silver/olive")
    assert told(game, "stage", "player") == ("banner", 1)  # the turn goes on
    play(game, "banner", "olive=1")
    for number, (seat, square) in enumerate([(2, "i3"), (0, "j3"), (1, "k3")]):
        assert told(game, "turn", "player", "turns_left") == (turn + 1 + number, seat, 3 - number)
        play(game, *one_worker(square))
    assert (game.over, game.legal()) == (True, set())
    assert told(game, "player", "stage", "turn", "turns_left") == (None, None, turn + 4, 0)


def test_blocks_are_laid_in_the_last_turns_too(table):
    game = table(town(20), turns_left=1)
    play(game, "workers@i9", "own@i8", "own@j8", "black/olive", "keep")
    values = {"red": 3, "olive": 2, "black": 3, "silver": 2}
    assert game.over
    assert game.scores() == [3 * values["black"], 0]  # i9 and j9 are a black house


def test_the_end_is_not_triggered_twice(table):
    """A block on level 3 does not make the game longer."""
    game = table(town(20), players=2)
    play(game, "workers@i9", "own@i8", "own@j8", "black/olive", "keep")
    assert told(game, "turns_left", "player") == (1, 1)
    play(game, *one_worker("i3"))
    assert game.over


def test_the_final_count_and_a_tie(table):
    """With level 2 full, red and olive show three times, black and silver twice."""
    game = table(town(20), players=3, turns_left=1, gold=[6, 0, 1], seals=[seals(), seals(red=2), seals(black=1)])
    assert (game.scores(), game.ranks()) == ([6, 6, 3], [0, 0, 2])
    play(game, *one_worker("i3"))
    assert game.over
    assert told(game, "gold", "seals") == ([6, 6, 3], [seals()] * 3)
    assert (game.scores(), game.ranks()) == ([6, 6, 3], [0, 0, 2])
