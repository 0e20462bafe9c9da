"""Other people's policies at full speed: the compiled match loop in a child process (policy_host.py) under watch.

A policy is machine code that nothing stops: it may loop for ever, write where it should not, or crash. Here that
ends a child process. The supervisor sees in memory it shares with the child how far the loop is; it settles the
game that was interrupted and lets a new child play the rest. It protects from mistakes: a policy that sets out to
write into the results can.
"""

from __future__ import annotations

import json
import mmap
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qpolis import interrupts
from qpolis.engine.policy_loop import NOBODY, Workspace, begin, check_deals, illegal_choices, settle
from qpolis.engine.results import ENDS, FINISHED, STOPPED, TIMEOUT, Results
from qpolis.errors import QpolisError
from qpolis.game import Game, State
from qpolis.kernel import PACKAGE
from qpolis.policy import ConfiguredPolicy
from qpolis.rng import WORDS, stream
from qpolis.sandbox.child_process import ChildProcess, DeadlinePassed, Forfeit
from qpolis.sandbox.policy_host import ROWS, shared_size, shared_workspace
from qpolis.sandbox.program import Limits, encode
from qpolis.verbs import ACTION, MAX_SEATS

COMMAND = (sys.executable, "-P", "-m", "qpolis.sandbox.policy_host")
STARTS = 3  # a start may take so many times the limit for programs, because policies may have to be compiled
PAUSE = 0.02  # seconds between looks at the progress
TABLES = ("points", "ranks", "decisions", "ends", "lengths")


@dataclass(frozen=True)
class ForeignPolicy:
    """A policy of somebody else: in the file or module `path`, called `attribute`."""

    path: str
    attribute: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class InterruptedGame:
    """What is left of a game that was not played to its end."""

    states: np.ndarray
    decisions: np.ndarray
    actions: np.ndarray


class Ledger:
    """The results of a call, row by row."""

    def __init__(self, game: Game, seed: int, first: int, games: int, step: int) -> None:
        self.game = game
        self.seed = seed
        self.first = first
        self.games = games
        self.step = step
        self.row = 0  # the next one
        self._work = Workspace.new(game, games)
        self._actions: list[np.ndarray] = []
        self._reasons: dict[tuple[int, int], str] = {}

    @property
    def deal(self) -> int:
        """The next one."""
        return self.first + self.row * self.step

    def keep(self, shared: Workspace, count: int) -> None:
        """Take over games that were played out."""
        for table in TABLES:
            getattr(self._work, table)[self.row : self.row + count] = getattr(shared, table)[:count]
        self._actions.append(shared.actions[: shared.lengths[:count].sum()].copy())
        self._work.times[:] += shared.times
        self.row += count

    def forfeit(self, seat: int, forfeit: Forfeit, interrupted: InterruptedGame | None = None) -> None:
        """A seat lost the next game. If nothing is left of it, or something that cannot be, it counts as not
        begun."""
        work, row = self._work, self.row
        if interrupted and possible(self.game, interrupted.states):
            states = interrupted.states
            work.decisions[row] = interrupted.decisions
            self._actions.append(interrupted.actions.copy())
            work.lengths[row] = len(interrupted.actions)
        else:
            states = np.zeros(1, self.game.state_dtype)
            begin(
                self.game.rules[0],
                states[0],
                np.uint64(self.seed),
                self.deal,
                np.zeros((MAX_SEATS + 1, WORDS), np.uint64),
            )
        settle(self.game.rules[0], states[0], seat, work.points[row], work.ranks[row])
        work.ends[row] = STOPPED
        work.ends[row, seat] = forfeit.end
        self._reasons[row, seat] = forfeit.reason
        self.row += 1

    def results(self) -> Results:
        actions = np.concatenate(self._actions) if self._actions else np.zeros(0, ACTION)
        return self._work.results(actions, illegal_choices(self._work.ends) | self._reasons)


