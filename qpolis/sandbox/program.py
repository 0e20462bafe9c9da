"""Bots that are programs of their own, in any language: JSON lines over their standard streams.

`docs/protocol.md` is the protocol as bot authors read it. A `ProcessBot` is one running program at one seat; it
plays game after game until it fails (`Forfeit`) or is closed.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from qpolis import kernel
from qpolis.engine.results import CRASH, ENDS, ILLEGAL, MEMORY, TIMEOUT
from qpolis.errors import QpolisError, one_line
from qpolis.game import Game, Plain
from qpolis.sandbox import levels
from qpolis.sandbox.bot_jail import bot_jail, cache_of
from qpolis.sandbox.child_process import ChildProcess, DeadlinePassed
from qpolis.sandbox.cores import own_core
from qpolis.sandbox.jail import Jail
from qpolis.sandbox.launch import Forfeit
from qpolis.sandbox.output import Hear, OutputLines
from qpolis.sandbox.stopwatch import Overloaded, Stopwatch, patience

__all__ = ["PROTOCOL", "Forfeit", "Limits", "OutOfTurn", "Overloaded", "ProcessBot", "Program"]

PROTOCOL = 1
MEGABYTE = 1 << 20
DECISIONS = 60  # time limits that one game may take altogether
COMPILING = 10  # a start may take so many times its limit, if something is compiled
FAREWELL = 1.0  # seconds to exit after {"type": "quit"}

encode = json.JSONEncoder(separators=(",", ":"), check_circular=False, default=str).encode


@dataclass(frozen=True)
class Limits:
    """What a bot may use. In seconds of processor time: one decision, all decisions of a seat in one game, from
    its start to its hello. In bytes: memory, of the program and all it starts. `ponder`: may it run while it is
    not asked? `sandbox`: auto, on or off."""

    decision: float = 10.0
    game: float = 300.0
    start: float = 60.0
    memory: int = 2 << 30
    ponder: bool = False
    sandbox: str = levels.AUTO

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if name not in ("ponder", "sandbox") and not 0 < value < float("inf"):
                raise QpolisError(f"limit {name}: {value!r} is not a number above 0")

    @classmethod
    def of(
        cls, seconds: float, megabytes: int, start: float = start, ponder: bool = ponder, sandbox: str = sandbox
    ) -> Limits:
        """Limits by what users say: seconds a decision, megabytes, seconds of a start."""
        game = max(cls.game, DECISIONS * seconds)
        memory = megabytes * MEGABYTE
        return cls(decision=seconds, game=game, start=start, memory=memory, ponder=ponder, sandbox=sandbox)


@dataclass(frozen=True)
class Program:
    """A bot that is a program: how it is started, and the parameters it is told. One that runs a compiled policy
    is sent states instead of observations."""

    command: tuple[str, ...]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    policy: bool = False


class OutOfTurn(Forfeit):
    """It printed something that nobody asked for."""


class ProcessBot:
    """A program at a seat. It is started at once, and greeted when its first game starts. One that is only
    `prepared` may write into its cache, and plays no game. `hear` is called with each line that it prints."""

    def __init__(
        self, program: Program, game: Game, limits: Limits, prepared: bool = False, hear: Hear | None = None
    ) -> None:
        self.limits = limits
        self._hear = hear
        self._program = program
        self._game = game
        self.greeted = False  # has it said hello?
        self._start_limit = limits.start
        self.patience = 1.0  # how many times longer than usual answers are waited for
        self._used = 0.0  # seconds charged in this game
        self._waited = 0.0  # seconds that passed in its decisions
        self._child = ChildProcess(program.command, limits.memory, jail=self._jail(prepared), cores=self._cores())
        self._starting = Stopwatch(self._child, self._start_limit, from_start=True)
        self._open = True
        self._lines = OutputLines(hear) if hear else None
        if self._lines:
            self._child.on_errors = self._lines.feed

    def _jail(self, prepared: bool) -> Jail | None:
        program, game, limits = self._program, self._game, self.limits
        level = levels.choose(limits.sandbox)
        if level is None:
            return None
        cache = cache_of(program.command, game)
        if cache and not prepared:
            with cache.preparation() as needed:
                if needed:
                    self._prepare()
        return bot_jail(level, program.command, game, cache.folder if cache else None, prepared)

    def _prepare(self) -> None:
        """Let it fill its cache. What it prints it will print again, unless it fails."""
        said: list[str] = []
        try:
            with ProcessBot(self._program, self._game, self.limits, prepared=True, hear=said.append) as bot:
                bot.greet()
        except Forfeit:
            if self._hear:
                for line in said:
                    self._hear(line)
            raise

    def _cores(self) -> tuple[int, ...]:
        """Bots that compute while others think would be in each other's way on one core."""
        return () if self.limits.ponder else own_core()

    @property
    def is_policy(self) -> bool:
        """Is it sent states instead of observations?"""
        return self._program.policy

    def __enter__(self) -> ProcessBot:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def start(self, seat: int, seed: int) -> None:
        """A game starts; the first time, the program has to say hello before."""
        if not self.greeted:
            self.greet()
        self._child.forget_errors()
        self._used = self._waited = 0.0
        self._tell(_line({"type": "start", "seat": seat, "seed": seed}))

    def choose(self, observation: str, legal: Sequence[int], texts: Sequence[str]) -> int:
        """One of the legal actions. The observation is JSON already."""
        choices = encode({"legal": legal, "texts": texts})
        return self._choice(f'{{"type":"choose","observation":{observation},{choices[1:]}\n'.encode(), legal)

    def choose_by_state(self, state: np.ndarray, legal: Sequence[int]) -> int:
        """One of the legal actions, by a policy; what its seat cannot know is blank in the state."""
        return self._choice(b'{"type":"choose","state":"%b"}\n' % base64.b64encode(state.tobytes()), legal)

    def _choice(self, question: bytes, legal: Sequence[int]) -> int:
        answer = self._ask(question)
        action = answer.get("action")
        if "action" not in answer:
            raise Forfeit(ILLEGAL, f"answered without an action: {_shown(answer)}")
        if type(action) is not int or action not in legal:
            instead = ""
            if type(action) is int and 0 <= action < len(legal):
                instead = f", but a place in their list: {legal[action]} is there"
            raise Forfeit(ILLEGAL, f"chose {_shown(action)}, which is not one of the legal actions{instead}")
        return action

    def end(self, observation: str, scores: Sequence[int], ranks: Sequence[int], end: int) -> None:
        """The game ended, and how it did for this seat. The observation is JSON already."""
        self._tell(
            f'{{"type":"end","observation":{observation},"scores":{encode(scores)},"ranks":{encode(ranks)},'
            f'"end":"{ENDS[end]}"}}\n'.encode()
        )

    def listen(self) -> None:
        """Hear what it printed by now."""
        if self._lines:
            self._child.read_errors()

    def quit(self) -> None:
        """Ask the program to exit, without waiting for it."""
        if self._open:
            self._open = False
            self._child.resume()
            with contextlib.suppress(Forfeit, DeadlinePassed):  # it will be killed
                self._child.send(_line({"type": "quit"}), time.monotonic())
            self._child.hang_up()

    def close(self) -> None:
        """End the program: it has a moment to exit by itself."""
        self.quit()
        self._end(FAREWELL if self.greeted else 0.0)

    def kill(self) -> None:
        """End the program at once."""
        self._open = False
        self._end(0.0)

    def _end(self, grace: float) -> None:
        self._child.close(grace)
        if self._lines:
            self._lines.end()

    def interrupt(self) -> None:
        """End the program while another thread waits for its answer, which forfeits there."""
        self._child.kill()

    # -- one message at a time -----------------------------------------------------------------------------

    def greet(self) -> None:
        """Tell it which game it is, and hear its hello."""
        game, limits = self._game, self.limits
        hello = {
            "type": "hello",
            "protocol": PROTOCOL,
            "game": {
                "name": game.name,
                "title": game.title,
                "players": game.players,
                "options": game.settings,
                **({"path": game.path} if game.path else {}),
            },
            "parameters": dict(self._program.parameters),
            "limits": {"decision": limits.decision, "game": limits.game},
        }
        try:
            answer = self._first_answer(_line(hello))
            if answer.get("type") == "compiling":
                self._allow_compiling()
                answer = self._first_answer(b"")
        except DeadlinePassed:
            raise self._too_late(f"no hello within {self._start_limit:g} s") from None
        except Forfeit as forfeit:
            if forfeit.end == ILLEGAL:  # there is no game yet in which anything could be illegal
                raise Forfeit(CRASH, f"no hello: {forfeit.reason}", forfeit.trace) from None
            raise
        if answer.get("type") != "hello":
            raise Forfeit(CRASH, f"no hello: answered {_shown(answer)}")
        protocol = answer.get("protocol")
        if type(protocol) is not int or protocol != PROTOCOL:
            raise Forfeit(CRASH, f"speaks protocol {_shown(protocol)}, not {PROTOCOL}")
        self.greeted = True

    def _first_answer(self, line: bytes) -> Plain:
        return _read(self._answer(line, self._starting, patience(self._start_limit, self.patience)))

    def _allow_compiling(self) -> None:
        """It compiles, the first time that it plays this game: that is not its own slowness."""
        kernel.on_compile(f"compiling {os.path.basename(self._program.command[-1])} (first run only) ...")
        self._start_limit *= COMPILING
        self._starting.allow(self._start_limit)

    def _tell(self, line: bytes) -> None:
        """Send a message that has no answer."""
        self._check_silence()
        watch = Stopwatch(self._child, self.limits.decision)
        self._child.on_check = watch.look
        try:
            self._child.send(line, watch.begun + patience(self.limits.decision, self.patience))
        except DeadlinePassed:
            watch.judge()
            raise Forfeit(TIMEOUT, f"did not read its input for {self.limits.decision:g} s") from None
        finally:
            self._child.on_check = None
        self._rest()

    def _ask(self, line: bytes) -> Plain:
        """The answer to a message. The clock runs from before the message is sent."""
        self._check_silence()
        limits = self.limits
        watch = Stopwatch(self._child, min(limits.decision, limits.game - self._used))
        whole = patience(limits.game, self.patience) - self._waited
        try:
            answer = self._answer(line, watch, min(patience(limits.decision, self.patience), whole))
        except DeadlinePassed:
            raise self._too_late(self._late()) from None
        return _read(answer)

    def _answer(self, line: bytes, watch: Stopwatch, longest: float) -> bytes:
        """The answer to a message; DeadlinePassed if it used up its time, or slept for the longest time."""
        deadline = watch.begun + longest
        self._child.on_check = watch.look
        try:
            self._child.resume()
            self._child.send(line, deadline)
            answer = self._child.line(deadline)
            self._used += watch.stop()
            self._waited += time.monotonic() - watch.begun
        except DeadlinePassed:
            watch.judge()
            raise
        finally:
            self._child.on_check = None
        self._rest()
        self.listen()
        return answer

    def _rest(self) -> None:
        """It has nothing to do until it is asked again."""
        if not self.limits.ponder:
            self._child.pause()

    def _too_late(self, what: str) -> Forfeit:
        return Forfeit(TIMEOUT, what + self._child.last_words(), self._child.last_text())

    def _late(self) -> str:
        if self.limits.game - self._used < self.limits.decision:
            return f"its decisions took more than {self.limits.game:g} s in one game"
        return f"no answer within {self.limits.decision:g} s"

    def _check_silence(self) -> None:
        """An answer nobody asked for must not be taken for the answer to the next question."""
        if self._child.has_output():
            with contextlib.suppress(DeadlinePassed):
                _read(self._child.line(time.monotonic()))  # raises a report of failure, which says more
            raise OutOfTurn(ILLEGAL, "spoke out of turn: printed something before it was asked")


def _line(message: Plain) -> bytes:
    return encode(message).encode() + b"\n"


def _shown(value: Any) -> str:
    """What a program sent, for a reason."""
    try:
        return encode(value)
    except RecursionError:
        return "something nested too deeply"


def _read(line: bytes) -> Plain:
    """A message of the program. Its own report that it failed is raised."""
    try:
        message = json.loads(line.decode())
    except (ValueError, RecursionError):
        message = None
    if not isinstance(message, dict):
        raise Forfeit(ILLEGAL, f"answered with what is not a JSON object: {line[:80].decode('utf-8', 'replace')}")
    if message.get("type") == "error":
        end = {ENDS[MEMORY]: MEMORY, ENDS[ILLEGAL]: ILLEGAL}.get(str(message.get("end")), CRASH)
        reason = one_line(str(message.get("message"))) or "failed without saying why"
        raise Forfeit(end, reason, str(message.get("trace", "")))
    return message
