"""Who plays the tasks of a run: this process, or workers that Ray runs on this machine or on a cluster."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import re
import secrets
import socket
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from qpolis import interrupts
from qpolis.errors import QpolisError, one_line
from qpolis.tourney.bot_logs import BotLogs
from qpolis.tourney.chunk import encode
from qpolis.tourney.match import LOOK, interruptible
from qpolis.tourney.queue import Queue
from qpolis.tourney.worker import ChunkPlayer, work

AHEAD = 2  # tasks for each worker: it must not wait for us between two
TRIES = 5  # of a task whose worker or machine goes away
REACH = 10.0  # seconds to reach a cluster
ADDRESS = re.compile(r"(ray://)?(?P<host>[\w.-]+|\[[\da-fA-F:]+\]):(?P<port>\d{1,5})", re.ASCII)
# Ray speaks HTTP/2, which begins with this and an empty frame of settings; it is answered by such a frame, whose
# fourth byte says so.
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
FRAME, SETTINGS = 9, b"\x04"  # bytes of the head of a frame


Say = Callable[[str], None]


def silent(line: str) -> None:
    """For those who want no word of what goes on."""


def play_here(player: ChunkPlayer, queue: Queue, run: Path) -> Iterator[bytes]:
    """Play tasks of the run in a folder in this process, until there are no more."""
    logs = BotLogs(run)
    while (blocks := queue.task()) is not None:
        interrupts.check()
        if player.trusted:
            yield encode(interruptible(functools.partial(player.play, blocks)))
        else:
            yield encode(player.play(blocks, logs))


class WorkerPool:
    """Who plays one run or several: this process, and workers once there is enough for them to do. Use it in a
    `with`."""

    def __init__(self, workers: int | None = 1, address: str | None = None, say: Say = silent) -> None:
        self.workers, self.address, self.say = workers, address, say
        self.alone = not address and (workers or os.cpu_count() or 1) == 1
        self.games_ahead = 0  # of runs that are still to come
        self._ray_pool: RayPool | None = None

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: Any) -> None:
        if self._ray_pool is not None:
            stop_ray(self._ray_pool.ray)

    @property
    def wanted(self) -> bool:
        """Are Ray's workers here, or must they be started at once?"""
        return self._ray_pool is not None or self.address is not None

    def ray_pool(self) -> RayPool:
        """Ray's workers, started if they are not here yet."""
        if self._ray_pool is None:
            self._ray_pool = RayPool(self.workers, self.address, self.say)
        return self._ray_pool


class RayPool:
    """Workers of Ray. They are told a plan's text and the numbers of blocks, nothing else."""

    def __init__(self, workers: int | None, address: str | None, say: Say = silent) -> None:
        self.say = say
        self.ray = start_ray(workers, address)
        self.workers = workers or max(1, int(self.ray.cluster_resources().get("CPU", 1)))
        self._work = self.ray.remote(num_cpus=1, max_retries=0)(work)

    def play(self, text: str, queue: Queue, run: Path) -> Iterator[bytes]:
        """Let the workers play tasks of a plan, until there are no more; their chunks as they come."""
        ray = self.ray
        queue.workers = self.workers
        running: dict[Any, np.ndarray] = {}
        failures: dict[int, int] = {}  # by the first block of a task
        while True:
            interrupts.check()
            while len(running) < AHEAD * self.workers and (blocks := queue.task()) is not None:
                running[self._work.remote(os.getcwd(), text, blocks.tolist(), os.path.abspath(run))] = blocks
            if not running:
                return
            ready, _ = ray.wait(list(running), timeout=LOOK)
            for reference in ready:
                blocks = running.pop(reference)
                try:
                    yield ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause if isinstance(error.cause, QpolisError) else error from None
                except ray.exceptions.RayError:  # the worker, or its machine, has gone
                    failures[blocks[0]] = failures.get(blocks[0], 0) + 1
                    if failures[blocks[0]] == TRIES:
                        raise QpolisError(
                            f"{TRIES} workers were lost at the same games: is there memory enough?"
                        ) from None
                    self.say("a worker was lost; its games are played again")
                    queue.give_back(blocks)


def start_ray(workers: int | None, address: str | None) -> Any:
    """Ray, started without a word: a cluster of this machine's own, or the one at an address."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", ".*")  # what it says of a lost worker
    if address:
        options: dict[str, Any] = {"address": address}
    else:
        options = {"num_cpus": workers or os.cpu_count(), "include_dashboard": False, **keep_local()}
    with quietly():
        import ray
    if ray.is_initialized():  # not by us, in somebody's own program
        raise QpolisError("Ray runs in this process already: ray.shutdown() ends it, or play with workers=1")
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        with quietly():
            ray.init(**options, log_to_driver=False, configure_logging=False)
    except BaseException as error:
        stop_ray(ray)
        if isinstance(error, Exception):  # Ray raises of all kinds, on a machine that is too busy a plain one
            where = f" at {address}" if address else ""
            raise QpolisError(f"Ray cannot be started{where}: {one_line(str(error))}") from None
        raise
    return ray


def keep_local() -> dict[str, str]:
    """Set up a cluster for this process alone, before Ray is imported; where it is to be started.

    Ray 2.60 takes 127.0.0.1 for the address of the machine in the network, and its processes listen on all
    interfaces, unless it believes to be on a system without clusters: then all of them listen on loopback only.
    Other users of this machine get there all the same, but not without the token."""
    os.environ.pop("RAY_ADDRESS", None)
    os.environ |= {
        "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": secrets.token_hex(32),
    }
    return {"address": "local", "_node_ip_address": "127.0.0.1"}


def stop_ray(ray: Any) -> None:
    with quietly():
        ray.shutdown()


@contextlib.contextmanager
def quietly() -> Iterator[None]:
    """Without warnings and messages, and with signals that wait: Ray interrupted as it starts or ends leaves
    processes behind. Ray also puts handlers of its own in place of ours."""
    with interrupts.defer(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        disabled = logging.root.manager.disable
        logging.disable(logging.CRITICAL)  # in a notebook it misses packages
        try:
            yield
        finally:
            logging.disable(disabled)


def check_reachable(address: str, patience: float = REACH) -> None:
    """Does Ray answer there? Ray itself would try for minutes, and not in silence."""
    if address == "auto":
        if remembered := _remembered():
            check_reachable(remembered, patience)
        return
    found = ADDRESS.fullmatch(address)
    if not found or int(found["port"]) >= 1 << 16:
        raise QpolisError(f"address {address!r} is not HOST:PORT, nor auto for the cluster of this machine")
    try:
        with socket.create_connection((found["host"].strip("[]"), int(found["port"])), patience) as connection:
            connection.settimeout(patience)
            connection.sendall(GREETING)
            answer = connection.recv(FRAME, socket.MSG_WAITALL)
    except TimeoutError:
        raise QpolisError(f"no Ray cluster at {address}: nothing answers there") from None
    except OSError as error:
        raise QpolisError(f"no Ray cluster at {address}: {error.strerror or error}") from None
    if answer[3:4] != SETTINGS:
        raise QpolisError(f"no Ray cluster at {address}: something else answers there")


def _remembered() -> str:
    """The address that Ray takes for this machine's cluster, which may have gone; empty if it knows none."""
    if address := os.environ.get("RAY_ADDRESS"):
        return address
    try:
        return Path(os.environ.get("RAY_TMPDIR") or "/tmp", "ray", "ray_current_cluster").read_text().strip()
    except OSError:
        return ""