class Supervisor:
    """A table of policies, some of them foreign, that plays on whatever they do."""

    def __init__(
        self, game: Game, seats: Sequence[ConfiguredPolicy | ForeignPolicy], limits: Limits = Limits()
    ) -> None:
        self.game = game
        self.limits = limits
        self._seats = seats
        self._foreign = [number for number, who in enumerate(seats) if isinstance(who, ForeignPolicy)]
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 (closed by close)
        self._file.truncate(shared_size(game))
        self._memory = mmap.mmap(self._file.fileno(), shared_size(game))
        self._at: Any = shared_workspace(self._memory, game, 0).progress[0]
        self._child: ChildProcess | None = None

    def __enter__(self) -> Supervisor:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def close(self) -> None:
        """End the child."""
        self._drop()
        self._file.close()

    def play(self, seed: int, first: int, games: int, step: int = 1) -> Results:
        """Play the `games` deals `first`, `first + step`, ..."""
        check_deals(self.game, self._seats, seed, first, games, step)
        ledger = Ledger(self.game, seed, first, games, step)
        try:
            while ledger.row < games:
                self._start()
                self._play_some(ledger)
        except Forfeit as forfeit:  # it cannot start, and to try again for each game would be no different
            while ledger.row < games:
                ledger.forfeit(int(self._at.seat), forfeit)
        except BaseException:  # interrupted: the child may be in the middle of something
            self._drop()
            raise
        return ledger.results()

    # -- a child -------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """A child with everybody at the table, if there is none. Forfeit of the seat in progress if it fails."""
        if self._child is not None:
            return
        self._at.row, self._at.seat, self._at.steps = -1, NOBODY, 0
        search = [str(PACKAGE.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
        most = STARTS * self.limits.start
        deadline = time.monotonic() + most
        try:
            self._child = ChildProcess(
                COMMAND, self.limits.memory, {"PYTHONPATH": os.pathsep.join(search)}, [self._file.fileno()]
            )
            self._child.send(
                _line(
                    {
                        "game": self.game.reference,
                        "options": self.game.settings,
                        "seats": [_seat_message(seat) for seat in self._seats],
                        "file": self._file.fileno(),
                    }
                ),
                deadline,
            )
            _check(self._child.line(deadline))
        except (Forfeit, DeadlinePassed) as error:
            self._drop()
            forfeit = (
                error
                if isinstance(error, Forfeit)
                else Forfeit(TIMEOUT, f"was not loaded and compiled within {most:g} s")
            )
            if self._at.seat not in range(self.game.players):
                raise QpolisError(f"the policies cannot play: {forfeit.reason}") from None
            raise forfeit from None

    def _drop(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None

    # -- its games -----------------------------------------------------------------------------------------

    def _play_some(self, ledger: Ledger) -> None:
        """Let the child play the next games: all, or until one is interrupted."""
        assert self._child is not None
        games = min(ROWS, ledger.games - ledger.row)
        shared = shared_workspace(self._memory, self.game, games)
        self._at.row, self._at.seat, self._at.steps = -1, NOBODY, 0
        try:
            job = {"seed": ledger.seed, "first": ledger.deal, "step": ledger.step, "games": games}
            self._child.send(_line(job), time.monotonic() + self.limits.start)
            self._watch(self._child)
            if self._at.row not in range(1, games + 1):
                raise QpolisError("a game is too long to be recorded")
            ledger.keep(shared, int(self._at.row))  # fewer than asked for if their actions filled the memory
        except Forfeit as forfeit:
            if not isinstance(forfeit, PolicyFailure):
                self._drop()
            played = min(max(int(self._at.row), 0), games - 1)
            ledger.keep(shared, played)
            if isinstance(forfeit, Stall) and forfeit.row != played:
                return  # it came out of it just before its end: nobody is to blame
            if self._at.row < 0:
                ledger.forfeit(self._culprit(forfeit), forfeit)
            else:
                ledger.forfeit(self._culprit(forfeit), forfeit, interrupted_game(shared, played))

    def _culprit(self, forfeit: Forfeit) -> int:
        """The seat that was to decide; but a policy of ours does not crash or eat memory by itself: then it was
        the first of the others, which with several of them is a guess."""
        seat = forfeit.seat if isinstance(forfeit, Stall) else int(self._at.seat)
        return seat if seat in self._foreign else (self._foreign or [0])[0]

    def _watch(self, child: ChildProcess) -> None:
        """Wait for the end of a job; Stall if a decision, or all of a seat in one game, takes too long."""
        limits = self.limits
        before = (-1, NOBODY, 0)
        looked = moved = time.monotonic()
        used = [0.0] * self.game.players  # seconds in this game, as far as looks can tell
        while True:
            interrupts.check()
            try:
                return _check(child.line(looked + PAUSE))
            except DeadlinePassed:
                at = (int(self._at.row), int(self._at.seat), int(self._at.steps))
            now = time.monotonic()
            row, seat, steps = at
            if at != before:
                moved = now
            if row != before[0]:
                used = [0.0] * self.game.players
            elif seat in self._foreign:
                used[seat] += now - looked
                if used[seat] > limits.game:
                    raise Stall(row, seat, f"its decisions took more than {limits.game:g} s in one game")
            if seat not in self._foreign and steps:
                moved = now  # ours has no limits
            if now - moved > (limits.decision if steps else STARTS * limits.start):
                raise Stall(row, seat, f"no answer within {limits.decision:g} s")
            before, looked = at, now


def interrupted_game(shared: Workspace, row: int) -> InterruptedGame:
    """What is left of a game on a work, after those above it were kept."""
    start = shared.lengths[:row].sum()
    actions = shared.actions[start : start + shared.lengths[row]]
    return InterruptedGame(shared.states[:1], shared.decisions[row], actions)


class PolicyFailure(Forfeit):
    """A policy raised an exception, which harms the game but not the child."""


class Stall(Forfeit):
    """A seat takes too long in a game of the job."""

    def __init__(self, row: int, seat: int, reason: str) -> None:
        super().__init__(TIMEOUT, reason)
        self.row = row
        self.seat = seat


def possible(game: Game, states: np.ndarray) -> bool:
    """Is this a state of the game? A policy that writes where it should not may have spoilt it."""
    try:
        game.from_dict(State(game, states, stream(0)).to_dict())
    except Exception:  # anything can be wrong with it
        return False
    return True


def _seat_message(seat: ConfiguredPolicy | ForeignPolicy) -> dict[str, Any]:
    """A seat as a part of the first message to the child."""
    if isinstance(seat, ForeignPolicy):
        return {"path": seat.path, "attribute": seat.attribute, "parameters": dict(seat.parameters)}
    return {
        "module": seat.policy.kernel.__module__,
        "attribute": seat.policy.name,
        "params": seat.params.tolist(),
        "habits": seat.habits.texts(),
    }


def _line(message: dict[str, Any]) -> bytes:
    return encode(message).encode() + b"\n"


def _check(line: bytes) -> None:
    """Raise what the child says it failed with."""
    message = json.loads(line)
    end = ENDS.index(message["end"])
    if end != FINISHED:
        raise PolicyFailure(end, message["message"])
