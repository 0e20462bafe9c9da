"""A run in its folder: begin it, go on with it, play it to its end. `finish.py` makes the tables of it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import filelock

from qpolis import interrupts
from qpolis.engine.results import Results
from qpolis.errors import QpolisError
from qpolis.files import no_folder, write_file
from qpolis.game import option_text
from qpolis.registry.finder import PERSON
from qpolis.sandbox.jail import hide
from qpolis.tourney import journal
from qpolis.tourney.chunk import decode
from qpolis.tourney.definition import CSV, define
from qpolis.tourney.games_parquet import pyarrow
from qpolis.tourney.journal import Journal
from qpolis.tourney.plan import NEW_RULES, RULES, Plan, changed, make_plan, read_plan
from qpolis.tourney.queue import TOGETHER, Queue
from qpolis.tourney.schedule import WorkerPool, play_here
from qpolis.tourney.schema import overridden
from qpolis.tourney.tally import Tally, thinking_seconds
from qpolis.tourney.worker import ChunkPlayer

PLAN, JOURNAL, LOCK = "plan.toml", "journal.bin", ".lock"
QUICK, SLOW = 1.0, 5.0  # seconds a task should take: of shipped bots, of others, which are slow to start
WORTH = 20.0  # seconds of work left that are worth starting Ray
JUDGED = 0.25  # seconds that a chunk must have taken to say anything about the pace


class Run:
    """A run that this process has to itself. Use it in a `with`."""

    def __init__(self, folder: Path, plan: Plan) -> None:
        """Begin a run in a new folder, or open the one that is there for this plan."""
        self.folder = folder
        self.plan = plan
        check_table(plan)
        self._lock = filelock.FileLock(folder / LOCK)
        hide(folder)
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise QpolisError(f"{folder}: another qpolis is playing this run") from None
        except OSError as error:
            raise QpolisError(f"{folder}: cannot be written: {error.strerror}") from None
        try:
            if not (folder / PLAN).exists():
                write_file(folder / PLAN, plan.text().encode())
            self.journal = Journal(folder / JOURNAL, plan.digest)
        except BaseException:
            self._lock.release()
            raise
        self.tally = Tally(plan)
        for chunk in self.chunks():
            self.tally.add(chunk)
        self.was_complete = self.tally.complete()

    def losses(self) -> Iterator[str]:
        """What was wrong with the journal, for the user: nothing is taken out of it without a word."""
        for damage, copy in self.journal.mended:
            yield (
                f"{JOURNAL}: {damage}, kept in {copy.name}: games that were in it are played again"
                f"{', which not all of these bots may do as they did' if self.plan.foreign else ''}"
            )

    @classmethod
    def begin(cls, folder: Path, plan: Plan) -> Run:
        """A new run; its folder may be there already, if it is empty."""
        check_table(plan)
        claim(folder)
        return cls(folder, plan)

    @classmethod
    def resume(cls, folder: Path, changes: dict[str, Any]) -> Run:
        """The run in a folder, if nothing about it has changed. `changes` are the keys that the user gave."""
        return cls(folder, same_plan(folder, changes))

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: Any) -> None:
        self.journal.close()
        self._lock.release()

    def chunks(self) -> Iterator[Results]:
        """All that was played so far, in the order it was finished, without the actions."""
        return read_chunks(self.folder, moves=False)

    def play(self, pool: WorkerPool, on_progress: Callable[[Tally], None]) -> None:
        """Play what is left; `on_progress` gets the tally after every chunk."""
        if self.tally.complete():
            return
        player = ChunkPlayer.prepare(self.plan)
        with interrupts.hold():
            self._play(player, pool, on_progress)

    def _play(self, player: ChunkPlayer, pool: WorkerPool, on_progress: Callable[[Tally], None]) -> None:
        target, together = (QUICK, 1) if player.trusted else (SLOW, TOGETHER)
        queue = Queue(self.tally.done, len(self.plan.lineups), target, together)
        if not pool.wanted:
            # The first task is always played here: it compiles the kernels, for all workers, and shows the pace.
            for number, content in enumerate(play_here(player, queue, self.folder)):
                chunk = self._keep_timed(content, queue, player.trusted)
                on_progress(self.tally)
                if self.tally.complete():
                    return
                judged = number > 0 and chunk.seconds > JUDGED
                if not pool.alone and (pool.workers or (judged and self._seconds_left(chunk, pool) > WORTH)):
                    break
            else:
                return
        for content in pool.ray_pool().play(self.plan.text(), queue, self.folder):
            self._keep_timed(content, queue, player.trusted)
            on_progress(self.tally)
            if self.tally.complete():
                return

    def keep(self, content: bytes) -> Results:
        """Put a chunk into the journal, and only then count it."""
        self.journal.append(content)
        chunk = decode(content, moves=False)
        self.tally.add(chunk)
        return chunk

    def _keep_timed(self, content: bytes, queue: Queue, trusted: bool) -> Results:
        """Keep a chunk, and tell the queue how long it took."""
        chunk = self.keep(content)
        queue.learn(
            chunk.games // self.plan.games_per_block, chunk.seconds if trusted else thinking_seconds(chunk)
        )
        return chunk

    def _seconds_left(self, chunk: Results, pool: WorkerPool) -> float:
        """About how long the rest would take one worker, at the pace of a chunk."""
        left = self.plan.games - self.tally.games + pool.games_ahead
        return left * chunk.seconds / chunk.games


def check_table(plan: Plan) -> None:
    """Refuse a run whose end would fail, because what writes its table of games is not there."""
    if plan.definition.games_table != CSV:
        pyarrow()


def claim(folder: Path) -> None:
    """Make a folder for something new, or take one that is empty."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if (folder / PLAN).exists():
            raise QpolisError(
                f"{folder}: there is a run in it: go on with it (--resume {folder}), or choose another folder"
            )
        if any(not name.startswith(".") for name in os.listdir(folder)):  # such as our lock
            raise QpolisError(f"{folder}: is not empty: choose another folder")
    except OSError as error:
        raise QpolisError(f"{no_folder(folder, error)}: choose another folder") from None


