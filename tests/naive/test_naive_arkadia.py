"""Tests of the naive Arkadia: what is in the box, the steps of a turn, complete random games."""

import random
from collections import Counter
from itertools import chain

import pytest

from .arkadia import NaiveArkadia
from .arkadia_board import PUBLISHED
from .arkadia_pieces import (
    CAMPS,
    CARDS,
    FAMILIES,
    INTRO,
    INTRO_LOT,
    LOTS,
    PICTURES,
    SQUARES,
    around,
    name,
    names,
    read,
    rectangle,
    sorted_cards,
    split_card,
    variants,
)

SETUPS = [(players, setup) for players in (2, 3, 4) for setup in ("standard", "intro")]


def start(players=2, setup="standard", flip=False, seed=1, **changes):
    """A game at its start, with some of its plain data changed."""
    game = NaiveArkadia.start(players, setup, flip, random.Random(seed))
    return NaiveArkadia.from_dict({**game.to_dict(), **changes})


def holding(*hand, **changes):
    """A game at its start in which the first player has these cards, and the others what comes then."""
    cards = list(CARDS)
    for card in hand:
        cards.remove(card)
    lot = names(rectangle(3, 4, (4, 6)))
    return start(
        **{
            "lot": lot,
            "hands": [sorted_cards(hand), cards[:4]],
            "display": cards[4:7],
            "pile": cards[7:],
            **changes,
        }
    )


# --- what is in the box ---


def test_texts():
    assert read("i4") == (3, 8)
    assert name((11, 15)) == "p12"
    assert [read(name(square)) for square in SQUARES] == SQUARES
    assert names({(1, 0), (0, 2), (0, 1)}) == ["b1", "c1", "a2"]
    assert split_card("trade-centre-red") == ("trade-centre", "red")


def test_cards():
    assert len(CARDS) == 40
    assert Counter(split_card(card)[0] for card in CARDS) == {
        "house": 8,
        "farm": 8,
        "tavern": 8,
        "mill": 4,
        "smithy": 4,
        "trade-centre": 4,
        "monastery": 4,
    }
    assert Counter(split_card(card)[1] for card in CARDS) == dict.fromkeys(FAMILIES, 10)
    assert sorted_cards(["mill-red", "house-silver", "house-olive"]) == ["house-olive", "house-silver", "mill-red"]


@pytest.mark.parametrize(
    ("kind", "squares", "ways", "places", "places_with_flip"),
    [
        ("house", 2, 2, 12 * 15 + 11 * 16, 356),
        ("farm", 3, 2, 12 * 14 + 10 * 16, 328),
        ("tavern", 3, 4, 4 * 11 * 15, 660),
        ("mill", 4, 2, 12 * 13 + 9 * 16, 300),
        ("smithy", 4, 4, 2 * 11 * 14 + 2 * 10 * 15, 608),
        ("trade-centre", 4, 4, 2 * 11 * 14 + 2 * 10 * 15, 2 * 608),
        ("monastery", 4, 2, 11 * 14 + 10 * 15, 2 * 304),
    ],
)
def test_forms(kind, squares, ways, places, places_with_flip):
    assert {len(lying) for lying in variants(PICTURES[kind], flip=True)} == {squares}
    assert len(variants(PICTURES[kind], flip=False)) == ways
    for flip, number in ((False, places), (True, places_with_flip)):
        assert len(PUBLISHED.everywhere[kind, flip]) == len(set(PUBLISHED.everywhere[kind, flip])) == number


def test_turned_over_only_with_flip():
    lying = frozenset(map(read, ["d1", "d2", "c3", "d3"]))  # the trade centre in a mirror
    zigzag = frozenset(map(read, ["a1", "b1", "b2", "c2"]))  # the monastery in a mirror
    assert lying not in PUBLISHED.everywhere["trade-centre", False]
    assert zigzag not in PUBLISHED.everywhere["monastery", False]
    assert lying in PUBLISHED.everywhere["trade-centre", True]
    assert zigzag in PUBLISHED.everywhere["monastery", True]


