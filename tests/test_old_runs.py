"""Runs that qpolis 0.1.0 wrote: they are read, go on, are reported and verified, and end with the same bytes.

In `data/0.1.0`: a tournament that was played to its end, the same one interrupted in a record of its journal, and
a question about balance. Their plans say neither kind nor format, and have a digest of all sources of 0.1.0.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from helpers.command_line import refusal, run
from helpers.tourneys import TABLES
from qpolis.balance.experiment import command_of
from qpolis.tourney.plan import changed, read_plan
from qpolis.tourney.worker import chunk_player

DATA = Path(__file__).parent / "data" / "0.1.0"
ANSWERS = ("measures.csv", "histograms.csv", "seats.csv", "summary.txt")


@pytest.fixture
def old(tmp_path):
    """Copies a run of 0.1.0."""
    return lambda name: shutil.copytree(DATA / name, tmp_path / name)


def same(folder, name, files):
    for file in files:
        assert (folder / file).read_bytes() == (DATA / name / file).read_bytes(), file


def test_a_complete_run_is_verified_reported_and_written_again(old):
    folder = old("complete")
    assert "all" in run("verify", str(folder))
    run("report", str(folder), "--games", "1")
    assert b"f1abfeea6ce004fe" in (folder / "report.html").read_bytes()  # what it was made with, as it was written
    for table in TABLES:
        (folder / table).unlink()
    run("tourney", "--resume", str(folder), "--quiet", "--workers", "1")
    same(folder, "complete", (*TABLES, "plan.toml", "journal.bin"))
    assert "game 3" in run("replay", str(folder), "--game", "3")


def test_an_interrupted_run_goes_on_and_ends_with_the_same_bytes(old):
    folder = old("interrupted")
    words = run("tourney", "--resume", str(folder), "--workers", "1")
    assert "games were played before" in words
    same(folder, "complete", (*TABLES, "plan.toml"))
    run("verify", str(folder))


def test_a_question_is_reported_and_goes_on(old):
    folder = old("question")
    assert command_of(folder) == "balance"
    run("report", str(folder))
    for file in ANSWERS:
        (folder / file).unlink()
    shutil.rmtree(folder / "runs")  # as if nothing had been played
    run("balance", "--resume", str(folder), "--quiet", "--workers", "1")
    same(folder, "question", ANSWERS)
    assert "go on with qpolis balance --resume" in refusal("tourney", "--resume", str(folder))


def test_its_plan_is_a_definition_that_plays_the_same(old, tmp_path):
    folder = old("complete")
    run(
        "tourney",
        str(folder / "plan.toml"),
        "--name",
        "cup",
        "--out",
        str(tmp_path / "again"),
        "--quiet",
        "--workers",
        "1",
    )
    same(tmp_path / "again", "complete", TABLES)
    assert (tmp_path / "again" / "plan.toml").read_text().startswith('kind = "tournament"\nformat = 2\n')


def test_what_0_1_0_played_is_version_1_of_everything(old):
    folder = old("complete")
    plan = read_plan(folder / "plan.toml")
    assert plan.text() == (folder / "plan.toml").read_text()
    today = chunk_player(plan.text()).plan.made  # a worker of today plays it
    assert list(changed(plan.made, today)) == []
    assert list(changed(plan.made, {**today, "game": 2})) == [("game", 1, 2)]
    assert list(changed(plan.made, {**today, "bot mcts": 2})) == [("bot mcts", 1, 2)]
    assert list(changed({**plan.made, "rules": "0"}, today)) == [("rules", "0", today["rules"])]
