"""What results rest on, as a game says: it is shown where results are, and counted from the data."""

from __future__ import annotations

import csv

import pytest

from helpers.balances import answer_to
from helpers.command_line import run
from helpers.tourneys import plan_of, silent
from qpolis import load_game
from qpolis.balance.question import ask
from qpolis.games import usable
from qpolis.games.quadropolis.mix import MIXES, load_mix, mix_text
from qpolis.games.quadropolis.provenance import Inferred, inferred_marks
from qpolis.report.content.balance_summary import summarize
from qpolis.report.content.terminal_tables import plan_lines
from qpolis.report.finish import finish
from qpolis.report.finish_balance import finish_balance
from qpolis.tourney.run import Run
from qpolis.tourney.schedule import WorkerPool

EXPERT = {"game": "quadropolis", "options": {"mode": "expert"}}


def inferred_lines():
    """The lines of the packaged tiles whose source says inferred, as the file has them."""
    with (MIXES / "base.csv").open() as file:
        return [row for row in csv.DictReader(file) if "inferred" in row["source"]]


def note(players=2, **options):
    notes = load_game("quadropolis", mode="expert", players=players, **options).notes()
    return notes[0] if notes else ""


# --- Quadropolis --------------------------------------------------------------------------------------


def test_inferred_marks_are_counted_from_the_file():
    lines = inferred_lines()
    last = sum(row["round"] == "5" for row in lines)
    assert {row["deck"] for row in lines} == {"expert"}
    assert inferred_marks(load_mix("base"), "expert") == Inferred(len(lines) - last, last)
    assert inferred_marks(load_mix("base"), "classic") == Inferred(0, 0)
    assert f"inferred player marks of expert tiles: {len(lines)}, those of round 5 ({last}) a guess" in note()


@pytest.mark.parametrize("mode", ["classic", "expert"])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_only_expert_games_of_two_and_three_rest_on_them(mode, players):
    notes = load_game("quadropolis", mode=mode, players=players).notes()
    assert len(notes) == (mode == "expert" and players < 4)
    assert all(f"with {players} players" in text for text in notes)


def test_a_changed_mix_counts_what_is_left_of_them():
    marks = inferred_marks(load_mix("base"), "expert")
    changed = inferred_marks(load_mix("base:office-2@5:park+2@5:office-1@1"), "expert")
    assert changed == Inferred(marks.concluded - 1, marks.guessed - 2)
    assert inferred_marks(load_mix("base:office=+1vp"), "expert") == marks, "other values, the same marks"


def test_a_file_says_itself_what_is_inferred(tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text(mix_text(load_mix("base")))
    assert note(mix=str(path)) == note(), "written files keep the column"
    path.write_text(mix_text(load_mix("base")).replace("mark inferred", "read off the tiles"))
    assert note(mix=str(path)) == ""
    path.write_text(mix_text(load_mix("base")).replace("mark inferred", "read", len(inferred_lines()) - 1))
    assert "tiles: 1, those of round 5 (1) a guess" in note(mix=str(path))
    path.write_text(mix_text(load_mix("base")).replace("mayor,source", "mayor,remark"))
    assert note(mix=str(path)) == "", "without the column nothing is known to be inferred"


# --- any game -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", usable())
def test_notes_are_lines(name):
    for text in load_game(name).notes():
        assert text.splitlines() == [text]
        assert not text.endswith(".")


def test_a_tournament_tells_them_before_it_begins_and_on_its_page(tmp_path):
    plan = plan_of(bots=["heuristic", "random"], games=2, options={"mode": "expert"})
    assert f"note: {note()}" in plan_lines(plan)
    assert not any(line.startswith("note") for line in plan_lines(plan_of()))
    with Run.begin(tmp_path / "run", plan) as begun:
        begun.play(WorkerPool(1), silent)
        finish(begun, 1.0, 1)
    page = (tmp_path / "run/report.html").read_text()
    assert page.index(f"<b>Note: </b>{note()}</p>") < page.index('id="standings"')


def test_an_answer_about_balance_tells_them(tmp_path):
    answer = answer_to(tmp_path / "run", bots=["heuristic"], games=20, mixes=["base", "base:office-1@1"], **EXPERT)
    told = [f"base: {note()}", f"base:office-1@1: {note(mix='base:office-1@1')}"]
    assert summarize(answer).notes == told
    finish_balance(tmp_path / "run", answer, summarize(answer))
    page = (tmp_path / "run/report.html").read_text()
    assert all(f"<b>Note: </b>{line}</p>" in page for line in told)
    text = (tmp_path / "run/summary.txt").read_text().splitlines()
    assert [line for line in text if line.startswith("note")] == [f"note: {line}" for line in told]


def test_what_holds_for_all_mixes_is_said_once():
    assert ask({"mixes": ["base", "scarce-energy"], **EXPERT}).notes() == [note()]
    assert ask({"mixes": ["base", "scarce-energy"]}).notes() == []


def test_a_dry_run_tells_them():
    text = run("balance", "--mode", "expert", "--players", "3", "--games", "100", "--dry-run")
    assert text.splitlines()[-1] == f"note: {note(3)}"