def test_squares_around():
    assert names(around({(0, 0)})) == ["b1", "a2"]
    assert names(around({(1, 1), (1, 2)})) == ["b1", "c1", "a2", "d2", "b3", "c3"]


def test_the_lots_are_those_that_cover_no_camp():
    assert len(CAMPS) == 24
    free = [
        (height, width, corner)
        for height, width in ((3, 4), (4, 3))
        for corner in SQUARES
        if len(rectangle(height, width, corner) & set(SQUARES)) == 12
        and not rectangle(height, width, corner) & CAMPS
    ]
    assert free == LOTS


def test_what_lies_on_the_introductory_board_fits():
    assert INTRO_LOT in LOTS
    filled = set(rectangle(*INTRO_LOT))
    for card, squares in INTRO:
        assert frozenset(squares) in PUBLISHED.everywhere[split_card(card)[0], False]
        assert filled.isdisjoint(squares)
        filled |= set(squares)
    assert len({card for card, _ in INTRO} & set(CARDS)) == 7
    assert all(around(squares) & filled and not around(squares) <= filled for _, squares in INTRO)


# --- starts ---


@pytest.mark.parametrize(("players", "setup"), SETUPS)
def test_a_start(players, setup):
    told = NaiveArkadia.start(players, setup, False, random.Random(5)).to_dict()
    assert [len(hand) for hand in told["hands"]] == [4] * players
    on_board = 7 if setup == "intro" else 0
    assert len(told["buildings"]) == on_board
    assert len(told["pile"]) == 40 - on_board - 4 * players - 3
    extra = {2: 3, 3: 2, 4: 1}[players] if setup == "intro" else 0
    assert (told["helpers"], told["camp"]) == ([extra] * players, 24 - players * extra)
    assert (told["own"], told["banners"], told["gold"]) == ([3] * players, [4] * players, [0] * players)
    assert (told["turn"], told["player"], told["stage"], told["turns_left"]) == (0, 0, "act", None)


def test_starts_differ_by_their_random_numbers():
    told = [NaiveArkadia.start(2, "standard", False, random.Random(seed)).to_dict() for seed in range(60)]
    assert len({tuple(one["lot"]) for one in told}) == len(LOTS)
    assert len({tuple(one["hands"][0]) for one in told}) > 50
    assert {tuple(one["lot"]) for one in told} == {tuple(names(rectangle(*lot))) for lot in LOTS}


@pytest.mark.parametrize(("players", "setup"), [(1, "standard"), (5, "intro"), (2, "expert")])
def test_no_such_start(players, setup):
    with pytest.raises(ValueError, match="no game"):
        NaiveArkadia.start(players, setup, False, random.Random(1))


# --- turns ---


def test_a_build_step_by_step():
    game = holding("farm-red", "farm-red", "mill-black", "house-olive")
    assert game.legal() == {"farm-red", "mill-black", "house-olive", "workers@g5"}
    game.apply("farm-red")
    assert (game.stage, game.held, game.hands[0]) == ("lay", "farm-red", ["house-olive", "farm-red", "mill-black"])
    assert "g4+h4+i4" in game.legal()
    assert "a1+a2+a3" not in game.legal()  # beside nothing
    game.apply("h2+h3+h4")  # covers the camp h4
    assert (game.stage, game.helpers, game.camp) == ("draw", [1, 0], 23)
    assert game.legal() == {"draw@pile", *(f"draw@{card}" for card in game.display)}
    game.apply("draw@pile", "smithy-black")
    assert game.hands[0] == ["house-olive", "farm-red", "mill-black", "smithy-black"]
    assert "smithy-black" not in game.pile
    assert game.legal() == {"banner", "keep"}
    game.apply("keep")
    assert (game.turn, game.player, game.stage) == (1, 1, "act")


