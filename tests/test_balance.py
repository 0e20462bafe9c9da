"""Questions about mixes, answered: what is unfair is found and named, what is the same is found to be the same."""

from __future__ import annotations

import csv
import io
import shutil

import numpy as np
import pytest

from helpers.balances import answer_to, nobody
from qpolis.balance.compare import TILES
from qpolis.balance.experiment import CELLS, begin, play, resumed
from qpolis.balance.inference import DIFFERENT, EQUIVALENT, SMALL
from qpolis.balance.question import ask, cells, read_question
from qpolis.errors import QpolisError
from qpolis.games.quadropolis.mix import MIXES
from qpolis.kernel import JIT
from qpolis.report.content.balance_csv import tables
from qpolis.report.content.balance_summary import summarize, summary
from qpolis.report.finish_balance import finish_balance, read_answer
from qpolis.tourney.run import PLAN, read_chunks, saved_plan
from qpolis.tourney.schedule import WorkerPool

pytestmark = [
    pytest.mark.skipif(not JIT, reason="many games"),
    pytest.mark.filterwarnings("ignore:First-class function type"),
]


# --- unfair on purpose --------------------------------------------------------------------------------


def test_a_tile_that_is_worth_the_game_is_found_and_named(tmp_path):
    answer = answer_to(
        tmp_path / "run", mixes=["base:tower[3inhabitants]=20vp@1"], bots=["greedy", "heuristic"], games=900
    )
    assert all(item.verdict.word == DIFFERENT for item in answer.fairness[0])
    wins = answer.find(0, "level", "greedy", "seats", "seat 0 wins").measure
    assert wins.interval()[0] > 0.9
    words = "\n".join(summary(answer))
    assert words.count("goes with round 1: tower 3 inhabitants, 20 points") == 2
    # These heuristic players always take this one and the same other tile first.
    assert "the first player has round 1: tower 3 inhabitants, 20 points in 100.0%" in words
    assert words.count("not fair") == 3


def test_a_kind_that_is_too_strong_is_found_and_named(tmp_path):
    answer = answer_to(
        tmp_path / "run",
        mixes=["base:harbor=+6vp"],
        bots=["greedy", "heuristic"],
        games=2400,
        forbid=["harbor", "park"],
        habit_games=200,
    )
    words = "\n".join(summary(answer))
    assert "one harbor more helps, at every level" in words
    best = max(
        (
            entry.measure
            for entry in answer.entries
            if entry.measure.group == "effects" and entry.level == "greedy"
        ),
        key=lambda measure: measure.value,
    )
    assert best.name == "harbor"
    lost = {entry.measure.name: entry.measure for entry in answer.entries if entry.part == "habits"}
    assert lost["greedy ahead of greedy:forbid=harbor"].interval()[0] > 0.9
    assert lost["greedy ahead of greedy:forbid=harbor"].value > lost["greedy ahead of greedy:forbid=park"].value


# --- the same, and not the same -----------------------------------------------------------------------


def test_a_copy_of_base_under_another_name_is_found_equivalent(tmp_path):
    shutil.copy(MIXES / "base.csv", tmp_path / "other.csv")
    answer = answer_to(
        tmp_path / "run", mixes=["base", str(tmp_path / "other.csv")], bots=["heuristic"], games=4000
    )
    family = [item for item in answer.comparisons[1] if item.new.measure.group not in TILES]
    assert {item.verdict.word for item in family} == {EQUIVALENT}
    assert DIFFERENT not in {item.verdict.word for item in answer.comparisons[1]}
    assert "the mixes are equivalent in every measure, at every level of play" in summary(answer)


