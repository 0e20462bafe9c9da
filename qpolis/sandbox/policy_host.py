"""The program in which a supervisor lets other people's policies play, at full speed.

It is told the game and the seats, and then job after job, as JSON lines. Its results it writes into memory that it
shares with the supervisor, so that nothing is lost when a policy brings it down.
"""

from __future__ import annotations

import importlib
import json
import mmap
import os
import queue
import tempfile
import threading
from collections.abc import Callable
from typing import IO, Any

import numpy as np

from qpolis.clock import BINS
from qpolis.engine.policy_loop import NOBODY, PROGRESS, Deals, Loop, Workspace
from qpolis.errors import QpolisError
from qpolis.game import Game
from qpolis.games import load_game
from qpolis.policy import ConfiguredPolicy, Habits, Policy, compile_policy
from qpolis.sandbox.host import private_streams
from qpolis.sandbox.loading import error_text, load
from qpolis.verbs import ACTION

ROWS = 4096  # games of one job at most
MOST_ACTIONS = 1 << 18  # of one job
LINE = 64  # arrays start at multiples of this many bytes


def shared_size(game: Game) -> int:
    """Bytes that a workspace for ROWS games takes."""
    tables = 8 * (4 * ROWS * game.players + ROWS + game.players * BINS)
    actions = MOST_ACTIONS * ACTION(0).itemsize
    return 6 * LINE + PROGRESS.itemsize + 2 * game.state_dtype.itemsize + tables + actions


def shared_workspace(memory: mmap.mmap, game: Game, rows: int) -> Workspace:
    """A workspace that lies in shared memory, the same for both who map it."""
    end = 0

    def place(dtype: Any, *shape: int) -> np.ndarray:
        nonlocal end
        start = -(-end // LINE) * LINE
        array: np.ndarray = np.ndarray(shape, dtype, memory, start)
        end = start + array.nbytes
        return array

    progress, states = place(PROGRESS, 1), place(game.state_dtype, 2)
    times, actions = place(np.int64, game.players, BINS), place(ACTION, MOST_ACTIONS)
    points, ranks, decisions, ends = place(np.int64, 4, rows, game.players)
    return Workspace(states, progress, points, ranks, decisions, ends, place(np.int64, rows), actions, times)


def locked(rules: np.ndarray) -> np.ndarray:
    """The same in memory that nobody can write to: compiled code does not ask NumPy for permission. A policy that
    tries is ended by the system."""
    with tempfile.TemporaryFile() as file:
        file.write(rules.tobytes())
        file.flush()
        memory = mmap.mmap(file.fileno(), rules.nbytes, prot=mmap.PROT_READ)
    return np.ndarray(rules.shape, rules.dtype, memory)


def load_seat(seat: dict[str, Any]) -> ConfiguredPolicy:
    """A policy by what the supervisor says of it."""
    if "module" in seat:
        policy = getattr(importlib.import_module(seat["module"]), seat["attribute"])
        return ConfiguredPolicy(policy, np.array(seat["params"], np.float64), Habits.parse(seat["habits"]))
    policy = load(seat["path"], seat["attribute"])
    if not isinstance(policy, Policy):
        raise QpolisError(f"{seat['attribute']} of {seat['path']} is not a policy")
    configured: ConfiguredPolicy = policy.configure(**seat["parameters"])
    return configured


class PolicyHost:
    """The policies of a table and their games, in this process."""

    def __init__(self, setting: dict[str, Any]) -> None:
        self.game = load_game(setting["game"], **setting["options"])
        self.game.rules = locked(self.game.rules)
        self.seats = setting["seats"]
        self.memory = mmap.mmap(setting["file"], shared_size(self.game))
        self.at: Any = shared_workspace(self.memory, self.game, 0).progress[0]

    def load_policies(self) -> None:
        """Load and compile all policies."""
        policies = []
        for number, seat in enumerate(self.seats):
            self.at.seat = number if "path" in seat else NOBODY  # who is to blame if this fails
            policies.append(load_seat(seat))
            compile_policy(policies[-1].policy, self.game)
        self.at.seat = NOBODY
        self.loop = Loop(self.game, policies)

    def play(self, job: dict[str, Any]) -> None:
        work = shared_workspace(self.memory, self.game, job["games"])
        work.times[:] = 0
        self.at.row = self.loop.play(Deals(job["seed"], job["first"], job["step"]), work)

    def outcome(self, act: Callable[..., None], *arguments: Any) -> str:
        """How something went, as a JSON text."""
        try:
            act(*arguments)
            return json.dumps({"end": "finished"})
        except BaseException as error:  # SystemExit, too
            seat = int(self.at.seat)
            path = self.seats[seat].get("path", "") if seat in range(len(self.seats)) else ""
            end = "memory" if isinstance(error, MemoryError) else "crash"
            return json.dumps({"end": end, "message": error_text(error, path)})


def read_jobs(incoming: IO[str], jobs: queue.Queue[dict[str, Any]]) -> None:
    """Pass the lines on. When they end, the supervisor has gone, and we go too, whatever a policy is doing."""
    for line in incoming:
        jobs.put(json.loads(line))
    os._exit(0)


def main() -> None:
    incoming, outgoing = private_streams()
    jobs: queue.Queue[dict[str, Any]] = queue.Queue()
    threading.Thread(target=read_jobs, args=(incoming, jobs), daemon=True).start()
    host = PolicyHost(jobs.get())
    print(host.outcome(host.load_policies), file=outgoing, flush=True)
    while True:
        print(host.outcome(host.play, jobs.get()), file=outgoing, flush=True)


if __name__ == "__main__":
    main()
