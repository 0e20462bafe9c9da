"""The public Python face: what users of the library rely on, word for word."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

import qpolis
from qpolis.errors import InvalidText


@pytest.fixture(scope="module")
def game():
    return qpolis.load_game("quadropolis", players=2, mode="expert", mix="base")


def play(state, decisions=10**6):
    for i in range(decisions):
        if state.over:
            break
        legal = state.legal()
        state.apply(legal[(7 * i) % len(legal)])
    return state


def test_a_game_from_start_to_end(game):
    state = game.new(seed=7)
    assert state.player == 0
    assert not state.over
    play(state)
    assert state.over
    assert state.player is None
    assert state.legal() == []
    assert len(state.scores()) == len(state.ranks()) == 2
    assert all(isinstance(number, int) for number in [*state.scores(), *state.ranks()])
    with pytest.raises(qpolis.IllegalAction):
        state.apply(0)


def test_illegal_action_is_a_value_error(game):
    assert issubclass(qpolis.IllegalAction, ValueError)
    state = game.new(1)
    state.apply(state.legal()[0])
    before = state.to_dict()
    with pytest.raises(ValueError, match="not legal"):
        state.apply(0)
    assert state.to_dict() == before


def test_actions_may_be_numpy_integers(game):
    state = game.new(1)
    state.apply(np.int32(state.legal()[0]))


def test_legal_gives_a_list_of_ones_own(game):
    state = game.new(1)
    state.legal().clear()
    assert state.legal()


def test_text_and_parse(game):
    state = game.new(1)
    action = game.parse(state, "3@N2")
    assert game.text(state, action) == "3@N2"
    for text in ("3@N6", "0@N1", "6@N1", "3n2", "", "f1", "c5", " 3@N2", "\uff13@N2", None, 3):
        with pytest.raises(InvalidText):
            game.parse(state, text)
    with pytest.raises(qpolis.IllegalAction):
        game.parse(state, "c2")
    with pytest.raises(qpolis.IllegalAction):
        game.text(state, 10**6)


def test_to_dict_has_the_promised_keys(game):
    told = play(game.new(1), 5).to_dict()
    promised = [
        "mode",
        "players",
        "round",
        "turn",
        "player",
        "mayor",
        "site",
        "architects",
        "urbanist",
        "pool",
        "held",
        "cities",
        "inhabitants",
        "energy",
    ]
    assert set(promised) <= set(told)
    assert len(told["site"]) == 25
    assert json.loads(json.dumps(told)) == told


def test_from_dict_goes_on_in_the_same_way(game):
    state = play(game.new(3), 9)
    again = game.from_dict(json.loads(json.dumps(state.to_dict())))
    assert play(state).to_dict() == play(again).to_dict()


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("mode", "classic"),
        ("players", 3),
        ("round", 0),
        ("round", 9),
        ("turn", 5),
        ("player", 2),
        ("mayor", -1),
        ("site", []),
        ("site", [None] * 24 + [{"type": "zoo"}]),
        ("architects", ["N9"]),
        ("urbanist", [0, 1]),
        ("urbanist", [1, 6]),
        ("pool", [9]),
        ("pool", [1, 1, 1, 1]),
        ("held", {}),
        ("cities", [[None] * 20]),
        ("cities", [[None] * 21, [None] * 20]),
        ("inhabitants", [1, 2, 3]),
        ("energy", ["x", 1]),
        ("energy", [99999, 0]),
        ("energy", [-1, 0]),
        ("chance", "zz"),
        ("chance", None),
        ("first", 7),
        ("extra", 1),
        ("round", "1"),
        ("round", True),
        ("pool", []),
        ("pool", [1]),
        ("architects", ["N1"]),
        ("chance", "0" * 32),
        ("inhabitants", [32767, 0]),
        ("cities", [[{"type": "park", "floors": 1, "vp": -1}] + [None] * 19, [None] * 20]),
        (
            "held",
            {"tile": {"type": "park", "inhabitants": 0, "energy": 0, "vp": 0, "mayor": False}, "architect": 6},
        ),
        ("cities", [[{"type": "tower", "floors": 9, "vp": 0}] + [None] * 19, [None] * 20]),
        ("cities", [[{"type": "park", "floors": 2, "vp": 0}] + [None] * 19, [None] * 20]),
        ("cities", [[{"type": "park", "floors": 0, "vp": 0}] + [None] * 19, [None] * 20]),
    ],
)
def test_from_dict_refuses_what_cannot_be(game, key, value):
    told = {**game.new(1).to_dict(), key: value}
    with pytest.raises(qpolis.QpolisError):
        game.from_dict(told)


@pytest.mark.parametrize("key", ["mode", "site", "chance", "first", "energy", "mix"])
def test_from_dict_needs_everything(game, key):
    told = game.new(1).to_dict()
    del told[key]
    with pytest.raises(qpolis.QpolisError, match=key):
        game.from_dict(told)


@pytest.mark.parametrize("data", [None, [], "x", 3, {}])
def test_from_dict_refuses_other_things(game, data):
    with pytest.raises(qpolis.QpolisError):
        game.from_dict(data)


def test_an_observation_holds_no_future(game):
    seen = game.new(1).observe(1)
    assert seen["seat"] == 1
    assert "chance" not in seen
    assert "seed" not in seen
    for seat in (2, -1, None, "0"):
        with pytest.raises(qpolis.QpolisError, match="seats are 0 to 1"):
            game.new(1).observe(seat)


def test_an_observation_is_ones_own_copy(game):
    state = game.new(1)
    state.observe(0)["site"].clear()
    assert len(state.observe(0)["site"]) == 25


@pytest.mark.parametrize("mode", ["classic", "expert"])
def test_an_observation_names_what_the_mat_says(mode):
    game = qpolis.load_game("quadropolis", mode=mode)
    state = game.new(1)
    seen, rules = state.observe(0)["mat"], game.rules[0]
    assert "mat" not in state.to_dict()  # it never changes
    for square, district in enumerate(seen["districts"]):
        line, column = divmod(square, int(rules.columns))
        told = {line + 1, column + 1} if mode == "classic" else {seen["numbers"][square], district}
        assert told == {n + 1 for n in range(5) if (int(rules.eligible[n]) >> square) & 1}
        assert district == rules.district[square] + 1
    assert len(seen["districts"]) == rules.squares
    assert (seen["numbers"] is None) == (mode == "classic")


def test_imagine_refuses_another_mat():
    expert, classic = (qpolis.load_game("quadropolis", mode=mode).new(1) for mode in ("expert", "classic"))
    seen = expert.observe(0)
    turned = {**seen["mat"], "numbers": seen["mat"]["numbers"][::-1]}
    for mat in (turned, classic.observe(0)["mat"], None):
        with pytest.raises(qpolis.QpolisError, match="mat is not that of the expert mode"):
            expert.game.imagine({**seen, "mat": mat})
    with pytest.raises(qpolis.QpolisError, match="mat"):
        expert.game.imagine({key: value for key, value in seen.items() if key != "mat"})


@pytest.mark.parametrize("seed", [-1, 2**128, 1.5, "7", None, True])
def test_a_seed_is_a_whole_number(game, seed):
    with pytest.raises(qpolis.QpolisError, match="seed"):
        game.new(seed=seed)


@pytest.mark.parametrize(
    ("name", "options", "words"),
    [
        ("quadropoli", {}, "did you mean 'quadropolis'"),
        ("quadropolis", {"player": 2}, "did you mean 'players'"),
        ("quadropolis", {"players": 5}, "2, 3, 4"),
        ("quadropolis", {"players": True}, "2, 3, 4"),
        ("quadropolis", {"players": None}, "2, 3, 4"),
        ("quadropolis", {"mode": "Expert"}, "classic, expert"),
        ("quadropolis", {"mix": "bass"}, "did you mean 'base'"),
        ("quadropolis", {"mix": 7}, "known: base"),
        ("..", {}, "known: .*quadropolis"),
        (None, {}, "known: .*quadropolis"),
    ],
)
def test_unknown_names_list_what_exists(name, options, words):
    with pytest.raises(qpolis.QpolisError, match=words):
        qpolis.load_game(name, **options)


def test_a_drawing_shows_every_square(game):
    state = play(game.new(2), 30)
    text = str(state)
    assert "seat 0" in text
    assert "seat 1" in text
    assert all(len(line) < 120 for line in text.splitlines())


def test_the_drawing_of_an_expert_city_shows_numbers_and_districts():
    state = play(qpolis.load_game("quadropolis", mode="expert").new(2), 30)
    seen = state.observe(0)
    printed = [
        f"{number}/{district}" for number, district in zip(seen["mat"]["numbers"], seen["mat"]["districts"])
    ]
    lines = str(state).splitlines()
    beside = [line.split()[-6:] for line in lines if line.startswith("W")]
    assert beside[0][1:] == list("abcde")
    assert beside[1:] == [[str(line + 1), *printed[5 * line : 5 * line + 5]] for line in range(4)]
    heads = lines[next(i for i, line in enumerate(lines) if line.startswith("seat 0")) + 1 :]
    places = [i for i, letter in enumerate(heads[0]) if letter != " "]  # the middle of each column of both cities
    for square in range(20):
        for seat in range(2):
            line, place = heads[1 + square // 5], places[5 * seat + square % 5]
            assert (line[place - 1 : place + 2] == printed[square]) == (seen["cities"][seat][square] is None)


def test_copies_and_pickles_are_whole(game):
    state = play(game.new(4), 11)
    for again in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert again.to_dict() == state.to_dict()
        before = state.to_dict()
        play(again, 3)
        assert again.copy().to_dict() == again.to_dict() != before
        assert state.to_dict() == before


def test_a_state_of_another_game_is_refused(game):
    state = qpolis.load_game("quadropolis").new(1)
    with pytest.raises(qpolis.QpolisError, match="belongs to"):
        game.text(state, 0)
    with pytest.raises(qpolis.QpolisError, match="belongs to"):
        game.parse(state, "3@N2")


@pytest.mark.parametrize("action", [True, 1.0, "0", None, -1])
def test_text_wants_a_legal_action(game, action):
    with pytest.raises(qpolis.IllegalAction):
        game.text(game.new(1), action)


def test_a_state_of_another_mix_is_refused(game, tmp_path):
    text = (Path(qpolis.__file__).parent / "games/quadropolis/mixes/base.csv").read_text()
    other = tmp_path / "other.csv"
    other.write_text(text.replace("expert,5,all,park,0,0,0,0", "expert,5,all,park,0,0,1,0"))
    with pytest.raises(qpolis.QpolisError, match="mix"):
        qpolis.load_game("quadropolis", mode="expert", mix=str(other)).from_dict(game.new(1).to_dict())


def test_imagine_fits_what_was_seen_and_makes_up_the_rest():
    game = qpolis.load_game("quadropolis", players=3, mode="expert")
    state = game.new(4)
    seen = state.observe(2)
    one, two = game.imagine(seen, seed=1), game.imagine(seen, seed=2)
    assert one.observe(2) == two.observe(2) == seen
    while one.record.round_no == 0:
        one.apply(one.legal()[0])
        two.apply(two.legal()[0])
    assert one.observe(2)["site"] != two.observe(2)["site"]


@pytest.mark.parametrize("observation", [{}, {"seat": 0}, None, [], "x"])
def test_imagine_refuses_what_is_no_observation(observation):
    with pytest.raises(qpolis.QpolisError):
        qpolis.load_game("quadropolis").imagine(observation)
