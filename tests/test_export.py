"""Runs as data: `qpolis export` writes what a slow twin reads out of the same run."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from helpers.command_line import refusal, run
from helpers.plugin_games import village
from naive import dataset as naive
from qpolis.dataset import export
from qpolis.dataset.columns import COLUMNS
from qpolis.dataset.game_lines import GAME, HEAD
from qpolis.dataset.recorded_run import RecordedRun
from qpolis.engine.results import ENDS
from qpolis.tourney import journal
from qpolis.tourney.chunk import decode, encode
from qpolis.tourney.definition import define
from qpolis.tourney.journal import Journal
from qpolis.tourney.plan import make_plan
from qpolis.tourney.run import JOURNAL, Run, saved_plan
from qpolis.tourney.verify import replay
from qpolis.tourney.worker import ChunkPlayer

pytestmark = pytest.mark.filterwarnings("ignore:First-class function type")  # pytest undoes kernel.py's filter
parquet = pytest.importorskip("pyarrow.parquet")
SIZE = 4  # of the village


def begin(folder, game, tasks, bots=("mcts:sims=6", "random", "greedy"), games=24, **keys):
    """A run of the small game whose blocks are played in these tasks, each a chunk of the journal."""
    plan = make_plan(define({"bots": list(bots), "games": games, "seed": 3, "game": game, **keys}))
    player = ChunkPlayer.prepare(plan)
    with Run.begin(folder, plan) as begun:
        for blocks in tasks:
            begun.keep(encode(player.play(np.array(blocks))))
    return folder


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder with the game, and `run`: one that is complete, in chunks that overlap and are not in order."""
    folder = tmp_path_factory.mktemp("data")
    game = village(folder / "village.py", ("Option(3, ", f"Option({SIZE}, "))
    begin(folder / "run", game, [[7, 8, 9, 10, 11], [1, 3, 5], [0, 2, 6], [4]])
    return folder


@pytest.fixture
def whole(place, tmp_path):
    """A copy of the run."""
    return shutil.copytree(place / "run", tmp_path / "run")


def exported(folder, *words):
    """The rows of an export as plain data, JSON lines read as the documentation says."""
    path = folder / "rows.jsonl"
    run("export", str(folder), "--to", "jsonl", "--out", str(path), "--force", "--quiet", *words)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    facts = json.loads((folder / "rows.schema.json").read_text())
    size = sum(np.prod(plane["shape"]) for plane in facts.get("planes", ()))
    for row in rows:
        if "observation" in row:
            seen = np.zeros(int(size), np.float32)
            seen[row["observation"]["at"]] = row["observation"]["values"]
            row["observation"] = seen.tolist()
    return rows, facts


def table(folder, *words):
    """The same of a Parquet file."""
    path = folder / "rows.parquet"
    run("export", str(folder), "--out", str(path), "--force", "--quiet", *words)
    found = parquet.read_table(path)
    return found.to_pylist(), json.loads(found.schema.metadata[b"qpolis"]), found.schema


def test_the_page_has_the_columns():
    page = (Path(__file__).parent.parent / "docs/data.md").read_text()
    rows = [f"| `{name}` | {column.type} | {column.help} |" for name, column in COLUMNS.items()]
    assert "\n".join(["|---|---|---|", *rows, ""]) in page


def test_the_page_has_the_facts_and_the_keys_of_a_game(whole):
    page = (Path(__file__).parent.parent / "docs/data.md").read_text()
    assert [name for name in exported(whole, "--games", "0")[1] if f"`{name}`" not in page] == []
    assert [name for name in {**HEAD, **GAME} if f"`{name}`" not in page] == []


def test_both_formats_say_what_the_twin_says(whole):
    wanted = list(naive.decisions(whole, range(24)))
    rows, facts = exported(whole)
    assert rows == wanted
    others, other_facts, schema = table(whole)
    assert others == wanted
    assert [name for name in COLUMNS if name not in ("visits", "values")] == list(wanted[0]) == schema.names
    assert schema.field("observation").type.list_size == 3 * SIZE * SIZE
    assert schema.field("action").metadata == {b"help": COLUMNS["action"].help.encode()}
    plan = (whole / "plan.toml").read_bytes()
    for said in (facts, other_facts):
        assert said["plan_sha256"] == hashlib.sha256(said["plan"].encode()).hexdigest()
        assert said["plan"].encode() == plan
        assert (said["game"], said["options"]) == ("village", {"players": 2, "size": SIZE})
        assert [plane["start"] for plane in said["planes"]] == [0, SIZE * SIZE]
        assert said["action_count"] == SIZE * SIZE
    assert sorted(os.listdir(whole)) == sorted(
        [".lock", "journal.bin", "plan.toml", "rows.jsonl", "rows.parquet", "rows.schema.json"]
    )