def test_workers_and_a_banner_step_by_step():
    game = holding(
        "farm-red",
        "farm-red",
        "mill-black",
        "house-olive",
        helpers=[1, 0],
        camp=23,
        seals=[{"red": 0, "olive": 3, "black": 0, "silver": 1}, dict.fromkeys(FAMILIES, 0)],
    )
    game.apply("workers@g5")
    assert "done" not in game.legal()
    assert len(game.legal()) == 2 * 14
    game.apply("own@i4")
    assert {"done", "own@j4", "neutral@j4"} <= game.legal()
    assert not {"own@h4", "own@i4", "own@a1"} & game.legal()
    game.apply("neutral@f5")
    assert not any(text.startswith("neutral") for text in game.legal())
    game.apply("done")
    assert (game.own, game.helpers, game.workers[0], game.neutral) == ([2, 3], [0, 0], {(3, 8)}, {(4, 5)})
    game.apply("banner")
    assert (game.own, game.banners) == ([4, 3], [3, 4])
    assert game.legal() == {"olive=0", "olive=1", "olive=2", "olive=3"}
    game.apply("olive=2")
    assert (game.gold, game.selling) == ([4, 0], "silver")
    game.apply("silver=1")
    assert (game.gold, game.player, game.selling) == ([6, 0], 1, None)
    assert (game.scores(), game.ranks()) == ([8, 0], [0, 1])


def test_the_last_worker_ends_the_step():
    game = holding("farm-red", "farm-red", "mill-black", "house-olive")
    for text in ("workers@g5", "own@g4", "own@h4", "own@i4"):
        game.apply(text)
    assert (game.stage, game.own) == ("banner", [0, 3])


@pytest.mark.parametrize("left", [2, 1, 0])
def test_camps_give_neutral_workers_while_there_are_any(left):
    """There are always enough in a game; the rules tell it all the same."""
    lot = names(rectangle(3, 4, (3, 8)))
    game = holding("mill-red", "farm-red", "mill-black", "house-olive", camp=left, lot=lot)
    game.apply("mill-red")
    game.apply("m5+n5+o5+p5")
    assert (game.helpers, game.camp) == ([left, 0], 0)


@pytest.mark.parametrize(
    ("before", "illegal"),
    [
        ([], ["house-red", "pass", "workers@a1", "workers@h5", "done", "keep", "", "h4"]),
        (["farm-red"], ["farm-red", "a1+b1+c1", "g5+g6+g7", "i4+h4+g4", "g4+h4", "g4+h4+h3"]),
        (["workers@g5"], ["done", "own@a1", "own@g5", "neutral@g4"]),
        (["farm-red", "h2+h3+h4"], ["draw@mill-silver", "draw@", "keep"]),
        (["workers@g5", "own@g4", "done"], ["pass", "red=0", "done"]),
    ],
)
def test_illegal_actions_change_nothing(before, illegal):
    game = holding("farm-red", "farm-red", "mill-black", "house-olive")
    for text in before:
        game.apply(text)
    told = game.to_dict()
    for text in illegal:
        with pytest.raises(ValueError, match="not legal"):
            game.apply(text)
    assert game.to_dict() == told


def test_the_pile_gives_what_it_has_and_only_when_asked():
    game = holding("farm-red", "farm-red", "mill-black", "house-olive")
    with pytest.raises(ValueError, match="gives no card"):
        game.apply("farm-red", "mill-silver")
    game.apply("farm-red")
    game.apply("h2+h3+h4")
    told = game.to_dict()
    for text in ("draw@pile", f"draw@{game.display[0]}"):
        for drawn in (None, "mill-black", "house-red"):
            with pytest.raises(ValueError, match="cannot give"):
                game.apply(text, drawn)
    assert game.to_dict() == told


def test_an_observation_hides_cards():
    game = holding("farm-red", "farm-red", "mill-black", "house-olive")
    told, seen = game.to_dict(), game.observe(1)
    assert set(told) - set(seen) == {"hands", "pile"}
    assert set(seen) - set(told) == {"hand", "cards", "unseen"}
    assert (seen["hand"], seen["cards"], seen["unseen"]) == (told["hands"][1], [4, 4], 29)
    seen["castle"][0]["level"] = 3
    assert game.to_dict() == told  # it is a copy


