"""Runs on a cluster: the same bytes, also when workers and machines go away, and not a word from Ray. Workers of
one machine are in `test_balance_cli.py`, whose runs are tournaments, too."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from helpers.programs import gone
from qpolis.errors import QpolisError
from qpolis.kernel import JIT
from qpolis.tourney import schedule
from qpolis.tourney.journal import records

pytestmark = pytest.mark.skipif(not JIT, reason="about processes, which start as compiled ones")
TABLES = ("games.csv", "ratings.csv", "crosstable.csv", "seats.csv")
PROGRAM = [sys.executable, "-m", "qpolis.cli", "tourney"]
CUP = ["--bots", "mcts:sims=40,greedy,heuristic", "--games", "600", "--seed", "11"]
LOCAL = Path(__file__).parent / "helpers" / "local_cluster.py"
CLUSTER = Path(__file__).parent / "helpers" / "cluster.py"
PATIENCE = 300  # seconds, before a test is hung


def play(folder: Path, *arguments: str) -> None:
    """Play a tournament without a word."""
    done = subprocess.run(
        [*PROGRAM, *arguments, "--quiet"], capture_output=True, text=True, cwd=folder, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def tables(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in TABLES}


@pytest.fixture(scope="module")
def alone(tmp_path_factory) -> dict[str, bytes]:
    """The tables of a run in one process."""
    folder = tmp_path_factory.mktemp("alone")
    play(folder, *CUP, "--workers", "1", "--out", "run")
    return tables(folder / "run")


@pytest.mark.long(only=True)
def test_a_cluster_that_loses_workers_and_machines_plays_on(alone, tmp_path, mark):
    with subprocess.Popen(
        [sys.executable, str(CLUSTER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        bufsize=1,
    ) as machines:
        assert machines.stdin
        assert machines.stdout
        address = machines.stdout.readline().strip()
        command = [*PROGRAM, *CUP, "--address", address, "--out", "run"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        with subprocess.Popen(command, **pipes, text=True, cwd=tmp_path) as run:
            for order in ("kill worker", "kill node", "kill worker"):
                wait_for_more(tmp_path / "run" / "journal.bin")
                print(order, file=machines.stdin)
                assert machines.stdout.readline() == "done\n"
                assert run.poll() is None  # it was in the middle of it
            said, errors = run.communicate(timeout=PATIENCE)
        machines.stdin.close()
        assert run.returncode == 0, errors
        assert "a worker was lost; its games are played again" in said.splitlines()
        assert "ray" not in (said + errors).lower()
    assert tables(tmp_path / "run") == alone
    assert gone(mark)


def wait_for_more(journal: Path) -> None:
    """Wait until another chunk is finished."""

    def count() -> int:
        return sum(1 for _ in records(journal)) if journal.exists() else 0

    before, deadline = count(), time.monotonic() + PATIENCE
    while count() == before:
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        ("127.0.0.1:1", "no Ray cluster at 127.0.0.1:1: Connection refused"),
        ("nonsense", "address 'nonsense' is not HOST:PORT, nor auto for the cluster of this machine"),
    ],
)
def test_an_address_where_nobody_is_is_said(tmp_path, address, problem):
    done = subprocess.run(
        [*PROGRAM, *CUP, "--address", address], capture_output=True, text=True, cwd=tmp_path, timeout=PATIENCE
    )
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"qpolis: {problem}\n")
    assert not list(tmp_path.iterdir())


def test_whatever_ray_raises_as_it_starts_is_one_line_of_ours(monkeypatch):
    def init(**_):
        raise Exception("The current node timed out during startup.\nThis could happen because " + "x" * 2000)

    monkeypatch.setattr("ray.init", init)
    monkeypatch.setattr(schedule, "keep_local", dict)
    with pytest.raises(QpolisError, match=r"^Ray cannot be started: The current node timed out .{,300}$"):
        schedule.start_ray(2, None)


def test_the_cluster_of_a_run_listens_on_loopback_only_and_asks_for_its_token(mark):
    done = subprocess.run([sys.executable, str(LOCAL)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert set(found["listening"]) <= {"127.0.0.1", "::ffff:127.0.0.1", "::1"}
    assert len(found["listening"]) > 3  # Ray's own processes are among them
    assert (found["worked"], found["stranger"]) == (True, "refused")