def test_parts_hold_whole_games_in_plan_order_however_they_were_played(place, whole, monkeypatch):
    """Row groups do not depend on the chunks: the files are the same byte by byte."""
    monkeypatch.setattr(export, "MOST_ROWS", 40)
    at_once = begin(whole.parent / "other", str(place / "village.py"), [range(12)])
    files = []
    for folder in (whole, at_once):
        run("export", str(folder), "--quiet")
        files.append((folder / "decisions.parquet").read_bytes())
    assert files[0] == files[1]
    file = parquet.ParquetFile(whole / "decisions.parquet")
    groups = [file.read_row_group(number, columns=["game"])["game"].to_pylist() for number in range(8)]
    assert groups == [[game for game in range(first, first + 3) for _ in range(15)] for first in range(0, 24, 3)]


def test_games_and_columns_can_be_chosen(whole):
    rows, facts = exported(whole, "--games", "3-4,17", "--columns", "game,text,reward")
    wanted = [
        {name: row[name] for name in ("game", "text", "reward")} for row in naive.decisions(whole, (3, 4, 17))
    ]
    assert rows == wanted
    assert facts["games"] == 3
    sample = [{row["game"] for row in exported(whole, "--sample", "5")[0]} for _ in range(2)]
    assert sample[0] == sample[1]
    assert len(sample[0]) == 5


def test_visits_are_what_the_search_thought(whole):
    """They add up to its simulations at least, and the action of the game is the most visited."""
    rows, _, _ = table(whole, "--visits", "--games", "0-11")
    searched = [row for row in rows if row["visits"] is not None]
    assert searched
    assert {row["bot"] for row in searched} == {"mcts:sims=6"}
    for row in rows:
        assert (row["values"] is None) == (row["visits"] is None)
    for row in searched:
        assert len(row["visits"]) == len(row["values"]) == len(row["legal"])
        if len(row["legal"]) > 1:
            assert sum(row["visits"]) >= 6
            assert row["visits"][row["legal"].index(row["action"])] == max(row["visits"])
    again = exported(whole, "--columns", "visits", "--games", "0-11")[0]
    assert [row["visits"] for row in again] == [row["visits"] for row in rows]
    assert "--visits adds them" in run("export", str(whole), "--games", "0")


def test_a_run_that_is_not_complete_is_exported_as_far_as_it_was_played(place, tmp_path):
    folder = begin(tmp_path / "half", str(place / "village.py"), [[5, 6], [0, 1]])
    said = run("export", str(folder), "--to", "jsonl")
    assert "the run is not complete: 8 of 24 games are there, and are exported" in said
    assert "8 games, 120 decisions" in said
    rows = [json.loads(line) for line in (folder / "decisions.jsonl").read_text().splitlines()]
    assert sorted({row["game"] for row in rows}) == [0, 1, 2, 3, 10, 11, 12, 13]
    assert "game 4 was not played, or does not count" in refusal(
        "export", str(folder), "--games", "3-4", "--force"
    )
    with open(folder / JOURNAL, "ab") as file:
        file.write(b"torn")
    assert "8 games" in run("export", str(folder), "--to", "jsonl", "--force")


def test_a_game_without_observations_is_exported_without(whole, monkeypatch):
    opened = RecordedRun.open

    def unseen(folder):
        run = opened(folder)
        run.game.planes = ()
        return run

    wanted = list(naive.decisions(whole, [3]))
    monkeypatch.setattr(RecordedRun, "open", unseen)
    assert "village has no observations as numbers: the column observation is left out" in run(
        "export", str(whole)
    )
    rows, facts = exported(whole, "--games", "3")
    assert rows == [{name: row[name] for name in row if name != "observation"} for row in wanted]
    assert "planes" not in facts
    assert "village: it has no observations as numbers" in refusal_last(
        "export", str(whole), "--columns", "observation", "--force"
    )


