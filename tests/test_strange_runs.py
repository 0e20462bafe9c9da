"""Folders of runs that somebody else made, or that were damaged: nothing of them is believed, and nothing is
written outside of them."""

from __future__ import annotations

import json
import os
import re
import shutil
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from helpers.tourneys import silent
from qpolis.cli.main import main
from qpolis.files import write_file
from qpolis.report.content.replay import make_replay
from qpolis.tourney.chunk import MOST_BYTES, UNREADABLE, encode
from qpolis.tourney.definition import define
from qpolis.tourney.journal import Journal
from qpolis.tourney.plan import make_plan
from qpolis.tourney.records import find_game
from qpolis.tourney.run import JOURNAL, Run, read_chunks, saved_plan
from qpolis.tourney.schedule import WorkerPool


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A run of two games by shipped bots, one of which can be asked what it thought."""
    folder = tmp_path_factory.mktemp("made") / "run"
    with Run.begin(folder, make_plan(define({"bots": ["mcts:sims=5", "random"], "games": 2, "seed": 5}))) as run:
        run.play(WorkerPool(1), silent)
    return folder


@pytest.fixture
def forged(made, tmp_path):
    """Makes a run whose journal has this record."""

    def forge(content: bytes):
        folder = shutil.copytree(made, tmp_path / "run")
        (folder / JOURNAL).unlink()
        book = Journal(folder / JOURNAL, saved_plan(folder).digest)
        book.append(content)
        book.close()
        return folder

    return forge


def whole(made):
    (chunk,) = read_chunks(made, moves=True)
    return chunk


def refused(*words: object) -> str:
    """What a command says that cannot be followed."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 2, result.output
    assert result.output.startswith("qpolis: ")
    assert result.output.count("\n") == 1
    return result.output


def refused_last(*words: object) -> str:
    """What a command says at its end that cannot be followed to it."""
    result = CliRunner().invoke(main, [str(word) for word in words])
    assert result.exit_code == 2, result.output
    return result.output.splitlines()[-1]


def packed(head: object, rest: bytes = b"") -> bytes:
    text = json.dumps(head).encode()
    first = zlib.compress(struct.pack("<I", len(text)) + text + rest)
    return struct.pack("<I", len(first)) + first + zlib.compress(b"")


@pytest.mark.parametrize(
    "content",
    [
        b"\xff" * 40,
        packed([]),
        packed({}),
        packed({"shapes": {"games": [10**9]}}),
        packed({"shapes": {"games": [-1]}, "reasons": [], "seconds": 0}),
        packed({"shapes": {}, "reasons": [], "seconds": 0.0}),
        packed({"shapes": {"more": [1]}}, b"1234"),
        packed({"shapes": [1], "reasons": [], "seconds": 0}),
        packed({"shapes": {"games": [2**70]}, "reasons": [], "seconds": 0}),
        packed({}, bytes(MOST_BYTES)),
    ],
    ids=str,
)
def test_a_record_that_is_none(forged, content):
    folder = forged(content)
    for command in ("report", "verify"):
        assert UNREADABLE in refused(command, folder)
    for command in ("watch", "replay"):
        assert UNREADABLE in refused(command, folder, "--game", "0")
    assert not (folder / "report.html").exists()


@pytest.mark.parametrize(
    "changes",
    [
        {"numbers": np.array([0, 2])},
        {"numbers": np.array([-1, 0])},
        {"ends": np.full((2, 2), 6)},
        {"ends": np.full((2, 2), -1)},
        {"ranks": np.full((2, 2), 2)},
        {"points": np.zeros((2, 3))},
        {"lengths": np.array([-1, 10])},
        {"actions": np.zeros(3)},
        {"times": np.zeros((3, 64))},
        {"decisions": np.full((2, 2), -1)},
        {"reasons": {(0, 7): "lost"}},
        {"reasons": {(9, 0): "lost"}},
        {"seconds": "long"},
    ],
    ids=str,
)
def test_a_record_of_another_run(made, forged, changes):
    folder = forged(encode(replace(whole(made), **changes)))
    assert UNREADABLE in refused("watch", folder, "--game", "0")
    if "actions" not in changes:  # which are looked at only where they are needed
        assert UNREADABLE in refused("report", folder)


