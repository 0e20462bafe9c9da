"""The games of a run as a Parquet file: what games.csv says, the same bytes whatever the workers, and verified."""

from __future__ import annotations

import csv
import shutil

import numpy as np
import pytest

from helpers.command_line import run
from helpers.tourneys import TABLES, plan_of
from qpolis.report.audit import audit
from qpolis.report.finish import finish
from qpolis.tourney.chunk import encode
from qpolis.tourney.run import Run
from qpolis.tourney.worker import ChunkPlayer

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
arrow = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")


def play(folder, tasks, **keys):
    """The games of the cup, in these tasks."""
    with Run.begin(folder, plan_of(**keys)) as begun:
        player = ChunkPlayer.prepare(begun.plan)
        for blocks in tasks:
            begun.keep(encode(player.play(blocks)))
        finish(begun, 1.0, 1)
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tables")
    play(folder / "both", [np.arange(60)], games_table="both")
    play(folder / "only", [np.arange(30, 60), np.arange(30)], games_table="parquet")
    return folder


def news(folder):
    return [line for line, bad in audit(folder, 1) if bad]


def test_it_says_what_the_csv_says(place, cup):
    with open(place / "both/games.csv", newline="") as file:
        wanted = list(csv.DictReader(file))
    found = parquet.read_table(place / "both/games.parquet").to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in found] == wanted
    for name in TABLES:
        assert (place / "both" / name).read_bytes() == (cup / name).read_bytes(), name
    assert (place / "only/games.parquet").read_bytes() == (place / "both/games.parquet").read_bytes()
    assert not (place / "only/games.csv").exists()
    assert not (cup / "games.parquet").exists()


def test_it_is_verified(place, tmp_path):
    assert "games.parquet: all 120 games as recorded" in run("verify", str(place / "only"), "--sample", "1")
    folder = shutil.copytree(place / "only", tmp_path / "run")
    path = folder / "games.parquet"
    right = parquet.read_table(path)
    scores = right["score"].to_pylist()
    scores[17] += 1
    wrong = right.set_column(4, "score", arrow.array(scores, arrow.int32()))
    for table, problem in (
        (wrong, f"games.parquet: game 8, seat 1: score is {scores[17]}, not {scores[17] - 1}"),
        (right.slice(1), "games.parquet: it has 239 rows, not 240"),
        (right.drop_columns(["end"]), "games.parquet: its columns are not game, deal, seat"),
    ):
        parquet.write_table(table, path)
        (line,) = news(folder)
        assert line.startswith(problem)
    path.write_bytes(b"PAR1 and what is none")
    (line,) = news(folder)
    assert line.startswith("games.parquet: cannot be read: ")
    path.unlink()
    assert news(folder) == ["games.parquet: is missing"]


def test_a_resumed_run_writes_it_again(place, tmp_path):
    folder = shutil.copytree(place / "only", tmp_path / "run")
    (folder / "games.parquet").unlink()
    run("tourney", "--resume", str(folder), "--quiet", "--workers", "1")
    assert (folder / "games.parquet").read_bytes() == (place / "only/games.parquet").read_bytes()