def test_games_that_a_bot_forfeited_are_exported_as_far_as_they_went(whole):
    rewritten(whole, forfeited)
    rows, _ = exported(whole)
    assert rows == list(naive.decisions(whole, range(14, 24)))
    assert {(row["seat"], row["end"], row["rank"]) for row in rows} == {(0, "crash", 1), (1, "stopped", 0)}
    assert len(rows) == 10 * 11


def forfeited(plan, chunk):
    """The same games, which the first seat forfeits after eleven decisions."""
    kept = np.concatenate([chunk.actions_of(row)[:11] for row in range(chunk.games)])
    ends = np.tile([ENDS.index("crash"), ENDS.index("stopped")], (chunk.games, 1))
    games = replace(chunk, actions=kept, lengths=np.full(chunk.games, 11), ends=ends)
    return replay(plan.load_game(), plan, games)[0]


def rewritten(folder, change):
    """Leave only the first chunk in a journal, changed."""
    plan, content = saved_plan(folder), next(journal.records(folder / JOURNAL))
    (folder / JOURNAL).unlink()
    book = Journal(folder / JOURNAL, plan.digest)
    book.append(encode(change(plan, decode(content))))
    book.close()


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--games", "20-24"], "no game 24: the games of this run are 0 to 23"),
        (["--games", "5-3"], "--games: '5-3' is not a number of a game, or a range such as 0-99"),
        (["--games", "-1"], "--games: '-1' is not a number"),
        (["--columns", "rewards"], "unknown column 'rewards', did you mean 'reward'?"),
        (["--columns", ""], "unknown column ''"),
        (["--moves", "--visits"], "--moves writes moves only: leave out --visits"),
        (["--moves", "--to", "parquet"], "games by their moves are JSON lines"),
        (["--out", "nowhere/rows.parquet"], "nowhere/rows.parquet: cannot be written: there is no folder nowhere"),
        (["--out", "there.parquet"], "there.parquet: is there already; --force writes over it"),
    ],
    ids=str,
)
def test_what_cannot_be_exported_is_said_in_one_line(whole, monkeypatch, words, problem):
    monkeypatch.chdir(whole)
    (whole / "there.parquet").touch()
    before = sorted(os.listdir(whole))
    assert problem in refusal("export", str(whole), *words)
    assert sorted(os.listdir(whole)) == before


def test_strange_folders_get_one_line(whole):
    assert "not the folder of a run" in refusal("export", str(whole.parent))
    assert "no such folder" in refusal("export", "nowhere")
    plan = make_plan(define({"bots": ["random", "greedy"], "games": 2, "moves": False}))
    with Run.begin(whole / "without", plan):
        pass
    assert "the moves of this run were not recorded" in refusal("export", str(whole / "without"))
    rewritten(whole, lambda plan, chunk: replace(chunk, points=chunk.points + 1))
    assert "score is recorded as" in refusal_last("export", str(whole))
    rewritten(whole, lambda plan, chunk: replace(chunk, actions=np.zeros_like(chunk.actions)))
    for words in ((), ("--moves",)):
        said = refusal_last("export", str(whole), *words)
        assert "an action in it is not legal: `qpolis verify` says what is wrong with this run" in said
    (whole / JOURNAL).unlink()
    assert "journal.bin: cannot be read" in refusal("export", str(whole))
    assert sorted(os.listdir(whole)) == [".lock", "plan.toml", "without"]


def refusal_last(*words):
    """The last line of a command that fails after it has said something."""
    from click.testing import CliRunner

    from qpolis.cli.main import main

    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2, result.output
    return result.output.splitlines()[-1]


def test_without_pyarrow_one_line_says_what_to_install(whole, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "Parquet files need pyarrow: pip install 'qpolis[parquet]'" in refusal_last("export", str(whole))
    run("export", str(whole), "--to", "jsonl")
    assert "pip install 'qpolis[parquet]'" in refusal(
        "tourney", "--bots", "random,greedy", "--games-table", "parquet", "--out", str(whole / "new"), "--quiet"
    )
    assert not (whole / "new").exists()


def test_memory_holds_no_more_of_a_run_than_a_part(whole, monkeypatch):
    """Chunks that were written are let go: no more are held than overlap."""
    read = []
    again = journal.read_again
    monkeypatch.setattr(journal, "read_again", lambda path, start: read.append(start) or again(path, start))
    batches = RecordedRun.open(whole).batches(np.ones(24, bool), 1)
    next(batches)
    assert len(read) == 1  # the chunk with the first games; the next one begins with the third