@pytest.mark.parametrize("action", [-1, 10**9])
def test_a_game_that_cannot_have_been_so(made, forged, action):
    chunk = whole(made)
    actions = chunk.actions.copy()
    actions[4] = action
    folder = forged(encode(replace(chunk, actions=actions)))
    for words in (["watch"], ["watch", "--no-thoughts"], ["replay"]):
        assert (
            f"action {action} is not legal here: it was played by another version"
            in CliRunner().invoke(main, [*words, str(folder), "--game", "0"]).output
        )
    result = CliRunner().invoke(main, ["report", str(folder)])
    assert result.exit_code == 0, result.output
    assert f"Game 0 cannot be shown: action {action} is not legal here." in (folder / "report.html").read_text()
    assert "an action in it is not legal" in CliRunner().invoke(main, ["verify", str(folder)]).output


def test_reasons_are_one_line_of_what_can_be_seen(made, forged):
    reason = "\u202egnp.exe\n</script>" + "x" * 1000
    folder = forged(encode(replace(whole(made), reasons={(0, 1): reason})))
    plan = saved_plan(folder)
    played = find_game(plan, read_chunks(folder, moves=True), 0)
    shown = make_replay(plan.load_game(), played, "")["result"]["reasons"][1]
    assert shown.startswith("gnp.exe </script>xxx")
    assert len(shown) == 300


def test_no_file_is_written_through_a_link(tmp_path):
    other, folder = tmp_path / "other", tmp_path / "run"
    folder.mkdir()
    other.write_text("mine")
    for name in ("report.html", ".report.html.part"):
        (folder / name).symlink_to(other)
    write_file(folder / "report.html", b"page")
    assert other.read_text() == "mine"
    assert [path.name for path in folder.iterdir()] == ["report.html"]
    assert (folder / "report.html").read_bytes() == b"page"
    assert not (folder / "report.html").is_symlink()


@pytest.mark.parametrize("name", ["journal.bin", "games.csv", "ratings.csv"])
def test_nobody_waits_for_a_pipe(made, tmp_path, name):
    folder = shutil.copytree(made, tmp_path / "run")
    assert CliRunner().invoke(main, ["tourney", "--resume", str(folder), "--quiet"]).exit_code == 0
    (folder / name).unlink()
    os.mkfifo(folder / name)
    result = CliRunner().invoke(main, ["verify", str(folder)])
    assert result.exit_code == (2 if name == JOURNAL else 1)
    assert re.search(rf"{name}: (cannot be read: it is not a file|is missing)", result.output)


def test_no_journal_is_begun_or_written_through_a_link(made, tmp_path):
    folder, other = shutil.copytree(made, tmp_path / "run"), tmp_path / "other"
    (folder / JOURNAL).unlink()
    (folder / JOURNAL).symlink_to(other)
    assert "journal.bin: is a link: nothing is written through it" in refused("tourney", "--resume", folder)
    assert not other.exists()


def test_the_lock_of_a_run_is_not_made_through_a_link(made, tmp_path):
    folder, other = shutil.copytree(made, tmp_path / "run"), tmp_path / "other"
    other.write_text("mine")
    (folder / ".lock").unlink(missing_ok=True)
    (folder / ".lock").symlink_to(other)
    refused("tourney", "--resume", folder)
    assert other.read_text() == "mine"


def test_actions_that_would_fill_the_memory_are_not_inflated(made, forged):
    chunk = whole(made)
    content = encode(chunk)
    first = struct.unpack_from("<I", content)[0] + 4
    folder = forged(content[:first] + zlib.compress(bytes(MOST_BYTES), 9))
    assert UNREADABLE in refused("watch", folder, "--game", "0")


def test_plots_are_not_written_through_a_link(made, tmp_path):
    folder, other = shutil.copytree(made, tmp_path / "run"), tmp_path / "other"
    other.mkdir()
    (folder / "plots").symlink_to(other)
    assert "plots: is a link: nothing is written through it" in refused_last(
        "tourney", "--resume", folder, "--quiet"
    )
    assert list(other.iterdir()) == []


def test_a_field_of_thousands_is_refused():
    bots = ",".join(f"mcts:sims={number}" for number in range(1, 1002))
    assert refused("tourney", "--bots", bots) == "qpolis: 1,001 bots: a tournament has at most 1,000\n"


def test_a_mix_without_end_is_not_read(tmp_path):
    assert "/dev/zero: not a file that can be a tile mix" in refused("demo", "--mix", "/dev/zero")
    long = tmp_path / "long.csv"
    long.write_bytes(b"," * (1 << 21))
    assert "long.csv: more than 1,048,576 bytes: not a tile mix" in refused("demo", "--mix", long)
