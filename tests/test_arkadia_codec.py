"""States of Arkadia from plain data: what cannot be is refused with a reason, and never crashes."""

from __future__ import annotations

import copy
import random
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import qpolis
from helpers.arkadias import Engine, play, position
from helpers.sizes import sized
from qpolis.conformance.games import random_positions
from qpolis.errors import QpolisError
from qpolis.games.arkadia.layout import FAMILY_NAMES, STAGES
from qpolis.games.arkadia.notation import CARDS

pytestmark = pytest.mark.core

GAMES = [(2, "standard"), (3, "intro"), (4, "standard")]


@cache
def positions(players, setup):
    """The game, and plain data of positions of a random and of a sensible game."""
    game = qpolis.load_game("arkadia", players=players, setup=setup)
    return game, [
        state.to_dict()
        for seed, sensible in ((1, 0), (2, 0.8))
        for state in random_positions(game, seed, sensible)
    ]


def in_stage(players, setup, stage, fits=lambda data: True):
    """The first position at a stage for which something holds, some turns after the start."""
    game, found = positions(players, setup)
    return game, copy.deepcopy(
        next(
            data
            for data in found
            if data["stage"] == stage and fits(data) and (data["turn"] > 12 or stage in ("sell", None))
        )
    )


def refusal(game, data):
    with pytest.raises(QpolisError) as caught:
        game.from_dict(data)
    message = str(caught.value)
    assert message.splitlines() == [message]
    return message


# --- damages of one thing at a time ---


def mover(data):
    return data["player"] or 0


def other(data):
    return (mover(data) + 1) % data["players"]


def add(key, step, seat=mover):
    def damage(data):
        data[key][seat(data)] += step

    return damage


def put(key, value):
    def damage(data):
        assert data.get(key, "nothing") != value
        data[key] = value

    return damage


def move_worker(data):
    data["workers"][placed(data)][0] = far_away(data)


def placed(data):
    return next(seat for seat, squares in enumerate(data["workers"]) if squares)


def far_away(data):
    """A square with nothing around it."""
    buildings = [building["squares"] for building in data["buildings"]]
    filled = {
        square for squares in [data["lot"], data["neutral"], *data["workers"], *buildings] for square in squares
    }
    for column in range(1, 15):
        for row in range(2, 12):
            here = "abcdefghijklmnop"[column - 1 : column + 2]
            near = {
                here[1] + str(row),
                here[0] + str(row),
                here[2] + str(row),
                here[1] + str(row - 1),
                here[1] + str(row + 1),
            }
            if not near & filled:
                return here[1] + str(row)
    raise AssertionError("the board is full")


def worker_on_lot(data):
    data["workers"][placed(data)][0] = data["lot"][0]


def lose_worker(data):
    data["workers"][placed(data)].pop()


def other_form(data):
    data["buildings"][-1]["type"] = "mill" if data["buildings"][-1]["type"] != "mill" else "farm"


def other_flag(data):
    data["buildings"][-1]["complete"] = not data["buildings"][-1]["complete"]


def other_family(data):
    family = data["buildings"][-1]["family"]
    data["buildings"][-1]["family"] = FAMILY_NAMES[FAMILY_NAMES.index(family) - 1]


def on_another(data):
    data["buildings"][-1]["squares"] = data["buildings"][0]["squares"]


def exchange_first_buildings(data):
    data["buildings"][:2] = data["buildings"][1::-1]


def card_more(data):
    data["hands"][other(data)] = sorted([*data["hands"][other(data)], "house-red"], key=CARDS.index)


def card_less(data):
    data["pile"].pop()


def card_from_pile(data):
    data["hands"][other(data)] = sorted([*data["hands"][other(data)], data["pile"].pop()], key=CARDS.index)


def card_to_pile(data):
    data["known"][other(data)] = []
    data["pile"] = sorted([*data["pile"], data["hands"][other(data)].pop()], key=CARDS.index)


def gap(data):
    data["pile"] = sorted([*data["pile"], data["display"][0]], key=CARDS.index)
    data["display"][0] = None


def know_more(data):
    seat = other(data)
    data["known"][seat] = [next(card for card in CARDS if card not in data["hands"][seat])]


def level_up(data):
    data["castle"][0]["level"] += 1


def level_two(data):
    data["castle"][0]["level"] = 2 if data["castle"][0]["level"] < 2 else 0


def shows_nothing(data):
    next(square for square in data["castle"] if square["level"])["shows"] = None