def read_chunks(folder: Path, moves: bool) -> Iterator[Results]:
    """The chunks in the journal of a run, with or without the actions of their games."""
    for content in journal.records(folder / JOURNAL):
        interrupts.check()
        yield decode(content, moves)


def saved_plan(folder: Path) -> Plan:
    """The plan of the run in a folder."""
    if folder.is_file():
        which = f", which is {folder.parent}" if folder.name == PLAN else ""
        raise QpolisError(f"{folder}: is a file: give the folder of a run{which}")
    if not folder.is_dir():
        raise QpolisError(f"{folder}: no such folder: give the folder of a run")
    if not (folder / PLAN).is_file():
        raise QpolisError(f"{folder}: not the folder of a run: there is no {PLAN} in it")
    plan = read_plan(folder / PLAN)
    if (folder / JOURNAL).exists():
        journal.check_heading(folder / JOURNAL, plan.digest)
    return plan


def same_plan(folder: Path, changes: dict[str, Any]) -> Plan:
    """The plan of the run in a folder, if it would be the same one today; `changes` are keys the user gave."""
    plan = saved_plan(folder)
    today = make_plan(define(overridden(plan.definition.keys(), changes)), people=PERSON in plan.bots)
    for key, value in settings(plan).items():
        if (other := settings(today)[key]) != value:
            then, now = (option_text(one) if isinstance(one, bool) else repr(one) for one in (value, other))
            raise QpolisError(
                f"{key}: the run has {then}, not {now}: a run goes on as it was planned "
                "(start another one with another --out)"
            )
    for what, then, now in changed(plan.made, today.made):
        news = NEW_RULES if what == RULES else f"{what} has changed since the run began"
        raise QpolisError(f"{folder}: {news} ({then} then, {now} now): its games would not be the same")
    return plan


def settings(plan: Plan) -> dict[str, Any]:
    """Everything a plan says, one key beside the other."""
    keys = {**vars(plan.definition), **plan.definition.options}
    del keys["options"]
    return keys