# --- complete random games ---


def check(game, sold, laid):
    """What must hold at every moment; `sold` seals and `laid` blocks were counted by family."""
    told = game.to_dict()
    assert NaiveArkadia.from_dict(told).to_dict() == told
    check_board(game)
    played = [f"{building['type']}-{building['family']}" for building in told["buildings"]]
    held = [told["held"]] if told["held"] else []
    face_up = [card for card in told["display"] if card]
    assert sorted_cards([*chain(*told["hands"]), *face_up, *told["pile"], *played, *held]) == CARDS
    assert len(face_up) == 3 or not told["pile"]
    for seat in range(game.players):
        assert told["own"][seat] + len(told["workers"][seat]) == 3 + 2 * (4 - told["banners"][seat])
        assert not Counter(told["known"][seat]) - Counter(told["hands"][seat])
    assert told["camp"] + sum(told["helpers"]) + len(told["neutral"]) == 24
    for family in FAMILIES:
        assert sum(stock[family] for stock in told["stock"]) + laid[family] == 7
        earned = sum(
            1 + len(set().union(*game.workers) & around(building["squares"]))
            for building in game.buildings
            if building["complete"] and building["family"] == family
        )
        assert sum(seals[family] for seals in told["seals"]) + sold[family] == earned
    check_castle(game, laid)


def check_board(game):
    pieces = [game.lot, *game.workers, game.neutral, *(building["squares"] for building in game.buildings)]
    filled = game.filled()
    assert len(filled) == sum(len(piece) for piece in pieces)
    if game.stage not in ("workers", "draw"):  # settled when the action is over
        assert all(building["complete"] == (around(building["squares"]) <= filled) for building in game.buildings)


def check_castle(game, laid):
    """Level by level, a block for each completed building while there are any."""
    levels = [square["level"] for square in game.castle]
    assert max(levels) - min(levels) <= 1
    complete = sum(building["complete"] for building in game.buildings)
    assert sum(levels) == sum(laid.values()) == min(complete - game.blocks, 28)
    assert (game.turns_left is not None) == (min(levels) >= 2)


def choose(game, choices):
    """Random players build little at the castle; these ones surround buildings when they place workers."""
    texts = sorted(game.legal())
    if game.stage == "act":
        sites = [text for text in texts if text.startswith("workers")]
        enough = [
            text
            for text in sites
            if len(game.places_for_workers(game.by_first_square()[read(text.removeprefix("workers@"))]))
            <= game.own[game.player]
        ]
        return choices.choice(enough or [text for text in texts if text not in sites] or texts)
    return choices.choice([text for text in texts if text not in ("done", "keep")] or texts)


@pytest.mark.parametrize(("players", "setup"), SETUPS)
@pytest.mark.parametrize("seed", [1, 2])
def test_random_games(players, setup, seed):
    choices = random.Random(seed)
    game = NaiveArkadia.start(players, setup, seed == 2, choices)
    sold, laid = Counter(), Counter()
    while not game.over:
        text = choose(game, choices) if seed == 1 else choices.choice(sorted(game.legal()))
        if game.stage == "castle":
            laid[text.partition("/")[0]] += 1
        if game.stage == "sell":
            sold[game.selling] += int(text.partition("=")[2])
        stage, scores = game.stage, game.scores()
        game.apply(text, choices.choice(game.pile) if stage == "draw" and game.pile else None)
        if stage in ("banner", "sell"):
            assert game.scores() == scores  # gold is worth what the seals were, also in the final count
        if not game.over:
            check(game, sold, laid)
    assert (game.player, game.stage, game.legal()) == (None, None, set())
    assert game.scores() == game.gold
    assert game.seals == [dict.fromkeys(FAMILIES, 0)] * players
    assert game.turns_left == 0 or game.passes == players
    if seed == 1:
        assert game.turns_left == 0
