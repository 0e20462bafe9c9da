"""The room with the one table: tabs come and go, the game stays. Everything here runs in the event loop and never
waits; bots, searches and files have threads."""

from __future__ import annotations

import asyncio
import contextlib
import json
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from qpolis.errors import QpolisError
from qpolis.game import Plain
from qpolis.report.content import replay as film
from qpolis.sandbox.program import Forfeit
from qpolis.serve.lobby import lobby
from qpolis.serve.messages import Message, read_message
from qpolis.serve.saving import Shelf
from qpolis.serve.sitting import Decision, Setup, Sitting, hint
from qpolis.serve.worker import Worker, aside

LOBBY, STARTING, TURN, THINKING, OVER, FAILED = "lobby", "starting", "turn", "thinking", "over", "failed"
PATIENCE = 2.0  # seconds for bots to end; what is left of them ends with us

Tell = Callable[[str], None]  # sends a text to a tab, in order, without waiting


class Room:
    """What is played here, and who looks on. A `status` says everything but the positions."""

    def __init__(self, time_limit: float, memory_limit: int) -> None:
        self._limits = time_limit, memory_limit
        self._tabs: set[Tell] = set()
        self._sitting: Sitting | None = None
        self._worker: Worker | None = None
        self._driver: asyncio.Task[None] | None = None
        self._choice: asyncio.Future[int] | None = None
        self._shelf: Shelf | None = None
        self._shelving: asyncio.Task[None] | None = None
        self._others: set[asyncio.Task[None]] = set()  # hints
        self._shown = False  # were the positions told?
        self._busy = False  # is a new game being prepared?
        self._tables = 0  # that were set so far
        self._status: Plain = {}
        self._clear(LOBBY)

    # -- tabs ------------------------------------------------------------------------------------------------

    async def enter(self, tell: Tell) -> None:
        """A new tab: it is told all that is so, and then whatever changes."""
        said = await aside(lobby)
        tell(spoken("lobby", **said))
        tell(self._game())
        tell(self._said())
        self._tabs.add(tell)

    def leave(self, tell: Tell) -> None:
        self._tabs.discard(tell)

    async def hear(self, text: str) -> None:
        """Do what a message asks; QpolisError, and nothing changed, if that cannot be done."""
        message = read_message(text)
        await getattr(self, f"_hear_{message['type']}")(message)

    def _tell(self, text: str) -> None:
        for tell in list(self._tabs):
            tell(text)

    def _change(self, **changes: Any) -> None:
        self._status |= changes
        self._tell(self._said())

    def _clear(self, phase: str) -> None:
        """The status of a table at which nothing happened yet."""
        self._status = {"phase": phase, "at": 0, "player": None, "legal": None, "hinting": False, "hints": None,
                        "casual": False, "undo": False, "seed": None, "result": None, "saving": False,
                        "saved": None, "problem": None}

    def _said(self) -> str:
        return spoken("status", **self._status)

    def _game(self) -> str:
        """All positions so far, as the person sees them."""
        if self._sitting is None or not self._shown:
            return spoken("game", film=None)
        setup = self._sitting.setup
        heading = f"{'casual' if setup.casual else 'serious'} game, you have seat {setup.person}"
        return spoken("game", film={**film.about(setup.game, setup.names, heading), "seat": setup.person,
                                   "frames": self._sitting.frames})

    # -- messages --------------------------------------------------------------------------------------------

    async def _hear_new(self, message: Message) -> None:
        if self._busy or self._status["phase"] not in (LOBBY, OVER, FAILED):
            raise QpolisError("a game is being played here: leave it first")
        if self._status["saving"]:
            raise QpolisError("the last game is being saved: wait a moment")
        self._busy = True
        try:
            setup = await aside(Setup.of, message, *self._limits)
        finally:
            self._busy = False
        self._dissolve()
        self._shown = False
        self._clear(STARTING)
        self._status["casual"] = setup.casual
        self._tell(self._game())
        self._seat(Sitting(setup), [])

    async def _hear_choose(self, message: Message) -> None:
        sitting = self._own_turn()
        if message["at"] != len(sitting.decisions):
            raise QpolisError(f"choose: at is {message['at']}, and {len(sitting.decisions)} decisions were made: "
                              "the page was out of date")
        if message["action"] not in sitting.legal:
            raise QpolisError(f"choose: action {message['action']} is not legal here")
        assert self._choice is not None
        self._choice.set_result(message["action"])

    async def _hear_undo(self, message: Message) -> None:
        sitting = self._casual("undo")
        if self._status["phase"] not in (TURN, THINKING):
            raise QpolisError("undo: nothing can be taken back now")
        number = sitting.before_person()
        if number is None:
            raise QpolisError("undo: you have decided nothing yet")
        kept, streams = sitting.decisions[:number], sitting.decisions[number].streams
        self._dissolve()
        self._status |= {"phase": STARTING, "legal": None, "hints": None, "hinting": False, "undo": False}
        self._seat(Sitting(sitting.setup), kept, streams)

    async def _hear_hint(self, message: Message) -> None:
        self._casual("hint")
        sitting = self._own_turn()
        if self._status["hinting"]:
            raise QpolisError("hint: a search is running already")
        self._change(hinting=True)
        task = asyncio.create_task(self._look(sitting, len(sitting.decisions)))
        self._others.add(task)
        task.add_done_callback(self._others.discard)

    async def _hear_save(self, message: Message) -> None:
        if self._shelf is None or self._busy or self._status["saving"] or self._status["saved"]:
            raise QpolisError("save: there is no game that waits to be saved")
        self._save()

    async def _hear_leave(self, message: Message) -> None:
        if self._status["saving"]:
            raise QpolisError("leave: the game is being saved: wait a moment")
        self._dissolve()
        self._sitting = self._shelf = None
        self._shown = False
        self._clear(LOBBY)
        self._tell(self._game())
        self._change()

    def _own_turn(self) -> Sitting:
        if self._sitting is None or self._status["phase"] != TURN:
            raise QpolisError("it is not your turn")
        if self._choice is None or self._choice.done():
            raise QpolisError("that was decided already")
        return self._sitting

    def _casual(self, what: str) -> Sitting:
        if self._sitting is None:
            raise QpolisError(f"{what}: there is no game")
        if not self._sitting.setup.casual:
            raise QpolisError(f"{what}: only in casual games")
        return self._sitting

    # -- the game --------------------------------------------------------------------------------------------

    def _seat(self, sitting: Sitting, kept: list[Decision], streams: Any = None) -> None:
        self._sitting, self._worker, self._shelf = sitting, Worker(), None
        self._tables += 1
        self._change()
        self._driver = asyncio.create_task(self._drive(sitting, self._worker, kept, streams))

    async def _drive(self, sitting: Sitting, worker: Worker, kept: list[Decision], streams: Any) -> None:
        """Play a game to its end. Whatever goes wrong here is said, and the room stays open."""
        try:
            await worker(sitting.begin, kept, streams)
            self._shown = True
            self._tell(self._game())
            while not sitting.over:
                await self._step(sitting, worker)
            played = sitting.played()
            self._shelf = Shelf(sitting.setup.plan, sitting.chunk(played))
            worker.last(lambda: sitting.close(played))
            self._change(phase=OVER, player=None, legal=None, hints=None, undo=False, at=len(sitting.decisions),
                         result=film.result(played), seed=str(sitting.setup.seed))
            self._save()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            worker.last(sitting.close)
            reason = str(error) if isinstance(error, QpolisError) else str(QpolisError(repr(error)))
            self._change(phase=FAILED, legal=None, hints=None, undo=False,
                         problem=f"the game cannot go on: {reason}")

    async def _step(self, sitting: Sitting, worker: Worker) -> None:
        """One decision of whoever has the turn."""
        person = sitting.seat == sitting.setup.person
        news = {"at": len(sitting.decisions), "player": sitting.seat, "hints": None, "hinting": False,
                "undo": sitting.setup.casual and sitting.before_person() is not None}
        if person:
            self._choice = asyncio.get_running_loop().create_future()
            self._change(phase=TURN, legal=sitting.choices(), **news)
            begun = time.perf_counter()
            sitting.decide(await self._choice, time.perf_counter() - begun)
        else:
            self._change(phase=THINKING, legal=None, **news)
            answer = await worker(sitting.ask)
            if isinstance(answer, Forfeit):
                return sitting.lose(answer)
            sitting.decide(*answer)
        number = len(sitting.decisions)
        self._tell(spoken("frame", number=number, move=sitting.frames[number - 1]["move"],
                         frame=sitting.frames[number]))

    async def _look(self, sitting: Sitting, number: int) -> None:
        """Search for a hint, and tell it if the question still stands."""
        found: Plain | None = None
        problem: str | None = None
        try:
            found = await aside(hint, sitting.state, sitting.setup.person, number)
        except Exception as error:  # it is only a hint
            problem = f"no hint: {QpolisError(str(error))}"
        if self._sitting is sitting and len(sitting.decisions) == number and self._status["phase"] == TURN:
            self._change(hinting=False, hints=found, problem=problem)

    def _save(self) -> None:
        assert self._shelf is not None
        self._change(saving=True, problem=None)
        self._shelving = asyncio.create_task(self._write(self._shelf))

    async def _write(self, shelf: Shelf) -> None:
        try:
            folder: Path = await asyncio.to_thread(shelf.save)
        except Exception as error:  # whatever it is, the game is still here
            self._change(saving=False, problem=f"not saved: {QpolisError(str(error))}")
        else:
            self._change(saving=False, saved=shlex.quote(str(folder)))

    def _dissolve(self) -> None:
        """Let everybody get up: a bot that is thinking is interrupted, and its thread ends after it."""
        if self._driver is not None and not self._driver.done():
            self._driver.cancel()
            assert self._sitting is not None
            assert self._worker is not None
            self._sitting.interrupt()
            self._worker.last(self._sitting.close)
        self._driver = None

    async def close(self) -> None:
        """The end of everything: a game that is over is saved, and no bot is left."""
        self._dissolve()
        if self._shelving is not None:
            await self._shelving
        for task in self._others:
            task.cancel()
        if self._worker is not None:
            with contextlib.suppress(RuntimeError):
                await asyncio.to_thread(self._worker.join, PATIENCE)


def spoken(kind: str, **content: Any) -> str:
    """A message to a tab."""
    return json.dumps({"type": kind, **content}, separators=(",", ":"))
