"""What the server does: one game for all tabs, which come and go while it stays. Everything here runs in the event
loop and never waits; bots, searches and files have threads."""

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
from qpolis.report.content import replay
from qpolis.sandbox.levels import AUTO
from qpolis.sandbox.program import Forfeit
from qpolis.serve.lobby import lobby
from qpolis.serve.messages import Message, read_message
from qpolis.serve.person_game import Decision, Hint, PersonGame, Setup
from qpolis.serve.saving import GameSaver
from qpolis.serve.task_thread import TaskThread, run_in_thread

LOBBY, STARTING, TURN, THINKING, OVER, FAILED = "lobby", "starting", "turn", "thinking", "over", "failed"
CLOSING = 2.0  # seconds for bots to end; what is left of them ends with us

Send = Callable[[str], None]  # sends a text to a tab, in order, without waiting


class Controller:
    """What is played here, and who looks on. A `status` says everything but the positions."""

    def __init__(
        self,
        time_limit: float,
        memory_limit: int,
        start_limit: float = 60.0,
        ponder: bool = False,
        sandbox: str = AUTO,
    ) -> None:
        self._limits = time_limit, memory_limit, start_limit, ponder, sandbox
        self._tabs: set[Send] = set()
        self._person_game: PersonGame | None = None
        self._thread: TaskThread | None = None
        self._driver: asyncio.Task[None] | None = None
        self._choice: asyncio.Future[int] | None = None
        self._saver: GameSaver | None = None
        self._saving_task: asyncio.Task[None] | None = None
        self._hint: Hint | None = None  # that is searched for
        self._hint_tasks: set[asyncio.Task[None]] = set()
        self._shown = False  # were the positions sent?
        self._preparing = False  # is a new game being prepared?
        self._status: Plain = {}
        self._reset_status(LOBBY)

    # -- tabs ------------------------------------------------------------------------------------------------

    async def connect(self, send: Send) -> None:
        """A new tab: it is told all that is so, and then whatever changes."""
        choices = await run_in_thread(lobby)
        send(encode_message("lobby", **choices))
        send(self._game_message())
        send(self._status_message())
        self._tabs.add(send)

    def disconnect(self, send: Send) -> None:
        """A tab has gone. The game stays, and goes on up to the person's next turn: a page that is loaded anew
        finds it as it was. For a hint nobody waits any more."""
        self._tabs.discard(send)
        if not self._tabs and self._hint is not None:
            self._stop_hint()
            self._update(hinting=False)

    async def receive(self, text: str) -> None:
        """Do what a message asks; QpolisError, and nothing changed, if that cannot be done."""
        message = read_message(text)
        await getattr(self, f"_on_{message['type']}")(message)

    def _broadcast(self, text: str) -> None:
        for send in list(self._tabs):
            send(text)

    def _update(self, **changes: Any) -> None:
        self._status |= changes
        self._broadcast(self._status_message())

    def _reset_status(self, phase: str) -> None:
        """The status of a table at which nothing happened yet."""
        self._status = {
            "phase": phase,
            "at": 0,
            "player": None,
            "legal": None,
            "hinting": False,
            "hints": None,
            "casual": False,
            "undo": False,
            "seed": None,
            "result": None,
            "saving": False,
            "saved": None,
            "problem": None,
        }

    def _status_message(self) -> str:
        return encode_message("status", **self._status)

    def _game_message(self) -> str:
        """All positions so far, as the person sees them."""
        if self._person_game is None or not self._shown:
            return encode_message("game", replay=None)
        setup = self._person_game.setup
        heading = f"{'casual' if setup.casual else 'serious'} game, you have seat {setup.person}"
        facts = replay.game_facts(setup.game, setup.names, heading)
        return encode_message("game", replay={**facts, "seat": setup.person, "frames": self._person_game.frames})

    # -- messages --------------------------------------------------------------------------------------------

    async def _on_new(self, message: Message) -> None:
        if self._preparing or self._status["phase"] not in (LOBBY, OVER, FAILED):
            raise QpolisError("a game is being played here: leave it first")
        if self._status["saving"]:
            raise QpolisError("the last game is being saved: wait a moment")
        self._preparing = True
        try:
            setup = await run_in_thread(Setup.of, message, *self._limits)
        finally:
            self._preparing = False
        self._stop_game()
        self._shown = False
        self._reset_status(STARTING)
        self._status["casual"] = setup.casual
        self._broadcast(self._game_message())
        self._start_game(PersonGame(setup), [])

    async def _on_choose(self, message: Message) -> None:
        game = self._own_turn()
        if message["at"] != len(game.decisions):
            raise QpolisError(
                f"choose: at is {message['at']}, and {len(game.decisions)} decisions were made: "
                "the page was out of date"
            )
        if message["action"] not in game.legal:
            raise QpolisError(f"choose: action {message['action']} is not legal here")
        assert self._choice is not None
        self._stop_hint()
        self._choice.set_result(message["action"])

    async def _on_undo(self, message: Message) -> None:
        game = self._casual("undo")
        if self._status["phase"] not in (TURN, THINKING):
            raise QpolisError("undo: nothing can be taken back now")
        number = game.before_person()
        if number is None:
            raise QpolisError("undo: you have decided nothing yet")
        kept, streams = game.decisions[:number], game.decisions[number].streams
        self._stop_game()
        self._status |= {"phase": STARTING, "legal": None, "hints": None, "hinting": False, "undo": False}
        self._start_game(PersonGame(game.setup), kept, streams)

    async def _on_hint(self, message: Message) -> None:
        self._casual("hint")
        game = self._own_turn()
        if self._status["hinting"]:
            raise QpolisError("hint: a search is running already")
        self._update(hinting=True)
        self._hint = Hint(game.state, game.setup.person, len(game.decisions))
        task = asyncio.create_task(self._search_hint(self._hint))
        self._hint_tasks.add(task)
        task.add_done_callback(self._hint_tasks.discard)

    async def _on_save(self, message: Message) -> None:
        if self._saver is None or self._preparing or self._status["saving"] or self._status["saved"]:
            raise QpolisError("save: there is no game that waits to be saved")
        self._save()

    async def _on_leave(self, message: Message) -> None:
        if self._status["saving"]:
            raise QpolisError("leave: the game is being saved: wait a moment")
        self._stop_game()
        self._person_game = self._saver = None
        self._shown = False
        self._reset_status(LOBBY)
        self._broadcast(self._game_message())
        self._update()

    def _own_turn(self) -> PersonGame:
        if self._person_game is None or self._status["phase"] != TURN:
            raise QpolisError("it is not your turn")
        if self._choice is None or self._choice.done():
            raise QpolisError("that was decided already")
        return self._person_game

    def _casual(self, what: str) -> PersonGame:
        if self._person_game is None:
            raise QpolisError(f"{what}: there is no game")
        if not self._person_game.setup.casual:
            raise QpolisError(f"{what}: only in casual games")
        return self._person_game

    # -- the game --------------------------------------------------------------------------------------------

    def _start_game(self, game: PersonGame, kept: list[Decision], streams: Any = None) -> None:
        self._person_game, self._thread, self._saver = game, TaskThread(), None
        self._update()
        self._driver = asyncio.create_task(self._play(game, self._thread, kept, streams))

    async def _play(self, game: PersonGame, thread: TaskThread, kept: list[Decision], streams: Any) -> None:
        """Play a game to its end. Whatever goes wrong here is said, and the server goes on."""
        try:
            await thread(game.begin, kept, streams)
            self._shown = True
            self._broadcast(self._game_message())
            while not game.over:
                await self._step(game, thread)
            played = game.played()
            self._saver = GameSaver(game.setup.plan, game.chunk(played))
            thread.close_after(lambda: game.close(played))
            self._update(
                phase=OVER,
                player=None,
                legal=None,
                hints=None,
                undo=False,
                at=len(game.decisions),
                result=replay.game_result(played),
                seed=str(game.setup.seed),
            )
            self._save()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            thread.close_after(game.close)
            reason = str(error) if isinstance(error, QpolisError) else str(QpolisError(repr(error)))
            self._stop_hint()
            self._update(
                phase=FAILED,
                legal=None,
                hints=None,
                hinting=False,
                undo=False,
                problem=f"the game cannot go on: {reason}",
            )

    async def _step(self, game: PersonGame, thread: TaskThread) -> None:
        """One decision of whoever has the turn."""
        person = game.seat == game.setup.person
        news = {
            "at": len(game.decisions),
            "player": game.seat,
            "hints": None,
            "hinting": False,
            "undo": game.setup.casual and game.before_person() is not None,
        }
        if person:
            self._choice = asyncio.get_running_loop().create_future()
            self._update(phase=TURN, legal=game.choices(), **news)
            begun = time.perf_counter()
            game.decide(await self._choice, time.perf_counter() - begun)
        else:
            self._update(phase=THINKING, legal=None, **news)
            answer = await thread(game.ask)
            if isinstance(answer, Forfeit):
                return game.lose(answer)
            game.decide(*answer)
        number = len(game.decisions)
        self._broadcast(
            encode_message("frame", number=number, move=game.frames[number - 1]["move"], frame=game.frames[number])
        )

    async def _search_hint(self, hint: Hint) -> None:
        """Search for a hint, and tell it if the question still stands."""
        found: Plain | None = None
        problem: str | None = None
        try:
            found = await run_in_thread(hint.search)
        except Exception as error:  # it is only a hint
            problem = f"no hint: {QpolisError(str(error))}"
        if self._hint is hint:
            self._hint = None
            self._update(hinting=False, hints=found, problem=problem)

    def _stop_hint(self) -> None:
        """Nobody waits for the hint that is searched for, if one is."""
        if self._hint is not None:
            self._hint.interrupt()
            self._hint = None

    def _save(self) -> None:
        assert self._saver is not None
        self._update(saving=True, problem=None)
        self._saving_task = asyncio.create_task(self._write(self._saver))

    async def _write(self, saver: GameSaver) -> None:
        try:
            folder: Path = await asyncio.to_thread(saver.save)
        except Exception as error:  # whatever it is, the game is still here
            self._update(saving=False, problem=f"not saved: {QpolisError(str(error))}")
        else:
            self._update(saving=False, saved=shlex.quote(str(folder)))

    def _stop_game(self) -> None:
        """End the game that is played: whoever is thinking is interrupted, and the threads end after that."""
        self._stop_hint()
        if self._driver is not None and not self._driver.done():
            self._driver.cancel()
            assert self._person_game is not None
            assert self._thread is not None
            self._person_game.interrupt()
            self._thread.close_after(self._person_game.close)
        self._driver = None

    async def close(self) -> None:
        """The end of everything: a game that is over is saved, and no bot is left."""
        self._stop_game()
        if self._saving_task is not None:
            await self._saving_task
        for task in self._hint_tasks:
            task.cancel()
        if self._thread is not None:
            with contextlib.suppress(RuntimeError):
                await asyncio.to_thread(self._thread.join, CLOSING)


def encode_message(kind: str, **content: Any) -> str:
    """A message to a tab."""
    return json.dumps({"type": kind, **content}, separators=(",", ":"))
