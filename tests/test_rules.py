"""The numbered decisions of qpolis/games/quadropolis/RULES.md, one test or more each; more are in
test_rules_more.py."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from scipy import stats

import qpolis
from helpers.cities import engine, made_up
from naive.pictures import draw

pytestmark = pytest.mark.core


def load(mode="classic", players=2, mix="base"):
    return qpolis.load_game("quadropolis", mode=mode, players=players, mix=mix)


def edited(state, **changes):
    """The same position with some of it changed, whether it can be reached or not."""
    return made_up(state.game, {**state.to_dict(), **changes})


def texts(state):
    return {state.game.text(state, action) for action in state.legal()}


def do(state, text):
    state.apply(state.game.parse(state, text))


def tile(kind, inhabitants=0, energy=0, vp=0, mayor=False):
    return {"type": kind, "inhabitants": inhabitants, "energy": energy, "vp": vp, "mayor": mayor}


def holding(mode, held, architect, city, seat=0):
    """A position in which the player holds a tile and has a given city."""
    state = load(mode).new(1)
    told = state.to_dict()
    pool = told["pool"]
    left = pool if mode == "expert" else pool[seat]
    left.remove(architect)
    cities = [draw(city), *told["cities"][1:]]
    return edited(
        state,
        held={"tile": held, "architect": architect},
        pool=pool,
        cities=cities,
        architects=["N1"],
        urbanist=[1, 1],
    )


def play_at_random(state, seed, until):
    choices = random.Random(seed)
    while not state.over and not until(state.to_dict()):
        state.apply(choices.choice(state.legal()))


def test_1_supply_never_runs_out():
    state = load().new(1)
    rich = edited(state, inhabitants=[900, 0], energy=[900, 0])
    play_at_random(rich, 1, lambda told: max(told["inhabitants"]) > 900)
    assert rich.to_dict()["inhabitants"][0] > 900


def test_2_tiles_not_turned_up_leave_empty_squares():
    for players, tiles in ((2, 16), (3, 20), (4, 25)):
        site = load(players=players).new(3).to_dict()["site"]
        assert sum(square is not None for square in site) == tiles


def test_3_layouts_are_uniform():
    """The mayor tile of round 1 lies on every square equally often."""
    game = load()
    squares = [
        next(i for i, t in enumerate(game.new(seed).to_dict()["site"]) if t and t["mayor"]) for seed in range(1000)
    ]
    assert stats.chisquare(list(Counter(squares).values())).pvalue > 1e-4
    assert len(set(squares)) == 25


def test_3_the_state_holds_no_later_layout():
    """Two states that differ only in their chance look the same until the next round is laid, then differ."""
    one = load().new(1)
    two = edited(one, chance="0123456789abcdef" * 2)
    choices = random.Random(0)
    while one.to_dict()["round"] == 1:
        assert one.array.tobytes() == two.array.tobytes()
        assert one.observe(0) == two.observe(0)
        action = choices.choice(one.legal())
        one.apply(action)
        two.apply(action)
    assert one.to_dict()["site"] != two.to_dict()["site"]


def test_4_the_mayor_starts_the_next_round():
    for seed in range(30):
        state = load(players=3).new(seed)
        assert state.player == 0
        play_at_random(state, seed, lambda told: told["round"] == 2)
        told = state.to_dict()
        assert told["player"] == told["mayor"] == told["first"]
    state = holding("classic", tile("tower", 1, mayor=True), 1, ". . . .  . . . .  . . . .  . . . .")
    do(state, "a1")
    assert (state.to_dict()["mayor"], state.to_dict()["first"], state.player) == (0, 0, 1)


def test_5_a_round_ends_with_an_empty_site():
    state = load().new(1)
    play_at_random(state, 1, lambda told: told["round"] == 2)
    told = state.to_dict()
    assert (told["architects"], told["urbanist"]) == ([], None)
    assert told["pool"] == [[1, 2, 3, 4]] * 2
    play_at_random(state, 1, lambda told: False)
    told = state.to_dict()
    assert (told["site"], told["architects"], told["urbanist"]) == ([None] * 25, [], None)


def test_6_take_then_place():
    state = load().new(1)
    site = state.to_dict()["site"]
    column = next(i for i in range(5) if site[2 * 5 + i])
    do(state, f"3@N{column + 1}")
    told = state.to_dict()
    assert told["held"] == {"tile": site[10 + column], "architect": 3}
    assert told["urbanist"] == [3, column + 1]
    assert (told["player"], told["site"][10 + column]) == (0, None)
    do(state, "discard")
    assert state.player == 1


def test_7_an_empty_square_ends_the_turn():
    state = load().new(1)
    site = state.to_dict()["site"]
    line = next(i for i in range(5) if site[5 * i + 1] is None)
    do(state, f"2@W{line + 1}")
    told = state.to_dict()
    assert (told["held"], told["player"], told["urbanist"]) == (None, 1, [line + 1, 2])
    assert told["architects"] == [f"W{line + 1}"]
    assert told["cities"][0] == [None] * 16


def test_8_the_urbanist_blocks_four_positions():
    state = load().new(1)
    site = state.to_dict()["site"]
    square = next(i for i, tile in enumerate(site) if tile is None and i % 5 == 3 and i // 5 < 4)
    do(state, f"{square // 5 + 1}@N4")  # an empty square of column 4: the turn ends at once
    open_positions = {text.split("@")[1] for text in texts(state)}
    everything = {f"{side}{i}" for side in "NESW" for i in range(1, 6)}
    assert everything - open_positions == {"N4", "S4", f"W{square // 5 + 1}", f"E{square // 5 + 1}"}


def test_9_pools():
    assert load("classic", 3).new(1).to_dict()["pool"] == [[1, 2, 3, 4]] * 3
    state = load("expert", 3).new(1)
    assert state.to_dict()["pool"] == sorted([1, 2, 3, 4, 5] * 3)
    play_at_random(state, 2, lambda told: (told["turn"], told["player"]) == (4, 2) and not told["held"])
    assert len(state.to_dict()["pool"]) == 4


@pytest.mark.parametrize(
    ("mode", "architect", "allowed"),
    [
        ("classic", 2, "b1 a2 b2 c2 d2 b3 b4"),
        ("classic", 4, "d1 d2 d3 a4 b4 c4 d4"),
        ("expert", 4, "c1 b2 c2 e2 c3 a4 c4 e4"),
        ("expert", 1, "a1 b1 c1 d1 a2 b2 a3 d3"),
    ],
)
def test_10_where_architect_n_places(mode, architect, allowed):
    size = 20 if mode == "expert" else 16
    state = holding(mode, tile("shop"), architect, ". " * size)
    assert texts(state) == {*allowed.split(), "discard"}


def test_11_stacks():
    city = "T1 T2 T3 .  . O . .  . S . .  . . . T4".replace("O", "P")
    floor = holding("classic", tile("tower", 2), 3, city)
    # Line 3 and column c: empty squares and the tower c1; floor 3 also on b1, the only tower of 2 floors.
    assert texts(floor) == {"a3", "c3", "d3", "c2", "c4", "c1", "b1", "discard"}
    highest = holding("classic", tile("tower", 2), 4, city)
    assert texts(highest) == {"d1", "d2", "d3", "a4", "b4", "c4", "c1", "discard"}  # d4 has 4 floors
    do(floor, "c1")
    assert floor.to_dict()["cities"][0][2] == {"type": "tower", "floors": 4, "vp": 0}
    office = holding("expert", tile("office"), 5, "O4 T4 . O5 . " + ". " * 15)
    assert "a1" in texts(office)  # floor 5
    assert not {"b1", "d1"} & texts(office)  # another type; full


def test_12_a_discarded_tile_gives_nothing():
    state = holding("classic", tile("tower", 1, mayor=True), 1, ". " * 16)
    state = edited(state, mayor=1, first=0)
    assert "discard" in texts(state)
    before = state.to_dict()
    do(state, "discard")
    told = state.to_dict()
    assert [told[key] for key in ("inhabitants", "cities", "mayor")] == [
        before[key] for key in ("inhabitants", "cities", "mayor")
    ]


def test_13_placing_the_symbol_takes_the_mayor():
    state = edited(holding("classic", tile("tower", 1, mayor=True), 1, ". " * 16), mayor=1)
    do(state, "a1")
    assert (state.to_dict()["mayor"], state.to_dict()["inhabitants"]) == (0, [1, 0])


def test_15_monuments_cannot_be_switched_off():
    city = draw("M H . . . " + ". " * 15)
    assert engine("expert", city, 0, 0) == (0, 0, 19)
    # With one inhabitant: -5 for the harbor beside it, or -1 for the idle inhabitant. The monument stays.
    assert engine("expert", city, 1, 0) == (-1, 0, 19)


def test_16_leaving_a_harbor_inactive_can_pay():
    # The harbors c1 d1 form a line of 2 (3 points); b1 would make it 3 (7 points) but costs 5 beside the monument.
    city = draw("M H H H . " + ". " * 15)
    assert engine("expert", city, 2, 0) == (3, 2, 17)
    # With a third inhabitant both ways score 2 (7 - 5, or 3 - 1 idle): then more inhabitants on buildings decide.
    assert engine("expert", city, 3, 0) == (2, 3, 16)


def test_17_a_group_of_six_uses_the_row_of_five():
    city = draw("O O O O O " + "O . . . . " + ". " * 10)
    assert engine("expert", city, 6, 6) == (6 * 4, 6, 14)


def test_18_harbor_lines():
    assert engine("expert", draw("H . . . . " * 1 + ". " * 15), 1, 0) == (0, 1, 19)
    cross = draw("H H H . . " + "H . . . . " + ". " * 10)  # 3 across (7) and 2 down (3), a1 in both
    assert engine("expert", cross, 4, 0) == (10, 4, 16)


def test_19_printed_points():
    assert engine("expert", draw("T2+3 . . . . " + ". " * 15), 0, 1) == (3 + 3, 0, 19)
    assert engine("expert", draw("T2+3 . . . . " + ". " * 15), 0, 0) == (0, 0, 20)
    assert engine("expert", draw("P+2 M+1 . . . " + ". " * 15), 0, 0) == (2 + 1 + 5, 0, 18)


def test_20_a_shop_without_customers_is_active():
    assert engine("classic", draw("S F . . " + ". " * 12), 1, 1) == (2, 1, 14)


def test_21_parks_hold_energy():
    assert engine("classic", draw("P P . . " + ". " * 12), 0, 3) == (-1, 0, 14)


def test_22_ties():
    """Two players with equal points: an idle pair of resources decides, then empty squares, then they share."""
    state = load().new(1)
    play_at_random(state, 1, lambda told: False)

    def ranks(first, second, inhabitants, energy=(0, 0)):
        cities = [draw(city + ". " * (16 - len(city.split()))) for city in (first, second)]
        return edited(state, cities=cities, inhabitants=list(inhabitants), energy=list(energy)).ranks()

    assert ranks("V+1 ", "T3 ", (1, 0), (0, 1)) == [1, 0]  # 3 points against 6
    assert ranks("H . H ", ". ", (2, 0)) == [0, 1]  # 0 points each; two inhabitants work, against none
    assert ranks("P P ", "P ", (0, 0)) == [0, 1]  # 0 points, nobody works, one empty square fewer
    assert ranks("P ", "P ", (0, 0)) == [0, 0]


def test_25_parks_hold_what_their_tile_says():
    for held, points in (((0, 0), -3), ((0, 1), -2), ((1, 1), -1), ((0, 2), -1), ((9, 0), 0)):
        parks = [{"type": "park", "floors": 1, "vp": 0, "holds": holds} for holds in held]
        assert engine("classic", [*parks, *[None] * 14], 0, 3) == (points, 0, 14)

    def parks(told):
        return {
            square["holds"] for city in told["cities"] for square in city if square and square["type"] == "park"
        }

    state = load(mix="playgrounds").new(1)
    play_at_random(state, 1, lambda told: parks(told) == {0, 1})
    told = state.to_dict()
    assert parks(told) == {0, 1}
    assert edited(state).to_dict() == told
    empty = [None] * 15
    for holds in (2, None, "1"):
        with pytest.raises(qpolis.QpolisError):
            state.game.from_dict(
                {
                    **told,
                    "cities": [[{"type": "park", "floors": 1, "vp": 0, "holds": holds}, *empty], [None, *empty]],
                }
            )
    assert load(mix="base:park=0holds").new(1).to_dict()["mix"] != load().new(1).to_dict()["mix"]


def test_25_parks_say_what_they_hold_where_the_mix_differs_from_the_rules():
    def keys(mix):
        return {
            len(square) for square in load(mix=mix).new(1).to_dict()["site"] if square and square["type"] == "park"
        }

    assert keys("base") == {5}
    assert keys("playgrounds") == keys("park-homes") == {6}
    assert keys("base:park=0holds@/4") == {5}, "with two players no such park is in play"


def test_26_a_tile_taken_out_leaves_a_hole():
    for players in (2, 3, 4):
        before = load(players=players).new(1).to_dict()["site"]
        after = load(players=players, mix="base:tower[3inhabitants]-1@1").new(1).to_dict()["site"]
        gone = before.index(tile("tower", inhabitants=3))
        assert after == [*before[:gone], None, *before[gone + 1 :]]