def test_the_same_tiles_on_other_squares_are_found_equivalent_if_that_is_so(tmp_path):
    """The layouts of this copy are others: only statistics can say that the mixes are the same."""
    heading, *lines = (MIXES / "base.csv").read_text().splitlines()
    (tmp_path / "other.csv").write_text("\n".join([heading, *reversed(lines)]) + "\n")
    answer = answer_to(
        tmp_path / "run", mixes=["base", str(tmp_path / "other.csv")], bots=["heuristic"], games=6000, within=5
    )
    found = [item for item in answer.comparisons[1] if item.new.measure.group not in TILES]
    assert any(item.change.value for item in found)
    assert all(item.verdict.word != DIFFERENT for item in found)
    seats = [item.verdict.word for item in found if item.new.measure.name in ("seat 0 wins", "seat 1 wins")]
    assert seats == [EQUIVALENT] * 2


def test_shared_deals_make_differences_sharper(tmp_path):
    answer = answer_to(tmp_path / "run", mixes=["base", "base:harbor+1@4:park-1@4"], bots=["greedy"], games=600)
    found = {item.new.measure.name: item for item in answer.comparisons[1]}
    assert found["harbor: built"].verdict.word in (DIFFERENT, SMALL)
    assert found["harbor: built"].change.value > 0
    assert found["points"].gain > 1.2  # three rounds of four are the same


# --- runs ---------------------------------------------------------------------------------------------

QUESTION = {
    "mixes": ["base", "base:shop+1:park-1"],
    "games": 300,
    "forbid": ["tower"],
    "player": "heuristic",
    "ladder": [1, 3],
    "ladder_games": 4,
}


def files(folder):
    """What a question wrote that may not depend on how it was played."""
    question = resumed(folder, lambda path: ask(read_question(path)))
    answer = read_answer(folder, question, cells(ask(QUESTION_FULL)), 1)
    finish_balance(folder, answer, summarize(answer))
    return {
        path.relative_to(folder): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and CELLS not in path.parts
    }


QUESTION_FULL = {"bots": ["heuristic", "random"], "seed": 3, **QUESTION}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("balance") / "run"
    answer_to(folder, **QUESTION)
    return files(folder)


def test_what_is_stopped_goes_on_and_ends_with_the_same_bytes(tmp_path, undisturbed):
    folder = tmp_path / "run"
    question = ask(QUESTION_FULL)
    begin(folder, question)
    stops = iter([1, 3, 2, 5, 1])

    def stopping():
        left = next(stops, None)

        def told(cell, tally, before):
            nonlocal left
            if left is not None:
                left -= 1
                if left == 0:
                    raise KeyboardInterrupt

        return told

    for _ in range(5):
        with pytest.raises(KeyboardInterrupt), WorkerPool(1) as pool:
            play(folder, cells(question), pool, stopping())
    journal = max((folder / CELLS).glob("*/journal.bin"), key=lambda path: path.stat().st_size)
    journal.write_bytes(journal.read_bytes()[:-3])  # torn, as by a power cut
    with WorkerPool(1) as pool:
        play(folder, cells(question), pool, nobody)
    assert files(folder) == undisturbed


def test_runs_are_tournaments_of_their_own(tmp_path, undisturbed):
    """Each can be read, shown and verified by itself, and mixes share deals."""
    folder = tmp_path / "run"
    answer_to(folder, **QUESTION)
    plans = {path.name: saved_plan(path) for path in (folder / CELLS).iterdir()}
    assert len(plans) == 2 * 5
    for name, plan in plans.items():
        games = np.concatenate([chunk.numbers for chunk in read_chunks(folder / CELLS / name, moves=False)])
        assert sorted(games.tolist()) == list(range(plan.games))
        assert plan.definition.seed == 3
    first, second = plans["0-level-heuristic"], plans["1-level-heuristic"]
    assert first.definition.options["mix"] == "base"
    assert (first.games, first.lineups) == (second.games, second.lineups)