def shows_other(data):
    square = next(square for square in data["castle"] if square["level"] == 0)
    square["shows"] = "red" if square["shows"] != "red" else "olive"


def top_of_another_family(data):
    high = max(square["level"] for square in data["castle"])
    top = next(square for square in data["castle"] if square["level"] == high)
    top["shows"] = FAMILY_NAMES[FAMILY_NAMES.index(top["shows"]) - 1]


def stock_more(data):
    data["stock"][2]["red"] += 1


def stock_exchanged(data):
    level = min(square["level"] for square in data["castle"])
    data["stock"][level]["red"] += 1
    data["stock"][level]["olive"] -= 1


DAMAGES = [
    (move_worker, "is beside no building"),
    (worker_on_lot, "is taken"),
    (lose_worker, "do not make up"),
    (add("own", 1), "do not make up"),
    (add("own", -100), "do not make up"),
    (add("banners", 1), "banners are not 0 to 4|do not make up"),
    (add("banners", -100), "banners are not 0 to 4|out of bounds"),
    (add("helpers", 1), "do not make up 24"),
    (put("camp", -1), "do not make up 24"),
    (add("gold", -5000), "gold cannot be less than nothing"),
    (add("gold", 100_000), "out of bounds"),
    (put("gold", [1]), "gold is no list with an entry"),
    (other_form, "is not the form of"),
    (other_flag, "complete or not, but not so"),
    (other_family, "do not make up all cards"),
    (on_another, "there is no room"),
    (card_more, "do not make up all cards"),
    (card_less, "do not make up all cards"),
    (card_from_pile, "hands has more than 4 cards"),
    (card_to_pile, "hands was not refilled"),
    (gap, "display has a gap"),
    (know_more, "known has cards that are in no hand"),
    (level_up, "castle"),
    (level_two, "castle"),
    (shows_nothing, "a block shows no family"),
    (shows_other, "shows what it did not at the start"),
    (top_of_another_family, "stock"),
    (stock_more, "do not make up 28"),
    (stock_exchanged, "stock"),
    (put("turn", -2), "turn does not fit|player cannot be to move"),
    (put("turn", 2000), "turn|player"),
    (put("players", 5), "players"),
    (put("setup", "other"), "setup"),
    (put("flip", True), "flip"),
    (put("lot", ["a1"]), "the castle cannot lie there"),
    (put("turns_left", 2), "turns_left is a number from"),
    (put("passes", 1), "passes cannot be so many"),
    (put("passes", -1), "passes cannot be so many"),
    (put("held", "house-blue"), "is no card"),
    (put("held", "house-red"), "cards|held"),
    (put("beside", "a1"), "beside"),
    (put("last", "q1"), "is no square"),
    (put("last", "a1"), "last"),
    (put("blocks", 7), "block"),
    (put("selling", "red"), "selling"),
    (put("selling", "blue"), "selling: 'blue' is none of red"),
    (put("stage", "sleep"), "stage: 'sleep' is none of act"),
    (put("stage", None), "hands|stage"),
    (put("player", None), "hands|player must be null only"),
    (put("player", 7), "player: 7 is none of 0, 1"),
    (put("seals", []), "seals is no list"),
    (put("hands", None), "hands is no list"),
    (put("castle", []), "."),
    (put("extra", 1), "extra cannot be"),
]


def half_way(data):
    """Level 1 is begun and not full, workers stand on the board, and nothing has run out."""
    levels = {square["level"] for square in data["castle"]}
    return levels == {0, 1} and any(data["workers"]) and data["pile"] and far_away(data)


@pytest.mark.parametrize(("damage", "reason"), DAMAGES)
@pytest.mark.parametrize(("players", "setup"), GAMES)
def test_a_damaged_state_is_refused(players, setup, damage, reason):
    game, data = in_stage(players, setup, "draw", half_way)
    assert game.from_dict(data).to_dict() == data
    damage(data)
    assert re.search(reason, refusal(game, data).partition(": ")[2])


@pytest.mark.parametrize(("players", "setup"), GAMES)
def test_everything_is_needed(players, setup):
    game, data = in_stage(players, setup, "act")
    for key in data:
        less = {name: value for name, value in data.items() if name != key}
        assert key in refusal(game, less)


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize(("players", "setup"), GAMES)
def test_another_stage_does_not_fit(players, setup, stage):
    """But for the start and the end of a turn in which nothing is left to see of it."""
    game, data = in_stage(players, setup, stage)
    for other_stage in (*STAGES, None):
        if {stage, other_stage} != {"act", "banner"} and other_stage != stage:
            assert refusal(game, {**data, "stage": other_stage})


