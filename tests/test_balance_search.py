"""Searches for mixes: what is tried, what is found, and that claims rest on fresh deals alone."""

from __future__ import annotations

import itertools

import pytest

from helpers.mix_searches import run
from qpolis.balance.experiment import CELLS, begin
from qpolis.balance.search import (
    BEAM,
    MET,
    MISSED,
    claims,
    neighbours,
    rungs,
    seek,
)
from qpolis.errors import QpolisError
from qpolis.games import load_game
from qpolis.games.quadropolis import Quadropolis
from qpolis.kernel import JIT
from qpolis.report.content.balance_search import claims_of, search_lines, trials_csv
from qpolis.tourney.run import saved_plan

pytestmark = [
    pytest.mark.skipif(not JIT, reason="many games"),
    pytest.mark.filterwarnings("ignore:First-class function type"),
]
FEW = {"bots": ["heuristic"], "budget": 12_000, "changes": 1, "seed": 5}


@pytest.fixture(scope="module")
def few():
    """Only a few of the neighbours of a mix, so that searches are short."""
    with pytest.MonkeyPatch.context() as patch:
        whole = Quadropolis.variations
        patch.setattr(Quadropolis, "variations", lambda game: [mix for mix in whole(game) if "-1" in mix][::4])
        yield


def test_neighbours_are_different_mixes_that_can_be_played():
    search = seek({"targets": ["seats=2"]})
    found = neighbours(search, ["base"])
    assert len(found) == len(set(found)) > 40
    assert "base:harbor+1:park-1" in found
    assert "base:park=-1energy" not in found  # less than nothing
    rules = {load_game("quadropolis", mix=mix).rules.tobytes() for mix in ["base", *found]}
    assert len(rules) == len(found) + 1
    again = neighbours(search, ["base", "base:park=+1vp"])
    assert "base:park=+1vp:park=-1vp" not in again  # that is base


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({}, "no targets: say what the mix should be like, as in --target seats=2"),
        ({"targets": ["seat=2"]}, "unknown target 'seat', did you mean 'seats'"),
        ({"targets": ["seats"]}, "target 'seats' is not of the form seats=NUMBER"),
        ({"targets": ["seats=x"]}, "not of the form"),
        ({"targets": ["seats=nan"]}, "not of the form"),
        ({"targets": ["seats=2", "seats=3"]}, "target seats is there twice"),
        ({"targets": ["seats=2"], "budget": 100}, "budget: 100 games are too few to look at 51 mixes"),
        ({"targets": ["seats=2"], "start": "bse"}, "unknown mix 'bse'"),
        ({"targets": ["seats=2"], "changes": 0}, "changes: 0 is not a whole number from 1 to 10"),
        ({"targets": ["seats=2"], "games": 5}, "unknown key 'games'"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_one_line(keys, said):
    with pytest.raises(QpolisError, match=said) as error:
        seek(keys)
    assert len(str(error.value).splitlines()) == 1


# --- searches, with few neighbours -------------------------------------------------------------------


@pytest.fixture(scope="module")
def towers(few, tmp_path_factory):
    """A search from a mix in which shops bring too much, which one change makes better."""
    folder = tmp_path_factory.mktemp("search") / "run"
    search = seek({**FEW, "start": "base:shop=+4vp:shop=+4inhabitants", "targets": ["margin=5"]})
    begin(folder, search)
    found, answer = run(folder, search)
    return folder, search, found, answer


def test_what_is_found_is_nearer_to_the_target_than_the_start(towers):
    _, search, found, answer = towers
    assert found.mix.startswith(search.start + ":")
    before, after = (answer.find(mix, "level", "heuristic", "scores", "winning margin").measure for mix in (0, 1))
    assert after.value < before.value
    lines = search_lines(search, found, answer)
    assert f"looked best: {found.mix}" in lines
    assert any(line.startswith("tested on") for line in lines)


def test_rungs_halve_and_play_more(towers):
    _, search, found, _ = towers
    by_rung = {}
    for one in found.trials:
        by_rung.setdefault(one.rung, []).append(one)
    sizes = [len(group) for group in by_rung.values()]
    assert len(sizes) == rungs(sizes[0])
    for before, after in itertools.pairwise(sizes):
        assert after == max(BEAM, before // 2)
    games = [group[0].games for group in by_rung.values()]
    assert games == sorted(games)
    assert sum(one.games for one in found.trials) <= search.budget * 0.7 + len(found.trials)
    last = by_rung[max(by_rung)]
    assert [one.loss for one in last] == sorted(one.loss for one in last)
    assert found.mix == last[0].mix
    assert trials_csv(search, found).count("\n") == len(found.trials) + 1


def test_the_confirmation_is_on_deals_that_nobody_saw(towers):
    folder, search, _, answer = towers
    seeds = {path.name: saved_plan(path).definition.seed for path in (folder / CELLS).iterdir()}
    confirming = {seed for name, seed in seeds.items() if name.startswith("confirm-")}
    assert len(confirming) == 1
    assert not confirming & {seed for name, seed in seeds.items() if not name.startswith("confirm-")}
    rung_seeds = {name.split("-")[1]: seed for name, seed in seeds.items() if not name.startswith("confirm-")}
    assert len(set(rung_seeds.values())) == len(rung_seeds)  # each rung has its own deals, too
    assert sum(run.games for run in answer.runs) == pytest.approx(0.3 * search.budget, abs=2)


def test_a_stopped_search_goes_on_and_finds_the_same(towers, tmp_path):
    _, search, found, answer = towers
    folder = tmp_path / "run"
    begin(folder, search)
    for stop in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            run(folder, search, stop)
    again, other = run(folder, search)
    assert again == found
    assert search_lines(search, again, other) == search_lines(search, found, answer)


def test_a_target_that_is_met_already_needs_no_change(few, tmp_path):
    search = seek({**FEW, "targets": ["seats=40", "margin=50"], "changes": 2, "budget": 24_000})
    begin(tmp_path / "run", search)
    found, answer = run(tmp_path / "run", search)
    assert found.mix == "base"
    assert {one.generation for one in found.trials} == {1}  # and no second change is tried
    assert [claim.word for claim in claims_of(search, answer, 0)] == [MET] * 3
    assert "none of them looked better than base" in search_lines(search, found, answer)


def test_a_target_out_of_reach_is_missed_and_said_so(few, tmp_path):
    search = seek({**FEW, "targets": ["margin=0.5"]})
    begin(tmp_path / "run", search)
    found, answer = run(tmp_path / "run", search)
    last = len(answer.question.mixes) - 1
    assert [claim.word for claim in claims_of(search, answer, last)] == [MISSED]
    assert any("margin=0.5: missed" in line for line in search_lines(search, found, answer))


def test_no_claims_without_measures():
    search = seek({"targets": ["seats=2"]})
    assert claims(search, {"heuristic": []}) == []
