"""Records that can be checked: `qpolis verify` finds what was tampered with, and games can be played again."""

from __future__ import annotations

import shutil
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest

from helpers.tourneys import plan_of, silent
from qpolis.engine.results import ILLEGAL, STOPPED
from qpolis.errors import QpolisError
from qpolis.games.quadropolis.mix import MIXES
from qpolis.ratings import trueskill
from qpolis.ratings.rating import ratings
from qpolis.report.audit import audit
from qpolis.report.finish import finish, tables_of
from qpolis.tourney import journal
from qpolis.tourney.chunk import decode, encode
from qpolis.tourney.definition import define
from qpolis.tourney.plan import make_plan
from qpolis.tourney.records import COLUMNS, collect, find_game
from qpolis.tourney.run import JOURNAL, Run, read_chunks
from qpolis.tourney.schedule import WorkerPool
from qpolis.tourney.verify import replay

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter


def news(folder, sample=None):
    return [line for line, bad in audit(folder, sample) if bad]


def test_an_honest_run_passes(cup):
    assert news(cup) == []
    assert news(cup, 10) == []
    assert any("10 games played again" in line for line, _ in audit(cup, 10))


@pytest.mark.parametrize("column", COLUMNS)
def test_a_tampered_row_is_found(cup, tmp_path, column):
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)
    lines = (cup / "games.csv").read_text().splitlines()
    for number in (1, 2, 117, 240):
        cells = lines[number].split(",")
        place = COLUMNS.index(column)
        cells[place] = {"bot": "mcts", "end": "crash"}.get(
            column, str(int(cells[place]) + 1) if column not in ("bot", "end") else ""
        )
        changed = [*lines[:number], ",".join(cells), *lines[number + 1 :]]
        (folder / "games.csv").write_text("\n".join(changed) + "\n")
        game, seat = lines[number].split(",")[0], lines[number].split(",")[2]
        found = news(folder)
        assert len(found) == 1
        assert found[0].startswith(f"games.csv, game {game}, seat {seat}: {column} is {cells[place]}, not ")


def test_rows_that_are_missing_or_too_many_are_found(cup, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)
    text = (cup / "games.csv").read_text()
    for changed, message in (
        (text + "120,60,0,random,1,0,5,finished\n", "a row that should not be there: 120,60"),
        (text[: text.rindex("119,59,1")], "game 119, seat 1: the row is missing"),
        (text.replace("game,deal", "deal,game"), "the heading is deal,game"),
        ("", "the heading is "),
    ):
        (folder / "games.csv").write_text(changed)
        assert any(message in line for line in news(folder))
    (folder / "games.csv").write_text(text.replace("0,0,0,", "0,0,0," + 200_000 * "x", 1))
    assert len(news(folder)) == 1
    (folder / "games.csv").unlink()
    assert news(folder) == ["games.csv: is missing"]


def test_tampered_ratings_are_found(cup, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)
    (folder / "ratings.csv").write_text((cup / "ratings.csv").read_text().replace("greedy", "random"))
    (folder / "crosstable.csv").unlink()
    assert news(folder) == [
        "ratings.csv: is not what the games say",
        "crosstable.csv: cannot be read: No such file or directory",
    ]


def test_ratings_by_a_wrong_kernel_are_found(cup, tmp_path, monkeypatch):
    """Also where the run was rated by it, so that its tables agree."""
    assert ("TrueSkill: the trueskill package rates the first 120 games the same", False) in audit(cup, 0)
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)
    right = trueskill.constants()
    monkeypatch.setattr(trueskill, "constants", lambda: right._replace(draw_margin=0.7))
    plan = plan_of()
    results = collect(plan, read_chunks(folder, moves=False), plan.blocks)
    for name, text in tables_of(ratings(results, plan.definition.seed)).items():
        (folder / name).write_text(text)
    found = news(folder)
    assert found
    assert all(line.startswith("TrueSkill: ") and "the trueskill package says" in line for line in found)


def rewritten(folder, change):
    """Tamper with the first chunk of a journal so that its checksum is right."""
    start, first, *rest = (journal.heading(plan_of().digest), *journal.records(folder / JOURNAL))
    contents = [encode(change(decode(first))), *rest]
    heads = [struct.pack("<II", len(content), zlib.crc32(content)) + content for content in contents]
    (folder / JOURNAL).write_bytes(start + b"".join(heads))