def test_the_introduction_stays():
    game, data = in_stage(3, "intro", "act")
    exchange_first_buildings(data)
    assert "introductory set-up" in refusal(game, data)
    standard, _ = positions(2, "standard")
    assert refusal(standard, data)


@pytest.mark.parametrize(
    ("stage", "key", "value", "reason"),
    [
        ("act", "passes", 2, "passes cannot be so many"),
        ("lay", "held", None, "do not make up all cards"),
        ("workers", "beside", None, "beside does not fit the stage"),
        ("workers", "beside", "a1", "beside is no building's first square"),
        ("castle", "blocks", 0, "castle has not a block for each complete building"),
        ("castle", "blocks", -1, "castle has not a block for each complete building"),
        ("sell", "selling", None, "selling does not fit the stage"),
        ("banner", "held", "house-red", "do not make up all cards"),
        (None, "passes", 0, "player must be null only when the game is over"),
    ],
)
def test_what_a_stage_needs(stage, key, value, reason):
    game, data = in_stage(2, "standard", stage, lambda data: stage or data["turns_left"] is None)
    data[key] = value
    assert reason in refusal(game, data)


def test_what_waits_while_a_card_is_drawn():
    """Only what the building just laid has completed is not settled yet."""
    buildings = {"a1+b1": "house-red", "o1+p1": "house-olive"}
    table = Engine(changes=position(buildings, workers=["c1 a2", "n1 o2 p2"], hands=["mill-red"]))
    play(table, "mill-red", "b2+c2+d2+e2")
    data = table.to_dict()
    assert [building["complete"] for building in data["buildings"]] == [False, True, False]
    assert (data["stage"], table.game.from_dict(data).to_dict()) == ("draw", data)
    again = table.game.from_dict(data)
    again.apply(again.legal()[-1])
    table.apply("draw@pile")
    assert again.array.tobytes() == table.array.tobytes()
    data["buildings"][1]["complete"] = False
    assert "number 2 is complete or not" in refusal(table.game, data)


def test_near_the_end():
    game, data = in_stage(2, "standard", "act", lambda data: data["turns_left"])
    assert "turns_left" in refusal(game, {**data, "turns_left": None})
    assert "turns_left cannot be so many" in refusal(game, {**data, "turns_left": 4})
    assert "player must be null when the game is over" in refusal(game, {**data, "turns_left": 0})
    _, over = in_stage(2, "standard", None, lambda data: data["turns_left"] == 0)
    seals = [{**over["seals"][0], "red": 1}, over["seals"][1]]
    assert "something is left of a turn" in refusal(game, {**over, "seals": seals})
    assert "player must be null only" in refusal(game, {**over, "turns_left": 1})


# --- any damages ---


def parts(data, path=()):
    """The paths to everything in plain data."""
    if path:
        yield path
    if isinstance(data, dict | list):
        for key, value in data.items() if isinstance(data, dict) else enumerate(data):
            yield from parts(value, (*path, key))


def changed(value, choices):
    """Something else in the place of a value, more often than not of the same type."""
    if isinstance(value, list) and value and choices.random() < 0.8:
        less = [item for i, item in enumerate(value) if i != choices.randrange(len(value))]
        return choices.choice([less, [*value, value[0]], value[::-1]])
    if type(value) is int and choices.random() < 0.8:
        return value + choices.choice([-1, 1, 2, -100, 100, 40_000, 10**20])
    if type(value) is bool:
        return not value
    return choices.choice([None, 0, 1, -1, 0.5, True, "", "red", "a1", "p12", "house-red", [], {}, *STAGES])


@settings(max_examples=sized(400, 150, 60))
@given(seed=st.integers(0, 10**9))
def test_any_damage_is_refused_or_gives_a_state_that_can_be_played(seed):
    choices = random.Random(seed)
    game, found = positions(*choices.choice(GAMES))
    data = copy.deepcopy(choices.choice(found))
    for _ in range(choices.choice([1, 1, 2])):
        *path, last = choices.choice([path for path in parts(data) if path[0] != "chance"])
        inside = data
        for key in path:
            inside = inside[key]
        inside[last] = changed(inside[last], choices)
    try:
        state = game.from_dict(data)
    except QpolisError:
        return
    assert state.to_dict() == data
    while not state.over:
        state.apply(choices.choice(state.legal()))
    assert game.from_dict(state.to_dict()).array.tobytes() == state.array.tobytes()