def test_a_plan_says_its_kind_and_a_newer_format_is_refused(tmp_path):
    folder = tmp_path / "run"
    begin(folder, ask(QUESTION_FULL))
    text = (folder / PLAN).read_text()
    assert text.startswith('kind = "balance question"\nformat = 2\n')
    (folder / PLAN).write_text(text.replace("format = 2", "format = 3"))
    with pytest.raises(QpolisError, match="its format 3 is newer than this qpolis"):
        resumed(folder, lambda path: ask(read_question(path)))


def test_a_changed_question_is_refused(tmp_path):
    folder = tmp_path / "run"
    begin(folder, ask(QUESTION_FULL))
    text = (folder / PLAN).read_text()
    (folder / PLAN).write_text(text.replace("games = 300", "games=301"))
    with pytest.raises(QpolisError, match="was changed since the run began"):
        resumed(folder, lambda path: ask(read_question(path)))
    (folder / PLAN).write_text(text)
    assert resumed(folder, lambda path: ask(read_question(path))) == ask(QUESTION_FULL)
    with pytest.raises(QpolisError, match="there is a run in it"):
        begin(folder, ask(QUESTION_FULL))


# --- tables -------------------------------------------------------------------------------------------


def test_every_measure_is_in_the_tables_with_interval_and_samples(tmp_path):
    answer = answer_to(
        tmp_path / "run", **{**QUESTION, "players": 3, "mode": "expert", "ladder": [1, 2, 3], "ladder_games": 6}
    )
    found = {name: list(csv.DictReader(io.StringIO(text))) for name, text in tables(answer).items()}
    rows = found["measures.csv"]
    assert len(rows) == len(answer.entries)
    keys = {tuple(row[key] for key in ("mix", "part", "level", "group", "measure")) for row in rows}
    assert len(keys) == len(rows)
    for row in rows:
        if row["value"] and row["low"]:
            assert float(row["low"]) <= float(row["value"]) <= float(row["high"])
        assert int(row["samples"]) >= 0
    assert {row["group"] for row in rows} >= {
        "seats",
        "scores",
        "kinds",
        "effects",
        "tiles",
        "drama",
        "choices",
        "habits",
        "ladder",
    }
    kinds = [row["measure"].split(":")[0] for row in rows if row["measure"].endswith("winners' points")]
    assert set(kinds) == {"tower", "shop", "service", "park", "factory", "harbor", "office", "monument"}
    assert {row["verdict"] for row in found["comparisons.csv"]} <= {"different", "equivalent", "small", "open"}
    counts = [
        int(row["count"])
        for row in found["histograms.csv"]
        if (row["mix"], row["level"], row["what"]) == ("base", "heuristic", "points")
    ]
    assert sum(counts) == 3 * 150  # two levels, and no field: three would have to be there


# --- questions that cannot be -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"mixes": ["bse"]}, "unknown mix 'bse', did you mean 'base'"),
        ({"mixes": ["base", "base"]}, "mix 'base' is there twice"),
        ({"mixes": ["base:harbor+1@3"]}, "25"),
        ({"mixes": []}, "mixes: \\[\\] is not a list of mixes"),
        ({"bots": ["greedy", "greedy"]}, "bot 'greedy' is there twice"),
        ({"bots": ["gredy"]}, "unknown bot 'gredy'"),
        ({"bots": ["tidy"]}, "bots that ship"),
        ({"forbid": ["harbour"]}, "unknown kind of building to forbid in quadropolis 'harbour'"),
        ({"forbid": ["office"]}, "unknown kind of building to forbid in quadropolis 'office'"),
        ({"ladder": [50]}, "ladder: \\[50\\] is not a list of two or more budgets"),
        ({"within": 0}, "within: 0 is not a number of percentage points"),
        ({"games": 0}, "games: 0 is not a whole number"),
        ({"mix": "base"}, "a question has a list of mixes"),
        ({"color": "red"}, "unknown key 'color'"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_one_line(keys, said):
    with pytest.raises(QpolisError, match=said) as error:
        ask(keys)
    assert len(str(error.value).splitlines()) == 1
