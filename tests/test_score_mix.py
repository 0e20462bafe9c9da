"""`qpolis score` by a tile mix: what parks hold, and mixes that are refused."""

from __future__ import annotations

import json
import random

import pytest

from helpers.command_line import refusal, run
from qpolis import load_game
from qpolis.games.quadropolis.mix import load_mix, mix_text


def park(**keys):
    return {"type": "park", "floors": 1, "vp": 0, **keys}


def city(*squares, energy=2, **keys):
    """A classic city with these squares first."""
    return {
        "mode": "classic",
        "squares": [*squares, *[None] * (16 - len(squares))],
        "inhabitants": 0,
        "energy": energy,
        **keys,
    }


PARKS = city(park(), park())


@pytest.fixture
def write(tmp_path):
    """Write a city and return the path."""

    def write(data):
        path = tmp_path / "city.json"
        path.write_text(json.dumps(data))
        return str(path)

    return write


@pytest.fixture
def total(write):
    """The points of a city."""
    return lambda data, *options: json.loads(run("score", write(data), "--json", *options))["total"]


# --- what is scored -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mix", "points"), [("base", 0), ("park-homes", -2), ("base:park=3holds", 0), ("playgrounds", 0)]
)
def test_parks_hold_what_those_of_the_mix_hold(total, mix, points):
    assert total(PARKS, "--mix", mix) == points
    assert total({**PARKS, "mix": mix}) == points
    assert total({**PARKS, "mix": mix}, "--mix", mix) == points


def test_without_a_mix_it_is_the_base(total):
    assert total(city(park(), energy=3)) == -2


def test_a_square_says_what_its_park_holds(total):
    playground = city(park(), park(holds=0))
    assert total(playground, "--mix", "playgrounds") == -1
    assert total(playground, "--mix", "park-homes") == -2
    assert total(city(park(holds=9), energy=9)) == 0
    assert total(city({"type": "shop", "floors": 1, "vp": 0, "holds": 0}, energy=1)) == 0


def test_words_name_a_mix_that_is_not_the_base(write):
    assert run("score", write(PARKS), "--mix", "park-homes").splitlines()[-1] == "mix: park-homes"
    assert "mix" not in run("score", write(PARKS), "--mix", "base")


@pytest.mark.parametrize("mix", ["base", "playgrounds", "base:park=0holds@1:park=4holds@2"])
def test_cities_of_a_game_score_what_the_game_says(total, mix):
    """With the mix, and without: squares of mixes whose parks hold other amounts say what they hold."""
    state, choices = load_game("quadropolis", mix=mix).new(3), random.Random(mix)
    while not state.over:
        state.apply(choices.choice(state.legal()))
    told = state.to_dict()
    for seat, points in enumerate(state.scores()):
        data = {"mode": "classic", "squares": told["cities"][seat]}
        data |= {key: told[key][seat] for key in ("inhabitants", "energy")}
        assert total(data) == total(data, "--mix", mix) == points


def test_a_path_in_the_file_starts_where_one_is(total, tmp_path, monkeypatch):
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "here/mine.csv").write_text(mix_text(load_mix("park-homes")))
    assert total({**PARKS, "mix": "mine.csv"}) == -2
    assert total({**PARKS, "mix": "mine.csv"}, "--mix", "park-homes") == -2, "it is the same mix"


# --- what is refused ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mix", "words"),
    [
        (None, "mix: None is not a text: a name, the path of a CSV file, or changes to either"),
        (["base"], "mix: ['base'] is not a text"),
        ("bass", "mix: unknown mix 'bass', did you mean 'base'?"),
        ("absent.csv", "mix: absent.csv: cannot be read: No such file or directory"),
        ("base:park=0hold", "mix: base: change 'park=0hold': unknown field 'hold', did you mean 'holds'?"),
        (
            "park-homes:park=2holds@1",
            "squares: a1 (number 1 of the list): holds is missing, where the parks of park-homes:park=2holds@1 "
            "hold 0 or 2",
        ),
    ],
)
def test_a_wrong_mix_of_the_file_is_named(write, mix, words):
    path = write({**PARKS, "mix": mix})
    assert refusal("score", path).startswith(f"qpolis: {path}: {words}")


def test_a_wrong_mix_of_the_command_is_named(write):
    assert refusal("score", write(PARKS), "--mix", "bass").startswith(
        "qpolis: unknown mix 'bass', did you mean 'base'?"
    )


def test_a_mix_that_the_file_contradicts_is_refused(write):
    path = write({**PARKS, "mix": "base"})
    assert refusal("score", path, "--mix", "park-homes") == (
        f"qpolis: {path}: mix: base in the file, where --mix says park-homes; leave one of them out"
    )


def test_a_mix_without_tiles_for_the_mode_is_refused(write, tmp_path):
    mix = tmp_path / "mine.csv"
    rows = "".join(f"expert,{round},all,tower,1,1,0,0\n" for round in (1, 2, 3, 4, 5))
    mix.write_text(f"deck,round,mark,type,inhabitants,energy,vp,mayor\n{rows}")
    assert "no tile for round 1 of the classic mode" in refusal("score", write(PARKS), "--mix", str(mix))