@pytest.mark.parametrize("what", ["points", "ranks", "decisions", "actions", "hashes", "last", "extra"])
def test_a_tampered_journal_is_found_by_playing_again(cup, tmp_path, what):
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)

    def change(chunk):
        arrays = {
            name: np.array(getattr(chunk, name))
            for name in ("points", "ranks", "decisions", "actions", "hashes", "lengths")
        }
        if what == "last":
            arrays["lengths"][-1] -= 1
            arrays["actions"] = arrays["actions"][:-1]
        elif what == "extra":
            arrays["lengths"][-1] += 1
            arrays["actions"] = np.append(arrays["actions"], arrays["actions"][-1])
        else:
            arrays[what].flat[0] ^= arrays[what].dtype.type(1)
        return replace(chunk, **arrays)

    rewritten(folder, change)
    assert any(line.startswith("game 0") or line.startswith("game 1") for line in news(folder))


def test_a_damaged_journal_is_noticed(cup, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(cup, folder)
    content = bytearray((folder / JOURNAL).read_bytes())
    content[-5] ^= 1
    (folder / JOURNAL).write_bytes(content)
    found = news(folder)
    assert "bytes are a record that was not written to its end" in found[0]
    assert "go on with qpolis tourney --resume" in found[1]


def test_moves_can_be_left_out(tmp_path):
    with Run.begin(tmp_path / "run", plan_of(moves=False)) as run:
        run.play(WorkerPool(1), silent)
        finish(run, 1.0, 1)
    lines = list(audit(tmp_path / "run", None))
    assert not any(bad for _, bad in lines)
    assert lines[-1] == ("the moves were not recorded: no game can be played again", False)
    with pytest.raises(QpolisError, match="were not recorded"):
        find_game(run.plan, read_chunks(tmp_path / "run", moves=True), 3)


def test_a_game_can_be_found_and_played_again(cup):
    plan = plan_of()
    game = plan.load_game()
    for number in (0, 61, 119):
        played = find_game(plan, read_chunks(cup, moves=True), number)
        state = played.begin(game)
        for action in played.actions:
            state.apply(action)
        assert state.over
        assert (state.scores(), state.ranks()) == (played.points, played.ranks)
    with pytest.raises(QpolisError, match="no game 120: the games of this run are 0 to 119"):
        find_game(plan, read_chunks(cup, moves=True), 120)


def test_a_sample_of_a_sequential_test_is_of_games_that_were_played(tmp_path):
    plan = make_plan(define({"bots": ["greedy", "random"], "sprt": "elo0=0,elo1=400", "games": 5000}))
    with Run.begin(tmp_path / "run", plan) as run:
        run.play(WorkerPool(1), silent)
        finish(run, 1.0, 1)
    assert any(line.startswith("5 games played again") for line, _ in audit(tmp_path / "run", 5))


def test_another_mix_is_noticed_before_a_game_is_played_again(cup, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    base = (MIXES / "base.csv").read_text()
    (tmp_path / "mix.csv").write_text(base)
    plan = plan_of(mix="./mix.csv", games=6)
    with Run.begin(tmp_path / "run", plan) as run:
        run.play(WorkerPool(1), silent)
        finish(run, 1.0, 1)
    assert news(tmp_path / "run") == []
    (tmp_path / "mix.csv").write_text(base.replace("park", "tower"))
    with pytest.raises(
        QpolisError, match=r"mix \./mix\.csv\): its rules, or a file that an option names, have changed"
    ):
        news(tmp_path / "run")
    with pytest.raises(
        QpolisError, match="its rules, or a file that an option names, have changed since the run began"
    ):
        Run.resume(tmp_path / "run", {})


@pytest.mark.parametrize("answers", [0, 1])
def test_a_forfeit_before_the_first_question_and_one_with_it_both_agree(cup, answers):
    """A wrong answer is a decision; to speak before one is asked is none. Neither is among the actions."""
    plan = plan_of()
    chunk = next(iter(read_chunks(cup, moves=True)))
    chunk = chunk.only(chunk.numbers == chunk.numbers[0])
    ends, decisions = np.array([[ILLEGAL, STOPPED]]), np.array([[answers, 0]])
    early = replace(
        chunk, ends=ends, decisions=decisions, lengths=np.zeros(1, np.int64), actions=chunk.actions[:0]
    )
    again, faults = replay(plan.load_game(), plan, early)
    assert not faults.any()
    assert again.decisions.tolist() == decisions.tolist()


def test_a_complete_run_that_is_resumed_keeps_its_times(tmp_path):
    folder = tmp_path / "run"
    with Run.begin(folder, make_plan(define({"bots": ["greedy", "random"], "games": 2, "seed": 5}))) as run:
        run.play(WorkerPool(1), silent)
        finish(run, 123.0, 1)
    with Run.resume(folder, {}) as run:
        run.play(WorkerPool(1), silent)
        finish(run, 0.0, 1)
    assert ",seconds,123\n" in (folder / "timing.csv").read_text()
